#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace norn::exec {

// The heap of the program outside of runs: what static initialisers, a test framework or the code around
// explore() allocate. It lies in one piece, so that a snapshot can cover it, its bookkeeping included.

void* process_allocate(std::size_t size, std::size_t alignment);
void process_free(void* block);
bool in_process_heap(const void* pointer);
/// The block that contains the address; nullptr if there is none.
const void* process_block_at(std::uintptr_t address);
/// The part in use, in whole pages.
std::span<std::byte> process_heap_memory();

// Norn's own heap, which nobody restores. Norn's operator new comes here, and so does malloc while Norn itself
// (rather than the program) is calling the C library.

void* norn_allocate(std::size_t size, std::size_t alignment = 16);
void norn_free(void* block);
bool in_norn_heap(const void* pointer);
/// For the handler of a crash, which may have happened in the middle of allocating. Nobody else is running then.
void unlock_norn_heap();
/// Forks while no other thread of Norn's is in the middle of allocating: it would never finish in the child. The child
/// does not outlive its parent: nobody would read what it finds.
pid_t fork_norn();

}  // namespace norn::exec
