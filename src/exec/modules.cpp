#include "exec/modules.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "exec/real.hpp"

namespace norn::exec {

using nlohmann::json;

json modules() {
  json list = json::array();
  const auto visit = [](dl_phdr_info* info, std::size_t, void* argument) {
    std::uintptr_t begin = UINTPTR_MAX;
    std::uintptr_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
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
    static_cast<json*>(argument)->push_back(
        {{"path", path}, {"begin", begin}, {"end", end}, {"bias", static_cast<std::uintptr_t>(info->dlpi_addr)}});
    return 0;
  };
  dl_iterate_phdr(visit, &list);
  return list;
}

}  // namespace norn::exec
