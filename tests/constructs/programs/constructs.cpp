// Small programs with Norn's constructs; the first argument says which.

#include <norn/entry.hpp>
#include <norn/lock.hpp>
#include <norn/monitor.hpp>
#include <norn/port.hpp>
#include <norn/select.hpp>
#include <norn/semaphore.hpp>
#include <norn/shared.hpp>
#include <norn/symmetric.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using threads = std::vector<std::jthread>;

/// In every build, unlike assert.
void require(bool holds) {
  if (!holds) std::abort();
}

void bounded_port(int senders, int messages, int capacity) {
  norn::bounded_port<int> port(static_cast<std::size_t>(capacity));
  threads all;
  for (int i = 0; i < senders; ++i)
    all.emplace_back([&, i] {
      for (int m = 0; m < messages; ++m) port.send(i);
    });
  std::vector<int> received(static_cast<std::size_t>(senders), 0);
  for (int i = 0; i < senders * messages; ++i) ++received[static_cast<std::size_t>(port.receive())];
  for (const int count : received) require(count == messages);
}

/// Looks so often whether there is a message.
void otherwise(int messages, int looks, int) {
  norn::port<int> port;
  const std::jthread sender([&] {
    for (int m = 0; m < messages; ++m) port.send(m);
  });
  int found = 0;
  for (int i = 0; i < looks; ++i) {
    const std::size_t chosen =
        norn::select(norn::on(port, [&](int number) { require(number == found++); }), norn::otherwise([] {}));
    require(chosen <= 1);
  }
}

void delay(int, int, int) {
  norn::entry<int, int> entry;
  const std::jthread client([&] { require(entry.call(1) == 2); });
  bool served = false;
  const auto serve = [&](int number) {
    served = true;
    return number + 1;
  };
  norn::select(norn::on(entry, serve), norn::after(std::chrono::milliseconds(1), [] {}));
  if (!served) entry.accept(serve);
}

/// A message that the sender has changed its mind about: who sends waits until it is received.
void synchronous_port(int senders, int, int) {
  norn::synchronous_port<std::string> port;
  threads all;
  for (int i = 0; i < senders; ++i) all.emplace_back([&, i] { port.send(std::to_string(i)); });
  int sum = 0;
  for (int i = 0; i < senders; ++i) sum += std::stoi(port.receive());
  require(sum == senders * (senders - 1) / 2);
}

void second_receiver(int, int, int) {
  norn::port<int> port;
  port.send(1);
  port.send(2);
  const std::jthread other([&] { port.receive(); });
  port.receive();
}

class bare : norn::sc_monitor {
 public:
  void signal_outside() { condition_.signal(); }
  void enter_twice() {
    const auto inside = enter();
    const auto again = enter();
  }

 private:
  condition condition_{*this};
};

void signal_outside(int, int, int) { bare().signal_outside(); }
void enter_twice(int, int, int) { bare().enter_twice(); }

void two_alternatives(int, int, int) {
  norn::port<int> port;
  norn::select(norn::on(port, [](int) {}), norn::on(port, [](int) {}));
}

void nothing_open(int, int, int) {
  norn::port<int> port;
  norn::select(norn::when(false, port, [](int) {}));
}

void no_room(int, int, int) { const norn::bounded_port<int> port(0); }
void less_than_0(int, int, int) { const norn::counting_semaphore semaphore(-1); }
void neither_0_nor_1(int, int, int) { const norn::binary_semaphore semaphore(2); }

/// Nobody sends: a deadlock.
void no_message(int, int, int) {
  norn::port<int> port;
  port.receive();
}

/// What a monitor protects is no race; what a port hands over is none either.
void handed_over(int, int, int) {
  norn::port<int*> port;
  int value = 0;
  const std::jthread sender([&] {
    value = 1;
    port.send(&value);
  });
  require(*port.receive() == 1);
}

/// The sender goes on writing what it has handed over: a race.
void written_after_sending(int, int, int) {
  norn::port<int*> port;
  int value = 0;
  const std::jthread sender([&] {
    port.send(&value);
    value = 1;
  });
  require(*port.receive() <= 1);
}

/// A message that nobody receives.
void left_over(int, int, int) {
  norn::lock lock;
  norn::bounded_port<int> port(1);
  const std::jthread sender([&] {
    { const std::lock_guard guard(lock); }
    port.send(1);
  });
  const std::lock_guard guard(lock);
}

/// The last thing that happens is a message.
void failing_after_send(int, int, int) {
  norn::bounded_port<int> port(1);
  const std::jthread sender([&] {
    port.send(1);
    std::abort();
  });
}

/// The main thread does something when one of two threads has ended, which are the same otherwise.
void told_apart(int, int, int) {
  norn::lock lock;
  const auto take = [&] {
    norn::symmetric("takers");
    const std::lock_guard guard(lock);
  };
  std::jthread first(take);
  std::jthread second(take);
  second.join();
  const std::lock_guard guard(lock);
}

/// A thread calls, and nobody ever accepts; another one must not see that it has begun to.
void unanswered(int, int, int) {
  static norn::entry<> entry;
  static std::atomic<int> calls;
  std::thread([] {
    ++calls;
    entry.call();
  }).detach();
  std::thread looking([] {
    if (calls != 0) std::abort();
  });
  looking.join();
  std::_Exit(0);
}

/// Threads that looked in vain have ended when messages come.
void looked_in_vain(int threads, int, int) {
  std::vector<norn::port<int>> ports(static_cast<std::size_t>(threads));
  for (norn::port<int>& port : ports)
    std::thread([&] { norn::select(norn::on(port, [](int) {}), norn::otherwise([] {})); }).join();
  for (norn::port<int>& port : ports) port.send(1);
}

const std::map<std::string, std::function<void(int, int, int)>> programs = {
    {"bounded_port", bounded_port},
    {"left_over", left_over},
    {"failing_after_send", failing_after_send},
    {"told_apart", told_apart},
    {"looked_in_vain", looked_in_vain},
    {"unanswered", unanswered},
    {"otherwise", otherwise},
    {"delay", delay},
    {"synchronous_port", synchronous_port},
    {"second_receiver", second_receiver},
    {"signal_outside", signal_outside},
    {"enter_twice", enter_twice},
    {"two_alternatives", two_alternatives},
    {"nothing_open", nothing_open},
    {"no_room", no_room},
    {"less_than_0", less_than_0},
    {"neither_0_nor_1", neither_0_nor_1},
    {"no_message", no_message},
    {"handed_over", handed_over},
    {"written_after_sending", written_after_sending},
};

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return i < argc ? std::atoi(argv[i]) : 0; };
  const auto program = programs.find(argc > 1 ? argv[1] : "");
  if (program == programs.end()) return std::fputs("which program?\n", stderr), 2;
  program->second(number(2), number(3), number(4));
}
