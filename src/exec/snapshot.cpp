#include "exec/snapshot.hpp"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "exec/context.hpp"
#include "exec/fatal.hpp"
#include "exec/process_heap.hpp"
#include "exec/real.hpp"
#include "exec/services.hpp"
#include "exec/state_hash.hpp"
#include "exec/virtual_time.hpp"
#include "support/copy.hpp"

/// The loader's: where the kernel has put the number of arguments, followed by all that it has to tell the process.
extern "C" void* __libc_stack_end;

namespace norn::exec {
namespace {

std::byte* page_of(void* address) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address) & ~(page_size - 1));
}

std::byte* page_after(void* address) { return page_of(static_cast<std::byte*>(address) + page_size - 1); }

std::byte* map(std::size_t size) {
  void* memory = mmap(nullptr, std::max(size, page_size), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("out of memory while taking the snapshot");
  return static_cast<std::byte*>(memory);
}

/// Norn's own library, whose memory must not be turned back, and the loader, whose state belongs to the process.
bool is_ours(const dl_phdr_info& info) {
  const auto self = reinterpret_cast<std::uintptr_t>(&touch);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    const auto begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && self >= begin && self < begin + segment.p_memsz) return true;
  }
  const std::string_view name = info.dlpi_name;
  return name.find("/ld-linux") != std::string_view::npos || name.find("linux-vdso") != std::string_view::npos;
}

/// Where a module keeps the addresses of functions that it calls in other modules. They are looked up at the first
/// call, unless somebody asked for all at the start.
std::span<std::byte> bindings_of(const dl_phdr_info& info) {
  std::byte* begin = nullptr;
  std::size_t count = 3;  // the first are the loader's
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_PLTGOT) begin = reinterpret_cast<std::byte*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_PLTRELSZ) count += entry->d_un.d_val / sizeof(ElfW(Rela));
    }
  }
  return begin == nullptr ? std::span<std::byte>() : std::span(begin, count * sizeof(void*));
}

}  // namespace

void Snapshot::take(std::span<std::byte> stack) {
  dl_iterate_phdr(visit_module, this);
  const std::span<std::byte> heap = process_heap_memory();
  if (!heap.empty()) add_region(heap.data(), heap.data() + heap.size());
  for (const std::span<std::byte> early : own_early_mappings())
    add_region(page_of(early.data()), page_after(early.data() + early.size()), true);
  stack = add_stack(stack);
  add_environment();
  hot_ = reinterpret_cast<HotPage*>(map(page_count_ * sizeof(HotPage)));
  for (const Region& region : regions_) {
    if (region.is_sparse) {
      copy_touched(region);
    } else {
      std::memcpy(region.copy, region.begin, static_cast<std::size_t>(region.end - region.begin));
    }
    mprotect(region.begin, static_cast<std::size_t>(region.end - region.begin), PROT_READ);
  }
  stack_ = stack;
  stack_copy_.assign(stack.begin(), stack.end());
}

/// Whole pages of the main thread's stack are watched like other memory; of other threads' stacks, the end belongs to
/// the C library and the kernel. What is left must be copied every time: it shares its page with the caller of runs.
std::span<std::byte> Snapshot::add_stack(std::span<std::byte> stack) {
  const bool is_main = NORN_REAL(gettid)() == getpid();
  std::byte* const first = stack.empty() ? nullptr : page_after(stack.data());
  std::byte* const end = stack.data() + stack.size();
  if (!is_main || stack.empty() || first >= end) return stack;
  add_region(first, page_of(end));
  return {stack.data(), first};
}

/// What the kernel has put above the first frames: programs take options out of their arguments, change their order or
/// write into the texts. The name of the program comes last.
void Snapshot::add_environment() {
  const auto* name = reinterpret_cast<char*>(getauxval(AT_EXECFN));
  if (name == nullptr) return;
  std::byte* const begin = first_frames().data() + page_size;
  std::byte* const end = page_after(const_cast<char*>(name + std::strlen(name) + 1));
  if (begin < end) add_region(begin, end);
}

int Snapshot::visit_module(dl_phdr_info* info, std::size_t, void* self) {
  if (is_ours(*info)) return 0;
  static_cast<Snapshot*>(self)->add_thread_locals(*info);
  std::byte* relro_end = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_GNU_RELRO)
      relro_end = page_of(reinterpret_cast<void*>(info->dlpi_addr + segment.p_vaddr + segment.p_memsz));
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    std::byte* begin = page_of(reinterpret_cast<void*>(info->dlpi_addr + segment.p_vaddr));
    std::byte* end = page_after(reinterpret_cast<void*>(info->dlpi_addr + segment.p_vaddr + segment.p_memsz));
    if (relro_end > begin && relro_end <= end) begin = relro_end;
    if (begin < end) static_cast<Snapshot*>(self)->add_segment(begin, end, bindings_of(*info));
  }
  return 0;
}

