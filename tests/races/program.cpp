#include "program.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "../random/random.hpp"

namespace random_races {
namespace {

using random_programs::Random;

unsigned number_count(char verb) {
  switch (verb) {
    case 'c':
    case 's': return 3;
    case 'r':
    case 'w':
    case 'z':
    case 'l':
    case 'a':
    case 'i': return 2;
    default: return 1;
  }
}

/// Writes one thread. Locks nest properly, so that nobody unlocks what it does not hold.
class ThreadWriter {
 public:
  explicit ThreadWriter(Random& random) : random_(random) {}

  std::vector<Operation> write(unsigned size) {
    while (operations_.size() < size) add_something();
    while (!held_.empty()) unlock();
    if (operations_.size() > max_operations) operations_.resize(max_operations);
    return std::move(operations_);
  }

 private:
  void add_something() {
    const unsigned dice = random_.below(100);
    if (dice < 15) return publish();
    if (dice < 30) return consume();
    if (dice < 60) return add_plain();
    if (dice < 77) return add_atomic();
    if (dice < 80) return add('f', random_.between(acquire, seq_cst));
    if (dice < 83) return add('i', random_.below(3), random_.between(1, 2));
    if (dice < 86) return add('V', random_.below(object_count));
    if (dice < 88) return add('P', random_.below(object_count));
    held_.empty() || random_.chance(30) ? lock() : unlock();
  }

  // Two halves of the idiom whose correctness hangs on memory orders: in most other programs there is a run in which
  // two accesses race, whatever the orders are.

  void publish() {
    add('w', 0, 8);
    maybe_fence();
    const unsigned object = random_.below(object_count);
    random_.chance(70) ? add('s', object, pick({relaxed, release, release, seq_cst}), 1)
                       : add('a', object, pick({relaxed, release, acq_rel}));
  }

  void consume() {
    add(random_.chance(70) ? 'l' : 'a', random_.below(object_count), pick({relaxed, acquire, acquire, seq_cst}));
    maybe_fence();
    add('i', 1, 1);
    random_.chance(80) ? add('r', 0, 8) : add('w', 0, 8);
  }

  void maybe_fence() {
    if (random_.chance(20)) add('f', random_.between(acquire, seq_cst));
  }

  void add_plain() {
    constexpr std::array<unsigned, 4> sizes = {1, 2, 4, 8};
    const unsigned size = sizes[random_.below(4)];
    const unsigned offset = random_.below(memory_size / size) * size;
    const unsigned dice = random_.below(100);
    if (dice < 40) return add('r', offset, size);
    if (dice < 80) return add('w', offset, size);
    if (dice < 87) return add('g', random_.below(object_count));
    const unsigned some = random_.between(1, 8);
    if (dice < 93) return add('z', random_.below(memory_size - some), some);
    // Parts that do not overlap: from the one half to the other.
    const unsigned from = random_.below(memory_size / 2 - some + 1);
    const unsigned to = memory_size / 2 + random_.below(memory_size / 2 - some + 1);
    random_.chance(50) ? add('c', to, from, some) : add('c', from, to, some);
  }

  void add_atomic() {
    const unsigned object = random_.below(object_count);
    switch (random_.below(3)) {
      case 0: return add('l', object, pick({relaxed, acquire, acquire, seq_cst}));
      case 1: return add('s', object, pick({relaxed, release, release, seq_cst}), random_.between(1, 2));
      default: return add('a', object, pick({relaxed, acquire, release, acq_rel, seq_cst}));
    }
  }

  void lock() {
    const unsigned mutex = random_.below(object_count);
    // In one order only, and never twice: deadlocks are not what this is about.
    if (!held_.empty() && held_.back() >= mutex) return;
    held_.push_back(mutex);
    add('L', mutex);
  }

  void unlock() {
    add('U', held_.back());
    held_.pop_back();
  }

  unsigned pick(std::initializer_list<Order> orders) {
    return orders.begin()[random_.below(static_cast<unsigned>(orders.size()))];
  }

  void add(char verb, unsigned a, unsigned b = 0, unsigned c = 0) { operations_.push_back({verb, {a, b, c}}); }

  Random& random_;
  std::vector<Operation> operations_;
  std::vector<unsigned> held_;
};

/// A thread that skips an unlock keeps the lock: what is conditional must not contain one.
void keep_locks_unconditional(std::vector<Operation>& operations) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].verb != 'i') continue;
    std::size_t next = i + 1;
    const std::size_t end = std::min(operations.size(), next + operations[i].numbers[1]);
    while (next < end && std::string_view("LUi").find(operations[next].verb) == std::string_view::npos) ++next;
    operations[i].numbers[1] = static_cast<unsigned>(next - i - 1);
  }
}

}  // namespace

std::string to_text(const Program& program) {
  std::string text;
  for (const auto& thread : program.threads) {
    if (&thread != &program.threads.front()) text += "| ";
    for (const Operation& operation : thread) {
      text += operation.verb;
      for (unsigned i = 0; i < number_count(operation.verb); ++i) text += " " + std::to_string(operation.numbers[i]);
      text += "; ";
    }
  }
  return text;
}

Program parse(const std::string& text) {
  Program program{{{}}};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "|") {
      program.threads.emplace_back();
      continue;
    }
    Operation operation{word[0], {}};
    char end = 0;
    for (unsigned i = 0; i < number_count(operation.verb); ++i)
      if (!(words >> operation.numbers[i])) return {};
    if (!(words >> end) || end != ';') return {};
    program.threads.back().push_back(operation);
    if (program.threads.back().size() > max_operations) return {};
  }
  return program.threads.size() <= max_threads ? program : Program{};
}

Program generate(std::uint64_t seed) {
  Random random(seed);
  Program program;
  const unsigned threads = random.between(2, max_threads);
  for (unsigned t = 0; t < threads; ++t) {
    program.threads.push_back(ThreadWriter(random).write(random.between(1, max_operations - 1 - threads)));
    keep_locks_unconditional(program.threads.back());
  }
  return program;
}

}  // namespace random_races
