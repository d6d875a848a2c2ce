// The format, version 1. A header of `name value` lines, then the events, then `end`. Names and values are separated
// by one space; values that may contain line breaks are JSON strings.
//
//   norn-trace 1
//   program "/path/to/queue_test"
//   argument "--size"
//   given "/path/to/queue_test.cpp"
//   source 0123456789abcdef "/path/to/queue.hpp"
//   options {"wakeup":"any",...}
//   kind deadlock
//   message "..."
//   thread main/1
//   location "queue.cpp:12"
//   events 2
//   1 main/1 mutex.lock - at queue.cpp:12 on queue_mutex
//   2 main/2 condition.signal main/1 at queue.cpp:20 on not_empty
//   end

#include "report/trace_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "report/replace_file.hpp"
#include "report/utf8.hpp"
#include "support/error.hpp"
#include "support/options_json.hpp"
#include "trace/event.hpp"
#include "trace/trace.hpp"

namespace norn {
namespace {

using nlohmann::json;

constexpr std::string_view magic = "norn-trace";
constexpr int version = 1;

/// A JSON string; or, for file names that are no UTF-8, x and the bytes as hexadecimal digits.
std::string quoted(const std::string& text) {
  try {
    return json(text).dump();
  } catch (const json::exception&) {
    std::string digits = "x";
    for (const unsigned char byte : text) digits += fmt::format("{:02x}", byte);
    return digits;
  }
}

/// For parts of a line that are only for people.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return text;
}

bool is_kind(const std::string& text) {
  for (int end = 0; end <= static_cast<int>(End::diverged); ++end)
    if (text == kind(static_cast<End>(end))) return true;
  return false;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {
    std::error_code ignored;
    const std::filesystem::file_type type = std::filesystem::status(file, ignored).type();
    const auto refuse = [&](std::string_view why) {
      throw InputError(fmt::format("cannot read the trace {}: {}", file.string(), why));
    };
    if (type == std::filesystem::file_type::directory) refuse("it is a directory");
    if (type == std::filesystem::file_type::fifo) refuse("it is a pipe");
    if (type == std::filesystem::file_type::character) refuse("it is a device");
    stream_.open(file);
    if (!stream_) refuse("no such file");
  }

  TraceFile read() {
    read_version();
    TraceFile trace;
    while (name_ != "events") {
      next_line();
      read_header(trace);
    }
    const std::size_t count = read_count();
    for (std::size_t i = 0; i < count; ++i) trace.events.push_back(read_event(i + 1));
    next_line();
    if (name_ != "end") fail("the line `end` was expected");
    if (trace.program.empty()) fail("the header names no program");
    if (!is_kind(trace.kind)) fail(fmt::format("the kind `{}` is not a way for a run to end", trace.kind));
    return trace;
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw InputError(fmt::format("{} is not a valid trace: line {}: {}", file_.string(), line_, why));
  }

  std::size_t read_count() const {
    std::size_t count = 0;
    const char* end = value_.data() + value_.size();
    const auto [rest, error] = std::from_chars(value_.data(), end, count);
    if (error != std::errc() || rest != end) fail("a number of events was expected");
    return count;
  }

  void next_line() {
    std::string text;
    ++line_;
    if (!std::getline(stream_, text)) fail("the file ends too early");
    const std::size_t space = text.find(' ');
    name_ = text.substr(0, space);
    value_ = space == std::string::npos ? "" : text.substr(space + 1);
  }

  void read_version() {
    next_line();
    if (name_ != magic) fail("it does not begin with `norn-trace`");
    if (value_ != std::to_string(version))
      fail(fmt::format("version {} is not known to this Norn, which reads version {}", value_, version));
  }

  std::string from_hexadecimal(const std::string& value) const {
    std::string text;
    for (std::size_t i = 1; i + 1 < value.size(); i += 2) {
      unsigned byte = 0;
      const auto [rest, error] = std::from_chars(value.data() + i, value.data() + i + 2, byte, 16);
      if (error != std::errc() || rest != value.data() + i + 2) fail("hexadecimal digits were expected");
      text.push_back(static_cast<char>(byte));
    }
    return text;
  }

  std::string unquoted(const std::string& value) const {
    if (value.starts_with('x')) return from_hexadecimal(value);
    const json parsed = json::parse(value, nullptr, false);
    if (!parsed.is_string()) fail(fmt::format("a quoted string was expected after `{}`", name_));
    return parsed;
  }

  SourceFile read_source() const {
    const std::size_t space = value_.find(' ');
    if (space == std::string::npos) fail("a hash and a file were expected after `source`");
    return {unquoted(value_.substr(space + 1)), value_.substr(0, space)};
  }

  /// What is read goes to reports, some of which can be nothing else. (What is only for people is not read.)
  void expect_utf8(std::string_view text) const {
    if (!is_utf8(text)) fail("it has bytes that are not UTF-8");
  }

  void read_header(TraceFile& trace) const {
    expect_utf8(value_);
    if (name_ == "program") trace.program = unquoted(value_);
    if (name_ == "argument") trace.arguments.push_back(unquoted(value_));
    if (name_ == "given") trace.given.emplace_back(unquoted(value_));
    if (name_ == "source") trace.sources.push_back(read_source());
    if (name_ == "message") trace.message = unquoted(value_);
    if (name_ == "kind") trace.kind = value_;
    if (name_ == "thread") trace.thread = value_;
    if (name_ == "location") trace.location = unquoted(value_);
    if (name_ != "options") return;
    const json parsed = json::parse(value_, nullptr, false);
    if (!parsed.is_object()) fail("an object of options was expected");
    try {
      trace.options = parsed;
    } catch (const json::exception&) {
      fail("an option has a value of the wrong type");
    }
    const std::string problem = what_is_wrong(trace.options);
    if (!problem.empty()) fail(problem);
  }

  ReportedEvent read_event(std::size_t number) {
    next_line();
    ReportedEvent event;
    std::istringstream words(value_);
    if (name_ != std::to_string(number) || !(words >> event.thread >> event.operation >> event.alternative))
      fail(fmt::format("event {} was expected", number));
    expect_utf8(event.thread);
    expect_utf8(event.operation);
    if (op_named(event.operation) == Op::none) fail(fmt::format("`{}` is not an operation", event.operation));
    return event;
  }

  std::filesystem::path file_;
  std::ifstream stream_;
  std::size_t line_ = 0;
  std::string name_;
  std::string value_;
};

bool write_wholly(const std::filesystem::path& file, const std::string& text) {
  if (is_replaceable(file)) return replace_file(file, text, Safety::from_full_disks);
  std::ofstream stream(file);
  return static_cast<bool>(stream << text << std::flush);
}

}  // namespace

