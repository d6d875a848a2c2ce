#include "report/sequences.hpp"

#include <fmt/format.h>

#include <map>

#include "report/objects.hpp"
#include "report/style.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

using nlohmann::json;

constexpr std::size_t widest_part = 120;

std::string ordinal(std::uint64_t number) {
  const bool is_teen = number % 100 / 10 == 1;
  const char* const end = is_teen            ? "th"
                          : number % 10 == 1 ? "st"
                          : number % 10 == 2 ? "nd"
                          : number % 10 == 3 ? "rd"
                                             : "th";
  return fmt::format("{}{}", number, end);
}

std::string call_text(const std::string& operation, const std::string& alternative, const std::string& object) {
  return event_text({"", operation, alternative, object, {}, 0, "", false, false, ""}, "");
}

/// A sending or a receiving event (explore/reachability/sequence_tree.hpp).
std::string part_text(const json& part, ObjectNames& objects) {
  const auto text = [&part](const char* name) { return part.at(name).get<std::string>(); };
  const std::string kind = text("kind");
  const std::string thread = text("thread");
  const std::string object = objects.name(part.at("object").get<std::uint64_t>());
  const auto number = part.at("number").get<std::uint64_t>();
  if (kind == "on-object") return fmt::format("{} event on {}", ordinal(number + 1), object);
  if (kind == "message") return fmt::format("{}: {} message to {}", thread, ordinal(number + 1), object);
  if (kind == "state" && number == 0) return fmt::format("{} as it is at first", object);
  if (kind == "state") return fmt::format("{} after its {} change, by {}", object, ordinal(number), thread);
  // From where a message comes is what can be different.
  const bool receives = text("operation") == "receive";
  const std::string call = call_text(text("operation"), text("alternative"), receives ? "" : object);
  return kind == "call" ? fmt::format("{}: {}", thread, call)
                        : fmt::format("{}, {} event: {}", thread, ordinal(number + 1), call);
}

}  // namespace

json named_sequences(const json& sent, Names& names, const json& memory) {
  if (!sent.is_object()) return nullptr;
  json named = sent;
  if (!sent.contains("parts")) return named;
  ObjectNames objects(names, memory, sent.value("frames", json::array()));
  std::map<std::uint64_t, json> stacks;
  for (const json& entry : sent.value("stacks", json::array())) stacks[entry.at(0).get<std::uint64_t>()] = entry.at(1);
  for (json& part : named["parts"]) {
    const auto site = part.at("site").get<std::uint64_t>();
    const auto stack = stacks.find(site);
    const Place place = names.place(stack == stacks.end() ? json::array() : stack->second, site);
    part = {{"text", shorten(printable(part_text(part, objects)), widest_part)},
            {"place", place.file.empty() ? "" : printable(place.base_text())}};
  }
  json legend = json::array();
  for (const auto& [name, where] : objects.legend()) legend.push_back({printable(name), printable(where)});
  named["legend"] = legend;
  named.erase("frames");
  named.erase("stacks");
  return named;
}

}  // namespace norn
