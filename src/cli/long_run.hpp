#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/checkpoint.hpp"
#include "cli/conversation.hpp"
#include "cli/program.hpp"
#include "cli/progress_line.hpp"
#include "report/report.hpp"

namespace norn {

/// The options of `norn check` for explorations that take long.
struct LongRunOptions {
  std::string checkpoint;
  std::string resume;
  double seconds = 1;  ///< between checkpoints
};

void add_to(CLI::App& command, LongRunOptions& options);

/// What happens around an exploration that may take long: its user sees how it gets on, and it can be gone on with.
class LongRun {
 public:
  /// Reads what is to be resumed, and changes `exploration` so that the runtime helps. `usual_file` is for the
  /// checkpoint of an exploration that is interrupted, if the user has named none.
  LongRun(const LongRunOptions& options, Options& exploration, const Program& program, const std::string& usual_file,
          bool is_quiet);

  /// What is said and heard meanwhile.
  void take_part(Conversation& conversation);
  /// Afterwards: says in the report what became of the checkpoint, and how to go on. `words` are those of the command.
  void tell(Report& report, bool is_resumable, const std::vector<std::string>& words);

  /// The command that goes on from the last checkpoint; empty if there is none.
  [[nodiscard]] std::string resume_command(const std::vector<std::string>& words) const;

 private:
  ProgressLine line_;
  CheckpointFile file_;
  std::string state_;
};

}  // namespace norn
