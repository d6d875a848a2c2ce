#include "exec/floating_point.hpp"

#include <link.h>
#include <xmmintrin.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace norn::exec {
namespace {

/// The environment of the x87 unit as its instructions store it.
struct Environment {
  std::uint16_t control, gap, status, rest[11];
};

constexpr std::string_view askers[] = {"fetestexcept", "fegetexceptflag", "fegetenv",      "feholdexcept",
                                       "feupdateenv",  "fesetenv",        "feenableexcept"};

/// The dynamic section of a module, which the loader has made point to where things are.
class Dynamic {
 public:
  explicit Dynamic(const dl_phdr_info& info) : base_(info.dlpi_addr) {
    for (int i = 0; i < info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
        entries_ = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  }
  [[nodiscard]] std::uintptr_t value(ElfW(Sxword) tag) const {
    if (entries_ == nullptr) return 0;
    const ElfW(Dyn)* entry = entries_;
    while (entry->d_tag != DT_NULL && entry->d_tag != tag) ++entry;
    return entry->d_tag == DT_NULL ? 0 : entry->d_un.d_val;
  }
  /// nullptr also in the module of the kernel, where nothing is changed by the loader.
  template <typename T>
  [[nodiscard]] const T* pointer(ElfW(Sxword) tag) const {
    const std::uintptr_t address = value(tag);
    return address < base_ ? nullptr : reinterpret_cast<const T*>(address);
  }

 private:
  std::uintptr_t base_;
  const ElfW(Dyn) * entries_ = nullptr;
};

/// Whether the module has to be told where one of those functions is.
bool asks(const dl_phdr_info& info) {
  const Dynamic dynamic(info);
  const auto* symbols = dynamic.pointer<ElfW(Sym)>(DT_SYMTAB);
  const auto* names = dynamic.pointer<char>(DT_STRTAB);
  if (symbols == nullptr || names == nullptr) return false;
  const auto is_asker = [=](const ElfW(Rela) & place) {
    const char* const name = names + symbols[ELF64_R_SYM(place.r_info)].st_name;
    return std::find(std::begin(askers), std::end(askers), name) != std::end(askers);
  };
  for (const auto& [table, size] : {std::pair(DT_RELA, DT_RELASZ), std::pair(DT_JMPREL, DT_PLTRELSZ)}) {
    const auto* first = dynamic.pointer<ElfW(Rela)>(table);
    if (first == nullptr) continue;
    if (std::any_of(first, first + dynamic.value(size) / sizeof *first, is_asker)) return true;
  }
  return false;
}

}  // namespace

FloatingPoint FloatingPoint::now() {
  FloatingPoint found;
  found.vector_state = _mm_getcsr();
  asm volatile("fnstcw %0; fnstsw %1" : "=m"(found.control), "=m"(found.status));
  return found;
}

void FloatingPoint::load() const {
  _mm_setcsr(vector_state);
  Environment environment;
  asm volatile("fnstenv %0" : "=m"(environment));
  environment.control = control;
  environment.status = status;
  asm volatile("fldenv %0" : : "m"(environment));
}

bool asks_for_exceptions() {
  const auto visit = [](dl_phdr_info* info, std::size_t, void*) { return asks(*info) ? 1 : 0; };
  return dl_iterate_phdr(visit, nullptr) != 0;
}

}  // namespace norn::exec
