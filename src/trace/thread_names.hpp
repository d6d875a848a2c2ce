#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "trace/event.hpp"

namespace norn {

/// Who a thread is: the nth child of its parent. Kept for the whole exploration.
struct Identity {
  ThreadId parent = no_thread;
  ThreadId first_child = no_thread;
  ThreadId next_sibling = no_thread;
  std::uint16_t nth = 0;
};

/// Memory that belongs to one thread: its heap, its stack. Where it lies depends on the thread's slot.
struct Home {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  ThreadId owner = no_thread;
};

/// Names threads after their descent: "main", "main/2", "main/2/1". The name says the same in every run, in every
/// process.
class ThreadNames {
 public:
  explicit ThreadNames(std::span<const Identity> identities) : identities_(identities) {}

  [[nodiscard]] std::string name(ThreadId thread) const {
    if (thread == main_thread) return "main";
    if (thread >= identities_.size() || identities_[thread].parent == no_thread) return "nobody";
    const Identity& identity = identities_[thread];
    return name(identity.parent) + "/" + std::to_string(identity.nth);
  }

 private:
  std::span<const Identity> identities_;
};

}  // namespace norn
