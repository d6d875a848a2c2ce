// A distributed spanning tree: every node is a thread with a port. Node 0, the root, invites its neighbours. A node
// accepts the first invitation, whose sender becomes its parent, and invites its other neighbours; it rejects later
// ones. A node is done when it has heard from all neighbours.
//
// Arguments: nodes (4), then edges like 0-1 (all). By default it has 25,200 behaviours; `4 0-1 0-2 0-3 2-3` has 30.
// Nodes that cannot be reached from the root wait for ever: a deadlock.
//
// norn: pass
#include <norn/port.hpp>

#include <cassert>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arguments.hpp"

class node {
 public:
  static constexpr int nobody = -1;

  node(int id, std::vector<int> neighbours, std::deque<node>& all)
      : id_(id), neighbours_(std::move(neighbours)), all_(all) {}

  int parent() const { return parent_; }
  const std::vector<int>& children() const { return children_; }

  void run() {
    if (is_root()) invite_neighbours();
    std::size_t heard_from = 0;
    while (heard_from < neighbours_.size()) {
      const message received = messages_.receive();
      if (received.what != kind::invite) {
        ++heard_from;
        if (received.what == kind::accept) children_.push_back(received.from);
      } else if (is_root() || parent_ != nobody) {
        send(received.from, kind::reject);
      } else {
        ++heard_from;
        parent_ = received.from;
        send(parent_, kind::accept);
        invite_neighbours();
      }
    }
    assert(is_root() || parent_ != nobody);
  }

 private:
  enum class kind { invite, accept, reject };
  struct message {
    kind what;
    int from;
  };

  bool is_root() const { return id_ == 0; }
  void send(int to, kind what) { all_[to].messages_.send({what, id_}); }
  void invite_neighbours() {
    for (const int neighbour : neighbours_)
      if (neighbour != parent_) send(neighbour, kind::invite);
  }

  const int id_;
  const std::vector<int> neighbours_;
  std::deque<node>& all_;
  norn::port<message> messages_;
  int parent_ = nobody;
  std::vector<int> children_;
};

class graph {
 public:
  explicit graph(int nodes) : nodes_(nodes), connected_(nodes, std::vector<bool>(nodes)) {}

  int nodes() const { return nodes_; }

  void connect(int a, int b) { connected_[a][b] = connected_[b][a] = true; }

  void connect_all() {
    for (int a = 0; a < nodes_; ++a)
      for (int b = 0; b < a; ++b) connect(a, b);
  }

  void connect(const std::string& edge) {
    const std::size_t dash = edge.find('-');
    const std::optional<int> a = whole_number(edge.substr(0, dash));
    const std::optional<int> b = dash == std::string::npos ? std::nullopt : whole_number(edge.substr(dash + 1));
    if (!has(a) || !has(b) || a == b)
      refuse("An edge must be two nodes from 0 to " + std::to_string(nodes_ - 1) + " like 0-1, not '" + edge + "'");
    connect(*a, *b);
  }

  std::vector<int> neighbours_of(int node) const {
    std::vector<int> neighbours;
    for (int other = 0; other < nodes_; ++other)
      if (connected_[node][other]) neighbours.push_back(other);
    return neighbours;
  }

  /// Whether there is a way from node 0 to every other one.
  bool is_connected() const {
    std::set<int> reached = {0};
    std::vector<int> reached_last = {0};
    while (!reached_last.empty()) {
      const int node = reached_last.back();
      reached_last.pop_back();
      for (const int neighbour : neighbours_of(node))
        if (reached.insert(neighbour).second) reached_last.push_back(neighbour);
    }
    return static_cast<int>(reached.size()) == nodes_;
  }

 private:
  bool has(std::optional<int> node) const { return node && *node >= 0 && *node < nodes_; }

  const int nodes_;
  std::vector<std::vector<bool>> connected_;
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  graph graph(given.size("nodes", 4));
  if (given.empty()) graph.connect_all();
  while (!given.empty()) graph.connect(given.next());
  if (!graph.is_connected()) refuse("The edges must connect all nodes");

  std::deque<node> all;
  for (int id = 0; id < graph.nodes(); ++id) all.emplace_back(id, graph.neighbours_of(id), all);

  std::vector<std::thread> threads;
  for (node& node : all) threads.emplace_back([&] { node.run(); });
  for (std::thread& thread : threads) thread.join();

  std::size_t edges = 0;
  for (int id = 0; id < graph.nodes(); ++id) {
    for (const int child : all[id].children()) assert(all[child].parent() == id);
    edges += all[id].children().size();
    int steps = 0;
    for (int above = id; above != 0; above = all[above].parent()) {
      ++steps;
      assert(steps < graph.nodes());
    }
  }
  assert(edges + 1 == all.size());
}
