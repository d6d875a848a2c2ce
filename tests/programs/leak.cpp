// A cache that is filled by whoever comes first: the one who comes second has made an entry as well, does not need it,
// and forgets it.
//
// norn: bug memory
// norn options: --leaks
// norn expects: leak
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

struct Entry {
  std::string text = "an entry that is expensive to compute";
};

class Cache {
 public:
  ~Cache() { delete entry_.load(); }

  const Entry& get() {
    Entry* entry = entry_.load(std::memory_order_acquire);
    if (entry != nullptr) return *entry;
    Entry* made = new Entry;
    if (entry_.compare_exchange_strong(entry, made, std::memory_order_acq_rel)) return *made;
    return *entry;
  }

 private:
  std::atomic<Entry*> entry_{nullptr};
};

int main() {
  Cache cache;
  std::thread other([&] { assert(!cache.get().text.empty()); });
  assert(!cache.get().text.empty());
  other.join();
}
