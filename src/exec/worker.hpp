#pragma once

#include "exec/channel.hpp"
#include "exec/engine.hpp"
#include "support/archive.hpp"

namespace norn::exec {

/// What the crew asks a worker for while that works.
enum Request : std::uint32_t {
  nothing,
  report,  ///< what it has found and what is left, and go on
  share,   ///< the same, and give away some of what is left
  stop,    ///< the same, and wait
};

/// What a worker is to do.
struct Assignment {
  std::vector<Piece> pieces;
  std::uint64_t runs = 0;  ///< at most; 0: no limit

  template <typename Archive>
  void archive(Archive& parts) {
    parts(pieces, runs);
  }
};

/// What it has done. What it found before counts only with the report: so if the worker dies, what it was last known to
/// have left can be done by somebody else, and nothing is lost or counted twice.
struct Report {
  Stop stop = Stop::exhausted;
  bool goes_on = false;
  Findings findings;
  std::vector<std::uint64_t> fingerprints;
  std::vector<Piece> left;
  std::vector<Piece> given_away;
  LearnedFacts facts;
  std::uint64_t peak_memory = 0;
  double seconds = 0;  ///< that it took to make it

  template <typename Archive>
  void archive(Archive& parts) {
    parts(stop, goes_on, findings, fingerprints, left, given_away, facts, peak_memory, seconds);
  }
};

/// A process that does what it is assigned, until nobody is at the other end of the channel.
struct Worker {
  const Options& options;
  std::string_view strategy;
  Engine& engine;
  Channel& crew;
  std::atomic<std::uint32_t>& request;

  void work();

 private:
  bool do_assignment(Explorer& explorer, const Assignment& assignment);
};

/// Of this process, in bytes.
std::uint64_t peak_memory();

}  // namespace norn::exec
