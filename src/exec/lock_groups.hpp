#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace norn::exec {

/// Mutexes that are taken together (std::lock), where taking them one after the other is not the same: whether one of
/// them can be had matters to who wants the other, so all operations on them are operations on one object, their group.
/// What runs find counts as soon as it is accepted, so that all of a run follows the same rules. Plain data, in memory
/// shared with forked runs.
class LockGroups {
 public:
  struct Member {
    const void* mutex;
    const void* group;  ///< one of its members
  };

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool contains(const void* mutex) const { return find_member(mutex) != nullptr; }
  /// Whether somebody takes the mutex together with others, as far as is known.
  [[nodiscard]] bool knows(const void* mutex) const {
    const std::span found(found_, found_count_);
    const auto has_it = [mutex](const Member& one) { return one.mutex == mutex || one.group == mutex; };
    return contains(mutex) || lacks_room_ || std::any_of(found.begin(), found.end(), has_it);
  }
  /// There are more of them than can be remembered.
  [[nodiscard]] bool lacks_room() const { return lacks_room_; }
  /// The mutex itself if it belongs to none.
  [[nodiscard]] const void* group_of(const void* mutex) const {
    const Member* const member = find_member(mutex);
    return member == nullptr ? mutex : member->group;
  }
  /// A number with one bit that no other member has; 0 if it is none.
  [[nodiscard]] std::uint64_t bit_of(const void* mutex) const {
    const Member* const member = find_member(mutex);
    return member == nullptr ? 0 : std::uint64_t{1} << (member - members_);
  }
  [[nodiscard]] std::span<const Member> members() const { return {members_, count_}; }

  /// The run at hand takes `mutex` together with `other`.
  void find(const void* mutex, const void* other) {
    if (contains(mutex) && group_of(mutex) == group_of(other)) return;
    const std::span found(found_, found_count_);
    const auto is_it = [=](const Member& one) { return one.mutex == mutex && one.group == other; };
    if (std::any_of(found.begin(), found.end(), is_it)) return;
    lacks_room_ |= count_ + 2 * (found_count_ + 1) > most;
    if (!lacks_room_) found_[found_count_++] = {mutex, other};
  }
  /// What was found counts from now on; false if that is nothing.
  bool accept() {
    const bool any = found_count_ != 0;
    for (const Member& one : std::span(found_, found_count_)) unite(one.mutex, one.group);
    found_count_ = 0;
    return any;
  }
  void unite(const void* mutex, const void* other) {
    add(other);
    add(mutex);
    const void* const from = group_of(mutex);
    const void* const to = group_of(other);
    for (Member& member : std::span(members_, count_))
      if (member.group == from) member.group = to;
  }

 private:
  static constexpr std::uint32_t most = 48;  ///< they are bits of a number that has other bits as well

  [[nodiscard]] const Member* find_member(const void* mutex) const {
    const auto is_it = [mutex](const Member& one) { return one.mutex == mutex; };
    const Member* const end = members_ + count_;
    const Member* const member = std::find_if(members_, end, is_it);
    return member == end ? nullptr : member;
  }
  void add(const void* mutex) {
    if (!contains(mutex) && count_ < most) members_[count_++] = {mutex, mutex};
  }

  Member members_[most];
  std::uint32_t count_;
  Member found_[most];
  std::uint32_t found_count_;
  bool lacks_room_;
};

}  // namespace norn::exec
