#pragma once

// Many random programs, each compared with the reference.

#include <cstdint>
#include <optional>
#include <string>

#include "reference.hpp"
#include "subject.hpp"

namespace random_programs {

struct CampaignOptions {
  unsigned count = 500;
  std::uint64_t seed = 1;  // of the first program; the others follow
  unsigned jobs = 2;
  double max_interleavings = 20'000;
  unsigned max_failures = 3;  // give up after so many
  unsigned at_least = 0;      // so many must not be skipped for having too many interleavings
  bool constructs = false;    // programs with monitors, ports, entries and binary semaphores
  bool readers = false;       // programs with readers' locks
  bool both = false;          // programs with mutexes that are taken together
  bool failing = false;       // threads assert what often does not hold
  bool unjoined = false;      // main does not wait for the others
};

/// More skipped programs than this would mean that the check has become hollow.
inline constexpr double max_skipped_share = 0.08;

/// The program of a seed, cut until its interleavings are within the limit.
struct FittedProgram {
  Program program;
  Reference reference;
  bool trimmed = false;
};
FittedProgram fitted_program(std::uint64_t seed, const CampaignOptions& options);

/// Where the observation contradicts the reference, in words; nothing if they agree.
std::optional<std::string> contradiction(const Reference& reference, const Observation& observation, bool exhaustive);

/// Compares one program and prints both sets of outcomes; whether they agree.
bool check_one(Subject& subject, const Program& program);

/// Compares all programs, prints what disagrees (shrunk) and a summary; whether everything agrees and enough was
/// compared.
bool run_campaign(Subject& subject, const CampaignOptions& options);

/// Compares the subject with references that have a deliberate fault; whether each of the faults was noticed. The
/// faults are those of constructs if the programs have them, else the others.
bool run_self_check(Subject& subject, const CampaignOptions& options);

}  // namespace random_programs
