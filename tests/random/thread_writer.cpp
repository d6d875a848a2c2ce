#include "thread_writer.hpp"

#include <array>

namespace random_programs {
namespace {

template <std::size_t size>
Verb pick(Random& random, const std::array<Verb, size>& verbs) {
  return verbs[random.below(size)];
}

}  // namespace

ThreadWriter::ThreadWriter(Random& random, const Habits& habits, bool may_assert)
    : random_(random), habits_(habits), may_assert_(may_assert), waiting_share_(random.chance(60) ? 90 : 10) {}

std::vector<Operation> ThreadWriter::write(unsigned length) {
  while (operations_.size() < length) block();
  return std::move(operations_);
}

std::vector<Operation> ThreadWriter::write_announced_wait() {
  add(Verb::Lock, 'm', 0);
  add(Verb::Release, 's', 0);
  add(random_.chance(60) ? Verb::Wait : Verb::WaitFor, 'c', 0);
  if (random_.chance(60)) count();
  if (random_.chance(60)) add(Verb::NotifyOne, 'c', 0);
  return std::move(operations_);
}

std::vector<Operation> ThreadWriter::write_notification_of(unsigned waiters) {
  while (waiters-- > 0) add(Verb::Acquire, 's', 0);
  add(Verb::Lock, 'm', 0);
  if (random_.chance(40)) count();
  add(Verb::NotifyOne, 'c', 0);
  if (random_.chance(30)) add(Verb::NotifyOne, 'c', 0);
  return std::move(operations_);
}

void ThreadWriter::block() {
  const char kind = habits_.kinds[random_.below(static_cast<unsigned>(habits_.kinds.size()))];
  switch (kind) {
    case 'm':
    case 't':
    case 'q':
    case 'w': section(kind); break;
    case 'c': random_.chance(waiting_share_) ? wait() : notify(); break;
    case 's':
    case 'p': semaphore(kind); break;
    case 'b':
    case 'k': on_object(Verb::Arrive, kind); break;
    case 'o':
    case 'y': once(kind); break;
    case 'l': await(); break;
    case 'f': sleep_or_wake(); break;
    case 'n': binary_semaphore(); break;
    case 'u':
    case 'v': monitor(kind); break;
    default: return atomic();
  }
  if (random_.chance(30)) count();
}

unsigned ThreadWriter::object() { return random_.chance(habits_.second_object) ? 1 : 0; }

/// Sometimes what the thread read before.
Value ThreadWriter::value() {
  const bool is_register = results_ > 1 && random_.chance(15);
  const unsigned number = is_register ? (results_ - 2) % registers_per_thread : random_.between(1, 3);
  return {is_register, static_cast<std::int16_t>(number)};
}

Operation& ThreadWriter::add(Verb verb, char kind, unsigned index) {
  Operation& operation = operations_.emplace_back();
  operation.verb = verb;
  operation.kind = kind;
  operation.index = static_cast<std::uint8_t>(index);
  if (has_result(verb)) operation.reg = static_cast<std::uint8_t>(results_++ % registers_per_thread);
  return operation;
}

void ThreadWriter::on_object(Verb verb, char kind) { add(verb, kind, object()); }

/// Shows in the outcome when the thread came by.
void ThreadWriter::count() { add(Verb::Add, 'a', 0).value = constant(1); }

void ThreadWriter::atomic() {
  constexpr std::array verbs = {Verb::Load, Verb::Store, Verb::Add, Verb::Exchange, Verb::CompareExchange};
  Operation& operation = add(pick(random_, verbs), 'a', object());
  operation.value = operation.verb == Verb::CompareExchange ? constant(random_.below(2)) : value();
  operation.desired = value();
  if (has_result(operation.verb)) use_result();
}

/// Now and then a branch on what was just read, or an assertion about it.
void ThreadWriter::use_result() {
  if (random_.chance(20)) {
    const bool equal = random_.chance(50);
    condition(Verb::If, equal, random_.below(2));
  } else if (may_assert_ && random_.chance(habits_.asserted)) {
    condition(Verb::Assert, false, random_.between(1, 3));
  }
}

/// About the latest result.
void ThreadWriter::condition(Verb verb, bool equal, unsigned number) {
  Operation& operation = add(verb, 'a', 0);
  operation.reg = static_cast<std::uint8_t>((results_ - 1) % registers_per_thread);
  operation.equal = equal;
  operation.value = constant(number);
  operation.number = static_cast<std::uint8_t>(random_.between(1, 2));
}

Verb ThreadWriter::acquisition(char kind) {
  const bool trying = random_.chance(habits_.trying) && habits_.waits_for.find(kind) == std::string::npos;
  if (kind == 'w' && random_.chance(60)) return trying ? Verb::TryLockShared : Verb::LockShared;
  if (kind == 't' && random_.chance(50)) return Verb::TryLockFor;
  return trying ? Verb::TryLock : Verb::Lock;
}

/// A critical section; after a failed try its body is sometimes passed over. The release is left to the end of the
/// thread now and then, so that sections overlap in every way.
void ThreadWriter::section(char kind) {
  if (kind == 'm' && random_.chance(habits_.both)) return section_of_both();
  const unsigned index = object();
  const Verb verb = acquisition(kind);
  add(verb, kind, index);
  if (has_result(verb) && random_.chance(30)) condition(Verb::If, true, 0);
  if (random_.chance(70)) inner(kind, index);
  const bool shared = verb == Verb::LockShared || verb == Verb::TryLockShared;
  if (random_.chance(habits_.released)) add(shared ? Verb::UnlockShared : Verb::Unlock, kind, index);
}

void ThreadWriter::section_of_both() {
  const unsigned index = random_.below(2);
  add(Verb::LockBoth, 'm', index);
  if (random_.chance(50)) atomic();
  if (random_.chance(habits_.released)) add(Verb::Unlock, 'm', index);
  if (random_.chance(habits_.released)) add(Verb::Unlock, 'm', 1 - index);
}

void ThreadWriter::inner(char kind, unsigned index) {
  if (kind == 'q' && random_.chance(40)) {
    add(random_.chance(50) ? Verb::Lock : Verb::TryLock, kind, index);
  } else if (random_.chance(15)) {
    add(Verb::Lock, kind, 1 - index);
  } else if (random_.chance(20)) {
    semaphore(random_.chance(50) ? 's' : 'p');
  } else {
    atomic();
  }
}

void ThreadWriter::wait() {
  const unsigned index = object();
  add(Verb::Lock, 'm', index);
  if (random_.chance(40)) {
    add(Verb::Load, 'a', index);
    condition(Verb::If, false, 0);
  }
  constexpr std::array verbs = {Verb::Wait, Verb::Wait, Verb::WaitFor, Verb::WaitFor, Verb::TimedWait};
  add(pick(random_, verbs), 'c', index);
  if (random_.chance(60)) count();
  if (random_.chance(60)) add(Verb::Unlock, 'm', index);
}

void ThreadWriter::notify() {
  const unsigned index = object();
  const bool locked = random_.chance(50);
  if (locked) add(Verb::Lock, 'm', index);
  if (random_.chance(50)) add(Verb::Store, 'a', index).value = constant(1);
  add(random_.chance(65) ? Verb::NotifyOne : Verb::NotifyAll, 'c', index);
  if (locked) add(Verb::Unlock, 'm', index);
}

/// A loop that waits, for what others store or count to.
void ThreadWriter::await() {
  if (random_.chance(25)) {
    add(Verb::Watch, 'a', object()).value = constant(random_.between(0, 2));
  } else if (random_.chance(60)) {
    Operation& operation = add(Verb::Await, 'a', object());
    operation.equal = random_.chance(60);
    operation.value = constant(operation.equal ? random_.between(0, 2) : 0);
  } else {
    Operation& operation = add(Verb::AwaitEither, 'a', 0);
    operation.value = constant(random_.between(1, 2));
    operation.desired = constant(random_.between(0, 2));
  }
}

/// Mostly whoever wakes others has changed what they look at.
void ThreadWriter::sleep_or_wake() {
  const unsigned index = object();
  if (random_.chance(waiting_share_)) {
    add(Verb::SleepWhile, 'a', index).value = constant(random_.chance(75) ? 0 : 1);
    return;
  }
  if (random_.chance(80)) add(random_.chance(50) ? Verb::Store : Verb::Add, 'a', index).value = constant(1);
  add(random_.chance(60) ? Verb::WakeOne : Verb::WakeAll, 'a', index);
}

void ThreadWriter::once(char kind) {
  const bool fails = kind == 'o' && random_.chance(30);
  on_object(fails ? Verb::OnceFailing : Verb::Once, kind);
}

void ThreadWriter::semaphore(char kind) {
  constexpr std::array verbs = {Verb::Acquire, Verb::Acquire,    Verb::Release,      Verb::Release,
                                Verb::Release, Verb::TryAcquire, Verb::TryAcquireFor};
  const bool gives_some = kind == 's' && random_.chance(10);
  const Verb verb = gives_some ? Verb::ReleaseSome : pick(random_, verbs);
  add(verb, kind, object()).number = static_cast<std::uint8_t>(gives_some ? random_.between(2, 3) : 0);
}

}  // namespace random_programs
