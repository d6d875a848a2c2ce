#pragma once

#include <chrono>
#include <string>

namespace studies {

/// On what a study is measured, and how much other programs disturb it, from when this object is made.
class Circumstances {
 public:
  Circumstances();
  /// As a sentence.
  [[nodiscard]] std::string text() const;

 private:
  /// Seconds of processors since the machine was started.
  struct Times {
    double busy = 0;
    double all = 0;
  };
  static Times times();

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Times before_;
};

}  // namespace studies
