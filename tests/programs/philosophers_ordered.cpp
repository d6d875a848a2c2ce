// Three philosophers, one of whom is left-handed: she takes the fork on her right first, so that there is no circle.
//
// norn: pass
#include <array>
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Table {
 public:
  static constexpr int seats = 3;

  void dine(int seat) {
    int first = seat, second = (seat + 1) % seats;
    if (seat == 0) std::swap(first, second);
    std::lock_guard lock_first(forks_[first]);
    std::lock_guard lock_second(forks_[second]);
    meals_[seat]++;
  }

  int meals(int seat) const { return meals_[seat]; }

 private:
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
