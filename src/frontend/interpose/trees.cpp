// std::map and std::set balance their trees inside the C++ library, where no instrumentation sees it. The same
// red-black trees with accesses that are seen. (T. H. Cormen et al., Introduction to Algorithms, chapter 13.)

#include <map>
#include <utility>

#include "frontend/interpose/visible_links.hpp"

namespace norn::frontend {
namespace {

using Node = std::_Rb_tree_node_base;
using Link = Node* Node::*;

constexpr Link left = &Node::_M_left;
constexpr Link right = &Node::_M_right;
constexpr Link parent = &Node::_M_parent;

constexpr Link opposite(Link side) { return side == left ? right : left; }

/// The header's parent is the root, its left and right are the first and the last node.
class Tree {
 public:
  Tree(Node& header, const Caller& caller) : header_(&header), links_(caller) {}

  void insert(Link side, Node* node, Node* above);
  Node* erase(Node* node);

 private:
  [[nodiscard]] Node* get(const Node* node, Link link) const { return links_.get(node->*link); }
  void set(Node* node, Link link, Node* value) const { links_.set(node->*link, value); }
  [[nodiscard]] std::_Rb_tree_color color(const Node* node) const { return links_.get(node->_M_color); }
  void paint(Node* node, std::_Rb_tree_color color) const { links_.set(node->_M_color, color); }
  [[nodiscard]] bool is_red(const Node* node) const { return node != nullptr && color(node) == std::_S_red; }
  [[nodiscard]] Node* root() const { return get(header_, parent); }
  [[nodiscard]] Node* farthest(Node* node, Link side) const;
  void put_in_place_of(Node* old, Node* node) const;
  void rotate(Node* node, Link side) const;
  void balance_after_insertion(Node* node) const;
  Node* take_out(Node* node, Node*& below, Node*& above) const;
  void move_end(Node* erased, Node* below, Link side) const;
  void balance_after_removal(Node* node, Node* above) const;
  bool gets_black_from_sibling(Node* above, Link side) const;

