// std::atomic of all sizes and all its operations, atomic_flag, atomic_ref, fences, waiting.

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "cases.h"

/// Two stores and a load race; the main thread reads last.
template <typename T>
void race(T zero, T one, T two, int (*number)(const T&)) {
  std::atomic<T> object(zero);
  T seen = zero;
  std::thread a([&] {
    object.store(one);
    seen = object.load();
  });
  std::thread b([&] { object.store(two); });
  a.join();
  b.join();
  printf("saw %d, left %d\n", number(seen), number(object.load()));
}

template <typename T>
void race_of_numbers() {
  race<T>(0, 1, 2, [](const T& value) { return static_cast<int>(value); });
}

/// Every byte takes part, so that a torn value shows.
template <unsigned size>
struct Bytes {
  unsigned char byte[size];
};

template <unsigned size>
void race_of_bytes() {
  Bytes<size> values[3];
  for (int i = 0; i < 3; ++i) memset(&values[i], i, size);
  race<Bytes<size>>(values[0], values[1], values[2], [](const Bytes<size>& value) {
    for (const unsigned char byte : value.byte)
      if (byte != value.byte[0]) return -1;
    return static_cast<int>(value.byte[0]);
  });
}

template <typename T>
void updates() {
  std::atomic<T> a(1);
  T seen[9];
  std::thread thread([&] {
    seen[0] = a.fetch_add(2);
    seen[1] = a.fetch_sub(1);
    seen[2] = a.fetch_or(12);
    seen[3] = a.fetch_and(7);
    seen[4] = a.fetch_xor(5);
    seen[5] = a.exchange(40);
    T expected = 41;
    seen[6] = static_cast<T>(a.compare_exchange_strong(expected, 0));
    seen[7] = static_cast<T>(a.compare_exchange_weak(expected, 50));
    seen[8] = ++a;
  });
  // One more thread with one operation: it comes before, between or after those.
  std::thread other([&] { a.load(std::memory_order_relaxed); });
  thread.join();
  other.join();
  for (const T value : seen) printf("%d ", static_cast<int>(value));
  printf("%d\n", static_cast<int>(a.load()));
}

void updates_16() {
  struct alignas(16) Pair {
    std::int64_t a, b;
    bool operator==(const Pair&) const = default;
  };
  std::atomic<Pair> pair(Pair{1, 2});
  std::thread thread([&] {
    const Pair old = pair.exchange({3, 4});
    Pair expected{0, 0};
    const bool first = pair.compare_exchange_strong(expected, {5, 6});
    const bool second = pair.compare_exchange_strong(expected, {7, 8});
    printf("%d%d %d%d ", static_cast<int>(old.a), static_cast<int>(old.b), first, second);
  });
  std::thread other([&] { pair.load(); });
  thread.join();
  other.join();
  const Pair last = pair.load();
  printf("%d%d\n", static_cast<int>(last.a), static_cast<int>(last.b));
}

/// GCC's builtins, of both generations.
void builtins() {
  int x = 1;
  std::thread thread([&] {
    __sync_fetch_and_add(&x, 2);
    __sync_sub_and_fetch(&x, 1);
    __sync_bool_compare_and_swap(&x, 2, 10);
    __sync_val_compare_and_swap(&x, 10, 11);
    __sync_lock_test_and_set(&x, 12);
    __atomic_fetch_nand(&x, 4, __ATOMIC_SEQ_CST);
    __atomic_store_n(&x, 7, __ATOMIC_RELEASE);
  });
  std::thread other([&] { __atomic_load_n(&x, __ATOMIC_ACQUIRE); });
  thread.join();
  other.join();
  printf("%d\n", x);
}

/// Compilers leave numbers of 16 bytes to a library, unless they know that the processor can do it (-mcx16).
__extension__ using Wide = __int128;

