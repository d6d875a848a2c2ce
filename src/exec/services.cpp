#include "exec/services.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "exec/phase.hpp"
#include "exec/real.hpp"
#include "exec/scheduler.hpp"

namespace norn::exec {

Phase phase = Phase::native;

namespace {

struct Mapping {
  void* address;
  std::size_t size;
  bool is_own;  ///< nobody else can change it
};

struct State {
  ExitHandlers exit_handlers;
  std::array<Key, max_keys> keys;
};

/// Allocated on first use, which is before any constructor of this library has run.
State& state() {
  static State* const instance = new State;
  return *instance;
}

State* at_first = nullptr;
bool exit_handlers_changed = false;
bool keys_changed = false;
bool opened_files = false;
int first_free_descriptor = 3;
std::vector<Mapping>* mappings = nullptr;
std::vector<std::function<void()>>* undoings = nullptr;

/// What the program does before it is under control, or without ever being so, several threads may do at once.
class EarlyGuard {
 public:
  EarlyGuard() {
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~EarlyGuard() { busy_.clear(std::memory_order_release); }
  EarlyGuard(const EarlyGuard&) = delete;
  EarlyGuard& operator=(const EarlyGuard&) = delete;

 private:
  static inline std::atomic_flag busy_;
};

/// What the program has mapped before it was under control. Allocated on first use.
std::vector<Mapping>& early_mappings() {
  static auto* const instance = new std::vector<Mapping>;
  return *instance;
}

std::vector<std::span<std::byte>> own_among(const std::vector<Mapping>& all) {
  std::vector<std::span<std::byte>> own;
  for (const Mapping& mapping : all)
    if (mapping.is_own) own.emplace_back(static_cast<std::byte*>(mapping.address), mapping.size);
  return own;
}

struct EarlyFile {
  int descriptor;
  off_t offset;
};
std::vector<EarlyFile>& early_files() {
  static auto* const instance = new std::vector<EarlyFile>;
  return *instance;
}

int lowest_free_descriptor() {
  const int probe = dup(0);
  if (probe < 0) return 3;
  close(probe);
  return probe;
}

}  // namespace

void begin_services() {
  at_first = new State(state());
  mappings = new std::vector<Mapping>;
  undoings = new std::vector<std::function<void()>>;
  first_free_descriptor = lowest_free_descriptor();
  for (EarlyFile& file : early_files()) file.offset = lseek(file.descriptor, 0, SEEK_CUR);
  std::erase_if(early_files(), [](const EarlyFile& file) { return file.offset < 0; });
}

void reset_services() {
  if (exit_handlers_changed) state().exit_handlers = at_first->exit_handlers;
  if (keys_changed) state().keys = at_first->keys;
  if (opened_files) NORN_REAL(syscall)(SYS_close_range, first_free_descriptor, first_own_descriptor - 1, 0);
  for (const Mapping& mapping : *mappings) NORN_REAL(munmap)(mapping.address, mapping.size);
  mappings->clear();
  for (; !undoings->empty(); undoings->pop_back()) undoings->back()();
  for (const EarlyFile& file : early_files()) lseek(file.descriptor, file.offset, SEEK_SET);
  exit_handlers_changed = keys_changed = opened_files = false;
}

bool can_save_services() { return !opened_files && mappings->empty() && undoings->empty() && early_files().empty(); }

void save_services(ServicesState& saved) {
  saved.exit_handlers_changed = exit_handlers_changed;
  saved.keys_changed = keys_changed;
  if (exit_handlers_changed) saved.exit_handlers = state().exit_handlers;
  if (keys_changed) saved.keys.assign(state().keys.begin(), state().keys.end());
}

void resume_services(const ServicesState& saved) {
  exit_handlers_changed = saved.exit_handlers_changed;
  keys_changed = saved.keys_changed;
  if (exit_handlers_changed) state().exit_handlers = saved.exit_handlers;
  if (keys_changed) std::copy(saved.keys.begin(), saved.keys.end(), state().keys.begin());
}

void end_services() {
  reset_services();
  delete at_first;
  delete mappings;
  delete undoings;
  at_first = nullptr;
  mappings = nullptr;
  undoings = nullptr;
}

void register_exit_handler(ExitKind kind, ExitFunction function, void* argument) {
  exit_handlers_changed = true;
  state().exit_handlers[static_cast<std::size_t>(kind)].push_back({function, argument});
}

void run_exit_handlers(ExitKind kind) {
  auto& handlers = state().exit_handlers[static_cast<std::size_t>(kind)];
  if (!handlers.empty()) exit_handlers_changed = true;
  while (!handlers.empty()) {
    const ExitHandler handler = handlers.back();
    handlers.pop_back();
    handler.function(handler.argument);
  }
}

int create_key(KeyDestructor destructor) {
  auto& keys = state().keys;
  // From the top: keys that the program made before it was under control have the C library's low numbers.
  for (unsigned i = max_keys; i-- > 0;) {
    if (keys[i].exists) continue;
    keys_changed = true;
    keys[i] = {true, destructor};
    return static_cast<int>(i);
  }
  return -1;
}

void adopt_key(unsigned key, KeyDestructor destructor) {
  if (key < max_keys) state().keys[key] = {true, destructor};
}

bool key_exists(unsigned key) { return key < max_keys && state().keys[key].exists; }

bool delete_key(unsigned key) {
  if (!key_exists(key)) return false;
  keys_changed = true;
  state().keys[key] = {};
  for (Thread& thread : scheduler->threads()) thread.keys[key] = nullptr;
  return true;
}

void destroy_key_values() {
  Thread& self = scheduler->current();
  constexpr int destructor_iterations = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS
  bool again = self.keys_used != 0;
  for (int round = 0; again && round < destructor_iterations; ++round) {
    again = false;
    for (unsigned i = 0; i < self.keys_used; ++i) {
      void* value = std::exchange(self.keys[i], nullptr);
      const Key key = state().keys[i];
      if (value == nullptr || !key.exists || key.destructor == nullptr) continue;
      key.destructor(value);
      again = true;
    }
  }
}

bool was_open_before(int descriptor) { return descriptor >= 0 && descriptor < first_free_descriptor; }

void note_opened_file() { opened_files = true; }

void undo_after_run(std::function<void()> undo) { undoings->push_back(std::move(undo)); }

void note_early_file(int descriptor) {
  if (descriptor < 0) return;
  const EarlyGuard guard;
  const auto is_it = [=](const EarlyFile& file) { return file.descriptor == descriptor; };
  if (std::none_of(early_files().begin(), early_files().end(), is_it)) early_files().push_back({descriptor, 0});
}

void note_mapping(void* address, std::size_t size, bool is_own) {
  if (mappings != nullptr) mappings->push_back({address, size, is_own});
}

void move_mapping(void* from, std::size_t size, void* to, std::size_t new_size) {
  const auto is_it = [=](const Mapping& mapping) { return mapping.address == from && mapping.size == size; };
  const auto found = std::find_if(mappings->begin(), mappings->end(), is_it);
  if (found == mappings->end()) return note_mapping(to, new_size, false);
  *found = {to, new_size, found->is_own};
}

void note_early_mapping(void* address, std::size_t size, bool is_own) {
  const EarlyGuard guard;
  early_mappings().push_back({address, size, is_own});
}

void note_early_protection(const void* address, std::size_t size) {
  const EarlyGuard guard;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (Mapping& early : early_mappings()) {
    const auto first = reinterpret_cast<std::uintptr_t>(early.address);
    if (begin < first + early.size && first < begin + size) early.is_own = false;
  }
}

bool is_mapped_early(const void* address) {
  return std::any_of(early_mappings().begin(), early_mappings().end(),
                     [=](const Mapping& early) { return early.address == address; });
}

std::vector<std::span<std::byte>> own_early_mappings() { return own_among(early_mappings()); }

std::vector<std::span<std::byte>> own_mappings() { return own_among(*mappings); }

bool shares_early_mappings() {
  return std::any_of(early_mappings().begin(), early_mappings().end(),
                     [](const Mapping& early) { return !early.is_own; });
}

void forget_mapping(void* address, std::size_t size) {
  if (mappings == nullptr) {
    const EarlyGuard guard;
    std::erase_if(early_mappings(), [=](const Mapping& early) { return early.address == address; });
    return;
  }
  std::erase_if(*mappings, [=](const Mapping& m) { return m.address == address && m.size == size; });
}

int make_own(int descriptor) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, first_own_descriptor);
  if (own < 0) return descriptor;
  close(descriptor);
  return own;
}

}  // namespace norn::exec
