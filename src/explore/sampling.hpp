#pragma once

#include "explore/strategy.hpp"
#include "support/random.hpp"

namespace norn {

/// A strategy that samples: its runs have numbers, and what a run does depends on its number alone.
class Sampling : public Strategy {
 public:
  explicit Sampling(const Options& options);

  [[nodiscard]] bool exhausts() const override { return false; }
  [[nodiscard]] std::vector<Piece> pieces() const override;
  void take_over(std::span<const Piece> pieces) override;

 protected:
  /// The next run, with nothing forced, has a stream of its own to draw from; false if there is none.
  bool begin_run(Prefix& prefix, SplitMix64& stream);
  /// Any of the ways in which the operation of a thread can turn out; `first` is the first of them.
  static std::size_t one_alternative(std::span<const Choice> enabled, std::size_t first, SplitMix64& stream);

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };

  static Piece piece_of(Range range);

  std::uint64_t seed_;
  std::vector<Range> ranges_;  ///< those left; the last one is next
};

}  // namespace norn