  Node* header_;
  VisibleLinks links_;
};

Node* Tree::farthest(Node* node, Link side) const {
  while (Node* next = get(node, side)) node = next;
  return node;
}

/// Below whatever `old` is below.
void Tree::put_in_place_of(Node* old, Node* node) const {
  Node* above = get(old, parent);
  if (old == root()) {
    set(header_, parent, node);
  } else {
    set(above, old == get(above, left) ? left : right, node);
  }
}

/// `node` moves down to this side, and its child on the other side takes its place.
void Tree::rotate(Node* node, Link side) const {
  Node* child = get(node, opposite(side));
  Node* inner = get(child, side);
  set(node, opposite(side), inner);
  if (inner != nullptr) set(inner, parent, node);
  set(child, parent, get(node, parent));
  put_in_place_of(node, child);
  set(child, side, node);
  set(node, parent, child);
}

void Tree::insert(Link side, Node* node, Node* above) {
  set(node, parent, above);
  set(node, left, nullptr);
  set(node, right, nullptr);
  paint(node, std::_S_red);
  // In an empty tree the node comes to the left of the header, which makes it the first one.
  set(above, side, node);
  if (above == header_) {
    set(header_, parent, node);
    set(header_, right, node);
  } else if (above == get(header_, side)) {
    set(header_, side, node);
  }
  balance_after_insertion(node);
}

void Tree::balance_after_insertion(Node* node) const {
  while (node != root() && is_red(get(node, parent))) {
    Node* above = get(node, parent);
    Node* grandparent = get(above, parent);
    const Link side = above == get(grandparent, left) ? left : right;
    Node* uncle = get(grandparent, opposite(side));
    if (is_red(uncle)) {
      paint(above, std::_S_black);
      paint(uncle, std::_S_black);
      paint(grandparent, std::_S_red);
      node = grandparent;
      continue;
    }
    if (node == get(above, opposite(side))) {
      rotate(above, side);
      std::swap(node, above);
    }
    paint(above, std::_S_black);
    paint(grandparent, std::_S_red);
    rotate(grandparent, opposite(side));
  }
  paint(root(), std::_S_black);
}

/// Unlinks the node; if it has two children, its successor takes its place. `below` is what comes to lie where
/// something is missing now, and `above` is its parent. Returns the node that has the colour that is missing.
Node* Tree::take_out(Node* node, Node*& below, Node*& above) const {
  Node* lefts = get(node, left);
  Node* rights = get(node, right);
  if (lefts == nullptr || rights == nullptr) {
    below = lefts == nullptr ? rights : lefts;
    above = get(node, parent);
    if (below != nullptr) set(below, parent, above);
    put_in_place_of(node, below);
    move_end(node, below, left);
    move_end(node, below, right);
    return node;
  }
  Node* successor = farthest(rights, left);
  below = get(successor, right);
  set(lefts, parent, successor);
  set(successor, left, lefts);
  above = successor;
  if (successor != rights) {
    above = get(successor, parent);
    if (below != nullptr) set(below, parent, above);
    set(above, left, below);
    set(successor, right, rights);
    set(rights, parent, successor);
  }
  put_in_place_of(node, successor);
  set(successor, parent, get(node, parent));
  const std::_Rb_tree_color missing = color(successor);
  paint(successor, color(node));
  paint(node, missing);
  return node;
}

/// If the node that is gone was the first one or the last one, another one is now.
void Tree::move_end(Node* erased, Node* below, Link side) const {
  if (get(header_, side) != erased) return;
  set(header_, side, below == nullptr ? get(erased, parent) : farthest(below, side));
}

Node* Tree::erase(Node* node) {
  Node* below = nullptr;
  Node* above = nullptr;
  Node* gone = take_out(node, below, above);
  if (color(gone) != std::_S_red) balance_after_removal(below, above);
  return gone;
}

void Tree::balance_after_removal(Node* node, Node* above) const {
  while (node != root() && !is_red(node)) {
    if (gets_black_from_sibling(above, node == get(above, left) ? left : right)) break;
    node = above;
    above = get(above, parent);
  }
  if (node != nullptr) paint(node, std::_S_black);
}

/// One black node too few is on this side of `above`. False if there are too few below `above` afterwards.
bool Tree::gets_black_from_sibling(Node* above, Link side) const {
  Node* sibling = get(above, opposite(side));
  if (is_red(sibling)) {
    paint(sibling, std::_S_black);
    paint(above, std::_S_red);
    rotate(above, side);
    sibling = get(above, opposite(side));
  }
  if (!is_red(get(sibling, left)) && !is_red(get(sibling, right))) {
    paint(sibling, std::_S_red);
    return false;
  }
  if (!is_red(get(sibling, opposite(side)))) {
    paint(get(sibling, side), std::_S_black);
    paint(sibling, std::_S_red);
    rotate(sibling, opposite(side));
    sibling = get(above, opposite(side));
  }
  paint(sibling, color(above));
  paint(above, std::_S_black);
  if (Node* outer = get(sibling, opposite(side))) paint(outer, std::_S_black);
  rotate(above, side);
  return true;
}

/// The next one to this side. Before the end comes the last node.
const Node* neighbour(const Node* node, Link side, const Caller& caller) {
  const VisibleLinks links(caller);
  if (const Node* below = links.get(node->*side)) {
    while (const Node* next = links.get(below->*opposite(side))) below = next;
    return below;
  }
  const Node* above = links.get(node->_M_parent);
  while (node == links.get(above->*side)) {
    node = above;
    above = links.get(above->_M_parent);
  }
  // From the last node in a tree that is nothing but its root, the way up ends at the header already.
  return side == right && links.get(node->_M_right) == above ? node : above;
}

const Node* before(const Node* node, const Caller& caller) {
  const VisibleLinks links(caller);
  const bool is_header =
      links.get(node->_M_color) == std::_S_red && links.get(links.get(node->_M_parent)->_M_parent) == node;
  return is_header ? links.get(node->_M_right) : neighbour(node, left, caller);
}

}  // namespace
}  // namespace norn::frontend

using norn::frontend::Caller;
using Node = std::_Rb_tree_node_base;

NORN_EXPORT void norn_insert(bool to_left, Node* node, Node* above,
                             Node& header) asm("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
void norn_insert(bool to_left, Node* node, Node* above, Node& header) {
  norn::frontend::Tree(header, NORN_CALLER).insert(to_left ? norn::frontend::left : norn::frontend::right, node, above);
}

NORN_EXPORT Node* norn_erase(Node* node,
                             Node& header) asm("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
Node* norn_erase(Node* node, Node& header) { return norn::frontend::Tree(header, NORN_CALLER).erase(node); }

// Both of them come for constant nodes and for others.

#define NORN_NEIGHBOUR(NAME, SYMBOL, CALL)                    \
  NORN_EXPORT const Node* NAME(const Node* node) asm(SYMBOL); \
  const Node* NAME(const Node* node) { return CALL; }

NORN_NEIGHBOUR(norn_next, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
               norn::frontend::neighbour(node, norn::frontend::right, NORN_CALLER))
NORN_NEIGHBOUR(norn_next_constant, "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
               norn::frontend::neighbour(node, norn::frontend::right, NORN_CALLER))
NORN_NEIGHBOUR(norn_previous, "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
               norn::frontend::before(node, NORN_CALLER))
NORN_NEIGHBOUR(norn_previous_constant, "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
               norn::frontend::before(node, NORN_CALLER))
