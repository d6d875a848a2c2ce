#include "exec/modules.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "exec/real.hpp"

namespace norn::exec {

using nlohmann::json;

namespace {

/// How far below the control block of every thread the thread-local variables of a module begin; 0 if it has none
/// there.
std::uintptr_t distance_of_locals(const dl_phdr_info& info) {
  constexpr std::uintptr_t farthest = std::uintptr_t{1} << 20;
  std::uintptr_t control_block = 0;
  asm("mov %%fs:0, %0" : "=r"(control_block));
  const std::uintptr_t distance = control_block - reinterpret_cast<std::uintptr_t>(info.dlpi_tls_data);
  return info.dlpi_tls_data != nullptr && distance < farthest ? distance : 0;
}

}  // namespace

std::size_t size_of_thread_locals() {
  std::size_t size = 0;
  const auto visit = [](dl_phdr_info* info, std::size_t, void* argument) {
    auto& most = *static_cast<std::size_t*>(argument);
    most = std::max<std::size_t>(most, distance_of_locals(*info));
    return 0;
  };
  dl_iterate_phdr(visit, &size);
  return size;
}

json modules() {
  json list = json::array();
  const auto visit = [](dl_phdr_info* info, std::size_t, void* argument) {
    std::uintptr_t begin = UINTPTR_MAX;
    std::uintptr_t end = 0;
    std::uintptr_t locals = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
      if (segment.p_type == PT_TLS) locals = segment.p_memsz;
      if (segment.p_type != PT_LOAD) continue;
      begin = std::min(begin, info->dlpi_addr + segment.p_vaddr);
      end = std::max(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
    }
    std::string path = info->dlpi_name;
    if (path.empty()) {
      char self[4096];
      const ssize_t length = NORN_REAL(readlink)("/proc/self/exe", self, sizeof self);
      path.assign(self, length > 0 ? static_cast<std::size_t>(length) : 0);
    }
    static_cast<json*>(argument)->push_back({{"path", path},
                                             {"begin", begin},
                                             {"end", end},
                                             {"bias", static_cast<std::uintptr_t>(info->dlpi_addr)},
                                             {"locals", {{"distance", distance_of_locals(*info)}, {"size", locals}}}});
    return 0;
  };
  dl_iterate_phdr(visit, &list);
  return list;
}

}  // namespace norn::exec
