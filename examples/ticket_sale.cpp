// A ticket office that asks whether there is a seat in one critical section and sells it in another: when the last seat
// goes to somebody else in between, the sale throws and nobody catches.
//
// norn: bug exception
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

class TicketOffice {
 public:
  bool available() {
    std::lock_guard lock(mutex_);
    return !seats_.empty();
  }

  std::string sell() {
    std::lock_guard lock(mutex_);
    if (seats_.empty()) throw std::runtime_error("sold out");
    return seats_.extract(seats_.begin()).value();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> seats_ = {"12A"};
};

int main() {
  TicketOffice office;
  auto buy = [&] {
    if (office.available()) office.sell();
  };
  std::thread customer1(buy);
  std::thread customer2(buy);
  customer1.join();
  customer2.join();
}