std::string TraceFile::schedule() const {
  std::string text;
  for (const ReportedEvent& event : events)
    text += fmt::format("{} {} {}\n", event.thread, event.operation, event.alternative);
  return text;
}

void write_trace(const std::filesystem::path& file, const TraceFile& trace) {
  std::string text = fmt::format("{} {}\nprogram {}\n", magic, version, quoted(trace.program.string()));
  for (const std::string& argument : trace.arguments) text += fmt::format("argument {}\n", quoted(argument));
  for (const std::filesystem::path& given : trace.given) text += fmt::format("given {}\n", quoted(given.string()));
  for (const SourceFile& source : trace.sources)
    text += fmt::format("source {} {}\n", source.hash.empty() ? "-" : source.hash, quoted(source.path.string()));
  text += fmt::format("options {}\n", json(trace.options).dump());
  text += fmt::format("kind {}\nmessage {}\nthread {}\nlocation {}\n", trace.kind, quoted(trace.message), trace.thread,
                      quoted(trace.location));
  text += fmt::format("events {}\n", trace.events.size());
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const ReportedEvent& event = trace.events[i];
    text += fmt::format("{} {} {} {} at {} on {}\n", i + 1, event.thread, event.operation, event.alternative,
                        on_one_line(event.place.text()), on_one_line(event.object));
  }
  text += "end\n";
  if (!write_wholly(file, text)) throw InputError(fmt::format("cannot write the trace {}", file.string()));
}

TraceFile read_trace(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace norn
