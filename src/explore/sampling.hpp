#pragma once

#include "explore/strategy.hpp"

namespace norn {

/// A strategy that samples: its runs have numbers, and what a run does depends on its number alone.
class Sampling : public Strategy {
 public:
  explicit Sampling(const Options& options);

  [[nodiscard]] bool exhausts() const override { return false; }
  [[nodiscard]] std::vector<Piece> pieces() const override;
  void take_over(std::span<const Piece> pieces) override;

 protected:
  /// The number of the next run; false if there is none.
  bool next_run(std::uint64_t& run);

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };

  static Piece piece_of(Range range);

  std::vector<Range> ranges_;  ///< those left; the last one is next
};

}  // namespace norn
