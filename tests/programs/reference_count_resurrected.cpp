// A cache that hands out references to what it holds. A thread that takes one loads the pointer first and increments
// the count afterwards; in between the cache drops its own reference, which was the last.
//
// norn: bug memory data-race
#include <atomic>
#include <cassert>
#include <thread>

struct Entry {
  std::atomic<int> references{1};
  std::atomic<int> hits{0};
};

class Cache {
 public:
  Entry* get() {
    Entry* entry = entry_.load();
    if (entry != nullptr) entry->references.fetch_add(1);
    return entry;
  }

  void clear() {
    if (Entry* entry = entry_.exchange(nullptr)) release(entry);
  }

  static void release(Entry* entry) {
    if (entry->references.fetch_sub(1) == 1) delete entry;
  }

 private:
  std::atomic<Entry*> entry_{new Entry};
};

int main() {
  Cache cache;
  std::thread client([&] {
    if (Entry* entry = cache.get()) {
      entry->hits++;
      Cache::release(entry);
    }
  });
  cache.clear();
  client.join();
}
