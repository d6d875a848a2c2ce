#include "cli/traces.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cli/checkpoint.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".trace";

std::string stem_of(const Program& program) { return program.given.front().stem().string(); }

/// The number in the name of a trace of the program; 0 if it is named otherwise.
std::size_t number_of(const fs::path& file, const std::string& stem) {
  const std::string name = file.filename().string();
  const std::string beginning = stem + "-";
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return 0;
  std::size_t number = 0;
  const char* const end = name.data() + name.size() - ending.size();
  const auto [rest, error] = std::from_chars(name.data() + beginning.size(), end, number);
  return error == std::errc() && rest == end ? number : 0;
}

/// Programs in different directories may have the same name.
bool is_of(const Program& program, const fs::path& trace) {
  try {
    return read_trace(trace).given == program.given;
  } catch (const InputError&) {
    return false;
  }
}

class TraceNames {
 public:
  TraceNames(const Program& program, const fs::path& directory)
      : program_(program), directory_(directory), stem_(stem_of(program)) {}

  /// The next one that is not of another program.
  fs::path next() {
    fs::path file;
    do {
      file = directory_ / fmt::format("{}-{}{}", stem_, ++last_, ending);
    } while (fs::exists(file) && !is_of(program_, file));
    return file;
  }

  /// What an earlier exploration left behind would look like another bug.
  void remove_others() const {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_))
      if (number_of(entry.path(), stem_) > last_ && is_of(program_, entry.path())) fs::remove(entry.path(), ignored);
  }

 private:
  const Program& program_;
  fs::path directory_;
  std::string stem_;
  std::size_t last_ = 0;
};

}  // namespace

TraceFile trace_of(const ReportedBug& run, const Program& program, const Options& explored) {
  return {program.executable, program.arguments, explored,   run.kind,        run.message,
          run.thread,         run.place.text(),  run.events, program.sources, program.given};
}

void write_traces(Report& report, const Program& program, const Options& explored, const std::string& directory) {
  if (report.bugs.empty()) return;
  try {
    fs::create_directories(directory);
    TraceNames names(program, directory);
    for (ReportedBug& bug : report.bugs) {
      const fs::path file = names.next();
      write_trace(file, trace_of(bug, program, explored));
      bug.trace = file.string();
    }
    names.remove_others();
  } catch (const std::exception&) {
    complain("norn: the failing run is not saved for replay: cannot write to {}\n", directory);
  }
}

std::string usual_checkpoint(const Program& program, const std::string& directory) {
  const std::string stem = stem_of(program);
  fs::path file = fs::path(directory) / (stem + ".checkpoint");
  std::error_code ignored;  // then it cannot be written either
  for (unsigned number = 2; fs::exists(file, ignored) && !is_checkpoint_of(file, program.given); ++number)
    file = fs::path(directory) / fmt::format("{}-{}.checkpoint", stem, number);
  return file.string();
}

}  // namespace norn
