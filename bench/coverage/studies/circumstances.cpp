#include "circumstances.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace studies {
namespace {

/// What this process and its children used of processors, in seconds.
double own_time() {
  double sum = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(whose, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }
  return sum;
}

}  // namespace

Circumstances::Circumstances() : before_(times()) {}

Circumstances::Times Circumstances::times() {
  std::ifstream stream("/proc/stat");
  std::string name;
  stream >> name;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  Times result;
  double value = 0;
  // user nice system idle iowait irq softirq steal
  for (unsigned field = 0; field < 8 && stream >> value; ++field) {
    result.all += value / ticks;
    if (field != 3 && field != 4) result.busy += value / ticks;
  }
  return result;
}

std::string Circumstances::text() const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const Times now = times();
  const double all = now.all - before_.all;
  const double others = std::max(0.0, now.busy - before_.busy - own_time());
  return fmt::format(
      "All of it took {:.1f} minutes on {} processors, of whose time other programs used {:.0f} % meanwhile.",
      seconds / 60, std::thread::hardware_concurrency(), all == 0 ? 0 : 100 * others / all);
}

}  // namespace studies
