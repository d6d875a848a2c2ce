// What the C library has threads of its own for, which nobody controls, and queues that the system keeps for all
// processes.

#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>

#include <cstdarg>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/interpose.hpp"

extern "C" mqd_t __mq_open_2(const char*, int) noexcept;

namespace norn::frontend {
namespace {

void refuse(std::string_view what, const void* site) {
  if (controlled()) run().cut_uncontrolled(what, site);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

// Files may be large, too.

#define NORN_AIO(suffix)                                                                                               \
  NORN_EXPORT int aio_read##suffix(aiocb##suffix* request) noexcept {                                                  \
    refuse("the program reads while it goes on (aio_read)", NORN_SITE);                                                \
    return NORN_REAL(aio_read##suffix)(request);                                                                       \
  }                                                                                                                    \
  NORN_EXPORT int aio_write##suffix(aiocb##suffix* request) noexcept {                                                 \
    refuse("the program writes while it goes on (aio_write)", NORN_SITE);                                              \
    return NORN_REAL(aio_write##suffix)(request);                                                                      \
  }                                                                                                                    \
  NORN_EXPORT int aio_fsync##suffix(int operation, aiocb##suffix* request) noexcept {                                  \
    refuse("the program writes while it goes on (aio_fsync)", NORN_SITE);                                              \
    return NORN_REAL(aio_fsync##suffix)(operation, request);                                                           \
  }                                                                                                                    \
  NORN_EXPORT int aio_suspend##suffix(const aiocb##suffix* const requests[], int count, const timespec* timeout) {     \
    refuse("the program waits for files (aio_suspend)", NORN_SITE);                                                    \
    return NORN_REAL(aio_suspend##suffix)(requests, count, timeout);                                                   \
  }                                                                                                                    \
  NORN_EXPORT int lio_listio##suffix(int mode, aiocb##suffix* const requests[], int count, sigevent* event) noexcept { \
    refuse("the program reads or writes while it goes on (lio_listio)", NORN_SITE);                                    \
    return NORN_REAL(lio_listio##suffix)(mode, requests, count, event);                                                \
  }

NORN_AIO()
NORN_AIO(64)

NORN_EXPORT int getaddrinfo_a(int mode, gaicb* requests[], int count, sigevent* event) noexcept {
  refuse("the program looks up names while it goes on (getaddrinfo_a)", NORN_SITE);
  return NORN_REAL(getaddrinfo_a)(mode, requests, count, event);
}

NORN_EXPORT mqd_t mq_open(const char* name, int flags, ...) noexcept {
  va_list arguments;
  va_start(arguments, flags);
  const bool creates = (flags & O_CREAT) != 0;
  const mode_t mode = creates ? va_arg(arguments, mode_t) : 0;
  mq_attr* const attributes = creates ? va_arg(arguments, mq_attr*) : nullptr;
  va_end(arguments);
  return opened(NORN_REAL(mq_open)(name, flags, mode, attributes));
}

NORN_EXPORT mqd_t __mq_open_2(const char* name, int flags) noexcept { return opened(NORN_REAL(mq_open)(name, flags)); }

NORN_EXPORT int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  refuse("the program is told of messages while it goes on (mq_notify)", NORN_SITE);
  return NORN_REAL(mq_notify)(queue, event);
}

NORN_EXPORT int mq_send(mqd_t queue, const char* message, std::size_t size, unsigned priority) {
  refuse("the program uses message queues of the system (mq_send)", NORN_SITE);
  return NORN_REAL(mq_send)(queue, message, size, priority);
}

NORN_EXPORT int mq_timedsend(mqd_t queue, const char* message, std::size_t size, unsigned priority,
                             const timespec* deadline) {
  refuse("the program uses message queues of the system (mq_timedsend)", NORN_SITE);
  return NORN_REAL(mq_timedsend)(queue, message, size, priority, deadline);
}

NORN_EXPORT ssize_t mq_receive(mqd_t queue, char* message, std::size_t room, unsigned* priority) {
  refuse("the program uses message queues of the system (mq_receive)", NORN_SITE);
  return NORN_REAL(mq_receive)(queue, message, room, priority);
}

NORN_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* message, std::size_t room, unsigned* priority,
                                    const timespec* deadline) {
  refuse("the program uses message queues of the system (mq_timedreceive)", NORN_SITE);
  return NORN_REAL(mq_timedreceive)(queue, message, room, priority, deadline);
}
