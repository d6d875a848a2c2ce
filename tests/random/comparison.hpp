#pragma once

// Two strategies on the same random programs, behaviour by behaviour: the one under test must show every behaviour that
// the exhaustive one shows, and each exactly once.

#include <cstdint>
#include <string>

#include "campaign.hpp"
#include "subject.hpp"

namespace random_programs {

/// Compares all programs, prints what disagrees (shrunk) and a summary; whether everything agrees and enough was
/// compared.
bool run_comparison(const EngineOptions& engine, const std::string& strategy, const CampaignOptions& options);

/// Compares one program and says what is different; whether they agree.
bool compare_one(const EngineOptions& engine, const std::string& strategy, const Program& program);

}  // namespace random_programs
