#include "exec/record.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "exec/fatal.hpp"

namespace norn::exec {
namespace {

template <typename T>
std::span<T> map_shared(std::size_t count) {
  void* memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("out of memory for the trace of a run: lower --max-steps or --max-threads");
  return {static_cast<T*>(memory), count};
}

/// How many choices a run may have in all, for each of its steps.
constexpr std::size_t choices_per_step = 16;

/// And how many links.
constexpr std::size_t links_per_step = 4;

constexpr std::size_t most_visible = 10'000;

}  // namespace

RunMemory RunMemory::map(std::size_t steps, std::size_t threads) {
  RunMemory memory;
  memory.record = new (map_shared<RunRecord>(1).data()) RunRecord{};
  memory.events = map_shared<Event>(steps);
  memory.choices = map_shared<Choice>(steps * choices_per_step + threads * threads);
  memory.identities = map_shared<Identity>(threads);
  std::fill(memory.identities.begin(), memory.identities.end(), Identity{});
  memory.stacks = map_shared<CallStack>(steps);
  memory.visible = map_shared<VisibleRange>(most_visible);
  memory.links = map_shared<Link>(steps * links_per_step + threads * 2);
  memory.pending = map_shared<Pending>(threads);
  return memory;
}

void RunMemory::unmap() const {
  munmap(record, sizeof *record);
  munmap(events.data(), events.size_bytes());
  munmap(choices.data(), choices.size_bytes());
  munmap(identities.data(), identities.size_bytes());
  munmap(stacks.data(), stacks.size_bytes());
  munmap(visible.data(), visible.size_bytes());
  munmap(links.data(), links.size_bytes());
  munmap(pending.data(), pending.size_bytes());
}

void RunRecord::note(std::string_view text) {
  text = text.substr(0, note_size - 1);
  for (unsigned i = 0; i < note_count; ++i)
    if (text == notes[i]) return;
  if (note_count == max_notes) return;
  std::copy(text.begin(), text.end(), notes[note_count]);
  notes[note_count++][text.size()] = 0;
}

}  // namespace norn::exec
