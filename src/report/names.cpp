#include "report/names.hpp"

#include <fmt/format.h>

namespace norn {
namespace {

/// Headers of the system and of the compiler are not where a user looks for a bug.
bool is_users(const Frame& frame) {
  return !frame.file.empty() && !frame.file.starts_with("/usr/") && !frame.file.starts_with("<") &&
         frame.file.find("/share/norn/shadow/") == std::string::npos &&
         frame.file.find("/include/norn/") == std::string::npos && frame.line != 0;
}

Place to_place(const Frame& frame) { return {frame.file, frame.line, frame.function}; }

}  // namespace

Names::Names(const nlohmann::json& modules) {
  for (const auto& module : modules)
    modules_.push_back({module.at("path"), module.at("begin"), module.at("end"), module.at("bias")});
}

const Names::Module* Names::module_of(std::uint64_t address) const {
  for (const Module& module : modules_)
    if (address >= module.begin && address < module.end) return &module;
  return nullptr;
}

Place Names::place(const nlohmann::json& stack, std::uint64_t site) {
  std::vector<std::uint64_t> addresses = stack.get<std::vector<std::uint64_t>>();
  addresses.push_back(site);
  for (const std::uint64_t address : addresses) {
    const Module* module = module_of(address);
    if (module == nullptr) continue;
    // Return addresses: the call is before.
    for (const Frame& frame : symbolizer_.frames(module->path, address - 1 - module->bias))
      if (is_users(frame)) return to_place(frame);
  }
  return {};
}

std::vector<Place> Names::frames(const nlohmann::json& stack) {
  std::vector<Place> places;
  for (const std::uint64_t address : stack) {
    const Module* module = module_of(address);
    if (module == nullptr) continue;
    for (const Frame& frame : symbolizer_.frames(module->path, address - 1 - module->bias)) {
      if (frame.function.empty()) continue;
      places.push_back(to_place(frame));
      if (frame.function == "main") return places;
    }
  }
  return places;
}

std::string Names::object(std::uint64_t address) {
  const Module* module = module_of(address);
  return module == nullptr ? "" : symbolizer_.variable(module->path, address - module->bias);
}

}  // namespace norn
