#include "generator.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "message_writer.hpp"
#include "random.hpp"
#include "thread_writer.hpp"

namespace random_programs {
namespace {

/// Letters of the kinds a program may use. One program takes one to three of them, beside the atomics that make the
/// order of things visible. `c` stands for a condition variable with its mutex, `l` for a loop that waits, `f` for
/// sleeping until an atomic changes.
constexpr std::string_view themes = "mtqwwccaspbkoyllff";

/// What goes with messages, binary semaphores and monitors now and then. No loops: Norn's reductions are not for those
/// together with messages.
constexpr std::string_view companions = "mmwcspbonuv";

class ProgramWriter {
 public:
  ProgramWriter(std::uint64_t seed, bool failing) : random_(seed), always_may_assert_(failing) {
    if (failing) habits_.asserted = 40;
  }

  Program write() {
    choose_habits();
    program_.unjoined = random_.chance(5);
    gathered_ = random_.chance(8);
    gathered_ ? write_gathering() : write_threads();
    return finished();
  }

  /// With readers' locks that are not tried, so that readers commute, and with many ways to come to a deadlock or to
  /// end while others are there.
  Program write_with_readers() {
    constexpr std::string_view others = "wmsssspca";
    habits_.kinds = random_.chance(50) ? "www" : "ww";
    habits_.kinds += others[random_.below(static_cast<unsigned>(others.size()))];
    if (random_.chance(40)) habits_.kinds += 'a';
    habits_.second_object = random_.chance(75) ? 0 : 20;
    habits_.trying = 0;
    habits_.released = random_.chance(50) ? 85 : 40;
    if (random_.chance(40)) try_mutexes();
    habits_.asserted = std::max(habits_.asserted, 20U);
    program_.unjoined = random_.chance(35);
    always_may_assert_ = true;
    rarely_ = 20;
    most_at_first_ = random_.chance(60) ? 0 : 2;
    write_threads(random_.chance(70) ? 4 : 3);
    return finished();
  }

  /// With mutexes that are taken together, beside those that are taken one after the other.
  Program write_with_both() {
    constexpr std::string_view others = "mcsapbow";
    habits_.kinds = random_.chance(50) ? "mm" : "m";
    habits_.kinds += others[random_.below(static_cast<unsigned>(others.size()))];
    if (random_.chance(40)) habits_.kinds += 'a';
    take_both();
    if (random_.chance(40)) habits_.trying = 70;
    habits_.released = random_.chance(60) ? 85 : 50;
    program_.unjoined = random_.chance(15);
    write_threads(random_.chance(60) ? 3 : random_.between(2, 4));
    return finished();
  }

  /// With at least one of the constructs of include/norn/.
  Program write_with_constructs() {
    const unsigned theme = random_.below(100);
    rarely_ = 5;  // who is started too late for the others' messages, or never, leaves nothing but a deadlock
    usually_ = 93;
    program_.unjoined = random_.chance(5);
    if (theme < 45) {
      choose_construct_habits("");
      do threads_ = write_messages(random_, habits_, program_.unjoined && !always_may_assert_);
      while (!has_constructs());
    } else if (theme < 90) {
      constexpr std::array kinds = {"nn", "uu", "vv", "uuu", "vvv", "uv", "nu", "nv"};
      choose_construct_habits(kinds[random_.below(kinds.size())]);
      do write_threads();
      while (!has_constructs());
    } else {
      gathered_ = true;
      write_gathering_in(random_.chance(60) ? 'u' : 'v');
    }
    return finished();
  }

 private:
  Program finished() {
    for (unsigned t = 1; t < threads_.size(); ++t) start(t);
    finish();
    return program_;
  }

  void choose_habits() {
    for (unsigned count = random_.between(1, 3); count > 0; --count)
      habits_.kinds += themes[random_.below(static_cast<unsigned>(themes.size()))];
    if (habits_.kinds.find('c') != std::string::npos && random_.chance(60)) habits_.kinds = "c";
    if (random_.chance(60)) habits_.kinds += 'a';
    habits_.second_object = random_.chance(50) ? 0 : 25;
    if (random_.chance(50)) take_both();
  }

  /// But not the locks that are shared.
  void try_mutexes() {
    habits_.kinds += random_.chance(80) ? 'm' : 't';
    habits_.trying = 60;
    habits_.waits_for = "w";
  }

  /// Now and then, and then mostly nobody tries.
  void take_both() {
    habits_.both = 50;
    habits_.trying = 0;
    habits_.second_object = std::max(habits_.second_object, 40U);
  }

  void choose_construct_habits(std::string_view kinds) {
    habits_.kinds = kinds;
    if (random_.chance(35)) habits_.kinds += companions[random_.below(static_cast<unsigned>(companions.size()))];
    if (random_.chance(60)) habits_.kinds += 'a';
    habits_.second_object = random_.chance(50) ? 0 : 25;
  }

  bool has_constructs() const {
    return std::any_of(threads_.begin(), threads_.end(), [](const auto& operations) {
      return std::any_of(operations.begin(), operations.end(), is_construct);
    });
  }

