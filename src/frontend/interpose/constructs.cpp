// What the headers of monitors, ports, entries and binary semaphores ask for while they are explored.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "frontend/interpose/interpose.hpp"
#include "norn/runtime_abi.h"
#include "support/hash.hpp"

namespace norn::frontend {
namespace {

using exec::Receive;

unsigned mark_of(ThreadId thread) { return static_cast<unsigned>(exec::owner_mark(thread)); }

Thread& parked_at(const void* place) {
  const auto threads = run().threads();
  return *std::find_if(threads.begin(), threads.end(), [place](const Thread& thread) {
    return thread.status == Status::pending && thread.pending.op == Op::park && thread.pending.mutex == place;
  });
}

/// Removes the first message of `sender`.
norn_message* take_from(norn_mailbox& box, ThreadId sender) {
  norn_message** link = &box.first;
  while ((*link)->sender != sender) link = &(*link)->next;
  norn_message* message = *link;
  *link = message->next;
  return message;
}

/// One thread receives, always the same one.
void claim(unsigned& receiver, const void* site) {
  if (receiver == 0) receiver = mark_of(self());
  if (receiver != mark_of(self())) misuse(site, "a second thread receives from a port: only one may");
}

void append(norn_message*& first, norn_message* message) {
  message->sender = self();
  message->next = nullptr;
  norn_message** link = &first;
  while (*link != nullptr) link = &(*link)->next;
  *link = message;
}

norn_message* receive(Op op, norn_mailbox* const* from, unsigned count, unsigned* which, const void* site) {
  for (unsigned i = 0; i < count; ++i) claim(from[i]->receiver, site);
  Receive receive{from, count};
  const bool sends_visible = run().record().sends_visible;
  // Where sending is an event, this would have to be one on each of several ports.
  if (count > 1 && sends_visible) run().record().polled_several = true;
  const std::uint16_t alternative = run().perform({op, site, from[0], &receive, sends_visible});
  if (op == Op::poll && alternative == nothing_came) {
    run().commuted();
    return nullptr;
  }
  *which = port_of(alternative);
  norn_mailbox& box = *from[*which];
  run().event().object = &box;
  for (unsigned i = 0; i < count && !sends_visible; ++i)
    run().link(LinkKind::opened, from[i], static_cast<ThreadId>(i));
  if (box.unordered != 0) run().link(LinkKind::unordered, &box);
  norn_message* message = take_from(box, sender_of(alternative));
  run().watch().acquired(message);
  return message;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void norn_door_enter(norn_door* door, int again) {
  const Site site = NORN_SITE;
  touches(door, site);
  if (door->owner == mark_of(self())) misuse(site, "a thread enters a monitor in which it is already");
  run().perform({Op::monitor_enter, site, door, nullptr, static_cast<std::uint64_t>(again)});
  door->owner = mark_of(self());
  run().took(door, Op::monitor_enter, site);
}

NORN_EXPORT void norn_door_leave(norn_door* door) {
  const Site site = NORN_SITE;
  touches(door, site);
  door->owner = 0;
  run().left(door);
}

NORN_EXPORT void norn_door_hand_over(norn_door* door, void* place) {
  Thread& next = parked_at(place);
  door->owner = mark_of(next.id);
  run().handed_over(door);
  run().make_ready(next);
}

NORN_EXPORT void norn_door_wait(norn_door* door, void* place, const void* what) {
  const Site site = NORN_SITE;
  run().sleep({Op::park, site, const_cast<void*>(what), place});
  run().took(door, Op::monitor_enter, site);
}

NORN_EXPORT int norn_door_is_mine(const norn_door* door) { return door->owner == mark_of(self()) ? 1 : 0; }

NORN_EXPORT void norn_park(void* place, const void* what) {
  run().sleep({Op::park, NORN_SITE, const_cast<void*>(what), place});
  run().watch().acquired(place);
}

NORN_EXPORT void norn_unpark(void* place) {
  run().watch().released_too(place);
  run().make_ready(parked_at(place));
}

NORN_EXPORT void norn_binary_acquire(ptrdiff_t* count) {
  const Site site = NORN_SITE;
  touches(count, site);
  run().perform({Op::semaphore_wait, site, count, nullptr, true});
  run().event().value = 0;
  *count = 0;
  run().watch().acquired(count);
  run().watch().released_too(count);
}

NORN_EXPORT void norn_binary_release(ptrdiff_t* count) {
  const Site site = NORN_SITE;
  touches(count, site);
  run().perform({Op::binary_post, site, count, nullptr, true});
  run().event().value = 1;
  *count = 1;
  run().watch().acquired(count);
  run().watch().released_too(count);
}

NORN_EXPORT void norn_send(norn_mailbox* to, norn_message* message) {
  if (run().record().sends_visible) {
    run().perform({Op::send, NORN_SITE, to});
  } else {
    run().link(LinkKind::sent, to);
  }
  append(to->first, message);
  run().watch().released_too(message);
}

NORN_EXPORT norn_message* norn_receive(norn_mailbox* const* from, unsigned count, unsigned* which) {
  return receive(Op::receive, from, count, which, NORN_SITE);
}

NORN_EXPORT norn_message* norn_poll(norn_mailbox* const* from, unsigned count, unsigned* which, long long nanoseconds) {
  const Site site = NORN_SITE;
  if (!run().record().sends_visible) {
    run().record().saw_poll = true;
    run().end_run(End::repeats, site, {});
  }
  norn_message* message = receive(Op::poll, from, count, which, site);
  if (message == nullptr && nanoseconds > 0) run().advance(static_cast<std::uint64_t>(nanoseconds), site);
  return message;
}

// Deposits are ordered among themselves, and what is withdrawn follows from that. So these are events on two objects.

NORN_EXPORT void norn_deposit(norn_bounded_mailbox* to, norn_message* message) {
  const Site site = NORN_SITE;
  run().perform({Op::deposit, site, &to->capacity, to, to->capacity});
  run().link(LinkKind::deposited, to);
  append(to->first, message);
  ++to->count;
  run().watch().released_too(message);
  run().watch().acquired(&to->count);
}

NORN_EXPORT norn_message* norn_withdraw(norn_bounded_mailbox* from) {
  const Site site = NORN_SITE;
  claim(from->receiver, site);
  run().perform({Op::withdraw, site, from, from});
  run().link(LinkKind::withdrew, from);
  norn_message* message = from->first;
  from->first = message->next;
  --from->count;
  run().watch().acquired(message);
  run().watch().released_too(&from->count);
  return message;
}

NORN_EXPORT void norn_symmetric(const char* group) {
  std::uint64_t hash = 0;
  for (const char* letter = group; *letter != 0; ++letter) hash = combine(hash, static_cast<unsigned char>(*letter));
  run().link(LinkKind::grouped, reinterpret_cast<const void*>(hash));
}

NORN_EXPORT void norn_uses_constructs() { exec::constructs_are_used = true; }

NORN_EXPORT void norn_misuse(const char* message) {
  if (controlled()) misuse(NORN_SITE, message);
  fmt::print(stderr, "norn: {}\n", message);
  abort();
}
