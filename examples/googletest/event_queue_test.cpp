#include "event_queue.hpp"

#include <gtest/gtest.h>

#include <thread>

#ifndef QUEUE
#define QUEUE EventQueue
#endif

TEST(Queue, HandsOutEveryEventOnce) {
  QUEUE queue;
  int first = 0;
  int second = 0;
  std::thread one([&] { first = queue.pop(); });
  std::thread two([&] { second = queue.pop(); });
  queue.push(1);
  queue.push(2);
  one.join();
  two.join();
  EXPECT_EQ(first + second, 3);
}

TEST(Queue, WakesEveryReader) {
  QUEUE queue;
  std::thread writer([&] {
    queue.push(1);
    queue.push(2);
  });
  std::thread reader([&] { queue.pop(); });
  queue.pop();
  reader.join();
  writer.join();
}
