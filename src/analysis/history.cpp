#include "analysis/history.hpp"

#include <algorithm>

namespace norn::analysis {
namespace {

bool overlap(const AccessRecord& a, const AccessRecord& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

bool same(const AccessRecord& a, const AccessRecord& b) {
  return a.thread == b.thread && a.site == b.site && a.access == b.access && a.address == b.address && a.size == b.size;
}

}  // namespace

void AccessHistory::begin_run() { entries_.clear(); }

bool AccessHistory::knows(const AccessRecord& record, Epoch now) const {
  const auto entries = entries_.find(record.address / 8);
  if (entries == entries_.end()) return false;
  return std::any_of(entries->second.begin(), entries->second.end(),
                     [&](const Entry& entry) { return entry.epoch == now && same(entry.record, record); });
}

std::span<const AccessRecord> AccessHistory::add(const AccessRecord& record, Epoch now, const Clock* clocks) {
  racing_.clear();
  for (std::uintptr_t i = record.address / 8; i <= (record.address + record.size - 1) / 8; ++i) {
    std::vector<Entry>& entries = entries_[i];
    for (const Entry& earlier : entries) {
      if (!overlap(earlier.record, record) || !conflict(earlier.record.access, record.access)) continue;
      if (clock_of(earlier.epoch) <= clocks[thread_of(earlier.epoch)]) continue;
      const auto is_same = [&](const AccessRecord& found) {
        return same(found, earlier.record) && found.step == earlier.record.step;
      };
      if (std::none_of(racing_.begin(), racing_.end(), is_same)) racing_.push_back(earlier.record);
    }
    entries.push_back({record, now});
  }
  return racing_;
}

void AccessHistory::forget(std::uintptr_t begin, std::size_t size) {
  const std::uintptr_t first = begin / 8;
  const std::uintptr_t last = (begin + size - 1) / 8;
  if (last - first >= entries_.size())
    std::erase_if(entries_, [=](const auto& entry) { return entry.first - first <= last - first; });
  else
    for (std::uintptr_t i = first; i <= last; ++i) entries_.erase(i);
}

}  // namespace norn::analysis
