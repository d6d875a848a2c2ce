#include "explore/reachability/variant_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "trace/alternative.hpp"

namespace norn::reachability {
namespace {

/// What sees the object in this state: the first thread to change it next, or one that leaves it as it is.
std::string state_text(const Variant::Look& look) {
  return fmt::format(" at {}state {}", look.is_last ? "last " : look.may_change ? "open " : "", look.state);
}

class Writer {
 public:
  Writer(const Variant& variant, const ThreadNames& names) : variant_(variant), names_(names) {}

  std::string write() {
    describe();
    collect();
    while (write_next()) {
    }
    return std::move(text_);
  }

 private:
  struct Line {
    ThreadId thread;
    std::uint32_t index;
    const void* object;   ///< nullptr: it is on its thread only
    std::uint32_t order;  ///< on the object; those that look at the same state have the same
    std::string text;
    bool is_written = false;
  };

  void describe() {
    for (unsigned i = 0; i < variant_.threads.size(); ++i) {
      const Variant::OnThread& on = variant_.threads[i];
      text_ += fmt::format("# thread {} events {} black {} expires {}\n", names_.name(static_cast<ThreadId>(i)),
                           on.events, on.black, static_cast<int>(on.may_expire));
      for (const auto& [index, partner] : on.received)
        if (partner.is_open())
          text_ += fmt::format("# receives {} event {}\n", names_.name(static_cast<ThreadId>(i)), index);
    }
    for (const Variant::Messages& messages : variant_.messages)
      text_ +=
          fmt::format("# messages {} to {} count {}\n", names_.name(messages.sender), messages.port, messages.count);
    for (const Variant::OnObject& on : variant_.objects)
      text_ += fmt::format("# object {} black {} states {} open {}\n", on.object, on.black, on.states,
                           std::count_if(on.partners.begin(), on.partners.end(),
                                         [](const Partner& partner) { return partner.is_open(); }));
    if (variant_.end) describe("end", *variant_.end);
    for (const Ending& ending : variant_.endings) describe("ending", ending);
  }

  void describe(std::string_view what, const Ending& ending) {
    text_ += fmt::format("# {} {} event {} alternative {} on {} order {} new {} past {}\n", what,
                         names_.name(ending.thread), ending.index, ending.alternative, ending.object, ending.order,
                         static_cast<int>(ending.is_new), fmt::join(ending.past, " "));
  }

  void collect() {
    for (unsigned i = 0; i < variant_.threads.size(); ++i)
      for (const auto& [index, partner] : variant_.threads[i].received)
        if (!partner.is_open()) add(static_cast<ThreadId>(i), index, partner.op, partner.alternative, nullptr, 0, "");
    for (const Variant::OnObject& on : variant_.objects) {
      for (std::uint32_t k = 0; k < on.partners.size(); ++k) {
        const Partner& partner = on.partners[k];
        if (!partner.is_open())
          add(partner.thread, partner.index, partner.op, partner.alternative, on.object, 2 * k + 1, "");
      }
      for (const Variant::Look& look : on.looks)
        add(look.thread, look.index, look.op, 0, on.object, 2 * look.state, state_text(look));
    }
  }

  void add(ThreadId thread, std::uint32_t index, Op op, std::uint16_t alternative, const void* object,
           std::uint32_t order, const std::string& state) {
    const std::string how = state.empty() ? alternative_text(op, alternative, names_) : "*";
    std::string text = fmt::format("{} {} {} {}{}", index, names_.name(thread), name(op), how, state);
    if (object != nullptr) text += fmt::format(" on {}", object);
    lines_.push_back({thread, index, object, order, text + "\n"});
  }

  /// A line that none of the others has to come before.
  bool write_next() {
    for (Line& line : lines_) {
      const auto comes_before = [&line](const Line& other) {
        if (other.is_written || &other == &line) return false;
        return (other.thread == line.thread && other.index < line.index) ||
               (other.object != nullptr && other.object == line.object && other.order < line.order);
      };
      if (line.is_written || std::any_of(lines_.begin(), lines_.end(), comes_before)) continue;
      text_ += line.text;
      line.is_written = true;
      return true;
    }
    return false;
  }

  const Variant& variant_;
  const ThreadNames& names_;
  std::vector<Line> lines_;
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const ThreadNames& names) : names_(names) {}

  Variant read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      words_ = std::istringstream(line);
      line.starts_with('#') ? read_remark() : read_event();
      if (words_.fail()) throw std::invalid_argument(fmt::format("`{}` is no line of a variant", line));
    }
    for (Variant::OnObject& on : variant_.objects) {
      std::sort(on.looks.begin(), on.looks.end());
      on.partners.resize(on.partners.size() + opens_[static_cast<std::size_t>(&on - variant_.objects.data())]);
    }
    for (Variant::OnThread& on : variant_.threads)
      std::sort(on.received.begin(), on.received.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return std::move(variant_);
  }