void race_of_wide() {
  Wide x = 0;
  Wide a = 0;
  Wide b = 0;
  std::thread adding([&] {
    a = __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    b = __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
  });
  std::thread other([&] { __atomic_store_n(&x, 0, __ATOMIC_SEQ_CST); });
  adding.join();
  other.join();
  printf("%d %d %d\n", static_cast<int>(a), static_cast<int>(b), static_cast<int>(x));
}

void builtins_wide() {
  constexpr int order = __ATOMIC_SEQ_CST;
  const Wide high = static_cast<Wide>(1) << 100;
  Wide x = high;
  Wide seen[7];
  std::thread thread([&] {
    seen[0] = __atomic_fetch_add(&x, 3, order);
    seen[1] = __atomic_sub_fetch(&x, 1, order);
    seen[2] = __atomic_or_fetch(&x, 12, order);
    seen[3] = __atomic_and_fetch(&x, high | 7, order);
    seen[4] = __atomic_fetch_xor(&x, high | 5, order);
    seen[5] = __atomic_nand_fetch(&x, high | 2, order);
    Wide expected = -1;
    __atomic_compare_exchange_n(&x, &expected, 7, false, order, order);
    seen[6] = __atomic_exchange_n(&x, expected, order);
  });
  std::thread other([&] { __atomic_load_n(&x, __ATOMIC_ACQUIRE); });
  thread.join();
  other.join();
  for (const Wide value : seen) printf("%d:%d ", static_cast<int>(value >> 100), static_cast<int>(value));
  printf("%d\n", static_cast<int>(x));
}

void pointers() {
  int array[4] = {10, 11, 12, 13};
  std::atomic<int*> pointer(array);
  std::thread a([&] { pointer += 2; });
  std::thread b([&] { --pointer; });
  a.join();
  b.join();
  printf("%d\n", *pointer.load());
}

void compare_exchange_race() {
  std::atomic<int> winner(0);
  const auto claim = [&](int name) {
    int expected = 0;
    winner.compare_exchange_strong(expected, name);
  };
  std::thread a(claim, 1);
  std::thread b(claim, 2);
  a.join();
  b.join();
  printf("%d\n", winner.load());
}

template <typename T>
void floating() {
  std::atomic<T> sum(0.5);
  std::thread a([&] { sum.fetch_add(1); });
  std::thread b([&] { sum.fetch_sub(2); });
  a.join();
  b.join();
  printf("%.1f\n", static_cast<double>(sum.load()));
}

std::atomic<int> x;
std::atomic<int> y;