  void write_threads() { write_threads(random_.between(2, 4)); }

  void write_threads(unsigned active) {
    const bool main_is_active = random_.chance(40);
    threads_.resize(main_is_active ? active : active + 1);
    for (unsigned t = main_is_active ? 0 : 1; t < threads_.size(); ++t)
      threads_[t] = writer(t).write(random_.between(1, 7 - active));
  }

  void write_gathering() {
    const unsigned waiters = random_.chance(80) ? 2 : 3;
    threads_.push_back(writer(0).write_notification_of(waiters));
    for (unsigned t = 1; t <= waiters; ++t) threads_.push_back(writer(t).write_announced_wait());
  }

  void write_gathering_in(char monitor) {
    const unsigned waiters = random_.chance(70) ? 2 : 3;
    threads_.push_back(writer(0).write_signal_to(waiters, monitor));
    for (unsigned t = 1; t <= waiters; ++t) threads_.push_back(writer(t).write_announced_wait_in(monitor));
  }

  ThreadWriter writer(unsigned thread) {
    return {random_, habits_, thread == 0 || !program_.unjoined || always_may_assert_};
  }

  /// Mostly by main at once; else in the middle of main or of an earlier thread, and sometimes joined there.
  void start(unsigned child) {
    const unsigned parent = child > 1 && !gathered_ && random_.chance(rarely_) ? random_.between(1, child - 1) : 0;
    std::vector<Operation>& operations = threads_[parent];
    const bool at_once = parent == 0 && (gathered_ || random_.chance(usually_));
    const unsigned place = at_once ? spawned_ : random_.between(0, static_cast<unsigned>(operations.size()));
    operations.insert(operations.begin() + place, on_thread(Verb::Spawn, child));
    spawned_ += at_once ? 1 : 0;
    if (gathered_ || !random_.chance(rarely_)) return;
    const unsigned later = random_.between(place + 1, static_cast<unsigned>(operations.size()));
    operations.insert(operations.begin() + later, on_thread(Verb::Join, child));
  }

  static Operation on_thread(Verb verb, unsigned thread) {
    Operation operation;
    operation.verb = verb;
    operation.number = static_cast<std::uint8_t>(thread);
    return operation;
  }

  void finish() {
    program_.thread_count = static_cast<std::uint8_t>(threads_.size());
    for (unsigned t = 0; t < threads_.size(); ++t) {
      Thread& thread = program_.threads[t];
      thread.size = static_cast<std::uint8_t>(std::min<std::size_t>(threads_[t].size(), max_operations));
      std::copy_n(threads_[t].begin(), thread.size, thread.operations.begin());
    }
    for (unsigned i = 0; i < objects_per_kind; ++i) {
      if (uses('s', i) && !gathered_)
        program_.set_initial_value('s', i, static_cast<int>(random_.below(most_at_first_ + 1)));
      if (uses('p', i)) program_.set_initial_value('p', i, static_cast<int>(random_.below(most_at_first_ + 1)));
      if (uses('n', i)) program_.set_initial_value('n', i, random_.chance(75) ? 1 : 0);
      set_barrier('b', i);
      set_barrier('k', i);
    }
  }

  unsigned uses(char kind, unsigned index) const {
    const auto is_use = [&](const Operation& operation) {
      const bool on_object = operation.verb >= Verb::Acquire && operation.verb <= Verb::Arrive;
      return on_object && operation.kind == kind && operation.index == index;
    };
    return static_cast<unsigned>(std::count_if(threads_.begin(), threads_.end(), [&](const auto& operations) {
      return std::any_of(operations.begin(), operations.end(), is_use);
    }));
  }

  /// Mostly as many as take part. More of them than its count only a POSIX barrier allows.
  void set_barrier(char kind, unsigned index) {
    const unsigned users = uses(kind, index);
    unsigned count = users + (random_.chance(10) ? 1 : 0);
    if (kind == 'k' && users > 2 && random_.chance(50)) count = random_.between(2, users);
    program_.set_initial_value(kind, index, static_cast<int>(users == 0 ? max_threads : count));
  }

  Random random_;
  Habits habits_;
  Program program_;
  std::vector<std::vector<Operation>> threads_;
  unsigned rarely_ = 12;        // percent: threads are started by others than main, or joined before the end
  unsigned usually_ = 80;       // percent: main starts them at its very beginning
  bool gathered_ = false;       // the threads are waiters that announce themselves, main notifies
  bool always_may_assert_;      // also where main does not wait for the others
  unsigned most_at_first_ = 2;  // values of semaphores
  unsigned spawned_ = 0;        // how many spawns stand at the very beginning of main
};

}  // namespace

Program generate(std::uint64_t seed, Theme theme, bool failing) {
  ProgramWriter writer(seed, failing);
  switch (theme) {
    case Theme::constructs: return writer.write_with_constructs();
    case Theme::readers: return writer.write_with_readers();
    case Theme::both: return writer.write_with_both();
    case Theme::primitives: break;
  }
  return writer.write();
}

}  // namespace random_programs
