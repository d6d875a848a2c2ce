#include "exec/loader.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include "exec/real.hpp"

namespace norn::exec {
namespace {

const pthread_mutex_t free_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/// All that were found, the others are null.
std::array<pthread_mutex_t*, 3> locks;

bool is_free(const pthread_mutex_t& lock) { return std::memcmp(&lock, &free_lock, sizeof lock) == 0; }

/// The loader's variables, whose layout is its own affair.
std::span<std::byte> loader_variables() {
  void* const begin = dlsym(RTLD_DEFAULT, "_rtld_global");
  Dl_info info;
  ElfW(Sym)* symbol = nullptr;
  if (begin == nullptr || dladdr1(begin, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) == 0) return {};
  return {static_cast<std::byte*>(begin), symbol == nullptr ? 0 : symbol->st_size};
}

bool is_mine(const pthread_mutex_t& lock) {
  return lock.__data.__owner == NORN_REAL(gettid)() && lock.__data.__kind == free_lock.__data.__kind &&
         lock.__data.__lock == 1 && lock.__data.__count == 1;
}

/// Whoever is called back by the loader has one of its locks, which can be told by its owner.
pthread_mutex_t* find_held_lock(std::span<std::byte> variables) {
  struct Search {
    std::span<std::byte> variables;
    pthread_mutex_t* found = nullptr;
  } search{variables};
  const auto look = [](dl_phdr_info*, std::size_t, void* argument) {
    auto& [bytes, found] = *static_cast<Search*>(argument);
    for (std::size_t at = 0; at + sizeof free_lock <= bytes.size(); at += alignof(pthread_mutex_t)) {
      auto* const candidate = reinterpret_cast<pthread_mutex_t*>(&bytes[at]);
      if (!is_mine(*candidate)) continue;
      found = candidate;
      break;
    }
    return 1;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

}  // namespace

void find_loader_locks() {
  locks = {};
  pthread_mutex_t* const held = find_held_lock(loader_variables());
  if (held == nullptr) return;
  // The others are beside it: one for looking up before it, and one for thread-local memory behind it.
  std::size_t count = 0;
  for (pthread_mutex_t* lock : {held - 1, held, held + 1})
    if (is_free(*lock)) locks[count++] = lock;
}

void free_loader_locks() {
  for (pthread_mutex_t* lock : locks)
    if (lock != nullptr && !is_free(*lock)) *lock = free_lock;
}

}  // namespace norn::exec
