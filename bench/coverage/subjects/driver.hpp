// What the subjects share: threads that start together and are all waited for, and checks that end the program.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

// Stands for assert, which a release build would leave out.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

// What one thread does. A job that returns an int returns by how much it changed what main counts at the end, so that
// the threads need not share a counter, which would be one more thing that they synchronize on.
class Job {
 public:
  template <typename F>
  Job(F work) {  // NOLINT: lambdas become jobs
    if constexpr (std::is_same_v<std::invoke_result_t<F&>, int>) {
      work_ = std::move(work);
    } else {
      work_ = [work = std::move(work)]() mutable {
        work();
        return 0;
      };
    }
  }

  int operator()() const { return work_(); }

 private:
  std::function<int()> work_;
};

inline int run_together(const std::vector<Job>& jobs) {
  std::vector<int> changes(jobs.size());
  std::vector<std::thread> threads;
  threads.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    threads.emplace_back([&job = jobs[i], &change = changes[i]] { change = job(); });
  }
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (const int change : changes) sum += change;
  return sum;
}
