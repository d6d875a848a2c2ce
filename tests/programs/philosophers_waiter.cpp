// Three philosophers and a waiter who lets only two of them sit down at a time, so that one always gets both forks.
//
// norn: pass
#include <array>
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

class Table {
 public:
  static constexpr int seats = 3;

  void dine(int seat) {
    chairs_.acquire();
    {
      std::lock_guard left(forks_[seat]);
      std::lock_guard right(forks_[(seat + 1) % seats]);
      meals_[seat]++;
    }
    chairs_.release();
  }

  int meals(int seat) const { return meals_[seat]; }

 private:
  std::counting_semaphore<seats - 1> chairs_{seats - 1};
  std::array<std::mutex, seats> forks_;
  std::array<int, seats> meals_{};
};

int main() {
  Table table;
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < Table::seats; ++seat) philosophers.emplace_back([&table, seat] { table.dine(seat); });
  for (auto& philosopher : philosophers) philosopher.join();
  for (int seat = 0; seat < Table::seats; ++seat) assert(table.meals(seat) == 1);
}
