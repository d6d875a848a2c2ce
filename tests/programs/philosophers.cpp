// Three philosophers who all take the fork on their left first: when each has it, nobody ever gets the one on the
// right.
//
// norn: bug deadlock
// norn expects: none of them can ever go on
#include <array>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Table {
 public:
  static constexpr int seats = 3;

  void dine(int seat) {
    std::lock_guard left(forks_[seat]);
    std::lock_guard right(forks_[(seat + 1) % seats]);
    meals_[seat]++;
  }

  int meals() const {
    int sum = 0;
    for (int meals : meals_) sum += meals;
    return sum;
  }

 private:
  std::array<std::mutex, seats> forks_;
  std::array<int, seats> meals_{};
};

int main() {
  Table table;
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < Table::seats; ++seat) philosophers.emplace_back([&table, seat] { table.dine(seat); });
  for (auto& philosopher : philosophers) philosopher.join();
  assert(table.meals() == Table::seats);
}
