#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explore/reachability/syn_sequence.hpp"

namespace norn::reachability {

/// Which races are ignored, because other sequences stand for those that they lead to (--reduce).
struct Reductions {
  bool pv = false;              ///< section 7 of the paper: V commutes with what comes after it
  bool symmetry = false;        ///< threads of one group that have done nothing yet are the same
  bool symmetry_paper = false;  ///< and of sequences of one class (see below) only one counts
  bool unordered = false;       ///< the order of messages to ports that are declared so does not matter

  /// Of names separated by commas; those that are unknown mean nothing.
  static Reductions of(std::string_view list);

  /// Whether some threads stand for others.
  [[nodiscard]] bool uses_groups() const { return symmetry || symmetry_paper; }
  /// Whether the race is ignored in which `s` would be synchronized with `r` instead of its partner.
  [[nodiscard]] bool ignores(const SynSequence& sequence, const Receiving& r, const Sending& s) const;
  /// Whether it makes no difference which of both is synchronized with a receiving event.
  [[nodiscard]] bool are_the_same(const SynSequence& sequence, const Sending& a, const Sending& b) const;
};

/// Whether a thread waits for the end of some of a group and does something before the others end: then it makes a
/// difference which of them goes first.
bool are_told_apart(const Trace& trace);

/// The same for sequences in which every object, and every thread that receives, sees threads of the same groups in the
/// same order. They may still differ in effect: this is coarser than a permutation of threads.
std::uint64_t class_of(const SynSequence& sequence);

/// The names that `--reduce` knows.
std::vector<std::string> names_of_reductions();
/// The first name of the list that it does not know; empty if it knows all.
std::string unknown_reduction(std::string_view list);
/// What a verdict depends on: "no ..." for each name of the list.
std::vector<std::string> assumptions_of_reductions(std::string_view list);

}  // namespace norn::reachability
