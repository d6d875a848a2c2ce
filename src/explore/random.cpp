// At every step one of the enabled threads, each with the same probability (and then one of its alternatives).
// Every run draws from its own stream, so that run n is the same whatever the runs before it did.

#include "explore/sampling.hpp"

namespace norn {
namespace {

class Random final : public Sampling {
 public:
  explicit Random(const Options& options) : Sampling(options) {}

  bool next(Prefix& prefix) override { return begin_run(prefix, stream_); }

  std::size_t choose(const FreeChoice& at) override {
    std::size_t threads = 0;
    ThreadId previous = no_thread;
    for (const Choice& choice : at.enabled) {
      threads += choice.thread != previous;
      previous = choice.thread;
    }
    if (threads == at.enabled.size()) return stream_.below(threads);
    return one_of_thread(at.enabled, stream_.below(threads));
  }

  void learn(const Trace&) override {}

 private:
  std::size_t one_of_thread(std::span<const Choice> enabled, std::size_t wanted) {
    std::size_t begin = 0;
    for (;; --wanted) {
      std::size_t end = begin;
      while (end < enabled.size() && enabled[end].thread == enabled[begin].thread) ++end;
      if (wanted == 0) return begin + stream_.below(end - begin);
      begin = end;
    }
  }

  SplitMix64 stream_{0};
};

}  // namespace

std::unique_ptr<Strategy> make_random(const Options& options) { return std::make_unique<Random>(options); }

}  // namespace norn
