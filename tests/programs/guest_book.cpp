// Guests come and go in the order of their names and in that of their rooms, while others read. A lock keeps them
// apart, and both containers are what they should be whoever comes first.
//
// norn: pass
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

class GuestBook {
 public:
  void arrives(const std::string& name, int room) {
    std::lock_guard lock(mutex_);
    rooms_[name] = room;
    order_.push_back(room);
    order_.sort();
  }

  void leaves(const std::string& name) {
    std::lock_guard lock(mutex_);
    order_.remove(rooms_.at(name));
    rooms_.erase(name);
  }

  int rooms_taken() const {
    std::shared_lock lock(mutex_);
    int by_name = 0;
    for (const auto& [name, room] : rooms_) by_name += room;
    int by_room = 0;
    for (auto room = order_.rbegin(); room != order_.rend(); ++room) by_room += *room;
    assert(by_name == by_room);
    return by_room;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, int> rooms_;
  std::list<int> order_;
};

int main() {
  GuestBook book;
  for (int room = 1; room <= 6; ++room) book.arrives(std::string(1, static_cast<char>('a' + room)), room);
  std::thread first([&] {
    book.leaves("b");
    book.arrives("x", 10);
  });
  std::thread second([&] { book.leaves("e"); });
  std::thread reader([&] { assert(book.rooms_taken() > 15); });
  first.join();
  second.join();
  reader.join();
  assert(book.rooms_taken() == 26);
}
