// Programs whose number of behaviours is known from the literature or by counting: NAME NUMBER [ROUNDS].

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace {

void in_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

/// n threads that take one lock k times each: (nk)! / (k!)^n.
void locks(int n, int k) {
  std::mutex mutex;
  in_threads(n, [&](int) {
    for (int i = 0; i < k; ++i) std::lock_guard guard(mutex);
  });
}

/// One writer and n readers of one atomic: 2^n.
void readers(int n, int) {
  std::atomic<int> shared = 0;
  in_threads(n + 1, [&](int i) {
    if (i == 0) shared = 1;
    if (i != 0) shared.load();
  });
}

/// n writers, each with a reader of its own: 2^n.
void pairs(int n, int) {
  std::vector<std::atomic<int>> shared(n);
  in_threads(2 * n, [&](int i) {
    if (i % 2 == 0) shared[i / 2] = 1;
    if (i % 2 != 0) shared[i / 2].load();
  });
}

/// n philosophers who eat k times.
void philosophers(int n, int k) {
  std::vector<std::mutex> forks(n);
  in_threads(n, [&](int i) {
    for (int round = 0; round < k; ++round) {
      forks[i].lock();
      forks[(i + 1) % n].lock();
      forks[i].unlock();
      forks[(i + 1) % n].unlock();
    }
  });
}

/// The last-zero program of Abdulla, Aronis, Jonsson and Sagonas (JACM 2017).
void last_zero(int n, int) {
  std::vector<std::atomic<int>> array(n + 1);
  in_threads(n + 1, [&](int i) {
    if (i != 0) {
      array[i] = array[i - 1] + 1;
      return;
    }
    for (int last = n; array[last] != 0;) --last;
  });
}

/// The Fibonacci program of SV-COMP; the main thread reads before it joins.
void fibonacci(int rounds, int) {
  std::atomic<int> i = 1, j = 1;
  std::thread one([&] {
    for (int k = 0; k < rounds; ++k) i = i + j;
  });
  std::thread two([&] {
    for (int k = 0; k < rounds; ++k) j = j + i;
  });
  const int seen_i = i;
  const int seen_j = j;
  (void)(seen_i + seen_j);
  one.join();
  two.join();
}

/// The file system program of Flanagan and Godefroid (POPL 2005).
void file_system(int threads, int) {
  constexpr int inodes = 32, blocks = 26;
  static std::mutex inode_locks[inodes], block_locks[blocks];
  static int inode[inodes];
  static bool busy[blocks];
  in_threads(threads, [](int id) {
    const int i = id % inodes;
    const std::lock_guard inode_guard(inode_locks[i]);
    if (inode[i] != 0) return;
    for (int tried = 0, b = i * 2 % blocks; tried < blocks; ++tried, b = (b + 1) % blocks) {
      const std::lock_guard block_guard(block_locks[b]);
      if (busy[b]) continue;
      busy[b] = true;
      inode[i] = b + 1;
      return;
    }
  });
}

/// Their indexer: a hash table without locks.
void indexer(int threads, int) {
  constexpr int size = 128, messages = 4;
  static std::atomic<int> table[size];
  in_threads(threads, [](int id) {
    for (int m = 0; m < messages; ++m) {
      const int message = m * 11 + id + 1 + m;
      int hash = ((m + 1) * 11 + id) * 7 % size;
      int expected = 0;
      while (!table[hash].compare_exchange_strong(expected, message)) {
        hash = (hash + 1) % size;
        expected = 0;
      }
    }
  });
}

/// A thread adds to an atomic and ends the process, another one stores to it and does the same, a third one reads it.
/// As many interleavings as behaviours: whoever ends the process, all that happened before is on one object.
void exits(int, int) {
  static std::atomic<int> shared;
  in_threads(3, [](int id) {
    if (id == 1) {
      shared.load();
      return;
    }
    id == 0 ? shared.fetch_add(1) : shared.exchange(1);
    std::exit(0);
  });
}

/// Two threads exit. The second write of one of them can overtake the write of the other, between which the first read
/// of it was placed.
void exits_of_two(int, int) {
  static std::atomic<int> shared;
  static std::atomic<int> other;
  in_threads(3, [](int id) {
    if (id == 0) {
      other.store(1);
      std::exit(0);
    }
    if (id == 1) {
      shared.load();
      return;
    }
    other.load();
    shared.store(1);
    other.fetch_add(1);
    std::exit(0);
  });
}

/// Tickets are drawn and served in the same order: n!, however long the others wait.
void ticket_lock(int n, int) {
  static std::atomic<int> next, serving;
  in_threads(n, [](int) {
    const int mine = next.fetch_add(1);
    while (serving.load() != mine) std::this_thread::yield();
    serving.store(mine + 1);
  });
}

/// Threads take turns, so there is one way only, however often each of them looks before it is its turn.
void token_ring(int n, int laps) {
  static std::atomic<int> turn;
  in_threads(n, [=](int me) {
    for (int lap = 0; lap < laps; ++lap) {
      while (turn.load() != me) {
      }
      turn.store((me + 1) % n);
    }
  });
}

/// A lock that is taken by an exchange: n!.
void spin_lock(int n, int) {
  static std::atomic<int> taken, count;
  in_threads(n, [](int) {
    while (taken.exchange(1) != 0) {
    }
    count.fetch_add(1);
    taken.store(0);
  });
}

/// The same, but only when it looks free: a thread may have seen that before others took it.
void patient_spin_lock(int n, int) {
  static std::atomic<int> taken, count;
  in_threads(n, [](int) {
    do {
      while (taken.load() != 0) {
      }
    } while (taken.exchange(1) != 0);
    count.fetch_add(1);
    taken.store(0);
  });
}

/// Looks from a frame most of which is not used, so that whatever was there before stays there.
[[gnu::noinline]] int look(const std::atomic<int>& value, int room) {
  const void* const unused = __builtin_alloca(static_cast<std::size_t>(room));
  asm volatile("" : : "r"(unused));
  return value.load();
}

/// n threads wait until they see two flags in one round: one behaviour, and how much room there is makes no difference.
void roomy_wait(int n, int room) {
  static std::atomic<int> first, second;
  in_threads(n + 1, [=](int me) {
    if (me == n) {
      first.store(1);
      second.store(1);
    } else {
      while (look(first, room / 2) + look(second, room) != 2) {
      }
    }
  });
}

/// 63 threads with n operations each on an object of their own; seven of them are one writer and six readers of another
/// one: 2^6.
void crowd(int n, int) {
  std::atomic<int> shared = 0;
  std::vector<std::atomic<int>> own(63);
  in_threads(63, [&](int i) {
    for (int k = 0; k < n; ++k) ++own[i];
    if (i == 0) shared = 1;
    if (i % 10 == 1 && i < 60) shared.load();
  });
}

/// An atomic variable that is made anew in the same place. One thread compares it while the other one exchanges it and
/// wakes others, of which there are none.
void made_anew(int rounds, int) {
  alignas(std::atomic<int>) static unsigned char place[sizeof(std::atomic<int>)];
  for (int i = 0; i < rounds; ++i) {
    auto& value = *new (place) std::atomic<int>(1);
    std::thread comparing([&value] {
      int expected = 1;
      value.compare_exchange_strong(expected, 3);
    });
    value.exchange(2);
    value.notify_one();
    comparing.join();
  }
}

/// The first thread goes round while the second takes a mutex that is on the stack of the first: what that changes
/// there is not the first one's.
void mutex_beside_loop(int, int) {
  constexpr unsigned locked = 1;
  std::mutex mutex;
  std::atomic<unsigned> lock{0};
  std::atomic<int> done{0};
  const auto acquire = [&lock] {
    for (unsigned seen = lock.load();;) {
      if ((seen & locked) != 0) {
        std::this_thread::yield();
        seen = lock.load();
      } else if (lock.compare_exchange_strong(seen, seen | locked)) {
        return;
      }
    }
  };
  std::thread thread([&] {
    acquire();
    const std::lock_guard guard(mutex);
    lock -= locked;
    ++done;
  });
  acquire();
  lock -= locked;
  thread.join();
}

/// Who takes something may come after the one who gives one, or after the one who gives two.
void give_two(int, int) {
  std::counting_semaphore<> semaphore{0};
  std::thread taking([&] { semaphore.acquire(); });
  std::thread giving_one([&] { semaphore.release(); });
  std::thread giving_two([&] { semaphore.release(2); });
  taking.join();
  giving_one.join();
  giving_two.join();
}

/// A round of a loop looks at three things, which change one after the other: who has seen the first one too early may
/// still see the last one in time.
void three_looks(int, int) {
  std::atomic<int> one = 0;
  std::atomic<int> two = 0;
  std::atomic<int> last = 0;
  std::thread waiting([&] {
    do {
      one.load();
      two.load();
    } while (last.load() != 0);
  });
  std::thread changing([&] {
    one = 1;
    two = 1;
    last = 1;
  });
  waiting.join();
  changing.join();
}

/// n readers of what is written k times under a sequence lock: each sees what was there before, or one of these.
void sequence_lock(int n, int k) {
  std::atomic<int> sequence = 0;
  std::atomic<int> first = 0;
  std::atomic<int> second = 0;
  in_threads(n + 1, [&](int i) {
    for (int j = 0; i == 0 && j < k; ++j) {
      ++sequence;
      first = j;
      second = j;
      ++sequence;
    }
    int before = i == 0 ? 0 : 1;
    int after = 0;
    while (before != after || before % 2 != 0) {
      before = sequence.load();
      first.load();
      second.load();
      after = sequence.load();
    }
  });
}

/// n threads that take two locks together k times each, in different orders: (nk)! / (k!)^n.
void locks_together(int n, int k) {
  std::mutex one;
  std::mutex other;
  in_threads(n, [&](int i) {
    for (int j = 0; j < k; ++j) {
      if (i % 2 == 0) {
        std::scoped_lock both(one, other);
      } else {
        std::unique_lock first(other, std::defer_lock);
        std::unique_lock second(one, std::defer_lock);
        std::lock(first, second);
      }
    }
  });
}

/// n philosophers who take both forks together eat once: who of two neighbours comes first, but not all of them in a
/// circle, 2^n - 2. For n = 3 each is a neighbour of all others: 3!. With `nested` one who takes one of two locks while
/// holding the other, in an order that is not that of their addresses, makes no difference.
void philosophers_together(int n, int nested) {
  std::vector<std::mutex> forks(static_cast<std::size_t>(n));
  in_threads(n, [&](int i) {
    std::mutex& left = forks[static_cast<std::size_t>(i)];
    std::mutex& right = forks[static_cast<std::size_t>((i + 1) % n)];
    if (i == 1 && nested != 0) {
      std::lock_guard first(right);
      std::lock_guard second(left);
    } else {
      std::scoped_lock both(left, right);
    }
  });
}

/// One thread has locks 0 and 1, one after the other, and the second only when another thread has had lock 2. A third
/// one takes all three together: first, between the others' turns or last; but it does not wait with a part of them.
void locks_in_steps(int, int) {
  std::mutex locks[3];
  std::binary_semaphore had{0};
  std::thread one([&] {
    std::lock_guard first(locks[1]);
    had.acquire();
    std::lock_guard second(locks[0]);
  });
  std::thread other([&] {
    { std::lock_guard guard(locks[2]); }
    had.release();
  });
  { std::scoped_lock all(locks[0], locks[1], locks[2]); }
  one.join();
  other.join();
}

/// Locks of all kinds, which n threads take together k times.
void locks_of_all_kinds(int n, int k) {
  std::recursive_mutex again;
  std::timed_mutex timed;
  std::shared_mutex shared;
  in_threads(n, [&](int i) {
    for (int j = 0; j < k; ++j) {
      if (i % 2 == 0) {
        const std::scoped_lock all(again, timed, shared);
      } else {
        const std::lock_guard before(again);
        std::unique_lock first(shared, std::defer_lock);
        std::lock(first, timed, again);
        timed.unlock();
        again.unlock();
      }
    }
  });
}

/// One thread takes two locks together, the others one after the other in different orders: a circle of these two.
/// Where they are not stuck, all three have an order, 3!; and the first may have come before two that are.
void locks_in_circle(int, int) {
  std::mutex one;
  std::mutex other;
  std::thread both([&] { const std::scoped_lock lock(one, other); });
  std::thread up([&] {
    const std::lock_guard first(one);
    const std::lock_guard second(other);
  });
  std::thread down([&] {
    const std::lock_guard first(other);
    const std::lock_guard second(one);
  });
  both.join();
  up.join();
  down.join();
}

/// Nobody waits for n threads that take two locks together. Those that were there in time have an order.
void locks_at_the_end(int n, int) {
  static std::mutex one;
  static std::mutex other;
  for (int i = 0; i < n; ++i) std::thread([] { const std::scoped_lock lock(one, other); }).detach();
}

/// Of three locks two threads take two together each, and main takes one of these alone; it may try to.
void locks_in_common(int tries, int) {
  std::mutex locks[3];
  std::thread one([&] { std::scoped_lock both(locks[0], locks[1]); });
  std::thread other([&] { std::scoped_lock both(locks[2], locks[1]); });
  if (tries == 0) {
    std::lock_guard guard(locks[1]);
  } else if (locks[1].try_lock()) {
    locks[1].unlock();
  }
  one.join();
  other.join();
}

/// Somebody tries a lock that another thread takes together with one that main has, unless it is too early for that.
template <typename Mutex, typename Try>
void try_early(const Try& tries) {
  Mutex first;
  Mutex second;
  std::atomic<bool> wanted = false;
  first.lock();
  std::thread one([&] { tries(second); });
  std::thread other([&] {
    if (wanted) std::scoped_lock both(second, first);
  });
  std::thread third([&] { wanted = true; });
  one.join();
  first.unlock();
  other.join();
  third.join();
}

void locks_tried_early(int shared, int) {
  const auto try_one = [](auto& lock) {
    if (lock.try_lock()) lock.unlock();
  };
  const auto try_share = [](auto& lock) {
    if (lock.try_lock_shared()) lock.unlock_shared();
  };
  shared == 0 ? try_early<std::mutex>(try_one) : try_early<std::shared_mutex>(try_share);
}

/// Who takes two locks, and begins with the one that it cannot have, leaves the other one to somebody who tries it.
void locks_tried_in_vain(int, int) {
  std::mutex locks[2];
  locks[1].lock();
  std::thread both([&] { std::scoped_lock lock(locks[1], locks[0]); });
  std::thread one([&] {
    if (!locks[0].try_lock()) std::abort();
    locks[0].unlock();
  });
  one.join();
  locks[1].unlock();
  both.join();
}

/// Two functions are called once and fail. The process may end in the middle of the second.
void failing_once(int, int) {
  static std::atomic<int> value;
  std::once_flag once;
  const auto call = [&once](auto function) {
    try {
      std::call_once(once, function);
    } catch (int) {
    }
  };
  std::thread one([&] { call([] { throw 1; }); });
  std::thread other([&] {
    call([] {
      if (value++ != 0) std::quick_exit(0);
      throw 1;
    });
  });
  ++value;
  value.load();
  one.join();
  other.join();
}

/// A thread counts how often it looks, so that no look is like another: a behaviour for each number, without end.
void endless_looks(int, int) {
  std::atomic<bool> ready = false;
  std::thread other([&ready] { ready = true; });
  volatile int looks = 0;
  while (!ready) looks = looks + 1;
  other.join();
}

/// Readers come before or after a writer. Beside them somebody tries a mutex: before it is held, meanwhile, or after.
void readers_beside_try(int readers, int) {
  static std::shared_mutex shared;
  static std::mutex tried;
  std::vector<std::thread> threads;
  for (int i = 0; i < readers; ++i) threads.emplace_back([] { const std::shared_lock lock(shared); });
  threads.emplace_back([] { const std::unique_lock lock(shared); });
  threads.emplace_back([] { const std::lock_guard lock(tried); });
  threads.emplace_back([] { const std::unique_lock lock(tried, std::try_to_lock); });
  for (std::thread& thread : threads) thread.join();
}

/// A thread looks many times before it sleeps, and begins to count anew.
void counted_looks(int looks, int) {
  static std::atomic<bool> ready;
  std::thread setting([] { ready = true; });
  for (int i = 0; !ready; ++i) {
    if (i < looks) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    i = 0;
  }
  setting.join();
}

struct Case {
  const char* name;
  void (*body)(int, int);
};

constexpr Case cases[] = {{"locks", locks},
                          {"crowd", crowd},
                          {"readers", readers},
                          {"pairs", pairs},
                          {"philosophers", philosophers},
                          {"last_zero", last_zero},
                          {"fibonacci", fibonacci},
                          {"file_system", file_system},
                          {"indexer", indexer},
                          {"exits", exits},
                          {"exits_of_two", exits_of_two},
                          {"ticket_lock", ticket_lock},
                          {"token_ring", token_ring},
                          {"spin_lock", spin_lock},
                          {"patient_spin_lock", patient_spin_lock},
                          {"roomy_wait", roomy_wait},
                          {"made_anew", made_anew},
                          {"readers_beside_try", readers_beside_try},
                          {"counted_looks", counted_looks},
                          {"endless_looks", endless_looks},
                          {"give_two", give_two},
                          {"mutex_beside_loop", mutex_beside_loop},
                          {"three_looks", three_looks},
                          {"sequence_lock", sequence_lock},
                          {"locks_together", locks_together},
                          {"locks_in_common", locks_in_common},
                          {"locks_in_steps", locks_in_steps},
                          {"locks_tried_early", locks_tried_early},
                          {"locks_tried_in_vain", locks_tried_in_vain},
                          {"locks_of_all_kinds", locks_of_all_kinds},
                          {"locks_in_circle", locks_in_circle},
                          {"locks_at_the_end", locks_at_the_end},
                          {"philosophers_together", philosophers_together},
                          {"failing_once", failing_once}};

}  // namespace

int main(int argc, char** argv) {
  for (const Case& one : cases)
    if (argc > 2 && std::strcmp(argv[1], one.name) == 0)
      one.body(std::atoi(argv[2]), argc > 3 ? std::atoi(argv[3]) : 1);
}
