#pragma once

// Whose outcomes are compared with the reference: Norn's, those of native runs, or (to test the check itself) those of
// the reference.

#include <memory>
#include <string>

#include "reference.hpp"

namespace random_programs {

struct Observation {
  enum class Kind { Complete, Incomplete, Error };

  Kind kind = Kind::Complete;
  Outcomes outcomes;
  std::string message;  // why incomplete, or what went wrong
};

/// Safe to use from several threads, each with its own `worker` number.
class Subject {
 public:
  virtual ~Subject() = default;

  /// Whether all outcomes are found; otherwise only some of them, none of which may be wrong.
  virtual bool is_exhaustive() const { return true; }

  virtual Observation observe(const Program& program, const Reference& reference, unsigned worker) = 0;
};

struct EngineOptions {
  std::string norn;         // the command
  std::string interpreter;  // compiled with norn-c++
  std::string strategy = "exhaustive";
  std::string extra;  // further options, separated by blanks
  unsigned long max_executions = 500'000;
  bool keeps_going = true;  // after a bug
};

/// What `norn check --outcomes FILE` wrote, in the words of the reference.
Outcomes read_outcomes(const std::string& file);

std::unique_ptr<Subject> make_engine(EngineOptions options);
std::unique_ptr<Subject> make_native(std::string interpreter, unsigned runs);
std::unique_ptr<Subject> make_model();

}  // namespace random_programs
