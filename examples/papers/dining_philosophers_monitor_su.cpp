// Dining philosophers with a monitor, signal-and-urgent-wait, without deadlock and without starvation: a philosopher
// that is passed over becomes starving, and while it is, its neighbours do not start to eat. Everybody eats so
// many times.
//
// Arguments: philosophers (3), times (1). By default it has 30 behaviours; with 4, 5 and 6 philosophers 624, 19,330 and
// 901,752.
//
// norn: pass
#include <norn/monitor.hpp>

#include <cassert>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "arguments.hpp"

class table : norn::su_monitor {
 public:
  explicit table(std::size_t philosophers) : states_(philosophers, state::thinking) {
    norn::su_monitor& self = *this;
    for (std::size_t i = 0; i < philosophers; ++i) may_eat_.emplace_back(self);
  }

  void pick_up(std::size_t philosopher) {
    const auto inside = enter();
    states_[philosopher] = state::hungry;
    test(philosopher);
    if (states_[philosopher] != state::eating) may_eat_[philosopher].wait();
    assert(states_[philosopher] == state::eating && !has_neighbour(philosopher, state::eating));
  }

  void put_down(std::size_t philosopher) {
    const auto inside = enter();
    states_[philosopher] = state::thinking;
    test(left_of(philosopher));
    test(right_of(philosopher));
  }

 private:
  enum class state { thinking, hungry, starving, eating };

  std::size_t left_of(std::size_t philosopher) const { return (philosopher + states_.size() - 1) % states_.size(); }
  std::size_t right_of(std::size_t philosopher) const { return (philosopher + 1) % states_.size(); }
  bool has_neighbour(std::size_t philosopher, state what) const {
    return states_[left_of(philosopher)] == what || states_[right_of(philosopher)] == what;
  }

  void test(std::size_t philosopher) {
    const bool hungry = states_[philosopher] == state::hungry;
    const bool starving = states_[philosopher] == state::starving;
    const bool has_precedence = starving || (hungry && !has_neighbour(philosopher, state::starving));
    if (has_precedence && !has_neighbour(philosopher, state::eating)) {
      states_[philosopher] = state::eating;
      may_eat_[philosopher].signal();
    } else if (hungry && has_precedence) {
      states_[philosopher] = state::starving;
    }
  }

  std::vector<state> states_;
  std::deque<condition> may_eat_;
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const auto philosophers = static_cast<std::size_t>(given.size("philosophers", 3, 2));
  const int times = given.size("times", 1);
  given.end();

  table table(philosophers);
  std::vector<int> meals(philosophers);  // with each fork; two at once would be a data race

  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < philosophers; ++i)
    threads.emplace_back([&, i] {
      for (int left = times; left != 0; --left) {
        table.pick_up(i);
        ++meals[i];
        ++meals[(i + 1) % philosophers];
        table.put_down(i);
      }
    });
  for (std::thread& thread : threads) thread.join();

  for (const int count : meals) assert(count == 2 * times);
  return 0;
}
