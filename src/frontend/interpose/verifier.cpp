// The conventions of software-verification benchmarks (SV-COMP): assumptions, inputs, errors, and functions that happen
// in one step. Sources that use them are compiled with -finstrument-functions, which reports every call.

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "exec/backtrace.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

enum class Role { none, atomic, error };

struct NamedFunction {
  std::uintptr_t address;
  Role role;
};

Role role_of(std::string_view name) {
  if (name == "__VERIFIER_atomic_begin" || name == "__VERIFIER_atomic_end") return Role::none;
  if (name.starts_with("__VERIFIER_atomic_")) return Role::atomic;
  return name == "reach_error" ? Role::error : Role::none;
}

/// The program's own functions whose names say what they are, from its symbol table.
std::vector<NamedFunction> named_functions() {
  std::vector<NamedFunction> found;
  const int file = NORN_REAL(open)("/proc/self/exe", O_RDONLY);
  struct stat status {};
  NORN_REAL(fstat)(file, &status);
  const auto size = static_cast<std::size_t>(status.st_size);
  const auto* image = static_cast<const char*>(NORN_REAL(mmap)(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0));
  NORN_REAL(close)(file);
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(image);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image + header.e_shoff);
  const std::uintptr_t base = header.e_type == ET_DYN ? exec::program_base() : 0;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const char* names = image + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image + sections[i].sh_offset);
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); ++k) {
      const Role role =
          ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC ? role_of(names + symbols[k].st_name) : Role::none;
      if (role != Role::none) found.push_back({base + symbols[k].st_value, role});
    }
  }
  NORN_REAL(munmap)(const_cast<char*>(image), size);
  return found;
}

Role role_of(const void* function) {
  // Never destroyed: a destructor would be called at the end of the run that came here first.
  static const auto& known = *new std::vector<NamedFunction>(named_functions());
  const auto is_it = [function](const NamedFunction& one) {
    return one.address == reinterpret_cast<std::uintptr_t>(function);
  };
  const auto entry = std::find_if(known.begin(), known.end(), is_it);
  return entry == known.end() ? Role::none : entry->role;
}

/// What all steps of several operations have in common.
char section;

void begin_step(const void* site) {
  Thread& me = run().current();
  if (me.step_depth++ != 0) return;
  run().perform({Op::step_begin, site, &section});
  run().watch().acquired(&section);
}

void end_step() {
  Thread& me = run().current();
  if (me.step_depth == 0 || --me.step_depth != 0) return;
  run().watch().released(&section);
}

template <typename T>
T input() {
  if (controlled()) {
    run().current().reads_inputs = true;
    run().record().note("inputs of the program (__VERIFIER_nondet_*) were taken to be 0");
  }
  return T{};
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void __cyg_profile_func_enter(void* function, void*) {
  if (!controlled()) return;
  const Site site = NORN_SITE;
  switch (role_of(function)) {
    case Role::none: return;
    case Role::atomic: return begin_step(site);
    case Role::error: run().end_run(End::assertion, site, "reach_error() was called");
  }
}

NORN_EXPORT void __cyg_profile_func_exit(void* function, void*) {
  if (controlled() && role_of(function) == Role::atomic) end_step();
}

NORN_EXPORT void __VERIFIER_atomic_begin() {
  if (controlled()) begin_step(NORN_SITE);
}

NORN_EXPORT void __VERIFIER_atomic_end() {
  if (controlled()) end_step();
}

NORN_EXPORT void __VERIFIER_assume(int condition) {
  if (!controlled() || condition != 0) return;
  // Others may do something first: that is another run, which must not be cut with this one.
  const Site site = NORN_SITE;
  if (run().others_unjoined()) run().perform({Op::process_exit, site, &section});
  run().end_run(End::pruned, site, {});
}

NORN_EXPORT void __VERIFIER_error() {
  if (controlled()) run().end_run(End::assertion, NORN_SITE, "__VERIFIER_error() was called");
  abort();
}

NORN_EXPORT int __VERIFIER_nondet_int() { return input<int>(); }
NORN_EXPORT unsigned __VERIFIER_nondet_uint() { return input<unsigned>(); }
NORN_EXPORT long __VERIFIER_nondet_long() { return input<long>(); }
NORN_EXPORT unsigned long __VERIFIER_nondet_ulong() { return input<unsigned long>(); }
NORN_EXPORT char __VERIFIER_nondet_char() { return input<char>(); }
NORN_EXPORT unsigned char __VERIFIER_nondet_uchar() { return input<unsigned char>(); }
NORN_EXPORT short __VERIFIER_nondet_short() { return input<short>(); }
NORN_EXPORT unsigned short __VERIFIER_nondet_ushort() { return input<unsigned short>(); }
NORN_EXPORT bool __VERIFIER_nondet_bool() { return input<bool>(); }
NORN_EXPORT void* __VERIFIER_nondet_pointer() { return input<void*>(); }
