// Distributed mutual exclusion by permission (Ricart and Agrawala): a process that wants to enter its critical section
// sends a numbered request to all others and waits for their replies; who has a lower number itself replies later.
// Every process has two threads, one that enters the critical section so many times and one that answers requests, and
// a monitor for what both use.
//
// Arguments: processes (3), times (1). By default it has 4,032 behaviours; 504 with --reduce unordered.
//
// norn: pass
#include <norn/monitor.hpp>
#include <norn/port.hpp>

#include <algorithm>
#include <cassert>
#include <deque>
#include <thread>
#include <vector>

#include "arguments.hpp"

class process : norn::su_monitor {
 public:
  process(int id, std::deque<process>& all) : id_(id), all_(all) {}

  void enter_critical_section() {
    const request mine = {choose_number(), id_};
    for (process& other : all_)
      if (&other != this) other.requests_.send(mine);
    for (int left = others(); left != 0; --left) {
      const int from = replies_.receive();
      assert(from != id_);
    }
  }

  void leave_critical_section() {
    const auto inside = enter();
    requesting_ = false;
    for (const int other : deferred_) reply_to(other);
    deferred_.clear();
  }

  /// Every other process sends so many requests.
  void answer_requests(int times) {
    for (int left = others() * times; left != 0; --left) {
      const request other = requests_.receive();
      if (!defer(other)) reply_to(other.id);
    }
  }

 private:
  struct request {
    int number;
    int id;
  };

  int others() const { return static_cast<int>(all_.size()) - 1; }
  void reply_to(int other) { all_[other].replies_.send(id_); }

  int choose_number() {
    const auto inside = enter();
    requesting_ = true;
    number_ = highest_ + 1;
    return number_;
  }

  bool defer(const request& other) {
    const auto inside = enter();
    highest_ = std::max(highest_, other.number);
    const bool mine_is_first = number_ < other.number || (number_ == other.number && id_ < other.id);
    if (!requesting_ || !mine_is_first) return false;
    deferred_.push_back(other.id);
    return true;
  }

  const int id_;
  std::deque<process>& all_;
  norn::port<request> requests_;
  norn::port<int> replies_{norn::unordered};  // all that counts is how many there are
  bool requesting_ = false;
  int number_ = 0;
  int highest_ = 0;
  std::vector<int> deferred_;
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int processes = given.size("processes", 3);
  const int times = given.size("times", 1);
  given.end();

  std::deque<process> all;
  for (int id = 0; id < processes; ++id) all.emplace_back(id, all);
  int visits = 0;  // two processes in their critical sections would be a data race

  std::vector<std::thread> threads;
  for (process& process : all) {
    threads.emplace_back([&] {
      for (int i = 0; i < times; ++i) {
        process.enter_critical_section();
        ++visits;
        process.leave_critical_section();
      }
    });
    threads.emplace_back([&] { process.answer_requests(times); });
  }
  for (std::thread& thread : threads) thread.join();

  assert(visits == processes * times);
}
