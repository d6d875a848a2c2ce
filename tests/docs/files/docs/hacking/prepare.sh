cp examples/hit_counter.cpp p.cpp
norn check p.cpp --quiet || true
cp norn-traces/p-1.trace FILE
