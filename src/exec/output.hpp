#pragma once

#include <string>

namespace norn::exec {

/// Where the program's standard output and error go during runs: nowhere, or into memory.
class Output {
 public:
  enum class Mode { through, discard, standard_output, everything };

  Output();
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Lets the output of the program through to where it belongs, whatever mode is asked for.
  void let_through() { through_ = true; }
  /// `separate`: the run happens in another process, so that only what it writes to a file reaches this one. The run
  /// goes on from one before that had written `written` bytes by then.
  void begin_run(Mode mode, bool separate, std::size_t written = 0);
  /// What was kept of the last run.
  [[nodiscard]] std::string text() const;

 private:
  friend void end_output(bool orderly);
  friend std::size_t written_output();
  [[nodiscard]] std::size_t written() const;
  void direct(int output, int error);
  [[nodiscard]] bool keeps() const { return mode_ == Mode::standard_output || mode_ == Mode::everything; }

  Mode mode_ = Mode::through;
  bool through_ = false;
  bool separate_ = false;
  std::string unwritten_;  ///< what the run left in the buffer of its standard output
  int original_output_;
  int original_error_;
  int nowhere_;
  int memory_;
};

/// The program ends and its output is flushed, if anybody wants it. `orderly`: as exit() would; a program that is
/// aborted loses what is in its buffers, but whoever looks for a bug wants to see it.
void end_output(bool orderly);

/// So many bytes have been written by the run so far and are kept.
std::size_t written_output();

}  // namespace norn::exec
