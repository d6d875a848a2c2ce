norn-c++ -std=c++20 -g -O0 examples/hit_counter.cpp -o PROGRAM
