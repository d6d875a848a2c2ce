#include "report/names.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "support/paths.hpp"

namespace norn {
namespace {

/// Compilers name system headers by their real paths, and in a build tree the directory is a link. Files below the
/// working directory have relative names.
bool is_shadow(const std::string& file) {
  static const std::string directory = std::filesystem::weakly_canonical(shadow_directory());
  return std::filesystem::absolute(file).string().starts_with(directory) ||
         file.find("/share/norn/shadow/") != std::string::npos;
}

bool is_norns(const std::string& file) {
  return std::filesystem::absolute(file).string().find("/include/norn/") != std::string::npos;
}

/// Headers of the system and of the compiler are not where a user looks for a bug.
bool is_users(const Frame& frame) {
  return !frame.file.empty() && !frame.file.starts_with("/usr/") && !frame.file.starts_with("<") &&
         !is_shadow(frame.file) && !is_norns(frame.file) && frame.line != 0;
}

/// "fetch_add" of "std::__atomic_base<int>::fetch_add(int, std::memory_order)".
std::string simple_name(const std::string& function) {
  std::string name;
  int depth = 0;
  for (const char c : function) {
    if (c == '(' && depth == 0 && !name.empty()) break;
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) name = c == ' ' || c == ':' ? "" : name + c;
    if (c == '>' || c == ')') --depth;
  }
  return name;
}

/// Functions of the libraries that only their authors know.
bool is_plumbing(const Frame& frame) { return !is_users(frame) && simple_name(frame.function).starts_with("_"); }

Place to_place(const Frame& frame) { return {frame.file, frame.line, frame.function, frame.inlined}; }

}  // namespace

Names::Names(const nlohmann::json& modules) {
  for (const auto& module : modules) {
    modules_.push_back({module.at("path"), module.at("begin"), module.at("end"), module.at("bias"), 0, 0});
    const auto locals = module.find("locals");
    if (locals == module.end()) continue;
    modules_.back().locals_distance = locals->at("distance");
    modules_.back().locals_size = locals->at("size");
  }
}

/// The C library's own sources have names like any other's, where its debug information is installed.
bool Names::is_systems(const Module& module) const {
  const auto is_below = [&module](const char* directory) { return module.path.starts_with(directory); };
  return &module != modules_.data() && (is_below("/lib/") || is_below("/lib64/") || is_below("/usr/lib"));
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
    if (is_systems(*module)) continue;
    for (const Frame& frame : symbolizer_.frames(module->path, address - 1 - module->bias))
      if (is_users(frame)) return to_place(frame);
  }
  return {};
}

std::vector<Place> Names::frames(const nlohmann::json& stack) {
  std::vector<Place> places;
  std::size_t users = 0;  // how many there are up to the outermost that is the user's own
  for (const std::uint64_t address : stack) {
    const Module* module = module_of(address);
    if (module == nullptr) continue;
    for (const Frame& frame : symbolizer_.frames(module->path, address - 1 - module->bias)) {
      if (frame.function.empty() || is_plumbing(frame)) continue;
      places.push_back(to_place(frame));
      if (is_users(frame) && !is_systems(*module)) users = places.size();
    }
  }
  if (users != 0) places.resize(users);
  return places;
}

std::string Names::innermost_function(const nlohmann::json& stack, std::uint64_t site) {
  const std::uint64_t address = stack.empty() ? site : stack.front().get<std::uint64_t>();
  const Module* module = module_of(address);
  if (module == nullptr) return {};
  const std::vector<Frame> frames = symbolizer_.frames(module->path, address - 1 - module->bias);
  return frames.empty() ? "" : simple_name(frames.front().function);
}

std::string Names::object(std::uint64_t address) {
  const Module* module = module_of(address);
  return module == nullptr ? "" : symbolizer_.variable(module->path, address - module->bias);
}

std::string Names::thread_local_variable(std::uint64_t distance) {
  for (const Module& module : modules_)
    if (module.locals_distance - distance < module.locals_size)
      return symbolizer_.thread_local_variable(module.path, module.locals_distance - distance);
  return {};
}

std::string Names::local(const StackFrame& frame, std::uint64_t address) {
  const Module* module = module_of(frame.code);
  if (module == nullptr) return {};
  return symbolizer_.local(module->path, frame.code - 1 - module->bias, static_cast<std::int64_t>(address - frame.end));
}

Place Names::object_declaration(std::uint64_t address) {
  const Module* module = module_of(address);
  return module == nullptr ? Place() : to_place(symbolizer_.variable_declaration(module->path, address - module->bias));
}

Place Names::local_declaration(const StackFrame& frame, std::uint64_t address) {
  const Module* module = module_of(frame.code);
  if (module == nullptr) return {};
  return to_place(symbolizer_.local_declaration(module->path, frame.code - 1 - module->bias,
                                                static_cast<std::int64_t>(address - frame.end)));
}

std::string Names::function(const StackFrame& frame) {
  const Module* module = module_of(frame.code);
  if (module == nullptr) return {};
  const std::vector<Frame> frames = symbolizer_.frames(module->path, frame.code - 1 - module->bias);
  return frames.empty() ? "" : frames.back().function;
}

}  // namespace norn
