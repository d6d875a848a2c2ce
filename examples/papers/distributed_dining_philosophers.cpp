// Distributed dining philosophers (Chandy and Misra): neighbours share a fork, which one of them has. A hungry
// philosopher asks for the forks it does not have. Who is asked cleans a dirty fork and gives it away, but keeps a
// clean one until it has eaten with it, which makes it dirty. Every philosopher has two threads, one that eats once and
// one that takes messages, and a monitor for what both use.
//
// Arguments: philosophers (3). By default it has 4,554 behaviours; with 2 philosophers 31.
//
// norn: pass
#include <norn/monitor.hpp>
#include <norn/port.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "arguments.hpp"

class philosopher : norn::su_monitor {
 public:
  philosopher(std::size_t id, std::size_t philosophers, std::deque<philosopher>& all) : all_(all) {
    const std::size_t left = (id + philosophers - 1) % philosophers;
    const std::size_t right = (id + 1) % philosophers;
    // At first the one with the lower number has the fork, so that they do not wait for each other in a circle.
    sides_[0] = {.neighbour = left, .has_fork = id < left, .may_ask = left < id};
    sides_[1] = {.neighbour = right, .has_fork = id < right, .may_ask = right < id};
    requests_due_ = forks();
    forks_due_ = 2 - forks();
  }

  void start_eating() {
    const auto inside = enter();
    state_ = state::hungry;
    for (int side = 0; side < 2; ++side)
      if (!sides_[side].has_fork) ask_for_fork(side);
    if (forks() != 2) has_forks_.wait();
    assert(forks() == 2);
    state_ = state::eating;
  }

  void stop_eating() {
    const auto inside = enter();
    assert(state_ == state::eating && forks() == 2);
    state_ = state::full;
    for (int side = 0; side < 2; ++side) {
      sides_[side].fork_is_clean = false;
      // Who has the fork may only ask for it if it has been asked.
      if (sides_[side].may_ask) give_fork(side);
    }
  }

  void take_messages() {
    while (requests_due_ != 0 || forks_due_ != 0) {
      const message received = messages_.receive();
      if (received.is_fork) {
        take_fork(received.side, received.wants_it_back);
      } else {
        take_request(received.side);
      }
    }
  }

  int forks() const { return sides_[0].has_fork + sides_[1].has_fork; }

 private:
  enum class state { thinking, hungry, eating, full };
  struct message {
    int side;  ///< of the one that receives it
    bool is_fork = false;
    bool wants_it_back = false;
  };
  struct half {
    std::size_t neighbour = 0;
    bool has_fork = false;
    bool may_ask = false;  ///< one of two neighbours may; by asking it gives the other one this right
    bool fork_is_clean = false;
  };

  void ask_for_fork(int side) {
    assert(!sides_[side].has_fork && sides_[side].may_ask);
    sides_[side].may_ask = false;
    all_[sides_[side].neighbour].messages_.send({.side = 1 - side});
  }

  void give_fork(int side) {
    assert(sides_[side].has_fork && !sides_[side].fork_is_clean && state_ != state::eating);
    const bool wants_it_back = state_ != state::full;
    if (wants_it_back) ++forks_due_;
    sides_[side].has_fork = false;
    all_[sides_[side].neighbour].messages_.send({1 - side, true, wants_it_back});
    if (state_ == state::hungry) ask_for_fork(side);
  }

  /// The fork that is asked for may not be here yet: one thread of the neighbour can give it, and the other ask for it.
  void take_request(int side) {
    const auto inside = enter();
    assert(!sides_[side].may_ask);
    --requests_due_;
    sides_[side].may_ask = true;
    if (sides_[side].has_fork && !sides_[side].fork_is_clean && state_ != state::eating) give_fork(side);
  }

  void take_fork(int side, bool neighbour_wants_it_back) {
    const auto inside = enter();
    assert(!sides_[side].has_fork && state_ == state::hungry);
    --forks_due_;
    if (neighbour_wants_it_back) ++requests_due_;
    sides_[side].has_fork = true;
    sides_[side].fork_is_clean = true;
    if (forks() == 2) has_forks_.signal();
  }

  std::deque<philosopher>& all_;
  norn::port<message> messages_;
  state state_ = state::thinking;
  std::array<half, 2> sides_;
  condition has_forks_{*this};
  // How many messages are still to come; only the thread that takes them uses this.
  int requests_due_ = 0;
  int forks_due_ = 0;
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const auto philosophers = static_cast<std::size_t>(given.size("philosophers", 3, 2));
  given.end();

  std::deque<philosopher> all;
  for (std::size_t id = 0; id < philosophers; ++id) all.emplace_back(id, philosophers, all);
  std::vector<int> meals(philosophers);  // with each fork; two at once would be a data race

  std::vector<std::thread> threads;
  for (std::size_t id = 0; id < philosophers; ++id) {
    threads.emplace_back([&, id] {
      all[id].start_eating();
      ++meals[id];
      ++meals[(id + 1) % philosophers];
      all[id].stop_eating();
    });
    threads.emplace_back([&, id] { all[id].take_messages(); });
  }
  for (std::thread& thread : threads) thread.join();

  int forks = 0;
  for (const philosopher& philosopher : all) forks += philosopher.forks();
  assert(forks == static_cast<int>(philosophers));
  for (const int count : meals) assert(count == 2);
}
