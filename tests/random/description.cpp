#include "description.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace random_programs {
namespace {

/// How an operation is written. Operands: r register, o object, v value, n number, p ports, e comparison, s the word
/// `skip`.
struct Syntax {
  Verb verb;
  std::string_view name;
  std::string_view operands;
  std::string_view kinds;  // letters of the objects it applies to
};

constexpr Syntax syntax_table[] = {
    {Verb::Spawn, "spawn", "n", ""},
    {Verb::Join, "join", "n", ""},
    {Verb::Lock, "lock", "o", "mtqw"},
    {Verb::LockBoth, "lock_both", "o", "m"},
    {Verb::TryLock, "try_lock", "ro", "mtqw"},
    {Verb::TryLockFor, "try_lock_for", "ro", "t"},
    {Verb::Unlock, "unlock", "o", "mtqw"},
    {Verb::LockShared, "lock_shared", "o", "w"},
    {Verb::TryLockShared, "try_lock_shared", "ro", "w"},
    {Verb::UnlockShared, "unlock_shared", "o", "w"},
    {Verb::Wait, "wait", "o", "c"},
    {Verb::WaitFor, "wait_for", "ro", "c"},
    {Verb::TimedWait, "timed_wait", "o", "c"},
    {Verb::NotifyOne, "notify_one", "o", "c"},
    {Verb::NotifyAll, "notify_all", "o", "c"},
    {Verb::Load, "load", "ro", "a"},
    {Verb::Store, "store", "ov", "a"},
    {Verb::Add, "add", "rov", "a"},
    {Verb::Exchange, "exchange", "rov", "a"},
    {Verb::CompareExchange, "cas", "rovd", "a"},
    {Verb::Await, "await", "roev", "a"},
    {Verb::Watch, "watch", "rov", "a"},
    {Verb::AwaitEither, "await_either", "vd", ""},
    {Verb::SleepWhile, "sleep_while", "ov", "a"},
    {Verb::WakeOne, "wake_one", "o", "a"},
    {Verb::WakeAll, "wake_all", "o", "a"},
    {Verb::Acquire, "acquire", "o", "spn"},
    {Verb::TryAcquire, "try_acquire", "ro", "sp"},
    {Verb::TryAcquireFor, "try_acquire_for", "ro", "sp"},
    {Verb::Release, "release", "o", "spn"},
    {Verb::ReleaseSome, "release_some", "on", "s"},
    {Verb::Arrive, "arrive", "o", "bk"},
    {Verb::Once, "once", "o", "oy"},
    {Verb::OnceFailing, "once_failing", "ro", "o"},
    {Verb::If, "if", "revsn", ""},
    {Verb::Assert, "assert", "rev", ""},
    {Verb::Send, "send", "ov", "x"},
    {Verb::Receive, "receive", "ro", "x"},
    {Verb::Call, "call", "rov", "e"},
    {Verb::Accept, "accept", "ro", "e"},
    {Verb::Select, "select", "rp", ""},
    {Verb::Enter, "enter", "o", "uv"},
    {Verb::Leave, "leave", "o", "uv"},
    {Verb::MonitorWait, "monitor_wait", "o", "uv"},
    {Verb::Signal, "signal", "o", "uv"},
    {Verb::SignalAll, "signal_all", "o", "v"},
    {Verb::SignalAndExit, "signal_and_exit", "o", "uv"},
};

const Syntax& syntax_of(Verb verb) { return syntax_table[static_cast<unsigned>(verb)]; }

const Syntax* find_syntax(std::string_view name) {
  for (const Syntax& syntax : syntax_table)
    if (syntax.name == name) return &syntax;
  return nullptr;
}

bool parse_number(std::string_view word, int lowest, int highest, int& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() && number >= lowest && number <= highest;
}

/// A letter out of `letters` followed by a number below `limit`.
bool parse_name(std::string_view word, std::string_view letters, unsigned limit, char& letter, std::uint8_t& index) {
  int number = 0;
  if (word.size() < 2 || letters.find(word[0]) == letters.npos) return false;
  if (!parse_number(word.substr(1), 0, static_cast<int>(limit) - 1, number)) return false;
  letter = word[0];
  index = static_cast<std::uint8_t>(number);
  return true;
}

bool parse_value(std::string_view word, Value& value) {
  char letter = 0;
  std::uint8_t index = 0;
  int number = 0;
  value.is_register = parse_name(word, "r", registers_per_thread, letter, index);
  if (!value.is_register && !parse_number(word, -99, 99, number)) return false;
  value.number = static_cast<std::int16_t>(value.is_register ? index : number);
  return true;
}

/// Cuts what stands before the next of `separators` off the front of `text`.
std::string_view next_part(std::string_view& text, std::string_view separators) {
  const std::size_t length = std::min(text.find_first_of(separators), text.size());
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return part;
}

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  return next_part(text, " \t\n");
}

