#pragma once

#include <link.h>

#include <cstddef>
#include <span>
#include <vector>

#include "exec/thread.hpp"

namespace norn::exec {

inline constexpr std::size_t page_size = 4096;

/// The writable memory of the program and its libraries, as it was before the first run. All of it is
/// write-protected once; the first write to a page faults, and from then on the page is hot: writable, and
/// copied back before every run. Programs write to few pages, so going back costs less than a microsecond.
class Snapshot {
 public:
  /// Takes the snapshot. `stack` is the part of the caller's stack that runs may write to, apart from the arguments and
  /// the environment of the process.
  void take(std::span<std::byte> stack);
  /// Remembers the thread-local variables of a thread that has not run anything yet.
  void take_thread_locals(Thread& thread) const;
  void restore();
  /// The same for the pages that became hot after the first so many.
  void restore_from(std::size_t hot);
  /// What restoring would change.
  template <typename Visitor>
  void visit_changing(Visitor visitor) const {
    for (std::size_t i = 0; i < hot_count_; ++i) visitor(std::span<const std::byte>(hot_[i].page, page_size));
    visitor(std::span<const std::byte>(stack_));
  }
  void restore_thread_locals(const Thread& thread) const;
  /// Makes all pages writable again and forgets them.
  void release();

  /// From the fault handler: true if `address` was a cold page, which is hot now.
  bool heat(void* address);

  /// Of everything that the program has changed since the snapshot, apart from heaps of threads and stacks. Pages that
  /// are as they were do not count, so it does not matter which are hot already.
  [[nodiscard]] std::uint64_t hash_hot_pages(std::uint64_t clock) const;
  [[nodiscard]] std::uint64_t hash_thread_locals(const Thread& thread, std::uint64_t clock) const;
  /// The writable memory of the program, and a thread's variables, piece by piece.
  template <typename Visitor>
  void visit(Visitor visitor) const {
    for (const Region& region : regions_) visitor(std::span<const std::byte>(region.begin, region.end));
  }
  template <typename Visitor>
  void visit_thread_locals(const Thread& thread, Visitor visitor) const {
    for (const auto& [offset, size] : locals_)
      visitor(std::span<const std::byte>(reinterpret_cast<const std::byte*>(thread.seat.tcb + offset), size));
  }
  [[nodiscard]] std::size_t hot_pages() const { return hot_count_; }

 private:
  struct Region {
    std::byte* begin;
    std::byte* end;
    std::byte* copy;
    bool is_sparse;  ///< pages that nobody has touched are empty, and there may be very many
  };
  struct HotPage {
    std::byte* page;
    std::byte* copy;
    std::uint64_t hash;        ///< of the copy
    std::uint64_t exact_hash;  ///< the same without times
  };
  /// The thread-local variables of one module. They lie at the same distance from the control block in every thread.
  struct ThreadLocals {
    std::ptrdiff_t offset;
    std::size_t size;
  };

  void add_segment(std::byte* begin, std::byte* end, std::span<std::byte> bindings);
  void add_region(std::byte* begin, std::byte* end, bool is_sparse = false);
  static void copy_touched(const Region& region);
  void add_environment();
  std::span<std::byte> add_stack(std::span<std::byte> stack);
  void add_thread_locals(const dl_phdr_info& info);
  static int visit_module(dl_phdr_info* info, std::size_t size, void* self);

  std::vector<Region> regions_;
  std::vector<ThreadLocals> locals_;
  HotPage* hot_ = nullptr;  ///< mapped, not allocated: it grows inside a signal handler
  std::size_t hot_count_ = 0;
  std::size_t page_count_ = 0;
  std::span<std::byte> stack_;
  std::vector<std::byte> stack_copy_;
};

/// The pages with the first frames of the process. Arguments and environment begin there, so runs may write to them.
std::span<std::byte> first_frames();
/// Where a stack can begin that shares no page with those, called from a small function with this frame.
void* stack_below(void* frame);

/// Makes sure that the kernel can write to `size` bytes at `address`: a system call would fail with EFAULT on a
/// protected page instead of heating it.
void touch(void* address, std::size_t size);

}  // namespace norn::exec
