#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/style.hpp"

namespace norn {
namespace {

struct Words {
  std::string_view operation;
  std::string_view verb;     ///< as the program calls it
  std::string_view past;     ///< in a sentence, before the object
  std::string_view waiting;  ///< in a sentence, of a thread that cannot go on; {} is the object
  std::string_view never;    ///< why it waits for ever, if no thread holds what it waits for
  std::string_view failed;   ///< what it means that the operation changed nothing
};

constexpr std::string_view for_lock = "waits for {}";
constexpr std::string_view for_notification = "waits on {} for a notification";

constexpr std::array<Words, 53> all_words = {{
    {"mutex.lock", "lock", "locked", for_lock, "", ""},
    {"mutex.try_lock", "try_lock", "tried to lock", for_lock, "", "is held"},
    {"mutex.timed_lock", "try_lock_for", "tried to lock", for_lock, "", ""},
    {"mutex.unlock", "unlock", "unlocked", "is about to unlock {}", "", ""},
    {"spin.lock", "lock", "locked", for_lock, "", ""},
    {"spin.try_lock", "try_lock", "tried to lock", for_lock, "", "is held"},
    {"spin.unlock", "unlock", "unlocked", "is about to unlock {}", "", ""},
    {"rwlock.read", "lock_shared", "locked (shared)", "waits for {} (shared)", "", ""},
    {"rwlock.try_read", "try_lock_shared", "tried to lock (shared)", for_lock, "", "is held"},
    {"rwlock.timed_read", "try_lock_shared_for", "tried to lock (shared)", for_lock, "", ""},
    {"rwlock.write", "lock", "locked", for_lock, "", ""},
    {"rwlock.try_write", "try_lock", "tried to lock", for_lock, "", "is held"},
    {"rwlock.timed_write", "try_lock_for", "tried to lock", for_lock, "", ""},
    {"rwlock.unlock", "unlock", "unlocked", "is about to unlock {}", "", ""},
    {"condition.wait", "wait", "began to wait on", for_notification, "", ""},
    {"condition.sleep", "wait", "waited on", for_notification, "nobody will notify it", ""},
    {"condition.timed_sleep", "wait_for", "waited on", for_notification, "nobody will notify it", ""},
    {"condition.relock", "relock", "locked", "waits to lock {} again", "", ""},
    {"condition.signal", "notify_one", "notified", "is about to notify {}", "", ""},
    {"condition.broadcast", "notify_all", "notified all who wait on", "is about to notify {}", "", ""},
    {"semaphore.wait", "acquire", "acquired", "waits to acquire {}", "nobody will release it", ""},
    {"semaphore.try_wait", "try_acquire", "tried to acquire", "waits to acquire {}", "", "is at zero"},
    {"semaphore.timed_wait", "try_acquire_for", "tried to acquire", "waits to acquire {}", "", ""},
    {"semaphore.post", "release", "released", "is about to release {}", "", ""},
    {"semaphore.value", "get_value", "looked at", "is about to look at {}", "", ""},
    {"barrier.arrive", "arrive", "arrived at", "is about to arrive at {}", "", ""},
    {"barrier.meet", "arrive", "arrived at", "is about to arrive at {}", "", ""},
    {"barrier.sleep", "wait", "waited at", "waits at {} for other threads to arrive", "nobody else will arrive", ""},
    {"monitor.enter", "enter", "entered", "waits to enter {}", "nobody will leave it", ""},
    {"binary.post", "V", "released", "waits to release {}", "nobody will acquire it", ""},
    {"receive", "receive", "received from", "waits for a message from {}", "nobody will send one", ""},
    {"poll", "receive", "received from", "looks for a message from {}", "nobody will send one", "is empty"},
    {"send", "send", "sent to", "is about to send to {}", "", ""},
    {"deposit", "send", "sent to", "waits to send to {}, which is full", "nobody will receive from it", ""},
    {"withdraw", "receive", "received from", "waits for a message from {}", "nobody will send one", ""},
    {"park", "wait", "waited at", "waits at {}", "nobody will let it go on", ""},
    {"once", "call_once", "entered", "waits for {}", "nobody will finish it", "is done"},
    {"atomic.load", "load", "read", "looks at {} again and again", "nobody will change it", ""},
    {"atomic.store", "store", "stored", "writes {} again and again", "", ""},
    {"atomic.update", "update", "changed", "looks at {} again and again", "nobody will change it", ""},
    {"atomic.compare_exchange", "compare_exchange", "changed", "looks at {} again and again", "nobody will change it",
     "fails"},
    {"address.wait", "wait", "began to wait on", for_notification, "", "has changed"},
    {"address.sleep", "wait", "waited on", for_notification, "nobody will notify it", ""},
    {"address.timed_sleep", "wait_for", "waited on", for_notification, "nobody will notify it", ""},
    {"address.wake", "notify", "notified", "is about to notify {}", "", ""},
    {"thread.join", "join", "joined", "waits", "", ""},
    {"thread.try_join", "try_join", "tried to join a thread", "waits", "", "not ended yet"},
    {"thread.end", "end of the thread", "ended", "is about to end", "", ""},
    {"plain.read", "read", "read", "is about to read {}", "", ""},
    {"plain.write", "write", "wrote", "is about to write {}", "", ""},
    {"step.begin", "begin of a step", "began a step", "is about to begin a step", "", ""},
    {"yield", "yield", "yielded", "is about to go on", "", ""},
    {"process.exit", "exit", "ended the process", "is about to end the process", "", ""},
}};

const Words& words_for(const std::string& operation) {
  static constexpr Words unknown{"", "", "", for_lock, "", ""};
  const auto found = std::find_if(all_words.begin(), all_words.end(),
                                  [&](const Words& words) { return words.operation == operation; });
  return found == all_words.end() ? unknown : *found;
}

std::string with_object(std::string_view verb, const std::string& object) {
  return object.empty() ? std::string(verb) : fmt::format("{} {}", verb, object);
}

/// A local static has a guard that nobody wrote.
std::string initialisation(const std::string& object) {
  constexpr std::string_view guard = "guard variable for ";
  return object.starts_with(guard) ? "the initialisation of " + object.substr(guard.size())
                                   : "the initialisation guarded by " + object;
}

/// What an atomic operation found and left.
std::string atomic_text(const ReportedEvent& event, std::string_view verb, const std::string& after) {
  const std::string head = with_object(verb, event.object);
  if (event.operation == "atomic.load") return fmt::format("{} = {}", head, event.value);
  if (event.operation == "atomic.store") return fmt::format("{} <- {}", head, event.value);
  if (event.operation == "atomic.compare_exchange" && event.reads)
    return fmt::format("{}: fails, it is {}", head, event.value);
  return after.empty() ? fmt::format("{}: was {}", head, event.value)
                       : fmt::format("{}: {} -> {}", head, event.value, after);
}

/// What has no value, or one that is no number.
std::string sentence_without_value(const ReportedEvent& event, const Words& words) {
  if (event.operation == "atomic.store") return fmt::format("stored a value in {}", event.object);
  if (event.operation == "atomic.compare_exchange" && event.reads)
    return fmt::format("found another value in {}", event.object);
  return with_object(words.past, event.object);
}

}  // namespace

std::string event_text(const ReportedEvent& event, const std::string& after) {
  const Words& words = words_for(event.operation);
  const std::string_view verb = !event.call.empty()  ? std::string_view(event.call)
                                : words.verb.empty() ? std::string_view(event.operation)
                                                     : words.verb;
  if (!event.value.empty()) return atomic_text(event, verb, after);
  std::string text = with_object(verb, event.object);
  if (event.alternative == "expires") return text + ": time runs out";
  if (event.alternative == "spurious") return text + ": wakes up spuriously";
  if (event.alternative == "time-passes") return text + ": time passes";
  if (event.alternative == "nobody") return text + ": nobody waits";
  const bool receives = event.operation == "receive" || event.operation == "poll";
  if (receives && event.alternative != "nothing" && event.alternative != "-")
    return text + ": from " + event.alternative;
  if (!receives && event.alternative != "-" && !event.alternative.empty()) return text + ": wakes " + event.alternative;
  if (event.reads && !words.failed.empty()) return fmt::format("{}: {}", text, words.failed);
  return text;
}

std::string event_sentence(const ReportedEvent& event, const std::string& after) {
  const Words& words = words_for(event.operation);
  if (words.past.empty()) return fmt::format("did {}", with_object(event.operation, event.object));
  if (event.operation == "once" && event.reads) return fmt::format("found that {} is done", event.object);
  if (event.value.empty()) return sentence_without_value(event, words);
  if (event.operation == "atomic.load") return fmt::format("read {} from {}", event.value, event.object);
  if (event.operation == "atomic.store") return fmt::format("stored {} in {}", event.value, event.object);
  if (event.reads) return fmt::format("found {} in {}", event.value, event.object);
  return after.empty() ? fmt::format("changed {}, which was {},", event.object, event.value)
                       : fmt::format("changed {} from {} to {}", event.object, event.value, after);
}

std::string wait_text(const ReportedWait& wait, const std::vector<std::string>& holders) {
  const Words& words = words_for(wait.operation);
  const std::string_view verb = words.verb.empty() ? std::string_view(wait.operation) : words.verb;
  if (wait.operation == "thread.join") return "join " + wait.holder;
  const std::string text = with_object(verb, wait.object);
  const std::string_view held = is_once(wait) ? "run" : "held";
  if (holders.size() == 1 && holders[0] == wait.thread) return fmt::format("{}: {} by itself", text, held);
  if (!holders.empty()) return fmt::format("{}: {} by {}", text, held, enumerate(holders));
  return words.never.empty() ? text + ": waits" : fmt::format("{}: {}", text, words.never);
}

std::string wait_sentence(const ReportedWait& wait) {
  if (wait.operation == "thread.join") return fmt::format("waits for {} to end", wait.holder);
  const std::string object = wait.object.empty() ? "something" : wait.object;
  if (is_once(wait)) return "waits for " + initialisation(object);
  return fmt::format(fmt::runtime(words_for(wait.operation).waiting), object);
}

bool is_once(const ReportedWait& wait) { return wait.operation == "once"; }

std::string holding_sentence(const ReportedWait& wait) {
  return is_once(wait) ? "runs " + initialisation(wait.object) : "holds " + wait.object;
}

bool is_lock(const std::string& operation) {
  return operation == "condition.relock" ||
         ((operation.starts_with("mutex.") || operation.starts_with("spin.") || operation.starts_with("rwlock.")) &&
          !operation.ends_with("unlock"));
}

bool takes_lock(const ReportedEvent& event) {
  return is_lock(event.operation) && !event.reads && event.alternative != "expires";
}

std::string access_text(const ReportedAccess& access) {
  return access.size == 0 || access.action == "frees"
             ? access.action
             : fmt::format("{} {}", access.action, plural(access.size, "byte"));
}

std::string access_sentence(const ReportedAccess& access) {
  const bool is_variable = access.what == access.object || access.what.starts_with("a variable ");
  const bool is_whole = is_variable || access_text(access) == access.action;
  return fmt::format("{} {}{}", is_variable ? access.action : access_text(access), is_whole ? "" : "of ", access.what);
}

}  // namespace norn