bool parse_operand(char type, std::string_view word, std::string_view kinds, Operation& operation) {
  char letter = 0;
  int number = 0;
  switch (type) {
    case 'r': return parse_name(word, "r", registers_per_thread, letter, operation.reg);
    case 'o': return parse_name(word, kinds, objects_per_kind, operation.kind, operation.index);
    case 'v': return parse_value(word, operation.value);
    case 'd': return parse_value(word, operation.desired);
    case 'e': operation.equal = word == "=="; return word == "==" || word == "!=";
    case 's': return word == "skip";
    default:
      if (!parse_number(word, 1, type == 'p' ? (1 << port_count) - 1 : int{max_operations}, number)) return false;
      operation.number = static_cast<std::uint8_t>(number);
      return true;
  }
}

const char* parse_operation(std::string_view text, Thread& thread) {
  const std::string_view name = next_word(text);
  if (name.empty()) return nullptr;
  const Syntax* syntax = find_syntax(name);
  if (syntax == nullptr) return "unknown operation";
  if (thread.size == max_operations) return "too many operations in one thread";
  Operation& operation = thread.operations[thread.size++];
  operation.verb = syntax->verb;
  for (char type : syntax->operands)
    if (!parse_operand(type, next_word(text), syntax->kinds, operation)) return "bad operand";
  return next_word(text).empty() ? nullptr : "too many operands";
}

const char* parse_settings(std::string_view text, Program& program) {
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    char letter = 0;
    std::uint8_t index = 0;
    int number = 0;
    const std::string_view name = next_part(word, "=");
    program.unjoined |= name == "unjoined";
    if (name == "unjoined") continue;
    if (!parse_name(name, "aspbkn", objects_per_kind, letter, index)) return "bad object in the settings";
    const bool is_barrier = letter == 'b' || letter == 'k';
    if (!parse_number(word, is_barrier ? 1 : 0, letter == 'n' ? 1 : 99, number)) return "bad initial value";
    program.set_initial_value(letter, index, number);
  }
  return nullptr;
}

/// A std::barrier may have no more participants than its count (more is undefined behaviour).
bool barriers_are_valid(const Program& program) {
  std::array<unsigned, objects_per_kind> users{};
  for (unsigned t = 0; t < program.thread_count; ++t) {
    std::array<bool, objects_per_kind> uses{};
    for (unsigned i = 0; i < program.threads[t].size; ++i) {
      const Operation& operation = program.threads[t].operations[i];
      if (operation.verb == Verb::Arrive && operation.kind == 'b') uses[operation.index] = true;
    }
    for (unsigned b = 0; b < objects_per_kind; ++b) users[b] += uses[b] ? 1 : 0;
  }
  for (unsigned b = 0; b < objects_per_kind; ++b)
    if (static_cast<int>(users[b]) > program.initial_value('b', b)) return false;
  return true;
}

/// Each thread other than main is spawned at one place at most, and it exists.
bool spawns_are_valid(const Program& program) {
  std::array<bool, max_threads> spawned{};
  for (unsigned t = 0; t < program.thread_count; ++t) {
    for (unsigned i = 0; i < program.threads[t].size; ++i) {
      const Operation& operation = program.threads[t].operations[i];
      if (operation.verb != Verb::Spawn && operation.verb != Verb::Join) continue;
      if (operation.number >= program.thread_count) return false;
      if (operation.verb == Verb::Spawn && std::exchange(spawned[operation.number], true)) return false;
    }
  }
  return true;
}

/// So that the reference has room for all that are on their way.
bool messages_are_few(const Program& program) {
  unsigned messages = 0;
  for (unsigned t = 0; t < program.thread_count; ++t)
    for (unsigned i = 0; i < program.threads[t].size; ++i) {
      const Verb verb = program.threads[t].operations[i].verb;
      messages += verb == Verb::Send || verb == Verb::Call ? 1 : 0;
    }
  return messages <= max_messages;
}

/// What an operation would receive from if its thread were allowed to.
unsigned named_ports(const Operation& operation) {
  if (operation.verb == Verb::Select) return operation.number;
  if (operation.verb != Verb::Receive && operation.verb != Verb::Accept) return 0;
  return 1u << port_number(operation.kind, operation.index);
}

const char* parse_into(std::string_view text, Program& program) {
  for (char barrier : {'b', 'k'})
    for (unsigned i = 0; i < objects_per_kind; ++i) program.set_initial_value(barrier, i, max_threads);
  if (const char* error = parse_settings(next_part(text, "|"), program)) return error;
  while (program.thread_count == 0 || !text.empty()) {
    if (program.thread_count == max_threads) return "too many threads";
    Thread& thread = program.threads[program.thread_count++];
    std::string_view body = next_part(text, "|");
    while (!body.empty())
      if (const char* error = parse_operation(next_part(body, ";\n"), thread)) return error;
  }
  if (!spawns_are_valid(program)) return "a thread is spawned twice or does not exist";
  if (!messages_are_few(program)) return "too many messages";
  return barriers_are_valid(program) ? nullptr : "more threads use a std::barrier than its count allows";
}

