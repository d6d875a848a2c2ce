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
  void begin_run(Mode mode);
  [[nodiscard]] bool kept() const { return mode_ != Mode::discard; }
  /// What was kept of the last run.
  [[nodiscard]] std::string text() const;

 private:
  void direct(int output, int error);

  Mode mode_ = Mode::through;
  bool through_ = false;
  int original_output_;
  int original_error_;
  int nowhere_;
  int memory_;
};

}  // namespace norn::exec
