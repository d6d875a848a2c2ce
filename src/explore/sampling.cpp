#include "explore/sampling.hpp"

#include "support/archive.hpp"

namespace norn {

Sampling::Sampling(const Options& options) : seed_(options.seed) {
  constexpr std::uint64_t without_limit = std::uint64_t{1} << 62;
  const std::uint64_t runs = run_limit(options, false);
  ranges_.push_back({0, runs == 0 ? without_limit : runs});
}

bool Sampling::begin_run(Prefix& prefix, SplitMix64& stream) {
  while (!ranges_.empty() && ranges_.back().begin == ranges_.back().end) ranges_.pop_back();
  if (ranges_.empty()) return false;
  const std::uint64_t run = ranges_.back().begin++;
  prefix.clear();
  stream = SplitMix64(SplitMix64(seed_ + run * 0x632be59bd9b4e019)());
  return true;
}

std::size_t Sampling::one_alternative(std::span<const Choice> enabled, std::size_t first, SplitMix64& stream) {
  std::size_t count = 1;
  while (first + count < enabled.size() && enabled[first + count].thread == enabled[first].thread) ++count;
  return first + (count == 1 ? 0 : stream.below(count));
}

Piece Sampling::piece_of(Range range) {
  const auto runs = static_cast<double>(range.end - range.begin);
  return {pack(range), {runs, runs, runs}};
}

std::vector<Piece> Sampling::pieces() const {
  std::vector<Piece> pieces;
  for (const Range& range : ranges_) {
    if (range.begin == range.end) continue;
    // The first one can be divided.
    const std::uint64_t half = pieces.empty() ? (range.end - range.begin) / 2 : 0;
    if (half != 0) pieces.push_back(piece_of({range.begin, range.begin + half}));
    pieces.push_back(piece_of({range.begin + half, range.end}));
  }
  return pieces;
}

void Sampling::take_over(std::span<const Piece> pieces) {
  ranges_.clear();
  for (const Piece& piece : pieces) ranges_.push_back(unpack<Range>(piece.work));
}

}  // namespace norn
