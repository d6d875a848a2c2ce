// What programs tell ThreadSanitizer (Annotate*, __tsan_*): compilers say that it is on, so programs call these. What
// they say about what happens before what is believed. The rest is nothing to Norn: it sees how locks work and needs no
// names for them, and a race that somebody calls benign is one.

#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// Nobody's address, so that what is done with an atomic object there does not matter.
const void* place_of(const volatile void* what) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(what) | std::uintptr_t{1} << 63);
}

void happens_before(const volatile void* what) {
  if (controlled()) run().watch().released_too(place_of(what));
}

void happens_after(const volatile void* what) {
  if (controlled()) run().watch().acquired(place_of(what));
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

NORN_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* what) { happens_before(what); }
NORN_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* what) { happens_after(what); }
NORN_EXPORT void AnnotateCondVarSignal(const char*, int, const volatile void* what) { happens_before(what); }
NORN_EXPORT void AnnotateCondVarSignalAll(const char*, int, const volatile void* what) { happens_before(what); }
NORN_EXPORT void AnnotateCondVarWait(const char*, int, const volatile void* what, const volatile void*) {
  happens_after(what);
}
NORN_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* what, long) { happens_after(what); }
NORN_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* what, long) { happens_before(what); }
NORN_EXPORT void __tsan_release(void* what) { happens_before(what); }
NORN_EXPORT void __tsan_acquire(void* what) { happens_after(what); }
NORN_EXPORT void __tsan_mutex_post_lock(void* what, unsigned, int) { happens_after(what); }
NORN_EXPORT int __tsan_mutex_pre_unlock(void* what, unsigned) {
  happens_before(what);
  return 1;  // it was locked so often
}

// All others take numbers and pointers and return nothing, or nothing that matters.
#define NORN_NOTHING(name) \
  NORN_EXPORT void* name() { return nullptr; }

NORN_NOTHING(AnnotateBenignRace)
NORN_NOTHING(AnnotateBenignRaceSized)
NORN_NOTHING(AnnotateEnableRaceDetection)
NORN_NOTHING(AnnotateExpectRace)
NORN_NOTHING(AnnotateFlushExpectedRaces)
NORN_NOTHING(AnnotateFlushState)
NORN_NOTHING(AnnotateIgnoreReadsBegin)
NORN_NOTHING(AnnotateIgnoreReadsEnd)
NORN_NOTHING(AnnotateIgnoreSyncBegin)
NORN_NOTHING(AnnotateIgnoreSyncEnd)
NORN_NOTHING(AnnotateIgnoreWritesBegin)
NORN_NOTHING(AnnotateIgnoreWritesEnd)
NORN_NOTHING(AnnotateMemoryIsInitialized)
NORN_NOTHING(AnnotateMemoryIsUninitialized)
NORN_NOTHING(AnnotateMutexIsNotPHB)
NORN_NOTHING(AnnotateMutexIsUsedAsCondVar)
NORN_NOTHING(AnnotateNewMemory)
NORN_NOTHING(AnnotateNoOp)
NORN_NOTHING(AnnotatePCQCreate)
NORN_NOTHING(AnnotatePCQDestroy)
NORN_NOTHING(AnnotatePCQGet)
NORN_NOTHING(AnnotatePCQPut)
NORN_NOTHING(AnnotatePublishMemoryRange)
NORN_NOTHING(AnnotateRWLockCreate)
NORN_NOTHING(AnnotateRWLockCreateStatic)
NORN_NOTHING(AnnotateRWLockDestroy)
NORN_NOTHING(AnnotateThreadName)
NORN_NOTHING(AnnotateTraceMemory)
NORN_NOTHING(AnnotateUnpublishMemoryRange)
NORN_NOTHING(__tsan_mutex_create)
NORN_NOTHING(__tsan_mutex_destroy)
NORN_NOTHING(__tsan_mutex_pre_lock)
NORN_NOTHING(__tsan_mutex_post_unlock)
NORN_NOTHING(__tsan_mutex_pre_signal)
NORN_NOTHING(__tsan_mutex_post_signal)
NORN_NOTHING(__tsan_mutex_pre_divert)
NORN_NOTHING(__tsan_mutex_post_divert)
NORN_NOTHING(__tsan_flush_memory)
NORN_NOTHING(__tsan_external_register_tag)
NORN_NOTHING(__tsan_external_register_header)
NORN_NOTHING(__tsan_external_assign_tag)
NORN_NOTHING(__tsan_external_read)
NORN_NOTHING(__tsan_external_write)
NORN_NOTHING(__tsan_get_current_fiber)
NORN_NOTHING(__tsan_create_fiber)
NORN_NOTHING(__tsan_destroy_fiber)
NORN_NOTHING(__tsan_switch_to_fiber)
NORN_NOTHING(__tsan_set_fiber_name)
NORN_NOTHING(__sanitizer_print_stack_trace)
NORN_NOTHING(__sanitizer_set_death_callback)
NORN_NOTHING(__sanitizer_set_report_path)
NORN_NOTHING(__sanitizer_set_report_fd)
