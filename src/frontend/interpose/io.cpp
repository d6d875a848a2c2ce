// Files and sockets. Regular files are the program's own business; waiting for anything else is not under control,
// and is said so. (files.cpp has what opens files.)

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "exec/shared_writes.hpp"
#include "exec/snapshot.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/interpose.hpp"

extern "C" [[noreturn]] void __chk_fail();

namespace norn::frontend {
namespace {

/// So many bytes have been read.
ssize_t got(void* buffer, ssize_t size, const Caller& caller) {
  if (size > 0) writes(buffer, static_cast<std::size_t>(size), caller);
  return size;
}

/// With _FORTIFY_SOURCE callers say how much room there is.
void expect_room(std::size_t size, std::size_t room) {
  if (size > room) __chk_fail();
}

ssize_t read_here(int descriptor, void* buffer, std::size_t size, const void* site, const Caller& caller) {
  if (controlled()) {
    before_waiting(descriptor, POLLIN, "the program reads from a pipe, socket or terminal (read)", site);
    exec::touch(buffer, size);
  }
  return got(buffer, NORN_REAL(read)(descriptor, buffer, size), caller);
}

ssize_t read_at(int descriptor, void* buffer, std::size_t size, off_t offset, const Caller& caller) {
  if (controlled()) exec::touch(buffer, size);
  return got(buffer, NORN_REAL(pread)(descriptor, buffer, size, offset), caller);
}

ssize_t receive(int descriptor, void* buffer, std::size_t size, int flags, const void* site, const Caller& caller) {
  if (controlled()) {
    before_waiting(descriptor, POLLIN, "the program receives from a socket (recv)", site);
    exec::touch(buffer, size);
  }
  return got(buffer, NORN_REAL(recv)(descriptor, buffer, size, flags), caller);
}

struct Sender {
  sockaddr* address;
  socklen_t* length;
};

ssize_t receive_from(int descriptor, void* buffer, std::size_t size, int flags, Sender sender, const void* site,
                     const Caller& caller) {
  if (controlled()) {
    before_waiting(descriptor, POLLIN, "the program receives from a socket (recvfrom)", site);
    exec::touch(buffer, size);
  }
  return got(buffer, NORN_REAL(recvfrom)(descriptor, buffer, size, flags, sender.address, sender.length), caller);
}

/// Who waits for nothing sleeps.
int sleep_instead(const timespec& time, const void* site) {
  run().advance(static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec),
                site);
  return 0;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT ssize_t read(int descriptor, void* buffer, std::size_t size) {
  return read_here(descriptor, buffer, size, NORN_SITE, NORN_CALLER);
}

NORN_EXPORT ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  expect_room(size, room);
  return read_here(descriptor, buffer, size, NORN_SITE, NORN_CALLER);
}

#define NORN_PREAD(name)                                                                                               \
  NORN_EXPORT ssize_t name(int descriptor, void* buffer, std::size_t size, off_t offset) {                             \
    return read_at(descriptor, buffer, size, offset, NORN_CALLER);                                                     \
  }                                                                                                                    \
  NORN_EXPORT ssize_t __##name##_chk(int descriptor, void* buffer, std::size_t size, off_t offset, std::size_t room) { \
    expect_room(size, room);                                                                                           \
    return read_at(descriptor, buffer, size, offset, NORN_CALLER);                                                     \
  }

NORN_PREAD(pread)
NORN_PREAD(pread64)

NORN_EXPORT ssize_t write(int descriptor, const void* data, std::size_t size) {
  reads(data, size, NORN_CALLER);
  return NORN_REAL(write)(descriptor, data, size);
}

NORN_EXPORT ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t offset) {
  reads(data, size, NORN_CALLER);
  return NORN_REAL(pwrite)(descriptor, data, size, offset);
}

NORN_EXPORT ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off64_t offset) {
  reads(data, size, NORN_CALLER);
  return NORN_REAL(pwrite64)(descriptor, data, size, offset);
}

NORN_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  reads(parts, static_cast<std::size_t>(std::max(count, 0)) * sizeof *parts, NORN_CALLER);
  for (int i = 0; i < count; ++i) reads(parts[i].iov_base, parts[i].iov_len, NORN_CALLER);
  return NORN_REAL(writev)(descriptor, parts, count);
}

NORN_EXPORT ssize_t send(int descriptor, const void* data, std::size_t size, int flags) {
  reads(data, size, NORN_CALLER);
  return NORN_REAL(send)(descriptor, data, size, flags);
}

NORN_EXPORT ssize_t sendto(int descriptor, const void* data, std::size_t size, int flags, const sockaddr* address,
                           socklen_t length) {
  reads(data, size, NORN_CALLER);
  return NORN_REAL(sendto)(descriptor, data, size, flags, address, length);
}

NORN_EXPORT ssize_t recv(int descriptor, void* buffer, std::size_t size, int flags) {
  return receive(descriptor, buffer, size, flags, NORN_SITE, NORN_CALLER);
}

NORN_EXPORT ssize_t __recv_chk(int descriptor, void* buffer, std::size_t size, std::size_t room, int flags) {
  expect_room(size, room);
  return receive(descriptor, buffer, size, flags, NORN_SITE, NORN_CALLER);
}

NORN_EXPORT ssize_t recvfrom(int descriptor, void* buffer, std::size_t size, int flags, sockaddr* address,
                             socklen_t* length) {
  return receive_from(descriptor, buffer, size, flags, {address, length}, NORN_SITE, NORN_CALLER);
}

