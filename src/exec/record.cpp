#include "exec/record.hpp"

#include <algorithm>
#include <new>

#include "exec/shared_memory.hpp"

namespace norn::exec {
namespace {

/// How many choices a run may have in all, for each of its steps.
constexpr std::size_t choices_per_step = 16;

/// And how many links.
constexpr std::size_t links_per_step = 4;

/// Nobody looks at the call stacks of more.
constexpr std::size_t most_link_stacks = 100'000;

constexpr std::size_t most_visible = 10'000;

}  // namespace

RunMemory RunMemory::map(std::size_t steps, std::size_t threads, const Descent& descent) {
  RunMemory memory;
  memory.record = new (map_shared<RunRecord>(1).data()) RunRecord{};
  memory.events = map_shared<Event>(steps);
  memory.choices = map_shared<Choice>(steps * choices_per_step + threads * threads);
  memory.descent = descent;
  memory.stacks = map_shared<CallStack>(steps);
  memory.locations = map_shared<Location>(steps);
  memory.visible = map_shared<VisibleRange>(most_visible);
  memory.links = map_shared<Link>(steps * links_per_step + threads * 2);
  memory.pending = map_shared<Pending>(threads);
  memory.own_names = map_shared<ThreadName>(threads);
  memory.link_stacks = map_shared<CallStack>(std::min(memory.links.size(), most_link_stacks));
  return memory;
}

void RunMemory::unmap() const {
  unmap_shared(std::span(record, 1));
  unmap_shared(events);
  unmap_shared(choices);
  unmap_shared(stacks);
  unmap_shared(locations);
  unmap_shared(visible);
  unmap_shared(links);
  unmap_shared(pending);
  unmap_shared(own_names);
  unmap_shared(link_stacks);
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
