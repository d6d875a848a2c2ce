#include "cli/progress_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "report/progress.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

/// Explorations that are over sooner need no line.
constexpr double seconds_without = 1;

std::size_t width_of_terminal() {
  constexpr std::size_t usual = 80;
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : usual;
}

void print(const std::string& text) {
  // If the terminal is gone, so is the line.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// A number that may be missing.
template <typename T>
T value(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? T{} : found->get<T>();
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : is_on_(wanted && isatty(STDERR_FILENO) != 0 && !is_dumb_terminal()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (std::exchange(is_there_, false)) print("\r\033[K");
}

void ProgressLine::show(const nlohmann::json& sent) {
  if (!is_on_) return;
  ReportedProgress progress{value<std::uint64_t>(sent, "executions"),
                            value<std::uint64_t>(sent, "partial_runs"),
                            value<std::int64_t>(sent, "behaviours"),
                            value<std::uint64_t>(sent, "bugs"),
                            value<std::uint64_t>(sent, "frontier"),
                            {},
                            0,
                            value<std::uint64_t>(sent, "minimises")};
  progress.rate = rate(progress.executions + progress.partial_runs);
  if (const auto estimate = sent.find("estimate"); estimate != sent.end() && estimate->is_object())
    progress.estimate = estimate->get<ReportedEstimate>();
  if (std::chrono::duration<double>(Clock::now() - start_).count() < seconds_without) return;
  // The last column stays free: some terminals go on to the next line as soon as it is written.
  print("\r" + progress_text(progress, width_of_terminal() - 1) + "\033[K");
  is_there_ = true;
}

/// In the last seconds.
double ProgressLine::rate(std::uint64_t runs) {
  constexpr double seconds = 5;
  const Clock::time_point now = Clock::now();
  const auto since = [now](const Moment& moment) { return std::chrono::duration<double>(now - moment.when).count(); };
  // There are fewer if the exploration began anew.
  if (!moments_.empty() && moments_.back().runs > runs) moments_.clear();
  moments_.push_back({now, runs});
  while (moments_.size() > 2 && since(moments_[1]) > seconds) moments_.pop_front();
  const double passed = since(moments_.front());
  return passed > 0 ? static_cast<double>(runs - moments_.front().runs) / passed : 0;
}

}  // namespace norn
