// libatomic's functions for objects of any size: those that are too large for the processor. One visible operation
// each. The names are builtins of the compiler, hence the detour by assembler names.

#include "frontend/interpose/accesses.hpp"
#include "frontend/interpose/interpose.hpp"
#include "trace/dependency.hpp"

namespace norn::frontend {
namespace {

using GenericLoad = void(std::size_t, const void*, void*, int);
using GenericStore = void(std::size_t, void*, const void*, int);
using GenericExchange = void(std::size_t, void*, const void*, void*, int);
using GenericCompare = bool(std::size_t, void*, void*, const void*, int, int);

// By hand: memcpy and memcmp are interposed, and would count as plain accesses of the program.

void copy_bytes(void* to, const void* from, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
}

const void* copy_of(void* room, const void* bytes, std::size_t size) {
  copy_bytes(room, bytes, size);
  return room;
}

bool same_bytes(const void* a, const void* b, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (static_cast<const char*>(a)[i] != static_cast<const char*>(b)[i]) return false;
  return true;
}

/// Comes to the scheduler with an operation on an object that may be anything.
void announce(const exec::Operation& operation) {
  run().perform(operation);
  run().event().is_opaque = true;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

// Objects are read and written when the operation happens, operands before and after it: where plain accesses are
// scheduling points, others can come between.

NORN_EXPORT void norn_atomic_load(std::size_t size, const void* from, void* to, int order) asm("__atomic_load");
void norn_atomic_load(std::size_t size, const void* from, void* to, int order) {
  if (!controlled()) return exec::real<GenericLoad, "__atomic_load">()(size, from, to, order);
  const Site site(NORN_BARE_SITE);
  announce({Op::atomic_load, site, const_cast<void*>(from)});
  run().event().before = state::of_bytes(from, size);
  accessed(from, size, false, site);
  run().watch().loaded(from, order);
  run().commuted();
  const void* const value = copy_of(__builtin_alloca(size), from, size);
  access_operand(to, size, true, site);
  copy_bytes(to, value, size);
}

NORN_EXPORT void norn_atomic_store(std::size_t size, void* to, const void* from, int order) asm("__atomic_store");
void norn_atomic_store(std::size_t size, void* to, const void* from, int order) {
  if (!controlled()) return exec::real<GenericStore, "__atomic_store">()(size, to, from, order);
  const Site site(NORN_BARE_SITE);
  access_operand(from, size, false, site);
  const void* const value = copy_of(__builtin_alloca(size), from, size);
  announce({Op::atomic_store, site, to});
  run().event().before = state::of_bytes(to, size);
  run().event().value = state::of_bytes(value, size);
  accessed(to, size, true, site);
  run().watch().stored(to, order);
  copy_bytes(to, value, size);
}

NORN_EXPORT void norn_atomic_exchange(std::size_t size, void* object, const void* desired, void* old,
                                      int order) asm("__atomic_exchange");
void norn_atomic_exchange(std::size_t size, void* object, const void* desired, void* old, int order) {
  if (!controlled()) return exec::real<GenericExchange, "__atomic_exchange">()(size, object, desired, old, order);
  const Site site(NORN_BARE_SITE);
  access_operand(desired, size, false, site);
  const void* const next = copy_of(__builtin_alloca(size), desired, size);
  run().current().operand = state::of_bytes(next, size);
  announce({Op::atomic_update, site, object});
  run().event().before = state::of_bytes(object, size);
  run().event().value = state::of_bytes(next, size);
  accessed(object, size, true, site);
  run().watch().updated(object, order);
  const void* const before = copy_of(__builtin_alloca(size), object, size);
  copy_bytes(object, next, size);
  access_operand(old, size, true, site);
  copy_bytes(old, before, size);
}

NORN_EXPORT bool norn_atomic_compare(std::size_t size, void* object, void* expected, const void* desired, int success,
                                     int failure) asm("__atomic_compare_exchange");
bool norn_atomic_compare(std::size_t size, void* object, void* expected, const void* desired, int success,
                         int failure) {
  if (!controlled())
    return exec::real<GenericCompare, "__atomic_compare_exchange">()(size, object, expected, desired, success, failure);
  const Site site(NORN_BARE_SITE);
  access_operand(expected, size, false, site);
  const void* const wanted = copy_of(__builtin_alloca(size), expected, size);
  access_operand(desired, size, false, site);
  const void* const next = copy_of(__builtin_alloca(size), desired, size);
  announce({Op::atomic_compare_exchange, site, object, nullptr, state::of_bytes(wanted, size)});
  run().event().before = state::of_bytes(object, size);
  accessed(object, size, false, site);
  if (same_bytes(object, wanted, size)) {
    run().event().value = state::of_bytes(next, size);
    accessed(object, size, true, site);
    run().watch().updated(object, success);
    copy_bytes(object, next, size);
    return true;
  }
  run().commuted();
  run().watch().loaded(object, failure);
  const void* const found = copy_of(__builtin_alloca(size), object, size);
  access_operand(expected, size, true, site);
  copy_bytes(expected, found, size);
  return false;
}