 private:
  void read_remark() {
    std::string sign;
    std::string what;
    words_ >> sign >> what;
    if (what == "thread") {
      const std::string thread = word();
      thread_names_.push_back(thread);
      if (names_.name(static_cast<ThreadId>(variant_.threads.size())) != thread) words_.setstate(std::ios::failbit);
      Variant::OnThread& on = variant_.threads.emplace_back();
      on.events = number("events");
      on.black = number("black");
      on.may_expire = number("expires") != 0;
    } else if (what == "receives") {
      Variant::OnThread& on = variant_.threads.at(thread());
      on.received.emplace_back(number("event"), Partner{});
    } else if (what == "messages") {
      const ThreadId sender = thread();
      const void* port = address("to");
      variant_.messages.push_back({sender, port, number("count")});
    } else if (what == "object") {
      Variant::OnObject& on = variant_.objects.emplace_back(Variant::OnObject{address("")});
      on.black = number("black");
      on.states = number("states");
      opens_.push_back(number("open"));
    } else if (what == "end") {
      variant_.end = ending();
    } else if (what == "ending") {
      variant_.endings.push_back(ending());
    }
  }

  Ending ending() {
    Ending ending;
    ending.thread = thread();
    ending.index = number("event");
    ending.alternative = static_cast<std::uint16_t>(number("alternative"));
    ending.object = address("on");
    ending.order = number("order");
    ending.is_new = number("new") != 0;
    if (word() != "past") words_.setstate(std::ios::failbit);
    for (std::string text = word_if_any(); !text.empty(); text = word_if_any())
      ending.past.push_back(static_cast<Clock>(std::stoul(text)));
    words_.clear(words_.rdstate() & ~std::ios::failbit);
    return ending;
  }

  void read_event() {
    std::uint32_t index = 0;
    words_ >> index;
    const ThreadId thread = this->thread();
    const Op op = op_named(word());
    const std::uint16_t alternative = read_alternative(op, word());
    std::string next = word_if_any();
    if (next.empty()) {
      variant_.threads.at(thread).received.push_back({index, {thread, alternative, 0, op}});
      variant_.threads.at(thread).received.back().second.thread = sender_of(alternative);
      return;
    }
    Variant::Look look{thread, index, 0, false, false, op};
    const bool is_look = next == "at";
    if (is_look) {
      next = word();
      look.is_last = next == "last";
      look.may_change = look.is_last || next == "open";
      if (look.may_change) word();
      words_ >> look.state;
      next = word();
    }
    Variant::OnObject& on = object(address(""));
    is_look ? on.looks.push_back(look) : on.partners.push_back({thread, alternative, index, op});
  }

  std::string word() {
    std::string text;
    words_ >> text;
    return text;
  }

  std::string word_if_any() {
    if (!words_.eof()) words_ >> std::ws;
    return words_.eof() ? std::string() : word();
  }

  /// The number after a word.
  std::uint32_t number(const char* after) {
    std::uint32_t value = 0;
    if (word() != after) words_.setstate(std::ios::failbit);
    words_ >> value;
    return value;
  }

  const void* address(const std::string& after) {
    if (!after.empty() && word() != after) words_.setstate(std::ios::failbit);
    std::uintptr_t value = 0;
    words_ >> std::hex >> value >> std::dec;
    return reinterpret_cast<const void*>(value);
  }

  ThreadId thread() { return thread_named(word()); }

  ThreadId thread_named(const std::string& text) {
    const auto found = std::find(thread_names_.begin(), thread_names_.end(), text);
    if (found == thread_names_.end()) words_.setstate(std::ios::failbit);
    return found == thread_names_.end() ? ThreadId{0} : static_cast<ThreadId>(found - thread_names_.begin());
  }

  Variant::OnObject& object(const void* address) {
    const auto is_it = [address](const Variant::OnObject& on) { return on.object == address; };
    const auto found = std::find_if(variant_.objects.begin(), variant_.objects.end(), is_it);
    if (found == variant_.objects.end()) throw std::invalid_argument("an object of the variant is not described");
    return *found;
  }

  /// See alternative_text.
  std::uint16_t read_alternative(Op op, const std::string& text) {
    if (text == "-" || text == "*") return 0;
    if (text == "nobody") return no_thread;
    if (text == "expires") return expires;
    if (op == Op::condition_signal) return thread_named(text);
    if (op != Op::receive) words_.setstate(std::ios::failbit);
    const std::size_t colon = text.find(':');
    const unsigned port = colon == std::string::npos ? 0 : static_cast<unsigned>(std::stoul(text.substr(colon + 1)));
    return from_sender(thread_named(text.substr(0, colon)), port);
  }

  const ThreadNames& names_;
  std::vector<std::string> thread_names_;
  std::istringstream words_;
  Variant variant_;
  std::vector<std::uint32_t> opens_;
};

}  // namespace

std::string to_text(const Variant& variant, const ThreadNames& names) { return Writer(variant, names).write(); }

Variant variant_of(const std::string& text, const ThreadNames& names) { return Reader(names).read(text); }

}  // namespace norn::reachability
