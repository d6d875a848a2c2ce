#include "exec/worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "exec/real.hpp"

namespace norn::exec {
namespace {

/// Every other piece, the first one included: the largest come first, so that about half of the work is given away and
/// nobody has to ask again soon.
std::vector<Piece> take_half(std::vector<Piece>& pieces) {
  std::vector<Piece> taken;
  std::vector<Piece> kept;
  for (std::size_t i = 0; i < pieces.size(); ++i) (i % 2 == 0 ? taken : kept).push_back(std::move(pieces[i]));
  pieces = std::move(kept);
  return taken;
}

}  // namespace

void Worker::work() {
  Explorer explorer(options, engine);
  explorer.begin(strategy);
  static_cast<void>(explorer.take_fingerprints());  // from now on they are kept for reports
  while (const std::optional<std::string> message = crew.receive())
    if (!do_assignment(explorer, unpack<Assignment>(*message))) return;
}

/// False if nobody wants to know.
bool Worker::do_assignment(Explorer& explorer, const Assignment& assignment) {
  explorer.take_over(assignment.pieces);
  std::uint64_t runs = assignment.runs;
  for (;;) {
    Report report;
    report.stop = explorer.work(runs, request);
    const auto begin = std::chrono::steady_clock::now();
    const std::uint32_t wanted = report.stop == Stop::asked ? request.exchange(nothing) : std::uint32_t{nothing};
    report.goes_on = report.stop == Stop::asked && wanted != stop;
    report.left = explorer.pieces();
    if (wanted == share && report.left.size() > 1) {
      report.given_away = take_half(report.left);
      explorer.take_over(report.left);
    }
    report.findings = explorer.take_findings();
    report.fingerprints = explorer.take_fingerprints();
    report.facts = engine.learned_facts();
    report.peak_memory = peak_memory();
    if (runs != 0) runs -= std::min(runs, report.findings.executions + report.findings.partial_runs);
    const bool goes_on = report.goes_on && (assignment.runs == 0 || runs != 0);
    report.goes_on = goes_on;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!crew.send(pack(report))) return false;
    if (!goes_on) return true;
  }
}

std::uint64_t peak_memory() {
  // Read from the kernel, because getrusage counts what the process had before it became this program.
  char text[4096];
  const int file = NORN_REAL(open)("/proc/self/status", 0);
  const ssize_t size = NORN_REAL(read)(file, text, sizeof text - 1);
  NORN_REAL(close)(file);
  text[size > 0 ? size : 0] = 0;
  const char* line = strstr(text, "VmHWM:");
  return line == nullptr ? 0 : strtoull(line + 6, nullptr, 10) * 1024;
}

}  // namespace norn::exec
