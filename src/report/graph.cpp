#include "report/graph.hpp"

#include <fmt/format.h>

#include <map>

#include "report/objects.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// Replaces addresses by names.
json with_names(const json& sent) {
  json graph = sent.at("graph");
  Names names(sent.at("modules"));
  ObjectNames objects(names, sent.at("memory"), graph.value("frames", json::array()));
  std::map<std::uint64_t, json> stacks;
  for (const json& entry : graph.value("stacks", json::array())) stacks[entry.at(0).get<std::uint64_t>()] = entry.at(1);
  std::size_t id = 0;
  for (json& node : graph.at("nodes")) {
    node["id"] = id++;
    node["object"] = objects.name(node.at("object").get<std::uint64_t>());
    const auto site = node.at("site").get<std::uint64_t>();
    const auto stack = stacks.find(site);
    node["site"] = names.place(stack == stacks.end() ? json::array() : stack->second, site).base_text();
  }
  graph.erase("frames");
  graph.erase("stacks");
  return graph;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return result;
}

std::string label(const json& node) {
  const auto text = [&node](const char* name) { return node.at(name).get<std::string>(); };
  const std::string alternative = text("alternative") == "-" ? "" : " <- " + text("alternative");
  const std::string event = fmt::format("{} {} {}{}", text("thread"), text("operation"), text("object"), alternative);
  return escaped(event) + "\\n" + escaped(text("site"));
}

/// Threads are solid lines, objects dashed ones; an event with alternatives has a double border.
std::string to_dot(const json& graph) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> siblings;
  const auto family = [](const json& node) {
    return std::pair(node.at("thread").get<std::string>(), node.value("in_thread", SIZE_MAX));
  };
  for (const json& node : graph.at("nodes")) ++siblings[family(node)];
  std::string text = "digraph norn {\n  node [shape=box, fontsize=10];\n";
  for (const json& node : graph.at("nodes")) {
    const auto id = node.at("id").get<std::size_t>();
    text +=
        fmt::format("  n{} [label=\"{}\"{}];\n", id, label(node), siblings[family(node)] > 1 ? ", peripheries=2" : "");
    if (node.contains("in_thread")) text += fmt::format("  n{} -> n{};\n", node.at("in_thread").get<std::size_t>(), id);
    if (node.contains("on_object"))
      text += fmt::format("  n{} -> n{} [style=dashed];\n", node.at("on_object").get<std::size_t>(), id);
  }
  return text + "}\n";
}

}  // namespace

std::string graph_text(const json& sent, const std::string& file) {
  const json graph = with_names(sent);
  if (!file.ends_with(".json")) return to_dot(graph);
  return graph.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace norn