std::string value_text(Value value) { return (value.is_register ? "r" : "") + std::to_string(value.number); }

std::string operation_text(const Operation& operation) {
  const Syntax& syntax = syntax_of(operation.verb);
  std::string text(syntax.name);
  for (char type : syntax.operands) {
    text += ' ';
    switch (type) {
      case 'r': text += "r" + std::to_string(operation.reg); break;
      case 'o': text += operation.kind + std::to_string(operation.index); break;
      case 'v': text += value_text(operation.value); break;
      case 'd': text += value_text(operation.desired); break;
      case 'e': text += operation.equal ? "==" : "!="; break;
      case 's': text += "skip"; break;
      default: text += std::to_string(operation.number);
    }
  }
  return text;
}

std::string settings_text(const Program& program) {
  std::string text;
  for (char kind : std::string_view("aspbkn")) {
    const int usual = kind == 'b' || kind == 'k' ? static_cast<int>(max_threads) : 0;
    for (unsigned i = 0; i < objects_per_kind; ++i)
      if (const int value = program.initial_value(kind, i); value != usual)
        text += (text.empty() ? "" : " ") + (kind + std::to_string(i)) + "=" + std::to_string(value);
  }
  if (program.unjoined) text += text.empty() ? "unjoined" : " unjoined";
  return text;
}

/// The first thread in whose text there is such an operation; the number of threads if there is none.
template <typename IsIt>
unsigned first_with(const Program& program, const IsIt& is_it) {
  const auto has_it = [&](const Thread& thread) {
    return std::any_of(thread.operations.begin(), thread.operations.begin() + thread.size, is_it);
  };
  const auto* const begin = program.threads.data();
  return static_cast<unsigned>(std::find_if(begin, begin + program.thread_count, has_it) - begin);
}

}  // namespace

ParseResult parse(std::string_view description) {
  ParseResult result;
  result.error = parse_into(description, result.program);
  return result;
}

std::string to_text(const Program& program, std::string_view separator) {
  std::string text = settings_text(program);
  for (unsigned t = 0; t < program.thread_count; ++t) {
    text += separator;
    for (unsigned i = 0; i < program.threads[t].size; ++i)
      text += (i == 0 ? "" : "; ") + operation_text(program.threads[t].operations[i]);
  }
  return text;
}

Receivers receivers_of(const Program& program) {
  Receivers receivers;
  receivers.fill(max_threads);
  for (unsigned t = program.thread_count; t-- > 0;)
    for (unsigned i = 0; i < program.threads[t].size; ++i)
      for (unsigned port = 0; port < port_count; ++port)
        if ((named_ports(program.threads[t].operations[i]) >> port & 1) != 0)
          receivers[port] = static_cast<std::uint8_t>(t);
  return receivers;
}

unsigned open_ports(const Receivers& receivers, unsigned thread, const Operation& operation) {
  unsigned ports = named_ports(operation);
  for (unsigned port = 0; port < port_count; ++port)
    if (receivers[port] != thread) ports &= ~(1u << port);
  return ports;
}

bool tries_mutexes(const Program& program) {
  return first_with(program, [](const Operation& operation) {
           return operation.verb == Verb::TryLock && operation.kind == 'm';
         }) != program.thread_count;
}

bool may_lock_both(const Program& program, unsigned thread) {
  const auto is_it = [](const Operation& operation) { return operation.verb == Verb::LockBoth; };
  return !tries_mutexes(program) || first_with(program, is_it) == thread;
}

bool has_result(Verb verb) {
  return verb != Verb::If && verb != Verb::Assert && syntax_of(verb).operands.front() == 'r';
}

std::size_t format_outcome(const Program& program, const FinalValues& values, char* buffer, std::size_t size) {
  std::size_t length = 0;
  const auto append = [&](auto... arguments) {
    length += static_cast<std::size_t>(std::snprintf(buffer + length, size - length, arguments...));
  };
  const unsigned shown = program.unjoined ? 1 : program.thread_count;
  for (unsigned t = 0; t < shown; ++t) {
    const auto& r = values.registers[t];
    append("%sT%u=%d,%d,%d,%d", t == 0 ? "" : " ", t, r[0], r[1], r[2], r[3]);
  }
  if (program.unjoined) return length;
  append(" a=%d,%d", values.atomics[0], values.atomics[1]);
  append(" s=%d,%d", values.semaphores[0], values.semaphores[1]);
  append(" p=%d,%d", values.posix_semaphores[0], values.posix_semaphores[1]);
  return length;
}

}  // namespace random_programs