void message_passing() {
  int seen_x = 0;
  int seen_y = 0;
  std::thread writer([] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread reader([&] {
    seen_y = y.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    std::atomic_signal_fence(std::memory_order_acquire);
    seen_x = x.load(std::memory_order_relaxed);
  });
  writer.join();
  reader.join();
  printf("y %d x %d\n", seen_y, seen_x);
}

void store_buffering() {
  int seen_x = 0;
  int seen_y = 0;
  std::thread a([&] {
    x = 1;
    seen_y = y;
  });
  std::thread b([&] {
    y = 1;
    seen_x = x;
  });
  a.join();
  b.join();
  printf("x %d y %d\n", seen_x, seen_y);
}

void independent() {
  std::thread a([] { ++x; });
  std::thread b([] { ++y; });
  a.join();
  b.join();
}

void readers() {
  const auto read = [] { x.load(); };
  std::thread writer([] { x = 1; });
  std::thread a(read);
  std::thread b(read);
  writer.join();
  a.join();
  b.join();
}

void flag() {
  std::atomic_flag taken;
  int winner = 0;
  const auto take = [&](int name) {
    if (!taken.test_and_set()) winner = name;
  };
  std::thread a(take, 1);
  std::thread b(take, 2);
  std::thread c(take, 3);
  a.join();
  b.join();
  c.join();
  const bool before = taken.test();
  taken.clear();
  printf("%d %d%d\n", winner, before, taken.test());
}

void reference() {
  int plain = 0;
  const auto add = [&] { std::atomic_ref(plain).fetch_add(1); };
  std::thread a(add);
  std::thread b(add);
  a.join();
  b.join();
  printf("%d\n", plain);
}

template <typename T>
void waiting() {
  std::atomic<T> value(0);
  std::thread waiter([&] { value.wait(0); });
  value = 1;
  value.notify_one();
  waiter.join();
  printf("%d\n", static_cast<int>(value.load()));
}

void waiting_in_vain() {
  std::atomic<int> value(0);
  std::thread waiter([&] { value.wait(0); });
  value = 1;
  waiter.join();
  printf("woken\n");
}

void waiting_flag() {
  std::atomic_flag flag;
  std::thread waiter([&] { flag.wait(false); });
  flag.test_and_set();
  flag.notify_all();
  waiter.join();
  printf("set\n");
}

/// One wake-up for two waiters: the other is left over.
void wake_one_of_two() {
  std::atomic<int> value(0);
  std::atomic<int> order(0);
  int places[2] = {};
  const auto wait = [&](int& place) {
    value.wait(0);
    place = ++order;
  };
  std::thread a(wait, std::ref(places[0]));
  std::thread b(wait, std::ref(places[1]));
  value = 1;
  value.notify_one();
  a.join();
  b.join();
  printf("%d%d\n", places[0], places[1]);
}

void wake_all() {
  std::atomic<int> value(0);
  const auto wait = [&] { value.wait(0); };
  std::thread a(wait);
  std::thread b(wait);
  value = 1;
  value.notify_all();
  a.join();
  b.join();
  printf("both\n");
}

void shared_pointer() {
  std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(1));
  int seen = 0;
  std::thread writer([&] { pointer.store(std::make_shared<int>(2)); });
  std::thread reader([&] { seen = *pointer.load(); });
  writer.join();
  reader.join();
  printf("saw %d, left %d\n", seen, *pointer.load());
}

void shared_pointer_alone() {
  auto one = std::make_shared<int>(1);
  std::atomic<std::shared_ptr<int>> pointer(one);
  const auto old = pointer.exchange(std::make_shared<int>(2));
  auto expected = one;
  const bool swapped = pointer.compare_exchange_strong(expected, one);
  printf("%d %d %d %ld\n", *old, swapped, *expected, one.use_count());
}

CASES_MAIN({"size_1", race_of_numbers<std::int8_t>}, {"size_2", race_of_numbers<std::int16_t>},
           {"size_4", race_of_numbers<std::int32_t>}, {"size_8", race_of_numbers<std::int64_t>},
           {"float", race_of_numbers<float>}, {"size_3", race_of_bytes<3>}, {"size_16", race_of_bytes<16>},
           {"size_24", race_of_bytes<24>}, {"updates_1", updates<std::int8_t>}, {"updates_2", updates<std::int16_t>},
           {"updates_4", updates<std::int32_t>}, {"updates_8", updates<std::int64_t>}, {"updates_16", updates_16},
           {"builtins", builtins}, {"race_of_wide", race_of_wide}, {"builtins_wide", builtins_wide},
           {"pointers", pointers}, {"compare_exchange_race", compare_exchange_race}, {"double_add", floating<double>},
           {"float_add", floating<float>}, {"message_passing", message_passing}, {"store_buffering", store_buffering},
           {"independent", independent}, {"readers", readers}, {"flag", flag}, {"reference", reference},
           {"wait_1", waiting<std::int8_t>}, {"wait_4", waiting<std::int32_t>}, {"wait_8", waiting<std::int64_t>},
           {"waiting_in_vain", waiting_in_vain}, {"waiting_flag", waiting_flag}, {"wake_one_of_two", wake_one_of_two},
           {"wake_all", wake_all}, {"shared_pointer", shared_pointer}, {"shared_pointer_alone", shared_pointer_alone})
