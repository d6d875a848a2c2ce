// std::list links its nodes inside the C++ library, where no instrumentation sees it. The same with accesses that are
// seen.

#include <list>

#include "frontend/interpose/visible_links.hpp"

using norn::frontend::Caller;
using norn::frontend::VisibleLinks;
using Node = std::__detail::_List_node_base;

NORN_EXPORT void norn_hook(Node* node, Node* position) asm("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void norn_hook(Node* node, Node* position) {
  const VisibleLinks links(NORN_CALLER);
  links.set(node->_M_next, position);
  links.set(node->_M_prev, links.get(position->_M_prev));
  links.set(node->_M_prev->_M_next, node);
  links.set(position->_M_prev, node);
}

NORN_EXPORT void norn_unhook(Node* node) asm("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void norn_unhook(Node* node) {
  const VisibleLinks links(NORN_CALLER);
  Node* next = links.get(node->_M_next);
  Node* previous = links.get(node->_M_prev);
  links.set(previous->_M_next, next);
  links.set(next->_M_prev, previous);
}

/// What lies from `first` to before `last` comes to lie before `position`.
NORN_EXPORT void norn_transfer(Node* position, Node* first,
                               Node* last) asm("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void norn_transfer(Node* position, Node* first, Node* last) {
  const VisibleLinks links(NORN_CALLER);
  if (position == last) return;
  Node* before_last = links.get(last->_M_prev);
  Node* before_first = links.get(first->_M_prev);
  Node* before_position = links.get(position->_M_prev);
  links.set(before_last->_M_next, position);
  links.set(before_first->_M_next, last);
  links.set(before_position->_M_next, first);
  links.set(position->_M_prev, before_last);
  links.set(last->_M_prev, before_first);
  links.set(first->_M_prev, before_position);
}

NORN_EXPORT void norn_reverse(Node* list) asm("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void norn_reverse(Node* list) {
  const VisibleLinks links(NORN_CALLER);
  Node* node = list;
  do {
    Node* next = links.get(node->_M_next);
    links.set(node->_M_next, links.get(node->_M_prev));
    links.set(node->_M_prev, next);
    node = next;
  } while (node != list);
}

namespace {

/// The nodes from `first` to `last` are those of `to` from now on.
void take_over(const VisibleLinks& links, Node& to, Node* first, Node* last) {
  links.set(to._M_next, first);
  links.set(to._M_prev, last);
  links.set(first->_M_prev, &to);
  links.set(last->_M_next, &to);
}

}  // namespace

NORN_EXPORT void norn_swap_lists(Node& a, Node& b) asm("_ZNSt8__detail15_List_node_base4swapERS0_S1_");
void norn_swap_lists(Node& a, Node& b) {
  const VisibleLinks links(NORN_CALLER);
  Node* const ends_of_a[] = {links.get(a._M_next), links.get(a._M_prev)};
  Node* const ends_of_b[] = {links.get(b._M_next), links.get(b._M_prev)};
  ends_of_b[0] == &b ? take_over(links, a, &a, &a) : take_over(links, a, ends_of_b[0], ends_of_b[1]);
  ends_of_a[0] == &a ? take_over(links, b, &b, &b) : take_over(links, b, ends_of_a[0], ends_of_a[1]);
}