NORN_EXPORT ssize_t __recvfrom_chk(int descriptor, void* buffer, std::size_t size, std::size_t room, int flags,
                                   sockaddr* address, socklen_t* length) {
  expect_room(size, room);
  return receive_from(descriptor, buffer, size, flags, {address, length}, NORN_SITE, NORN_CALLER);
}

NORN_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (controlled()) {
    before_waiting(descriptor, POLLIN, "the program reads from a pipe, socket or terminal (readv)", NORN_SITE);
    for (int i = 0; i < count; ++i) exec::touch(parts[i].iov_base, parts[i].iov_len);
  }
  return NORN_REAL(readv)(descriptor, parts, count);
}

NORN_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  if (controlled()) before_waiting(descriptor, POLLIN, "the program reads from an eventfd (eventfd_read)", NORN_SITE);
  return NORN_REAL(eventfd_read)(descriptor, value);
}

NORN_EXPORT int recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  if (controlled()) before_waiting(descriptor, POLLIN, "the program receives from a socket (recvmmsg)", NORN_SITE);
  return NORN_REAL(recvmmsg)(descriptor, messages, count, flags, timeout);
}

NORN_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (controlled()) before_waiting(descriptor, POLLIN, "the program receives from a socket (recvmsg)", NORN_SITE);
  return NORN_REAL(recvmsg)(descriptor, message, flags);
}

NORN_EXPORT int accept(int descriptor, sockaddr* address, socklen_t* length) {
  if (controlled()) before_waiting(descriptor, POLLIN, "the program waits for a connection (accept)", NORN_SITE);
  return opened(NORN_REAL(accept)(descriptor, address, length));
}

NORN_EXPORT int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  if (controlled()) before_waiting(descriptor, POLLIN, "the program waits for a connection (accept4)", NORN_SITE);
  return opened(NORN_REAL(accept4)(descriptor, address, length, flags));
}

NORN_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
  if (controlled()) run().record().note("the program connects a socket (connect)");
  return NORN_REAL(connect)(descriptor, address, length);
}

namespace norn::frontend {
namespace {

int poll_here(pollfd* descriptors, nfds_t count, int timeout, const void* site) {
  if (!controlled()) return NORN_REAL(poll)(descriptors, count, timeout);
  if (count == 0 && timeout >= 0) {
    run().advance(static_cast<std::uint64_t>(timeout) * 1'000'000, site);
    return 0;
  }
  exec::touch(descriptors, count * sizeof *descriptors);
  const int ready = NORN_REAL(poll)(descriptors, count, 0);
  if (ready == 0 && timeout != 0) run().cut_uncontrolled("the program waits for files (poll)", site);
  run().record().note("the program waits for files (poll)");
  return ready;
}

}  // namespace
}  // namespace norn::frontend

NORN_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout) {
  return poll_here(descriptors, count, timeout, NORN_SITE);
}

NORN_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t room) {
  expect_room(count * sizeof *descriptors, room);
  return poll_here(descriptors, count, timeout, NORN_SITE);
}

NORN_EXPORT int select(int count, fd_set* reading, fd_set* writing, fd_set* failing, timeval* timeout) {
  if (!controlled()) return NORN_REAL(select)(count, reading, writing, failing, timeout);
  if (count == 0 && timeout != nullptr) {
    run().advance(static_cast<std::uint64_t>(timeout->tv_sec) * 1'000'000'000 +
                      static_cast<std::uint64_t>(timeout->tv_usec) * 1'000,
                  NORN_SITE);
    return 0;
  }
  run().cut_uncontrolled("the program waits for files (select)", NORN_SITE);
}

NORN_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (!controlled()) return NORN_REAL(ppoll)(descriptors, count, timeout, mask);
  if (count == 0 && timeout != nullptr) return sleep_instead(*timeout, NORN_SITE);
  run().cut_uncontrolled("the program waits for files (ppoll)", NORN_SITE);
}

NORN_EXPORT int pselect(int count, fd_set* reading, fd_set* writing, fd_set* failing, const timespec* timeout,
                        const sigset_t* mask) {
  if (!controlled()) return NORN_REAL(pselect)(count, reading, writing, failing, timeout, mask);
  if (count == 0 && timeout != nullptr) return sleep_instead(*timeout, NORN_SITE);
  run().cut_uncontrolled("the program waits for files (pselect)", NORN_SITE);
}

NORN_EXPORT int epoll_pwait(int descriptor, epoll_event* events, int count, int timeout, const sigset_t* mask) {
  if (!controlled()) return NORN_REAL(epoll_pwait)(descriptor, events, count, timeout, mask);
  run().cut_uncontrolled("the program waits for files (epoll_pwait)", NORN_SITE);
}

NORN_EXPORT int epoll_wait(int descriptor, epoll_event* events, int count, int timeout) {
  if (!controlled()) return NORN_REAL(epoll_wait)(descriptor, events, count, timeout);
  run().cut_uncontrolled("the program waits for files (epoll_wait)", NORN_SITE);
}

NORN_EXPORT int epoll_pwait2(int descriptor, epoll_event* events, int count, const timespec* timeout,
                             const sigset_t* mask) {
  if (!controlled()) return NORN_REAL(epoll_pwait2)(descriptor, events, count, timeout, mask);
  run().cut_uncontrolled("the program waits for files (epoll_pwait2)", NORN_SITE);
}
