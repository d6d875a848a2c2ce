#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/history.hpp"
#include "analysis/races.hpp"
#include "exec/record.hpp"
#include "exec/thread.hpp"
#include "support/options.hpp"

namespace norn::exec {

/// Who is executing, for the fast path of every memory access.
extern analysis::Accessor accessor;
extern analysis::Shadow* shadow;

/// While it lives, nobody's accesses are looked at.
class Unwatched {
 public:
  Unwatched() : before_(accessor) { accessor = {}; }
  ~Unwatched() { accessor = before_; }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  analysis::Accessor before_;
};

/// So many plain accesses without a visible operation may be a loop that waits for a plain variable: it would hang.
inline constexpr std::uint64_t plain_patience = 1'000'000;

/// How closely a run is looked at.
enum class Scrutiny : std::uint8_t {
  ordinary,  ///< is there a race?
  pairs,     ///< which accesses race?
  detailed,  ///< and where do they come from? Only for accesses at the places asked for.
};

/// Looks at the memory accesses of the running thread, and keeps the order in which threads synchronize.
class Watch {
 public:
  Watch(const Options& options, const RunMemory& memory, std::span<Thread> threads);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void begin_run(Scrutiny scrutiny);
  void end_run() { accessor = {}; }

  /// What is known at some moment of an ordinary run, so that another one can go on from there.
  struct State {
    analysis::RaceDetector::State detector;
    std::uintptr_t stacks_begin = 0;
    std::uintptr_t stacks_end = 0;
    std::vector<std::pair<std::uintptr_t, std::size_t>> freed_before;
  };
  [[nodiscard]] bool can_be_resumed() const { return !on_ || detector_.can_be_resumed(); }
  void save(State& state);
  void resume(const State& state);

  /// `thread` goes on; accesses are its own from now on.
  void follow(const Thread& thread) {
    if (!on_) return;
    self_ = thread.id;
    refresh();
  }
  /// Whether races and memory errors would be noticed.
  [[nodiscard]] bool on() const { return on_ && !stacks_only_; }

  // What orders the current thread.

  analysis::HappensBefore& order() { return detector_.happens_before(); }
  void created(ThreadId parent, ThreadId child);
  void joined(ThreadId ended);
  void acquired(const void* object);
  void released(const void* object);
  void released_too(const void* object);
  void loaded(const void* object, int order);
  void stored(const void* object, int order);
  void updated(const void* object, int order);
  void fenced(int order);

  // Accesses of the current thread. Those that break the rules for memory end the run.

  void access(std::uintptr_t address, std::size_t size, analysis::Access access, const void* site);
  /// The current thread uses the synchronization object at `address`.
  void use(std::uintptr_t address, const void* site) {
    if (on_ && (scrutiny_ != Scrutiny::ordinary || !detector_.use(self_, address)))
      access(address, 4, analysis::Access::atomic_read, site);
  }
  /// It is going to wait for that object: whether it may, before it knows what it will know then.
  void will_use(std::uintptr_t address, const void* site) {
    if (on_ && (scrutiny_ != Scrutiny::ordinary || !detector_.may_use(self_, address)))
      access(address, 4, analysis::Access::atomic_read, site);
  }
  /// The bytes that stand for these, if accesses to them are scheduling points: they begin with the object.
  [[nodiscard]] std::span<std::byte> visible(std::uintptr_t address, std::size_t size) const;
  /// Whether a byte of the stack of `thread` is not its alone.
  [[nodiscard]] bool is_shared(ThreadId thread, const std::byte* byte) const {
    return on_ && detector_.is_shared(thread, reinterpret_cast<std::uintptr_t>(byte));
  }
  void allocated(void* block, bool recycled, const void* site);
  void freed(void* block, std::size_t size, const void* site);
  /// Whole pages begin a new life, or end theirs: that conflicts with every access to them.
  void mapped(std::uintptr_t address, std::size_t size);
  void unmapped(std::uintptr_t address, std::size_t size, const void* site);
  /// The functions of the current thread have returned: nobody may use what was on its stack any more.
  void left_stack(Thread& thread);
  [[noreturn]] void memory_error(std::string_view what, std::uintptr_t address, std::size_t size,
                                 analysis::Access access, const void* block, const void* site);

 private:
  struct Life {
    ThreadId thread = no_thread;
    std::uint32_t step = 0;
    std::uint32_t links = 0;
    const void* site = nullptr;
    CallStack stack;
  };
  struct BlockLife {
    Life allocated;
    Life freed;
  };
  struct Detail {
    CallStack stack;
    std::vector<HeldLock> locks;
  };

  void refresh();
  void check_memory(std::uintptr_t address, std::size_t size, analysis::Access access, const void* site);
  void check_heap(std::uintptr_t address, std::size_t size, analysis::Access access, const void* site);
  void check_stacks(std::uintptr_t address, std::size_t size, analysis::Access access, const void* site);
  void compare(const analysis::AccessRecord& record);
  void note_race(std::uintptr_t address, std::size_t size);
  void make_visible(std::uintptr_t address, std::size_t size);
  [[nodiscard]] const VisibleRange* find_visible(std::uintptr_t address, std::size_t size) const;
  void expect_same_object(std::uintptr_t address, std::size_t size);
  void note_pair(const analysis::AccessRecord& earlier, const analysis::AccessRecord& later);
  std::uint32_t add_detail();
  void describe(WatchedAccess& into, const analysis::AccessRecord& record);
  void describe_block(std::uintptr_t address);
  [[nodiscard]] bool is_asked_for(const void* site) const;
  [[nodiscard]] Life life_now(const void* site) const;
  [[nodiscard]] analysis::AccessRecord record_of(std::uintptr_t address, std::size_t size, analysis::Access access,
                                                 const void* site) const;

  RunRecord& record_;
  std::span<Thread> threads_;
  std::span<VisibleRange> visible_;
  bool on_;
  bool stacks_only_ = false;  ///< nobody wants to know of races and memory errors
  bool plain_visible_;        ///< some plain accesses are scheduling points: those that race,
  bool shared_visible_;       ///< and those that conflict with what another thread did, even if they are ordered
  bool checks_memory_;
  Scrutiny scrutiny_ = Scrutiny::ordinary;
  ThreadId self_ = main_thread;
  /// Where the stacks of this run are, with whatever lies between them.
  std::uintptr_t stacks_begin_ = 0;
  std::uintptr_t stacks_end_ = 0;
  analysis::RaceDetector detector_;
  analysis::AccessHistory history_;
  std::vector<Detail> details_;
  std::unordered_map<const void*, BlockLife> blocks_;           ///< only in detailed runs
  std::vector<std::vector<analysis::Clock>> known_from_start_;  ///< by thread: what came before it was started
  /// Blocks from before the run that the run has freed, with their sizes.
  std::vector<std::pair<std::uintptr_t, std::size_t>> freed_before_;
};

}  // namespace norn::exec
