#include "exec/descent.hpp"

#include <algorithm>
#include <new>

#include "exec/shared_memory.hpp"

namespace norn::exec {

Descent Descent::map(std::size_t threads) {
  Descent descent;
  descent.count_ = new (map_shared<std::atomic<std::uint32_t>>(1).data()) std::atomic<std::uint32_t>(1);
  descent.all_ = map_shared<Identity>(threads);
  std::fill(descent.all_.begin(), descent.all_.end(), Identity{});
  return descent;
}

void Descent::unmap() const {
  unmap_shared(std::span(count_, 1));
  unmap_shared(all_);
}

/// Others may be adding some at this moment, which nobody asks for.
std::vector<Identity> Descent::copy() const {
  const auto known = identities();
  std::vector<Identity> threads(known.begin(), known.end());
  for (Identity& thread : threads)
    for (ThreadId* const link : {&thread.first_child, &thread.next_sibling})
      if (*link >= threads.size()) *link = no_thread;
  return threads;
}

bool Descent::restore(std::span<const Identity> threads) const {
  if (threads.empty() || threads.size() > all_.size()) return false;
  std::copy(threads.begin(), threads.end(), all_.begin());
  *count_ = static_cast<std::uint32_t>(threads.size());
  return true;
}

/// Without a lock, because a process may be killed at any moment. If another one adds the same child meanwhile, a slot
/// stays unused.
ThreadId Descent::child(ThreadId parent, ThreadId last) const {
  std::atomic_ref<ThreadId> link(last == no_thread ? all_[parent].first_child : all_[last].next_sibling);
  if (const ThreadId known = link.load(); known != no_thread) return known;
  const std::uint32_t slot = count_->load() < all_.size() ? count_->fetch_add(1) : static_cast<std::uint32_t>(size());
  if (slot >= all_.size()) return no_thread;
  const std::uint16_t older = last == no_thread ? 0 : all_[last].nth;
  all_[slot] = {parent, no_thread, no_thread, static_cast<std::uint16_t>(older + 1)};
  ThreadId known = no_thread;
  return link.compare_exchange_strong(known, static_cast<ThreadId>(slot)) ? static_cast<ThreadId>(slot) : known;
}

}  // namespace norn::exec
