// Explore one function inside a test program:
//
//   auto result = norn::explore({}, [] {
//     Queue queue;
//     std::thread producer([&] { queue.push(1); });
//     std::thread consumer([&] { queue.pop(); });
//     producer.join();
//     consumer.join();
//     norn::require(queue.empty(), "the queue is empty at the end");
//   });
//   if (!result) std::cerr << result.report;
//
// The function is run in every way its threads can interleave, each time with all memory of the program as it was
// before. The program must be compiled with Norn's instrumentation (norn-c++, or norn_instrument() in CMake).
#pragma once

#include <norn/runtime_abi.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

namespace norn {

/// As the options of `norn check`; 0 is "no limit" for budgets.
struct options {
  std::string strategy = "auto";
  std::uint64_t seed = 1;
  unsigned pct_depth = 3;
  int preemptions = -1;  ///< only behaviours with a run of at most so many preemptions; -1: any number
  std::uint64_t max_executions = 0;
  double max_seconds = 0;
  std::uint32_t max_steps = 100'000;
  std::uint32_t max_threads = 64;
  unsigned jobs = 1;
  bool keep_going = false;
  std::uint64_t minimise = 20'000;
  std::string wakeup = "any";
  unsigned spurious = 0;
  std::string isolation = "snapshot";
  std::string threads = "fiber";
  std::string plain = "race";
  std::string races = "fail";
  std::string memory = "fail";
};

struct result {
  std::string verdict;  ///< "pass", "bug" or "incomplete"; "error" if the options are wrong
  bool complete = false;
  std::uint64_t executions = 0;
  std::int64_t distinct = 0;  ///< -1: too many to count
  std::uint64_t deadlocks = 0;
  double seconds = 0;
  std::string kind;     ///< of the first bug
  std::string message;  ///< of the first bug
  std::string report;   ///< for a person

  explicit operator bool() const { return verdict == "pass"; }
};

namespace detail {

inline std::string quoted(const std::string& text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (code < ' ') {
      json += {'\\', 'u', '0', '0', digits[code / 16], digits[code % 16]};
    } else {
      json += c;
    }
  }
  return json + '"';
}

inline std::string to_json(const options& o) {
  std::ostringstream text;
  text.imbue(std::locale::classic());  // whatever the program prints numbers like
  text.precision(std::numeric_limits<double>::max_digits10);
  text << "{\"strategy\":" << quoted(o.strategy) << ",\"seed\":" << o.seed << ",\"pct_depth\":" << o.pct_depth
       << ",\"preemptions\":" << o.preemptions << ",\"max_executions\":" << o.max_executions
       << ",\"max_seconds\":" << o.max_seconds << ",\"max_steps\":" << o.max_steps
       << ",\"max_threads\":" << o.max_threads << ",\"jobs\":" << o.jobs
       << ",\"keep_going\":" << (o.keep_going ? "true" : "false") << ",\"minimise\":" << o.minimise
       << ",\"wakeup\":" << quoted(o.wakeup) << ",\"spurious\":" << o.spurious
       << ",\"isolation\":" << quoted(o.isolation) << ",\"threads\":" << quoted(o.threads)
       << ",\"plain\":" << quoted(o.plain) << ",\"races\":" << quoted(o.races) << ",\"memory\":" << quoted(o.memory)
       << "}";
  return text.str();
}

/// As Norn writes it, whatever the locale of the program.
inline double to_seconds(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double seconds = 0;
  stream >> seconds;
  return seconds;
}

inline result from_text(const std::string& text) {
  result found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(0, space);
    const std::string value = line.substr(space + 1);
    if (name == "verdict") found.verdict = value;
    if (name == "complete") found.complete = value == "1";
    if (name == "executions") found.executions = std::stoull(value);
    if (name == "distinct") found.distinct = std::stoll(value);
    if (name == "deadlocks") found.deadlocks = std::stoull(value);
    if (name == "seconds") found.seconds = to_seconds(value);
    if (name == "kind") found.kind = value;
    if (name == "message") found.message = value;
  }
  const std::size_t end = text.find("\n\n");
  if (end != std::string::npos) found.report = text.substr(end + 2);
  return found;
}

}  // namespace detail

template <typename Body>
result explore(const options& how, Body&& body) {
  auto call = [&body] { body(); };
  char* text = norn_explore(
      detail::to_json(how).c_str(), [](void* function) { (*static_cast<decltype(call)*>(function))(); }, &call);
  result found = detail::from_text(text);
  std::free(text);
  return found;
}

/// A property that must hold here; otherwise the run is a bug of kind "property".
inline void require(bool holds, const std::string& what) {
  if (!holds) norn_fail(("this does not hold: " + what).c_str());
}

/// Whether the caller is being explored by Norn.
inline bool exploring() { return norn_exploring() != 0; }

}  // namespace norn
