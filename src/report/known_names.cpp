#include "report/known_names.hpp"

#include "report/objects.hpp"

namespace norn {
namespace {

using nlohmann::json;

template <typename Names, typename What>
void add_place(Names& names, const Place& place, const What& what) {
  if (place.file.empty() || place.line == 0) return;
  names[place.text()].insert(what);
  names[place.base_text()].insert(what);
}

}  // namespace

void KnownNames::add(const json& sent, const json& run) {
  Names places(sent.at("modules"));
  ObjectNames all(places, sent.at("memory"), run.at("frames"));
  for (const json& event : run.at("events")) {
    const auto address = event.at("object").get<std::uint64_t>();
    if (address == 0) continue;
    if (all.has_name(address)) {
      names[address] = all.name(address);
      objects[names[address]].insert(address);
    }
    add_place(objects, all.declaration(address), address);
  }
  for (const json& link : run.at("links")) {
    if (link.at("kind") != "created") continue;
    add_place(threads, places.place(link.at("stack"), 0), link.at("other").get<std::string>());
  }
  for (const auto& [thread, own] : run.at("own_names").items()) threads[own.get<std::string>()].insert(thread);
}

}  // namespace norn
