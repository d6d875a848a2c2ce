#include "scenarios.hpp"

#include <fmt/format.h>

namespace norn::test {
namespace {

Place place(int line, const std::string& function = "work(Queue&)") { return {"src/queue.cpp", line, function}; }

/// Objects with the same name are the same object.
std::uint64_t address_of(const std::string& object) { return std::hash<std::string>()(object); }

ReportedEvent event(const std::string& thread, const std::string& operation, const std::string& object, int line,
                    const std::string& alternative = "-") {
  return {thread, operation, alternative, object, place(line), address_of(object)};
}

ReportedEvent atomic(const std::string& thread, const std::string& operation, const std::string& object,
                     const std::string& value, int line) {
  ReportedEvent result = event(thread, "atomic." + operation, object, line);
  result.value = value;
  result.reads = operation == "load";
  return result;
}

ReportedEvent preempting(ReportedEvent event) {
  event.preempts = true;
  return event;
}

std::vector<Place> stack(int line, const std::string& function = "work(Queue&)") {
  return {{"/usr/include/c++/12/bits/std_mutex.h", 100, "std::mutex::lock()", true},
          place(line, function),
          {"src/main.cpp", 70, "main::{lambda}::operator()", true}};
}

ReportedWait wait(const std::string& thread, const std::string& operation, const std::string& object,
                  const std::string& holder, int line) {
  return {thread, operation, object, holder, place(line), address_of(object), stack(line)};
}

Moment moment(const std::string& thread, std::size_t step, int line) {
  return {thread, step, place(line), stack(line)};
}

ReportedLock held(const std::string& thread, const std::string& object, std::size_t step, int line) {
  return {object, address_of(object), moment(thread, step, line)};
}

ReportedBug failure(const std::string& kind, const std::string& message) {
  ReportedBug bug;
  bug.kind = kind;
  bug.message = message;
  bug.thread = "main/1";
  bug.place = place(33);
  bug.stack = stack(33);
  bug.preemptions = 1;
  bug.events = {atomic("main/1", "load", "ready", "0", 30), preempting(atomic("main", "store", "ready", "1", 52)),
                atomic("main/1", "update", "ready", "1", 31), atomic("main", "load", "ready", "2", 53)};
  return bug;
}

ReportedBug deadlock(std::vector<ReportedEvent> events, std::vector<ReportedWait> waits) {
  ReportedBug bug;
  bug.kind = "deadlock";
  bug.message = "no thread can go on";
  bug.thread = waits.front().thread;
  bug.place = waits.front().place;
  bug.events = std::move(events);
  bug.waits = std::move(waits);
  return bug;
}

ReportedAccess access(const std::string& thread, const std::string& action, const std::string& object,
                      const std::string& what, std::size_t step, int line) {
  return {moment(thread, step, line), action, object, what, 0x1010, 4, {}};
}

/// A run in which main/1 uses what main/2 may have freed.
ReportedBug memory_error(const std::string& message) {
  ReportedBug bug = failure("memory", message);
  bug.events = {event("main/1", "mutex.lock", "mutex", 30), preempting(event("main/2", "mutex.lock", "mutex", 40))};
  bug.block = ReportedBlock{0x1000, 24, moment("main", 0, 12), std::nullopt};
  bug.legend = {{"#1", "at offset 16 in the heap block of 24 bytes allocated by main at queue.cpp:12"}};
  return bug;
}

ReportedBug use_after_free() {
  ReportedBug bug = memory_error("use after free: it reads 4 bytes of a block that was freed");
  bug.block->freed = moment("main/2", 2, 41);
  bug.accesses = {access("main/1", "reads", "#1", "the heap block of 24 bytes (allocated at queue.cpp:12)", 2, 31)};
  return bug;
}

ReportedBug double_free() {
  ReportedBug bug = use_after_free();
  bug.message = "double free: it frees a block that was freed before";
  bug.accesses[0].action = "frees";
  bug.accesses[0].address = 0x1000;
  return bug;
}

ReportedBug used_by_its_owner_after_free() {
  ReportedBug bug = use_after_free();
  bug.block->freed->thread = "main/1";
  return bug;
}

ReportedBug invalid_free() {
  ReportedBug bug = double_free();
  bug.block->freed.reset();
  bug.message = "invalid free: it frees something that is not an allocated block";
  bug.accesses[0].address = 0x1008;
  return bug;
}

ReportedBug free_of_nothing() {
  ReportedBug bug = invalid_free();
  bug.block.reset();
  bug.message = "invalid free: it frees something that is not an allocated block";
  bug.accesses[0].object = "table[3]";
  bug.accesses[0].what = "table[3]";
  bug.legend.clear();
  return bug;
}

ReportedBug overflow(std::uint64_t address) {
  ReportedBug bug = use_after_free();
  bug.block->freed.reset();
  bug.message = "heap overflow: it writes 4 bytes at offset 24 of a block of 24 bytes";
  bug.accesses[0].action = "writes";
  bug.accesses[0].address = address;
  return bug;
}

ReportedBug leak() {
  ReportedBug bug = memory_error("leak: 24 bytes in 1 block cannot be reached any more");
  bug.thread = "main";
  bug.place = place(80, "main");
  bug.legend.clear();
  return bug;
}

ReportedBug dead_stack() {
  ReportedBug bug = free_of_nothing();
  bug.message = "use of a dead stack: it reads 4 bytes of the stack of a thread that has ended";
  bug.accesses = {access("main/1", "reads", "#1", "a variable on the stack of main/2", 2, 31)};
  bug.legend = {{"#1", "on the stack of main/2"}};
  return bug;
}

ReportedBug locked_race() {
  ReportedBug bug = race_on("counter", "counter");
  bug.accesses[0].locks = {held("main/1", "mutex", 0, 30)};
  bug.accesses[1].locks = {held("main/2", "other_mutex", 1, 40), held("main/2", "third", 1, 41)};
  return bug;
}

ReportedBug shared_race() {
  ReportedBug bug = race_on("cache.size", "cache.size");
  bug.accesses[0].locks = {held("main/1", "mutex", 0, 30)};
  bug.accesses[1].locks = {held("main/2", "mutex", 1, 40)};
  return bug;
}

ReportedBug lost_wakeup() {
  return deadlock(
      {event("main/1", "mutex.lock", "mutex", 30),
       preempting(event("main", "condition.signal", "not_empty", 52, "nobody")),
       event("main/1", "condition.wait", "not_empty", 31)},
      {wait("main", "thread.join", "", "main/1", 60), wait("main/1", "condition.sleep", "not_empty", "", 31)});
}

ReportedBug stolen_wakeup() {
  return deadlock(
      {event("main/1", "condition.wait", "changed", 31), event("main/2", "condition.wait", "changed", 31),
       event("main", "condition.signal", "changed", 52, "main/2"), event("main/2", "condition.relock", "mutex", 31)},
      {wait("main", "thread.join", "", "main/1", 60), wait("main/1", "condition.sleep", "changed", "", 31)});
}

ReportedBug never_notified() {
  return deadlock(
      {event("main", "condition.wait", "changed", 31), event("main/1", "condition.wait", "changed", 31)},
      {wait("main", "condition.sleep", "changed", "", 31), wait("main/1", "condition.sleep", "changed", "", 31)});
}

ReportedBug abandoned_lock() {
  ReportedBug bug =
      deadlock({event("main/1", "mutex.lock", "mutex", 30)}, {wait("main", "mutex.lock", "mutex", "main/1", 55)});
  bug.held = {held("main/1", "mutex", 0, 30)};
  return bug;
}

ReportedBug reader_and_writer() {
  ReportedBug bug =
      deadlock({event("main", "rwlock.read", "table", 20), event("main/1", "mutex.lock", "mutex", 30)},
               {wait("main", "mutex.lock", "mutex", "main/1", 21), wait("main/1", "rwlock.write", "table", "", 31)});
  bug.held = {held("main", "table", 0, 20), held("main/1", "mutex", 1, 30)};
  return bug;
}

ReportedBug semaphore() {
  return deadlock({event("main/1", "semaphore.post", "slots", 22), event("main", "semaphore.wait", "slots", 54)},
                  {wait("main", "semaphore.wait", "slots", "", 55)});
}

ReportedBug barrier() {
  return deadlock({event("main", "barrier.arrive", "start", 54)}, {wait("main", "barrier.sleep", "start", "", 54)});
}

ReportedBug livelock() {
  ReportedBug bug =
      deadlock({atomic("main", "store", "state", "2", 50), atomic("main/1", "load", "state", "2", 31)},
               {wait("main", "thread.join", "", "main/1", 60), wait("main/1", "atomic.load", "state", "", 31)});
  bug.kind = "livelock";
  bug.message = "a thread waits in a loop for a change that cannot come";
  bug.thread = "main/1";
  return bug;
}

ReportedBug lost_update() {
  ReportedBug bug = failure("assertion", "assertion `hits == 2` failed");
  bug.thread = "main";
  bug.place = place(60, "main");
  bug.events = {atomic("main/1", "load", "hits", "0", 11), preempting(atomic("main/2", "load", "hits", "0", 11)),
                atomic("main/2", "store", "hits", "1", 11), atomic("main/1", "store", "hits", "1", 11),
                atomic("main", "load", "hits", "1", 60)};
  return bug;
}

/// Every operation in every way it can turn out.
ReportedBug all_operations() {
  ReportedBug bug = failure("property", "the queue has 3 elements");
  bug.events.clear();
  int line = 1;
  for (const char* const operation :
       {"mutex.lock",         "mutex.try_lock",   "mutex.timed_lock", "mutex.unlock",        "spin.lock",
        "rwlock.read",        "rwlock.try_read",  "rwlock.write",     "rwlock.timed_write",  "rwlock.unlock",
        "condition.wait",     "condition.relock", "condition.signal", "condition.broadcast", "semaphore.wait",
        "semaphore.try_wait", "semaphore.post",   "semaphore.value",  "barrier.arrive",      "once",
        "address.wait",       "address.wake",     "plain.read",       "plain.write",         "something.new"})
    bug.events.push_back(event("main", operation, "object", line++));
  for (const char* const operation : {"thread.end", "yield", "process.exit"})
    bug.events.push_back(event("main", operation, "", line++));
  bug.events.push_back(event("main", "mutex.timed_lock", "object", line++, "expires"));
  bug.events.push_back(event("main", "condition.timed_sleep", "object", line++, "expires"));
  bug.events.push_back(event("main", "condition.sleep", "object", line++, "spurious"));
  for (const char* const operation : {"load", "store", "update", "compare_exchange"})
    bug.events.push_back(atomic("main", operation, "value", "7", line++));
  bug.events.push_back(event("main", "mutex.try_lock", "object", line++));
  bug.events.back().reads = true;
  bug.events.push_back(atomic("main", "compare_exchange", "value", "8", line++));
  bug.events.back().reads = true;
  return bug;
}

ReportedBug minimised(ReportedBug bug) {
  bug.minimised = ReportedMinimisation{120, 45, 7, true};
  bug.count = 12;
  return bug;
}

Report with_warning() {
  Report report = report_of(failure("assertion", "assertion `ok` failed"));
  report.bugs.clear();
  report.complete = true;
  ReportedWarning warning{"lock-order", "locks are taken in different orders", {}, {}};
  warning.cycle = {{"main/1", "first", "second", place(10), place(11), stack(10), stack(11)},
                   {"main/2", "second", "first", place(20), place(21), stack(20), stack(21)}};
  report.warnings = {warning};
  return report;
}

Report passing() {
  Report report = with_warning();
  report.warnings.clear();
  report.reasons.clear();
  return report;
}

Report incomplete() {
  Report report = passing();
  report.strategy = "dpor";
  report.complete = false;
  report.reasons = {"stopped after 17 executions (--max-executions)"};
  report.estimate = ReportedEstimate{0.25, 68, 40, 120};
  return report;
}

Report reported_race() {
  Report report = with_warning();
  report.warnings.clear();
  report.races = {race_on("counter", "counter")};
  return report;
}

Report several_bugs() {
  Report report = report_of(failure("crash", "segmentation fault at address 0x8"));
  report.bugs.push_back(lost_wakeup());
  report.bugs[1].trace = "norn-traces/queue-2.trace";
  return report;
}

}  // namespace

Report report_of(ReportedBug bug) {
  Report report;
  report.program = "queue_test.cpp";
  report.strategy = "auto";
  report.executions = 17;
  report.seconds = 0.5;
  report.reasons = {"stopped at the first bug (--keep-going goes on)"};
  bug.trace = "norn-traces/queue-1.trace";
  report.bugs = {std::move(bug)};
  return report;
}

ReportedBug race_on(const std::string& object, const std::string& what) {
  ReportedBug bug = failure("data-race", "");
  bug.events = {event("main/1", "mutex.lock", "mutex", 30), event("main/2", "mutex.lock", "other_mutex", 40)};
  bug.accesses = {access("main/1", "writes", object, what, 1, 31), access("main/2", "reads", object, what, 2, 42)};
  if (object.starts_with('#'))
    bug.legend = {{object, what.starts_with("the") ? "on the heap of main" : "on the stack of main"}};
  return bug;
}

ReportedBug ring(std::size_t threads) {
  std::vector<ReportedEvent> events;
  std::vector<ReportedWait> waits = {wait("main", "thread.join", "", "main/1", 60)};
  for (std::size_t i = 1; i <= threads; ++i) {
    const std::size_t next = i % threads + 1;
    events.push_back(event(fmt::format("main/{}", i), "mutex.lock", fmt::format("fork[{}]", i), 20));
    events.back().preempts = i > 1;
    waits.push_back(
        wait(fmt::format("main/{}", i), "mutex.lock", fmt::format("fork[{}]", next), fmt::format("main/{}", next), 21));
  }
  ReportedBug bug = deadlock(events, waits);
  bug.preemptions = static_cast<unsigned>(threads - 1);
  return bug;
}

ReportedBug long_run(std::size_t events) {
  ReportedBug bug = failure("assertion", "assertion `count < 10` failed");
  bug.events = {atomic("main/1", "load", "flag", "0", 10), preempting(atomic("main", "store", "flag", "1", 50))};
  while (bug.events.size() < events)
    bug.events.push_back(atomic("main/1", "update", "count", std::to_string(bug.events.size()), 20));
  bug.events.push_back(atomic("main/1", "load", "flag", "1", 11));
  return bug;
}

ReportedBug hostile() {
  const std::string harm =
      "\x1b[2J\x1b]0;title\x07\r\n\t\b\xff\xc2\x9b"
      "31m\xe2\x80\xae";
  std::string name = "Map<";
  for (int i = 0; i < 40; ++i) name += "std::vector<std::pair<int, " + harm + ">>, ";
  name += ">::find(" + std::string(300, 'x') + ")";
  ReportedBug bug = failure("assertion", harm + std::string(700, 'y') + harm);
  bug.place.file = "dir" + harm + "/file" + harm + ".cpp";
  bug.place.function = name;
  bug.stack = {bug.place, bug.place};
  for (ReportedEvent& each : bug.events) {
    each.object = name;
    each.value = harm;
    each.place = bug.place;
  }
  bug.output = "first" + harm + "\n" + std::string(3000, 'z') + "\n";
  bug.legend = {{"#1" + harm, "on the " + harm}};
  return bug;
}

std::map<std::string, Report> scenarios() {
  std::map<std::string, ReportedBug> bugs = {
      {"assertion", failure("assertion", "assertion `queue.size() == 3` failed")},
      {"exception", failure("exception", "uncaught exception of type std::runtime_error: too late")},
      {"crash", failure("crash", "segmentation fault at address 0x8")},
      {"abort", failure("abort", "abort() was called")},
      {"exit", failure("exit", "the program ended with exit code 3")},
      {"property", failure("property", "the queue is not sorted")},
      {"misuse", failure("misuse", "the thread unlocks a mutex that another thread holds")},
      {"lost_update", lost_update()},
      {"livelock", livelock()},
      {"deadlock_of_2_threads", ring(2)},
      {"deadlock_of_3_threads", ring(3)},
      {"deadlock_of_8_threads", ring(8)},
      {"deadlock_of_20_threads", ring(20)},
      {"deadlock_with_itself",
       deadlock({event("main", "mutex.lock", "mutex", 12)}, {wait("main", "mutex.lock", "mutex", "main", 13)})},
      {"deadlock_of_reader_and_writer", reader_and_writer()},
      {"joins_each_other",
       deadlock({}, {wait("main", "thread.join", "", "main/1", 60), wait("main/1", "thread.join", "", "main", 31)})},
      {"lost_wakeup", lost_wakeup()},
      {"stolen_wakeup", stolen_wakeup()},
      {"never_notified", never_notified()},
      {"semaphore", semaphore()},
      {"barrier", barrier()},
      {"lock_of_an_ended_thread", abandoned_lock()},
      {"race_on_a_global", race_on("counter", "counter")},
      {"race_on_the_heap", race_on("#1", "the heap block of 24 bytes (allocated at queue.cpp:12)")},
      {"race_on_the_stack", race_on("#1", "a variable on the stack of main")},
      {"race_with_locks", locked_race()},
      {"race_with_a_shared_lock", shared_race()},
      {"use_after_free", use_after_free()},
      {"use_after_own_free", used_by_its_owner_after_free()},
      {"double_free", double_free()},
      {"invalid_free", invalid_free()},
      {"free_of_no_block", free_of_nothing()},
      {"overflow", overflow(0x1018)},
      {"overflow_far", overflow(0x1020)},
      {"underflow", overflow(0xff8)},
      {"leak", leak()},
      {"stack_of_an_ended_thread", dead_stack()},
      {"all_operations", all_operations()},
      {"minimised", minimised(failure("assertion", "assertion `ok` failed"))},
      {"long_run", long_run(10'000)},
      {"hostile", hostile()},
  };
  std::map<std::string, Report> reports;
  for (auto& [name, bug] : bugs) reports[name] = report_of(bug);
  reports["lock_order"] = with_warning();
  reports["pass"] = passing();
  reports["incomplete"] = incomplete();
  reports["race_that_is_only_reported"] = reported_race();
  reports["several_bugs"] = several_bugs();
  return reports;
}

}  // namespace norn::test
