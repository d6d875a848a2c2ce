#include <fcntl.h>
#include <unistd.h>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gelf.h>

#include "frontend/compiler.hpp"
#include "support/error.hpp"
#include "support/paths.hpp"

namespace norn {

namespace fs = std::filesystem;

namespace {

class ElfFile {
 public:
  explicit ElfFile(const fs::path& file) : descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (descriptor_ >= 0) elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
  }
  ~ElfFile() {
    elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  bool is_program() const {
    GElf_Ehdr header;
    return elf_kind(elf_) == ELF_K_ELF && gelf_getehdr(elf_, &header) &&
           (header.e_type == ET_EXEC || header.e_type == ET_DYN);
  }

  bool needs(std::string_view library) const {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC && needs(section, header, library))
        return true;
    }
    return false;
  }

  // Whether it uses a function of another module whose name begins like that.
  bool uses(std::string_view prefix) const {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM && uses(section, header, prefix)) return true;
    }
    return false;
  }

 private:
  bool uses(Elf_Scn* section, const GElf_Shdr& header, std::string_view prefix) const {
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); ++i) {
      const char* const name =
          symbol.st_shndx == SHN_UNDEF ? elf_strptr(elf_, header.sh_link, symbol.st_name) : nullptr;
      if (name && std::string_view(name).starts_with(prefix)) return true;
    }
    return false;
  }

  bool needs(Elf_Scn* section, const GElf_Shdr& header, std::string_view library) const {
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry); ++i) {
      const char* const name = entry.d_tag == DT_NEEDED ? elf_strptr(elf_, header.sh_link, entry.d_un.d_val) : nullptr;
      if (name && std::string_view(name).starts_with(library)) return true;
    }
    return false;
  }

  int descriptor_;
  Elf* elf_ = nullptr;
};

}  // namespace

bool is_instrumented(const fs::path& file) {
  const ElfFile elf(file);
  return elf.is_program() && elf.needs("libnorn.so");
}

// Every file that is compiled with -fsanitize=thread calls some of the sanitizer's functions.
bool has_instrumented_code(const fs::path& file) { return ElfFile(file).uses("__tsan_"); }

void require_executable(const fs::path& file) {
  const std::string name = file;
  require_file(file, "; give the program in it, or its sources");
  if (!ElfFile(file).is_program() || access(file.c_str(), X_OK) != 0)
    throw InputError(fmt::format("{} is neither an executable program nor C or C++ source", name));
  if (!is_instrumented(file))
    throw InputError(fmt::format(
        "{} was not built with norn-c++; rebuild it with CXX=norn-c++ or give norn check its sources", name));
}

}  // namespace norn
