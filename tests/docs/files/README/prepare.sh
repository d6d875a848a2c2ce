norn-c++ -std=c++20 -g queue_test.cpp -o build/queue_test