/// What was looked up in one run need not be looked up in the next one again, so pages full of such addresses stay as
/// they are.
void Snapshot::add_segment(std::byte* begin, std::byte* end, std::span<std::byte> bindings) {
  std::byte* const first = bindings.empty() ? end : page_after(bindings.data());
  std::byte* const last = bindings.empty() ? end : page_of(bindings.data() + bindings.size());
  if (first < begin || last > end || first >= last) return add_region(begin, end);
  if (begin < first) add_region(begin, first);
  if (last < end) add_region(last, end);
}

void Snapshot::add_region(std::byte* begin, std::byte* end, bool is_sparse) {
  const auto size = static_cast<std::size_t>(end - begin);
  regions_.push_back({begin, end, map(size), is_sparse});
  page_count_ += size / page_size;
}

void Snapshot::copy_touched(const Region& region) {
  constexpr std::size_t pages_at_a_time = 1024;
  unsigned char touched[pages_at_a_time];
  for (std::byte* from = region.begin; from < region.end; from += pages_at_a_time * page_size) {
    const std::size_t size = std::min(pages_at_a_time * page_size, static_cast<std::size_t>(region.end - from));
    const bool is_known = mincore(from, size, touched) == 0;
    for (std::size_t i = 0; i < size; i += page_size)
      if (!is_known || (touched[i / page_size] & 1) != 0)
        std::memcpy(region.copy + (from - region.begin) + i, from + i, page_size);
  }
}

bool Snapshot::heat(void* address) {
  std::byte* page = page_of(address);
  for (const Region& region : regions_) {
    if (page < region.begin || page >= region.end) continue;
    for (std::size_t i = 0; i < hot_count_; ++i)
      if (hot_[i].page == page) return false;  // it is writable, so this is some other fault
    if (mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
    std::byte* copy = region.copy + (page - region.begin);
    hot_[hot_count_++] = {page, copy, hash_state(copy, page_size, first_clock), hash_state(copy, page_size, no_clock)};
    return true;
  }
  return false;
}

void Snapshot::restore_from(std::size_t hot) {
  for (std::size_t i = hot; i < hot_count_; ++i) std::memcpy(hot_[i].page, hot_[i].copy, page_size);
}

void Snapshot::restore() {
  restore_from(0);
  if (!stack_.empty()) std::memcpy(stack_.data(), stack_copy_.data(), stack_.size());
}

void Snapshot::add_thread_locals(const dl_phdr_info& info) {
  if (info.dlpi_tls_data == nullptr) return;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_TLS || segment.p_memsz == 0) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(info.dlpi_tls_data);
    locals_.push_back({static_cast<std::ptrdiff_t>(begin - read_tcb()), segment.p_memsz});
  }
}

void Snapshot::take_thread_locals(Thread& thread) const {
  std::size_t total = 0;
  for (const ThreadLocals& locals : locals_) total += locals.size;
  std::byte* copy = thread.locals_copy = new std::byte[total];
  for (const auto& [offset, size] : locals_) {
    std::memcpy(copy, reinterpret_cast<void*>(thread.seat.tcb + offset), size);
    copy += size;
  }
}

void Snapshot::restore_thread_locals(const Thread& thread) const {
  const std::byte* copy = thread.locals_copy;
  for (const auto& [offset, size] : locals_) {
    copy_few(reinterpret_cast<std::byte*>(thread.seat.tcb + offset), copy, size);
    copy += size;
  }
}

std::uint64_t Snapshot::hash_hot_pages(std::uint64_t clock) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < hot_count_; ++i) {
    const auto page = reinterpret_cast<std::uintptr_t>(hot_[i].page);
    const std::uint64_t before = clock == no_clock ? hot_[i].exact_hash : hot_[i].hash;
    sum += combine(page, hash_state(hot_[i].page, page_size, clock)) - combine(page, before);
  }
  return sum;
}

std::uint64_t Snapshot::hash_thread_locals(const Thread& thread, std::uint64_t clock) const {
  std::uint64_t hash = 0;
  for (const auto& [offset, size] : locals_)
    hash = combine(hash, hash_state(reinterpret_cast<const void*>(thread.seat.tcb + offset), size, clock));
  return hash;
}

void Snapshot::release() {
  for (const Region& region : regions_) {
    const auto size = static_cast<std::size_t>(region.end - region.begin);
    mprotect(region.begin, size, PROT_READ | PROT_WRITE);
    munmap(region.copy, std::max(size, page_size));
  }
  munmap(hot_, std::max(page_count_ * sizeof(HotPage), page_size));
  *this = Snapshot();
}

std::span<std::byte> first_frames() { return {page_of(__libc_stack_end), page_size}; }

void* stack_below(void* frame) { return page_of(frame) - page_size; }

void touch(void* address, std::size_t size) {
  if (size == 0) return;
  auto* const begin = static_cast<volatile char*>(address);
  for (std::size_t i = 0; i < size; i += page_size) begin[i] = begin[i];
  begin[size - 1] = begin[size - 1];
}

}  // namespace norn::exec
