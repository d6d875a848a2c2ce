#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace norn::exec {

// What the C library keeps for a process and a run may change: exit handlers, thread-specific keys, files and
// mappings. Kept by Norn instead, so that every run finds it as the first one did.

/// Remembers the state before the first run.
void begin_services();
void reset_services();
void end_services();

using ExitFunction = void (*)(void*);
/// Those of exit, and those of quick_exit.
enum class ExitKind { ordinary, quick };
struct ExitHandler {
  ExitFunction function;
  void* argument;
};
using ExitHandlers = std::array<std::vector<ExitHandler>, 2>;  ///< by ExitKind

using KeyDestructor = void (*)(void*);
struct Key {
  bool exists = false;
  KeyDestructor destructor = nullptr;
};

/// What a run has changed of that so far, so that another one can go on from there.
struct ServicesState {
  bool exit_handlers_changed = false;
  bool keys_changed = false;
  ExitHandlers exit_handlers;
  std::vector<Key> keys;
};
/// False if it has changed something that only the system knows: files, mappings.
bool can_save_services();
void save_services(ServicesState& saved);
/// Where nothing has changed yet.
void resume_services(const ServicesState& saved);

void register_exit_handler(ExitKind kind, ExitFunction function, void* argument);
/// Calls the handlers, the last registered first.
void run_exit_handlers(ExitKind kind);

/// A new key, or -1.
int create_key(KeyDestructor destructor);
void adopt_key(unsigned key, KeyDestructor destructor);
bool delete_key(unsigned key);
bool key_exists(unsigned key);
/// Calls the destructors of the current thread's values, as often as POSIX asks for.
void destroy_key_values();

/// Whether a file descriptor is older than the run.
bool was_open_before(int descriptor);
/// The run opened a file or mapped memory, which must be undone.
void note_opened_file();
/// The run is about to change something else that only the system knows. `undo` puts it back, as far as that is
/// allowed.
void undo_after_run(std::function<void()> undo);
/// The program opened a file before it was under control: in every run it is read from where it is then.
void note_early_file(int descriptor);
/// `is_own`: nobody else can change it.
void note_mapping(void* address, std::size_t size, bool is_own);
void move_mapping(void* from, std::size_t size, void* to, std::size_t new_size);
void forget_mapping(void* address, std::size_t size);
/// The program has mapped memory before it was under control: anonymous memory of its own, or some that others can see.
void note_early_mapping(void* address, std::size_t size, bool is_own);
/// It takes care of a part of that memory itself, which is then left alone.
void note_early_protection(const void* address, std::size_t size);
bool is_mapped_early(const void* address);
std::vector<std::span<std::byte>> own_early_mappings();
/// Memory of its own that this run has mapped. Parts of it may be unmapped or protected by now.
std::vector<std::span<std::byte>> own_mappings();
bool shares_early_mappings();
/// Threads that the program has started while it was not under control, and that have not ended yet.
inline std::atomic<int> early_threads{0};
inline thread_local bool is_early_thread = false;
inline bool is_beside_early_threads() { return early_threads != (is_early_thread ? 1 : 0); }
inline bool had_early_threads = false;

/// File descriptors from here on are Norn's own.
inline constexpr int first_own_descriptor = 900;
/// Moves a descriptor out of the program's way.
int make_own(int descriptor);

}  // namespace norn::exec
