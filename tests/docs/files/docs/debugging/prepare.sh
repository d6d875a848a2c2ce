norn check queue.cpp --quiet || test $? = 1
