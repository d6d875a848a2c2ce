// A pool of two connections: a semaphore counts the free ones, a mutex guards the list of them. While one connection is
// in use, two clients share the other; none of them ever finds the list empty, and all connections come back.
//
// norn: pass
#include <cassert>
#include <cstddef>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

class ConnectionPool {
 public:
  int acquire() {
    free_count_.acquire();
    std::lock_guard lock(mutex_);
    assert(!free_.empty());
    const int connection = free_.back();
    free_.pop_back();
    return connection;
  }

  void release(int connection) {
    {
      std::lock_guard lock(mutex_);
      free_.push_back(connection);
    }
    free_count_.release();
  }

  std::size_t free() {
    std::lock_guard lock(mutex_);
    return free_.size();
  }

 private:
  std::counting_semaphore<2> free_count_{2};
  std::mutex mutex_;
  std::vector<int> free_ = {1, 2};
};

int main() {
  ConnectionPool pool;
  const int mine = pool.acquire();
  auto client = [&] { pool.release(pool.acquire()); };
  std::thread client1(client);
  std::thread client2(client);
  pool.release(mine);
  client1.join();
  client2.join();
  assert(pool.free() == 2);
}
