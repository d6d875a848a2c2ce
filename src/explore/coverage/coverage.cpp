// Strategy coverage: runs that cover what no run before has covered. S. Hong, J. Ahn, S. Park, M. Kim, M. J. Harrold,
// "Testing concurrent programs to achieve high synchronization coverage", ISSTA 2012.
//
// Estimation phase: what can be covered is estimated from a run or a few. Testing phase: Algorithm 1 of the paper
// (explore/coverage/controller.hpp) decides who moves; what is covered, and what nobody estimated, is carried from run
// to run.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "explore/coverage/controller.hpp"
#include "explore/coverage/criterion.hpp"
#include "explore/coverage/saturation.hpp"
#include "explore/coverage/steps.hpp"
#include "explore/strategy.hpp"
#include "support/mathematics.hpp"
#include "support/plural.hpp"
#include "support/random.hpp"

namespace norn {
namespace {

using namespace coverage;

class Coverage final : public Strategy {
 public:
  explicit Coverage(const Options& options)
      : options_(options),
        criterion_(make_criterion(options.criterion)),
        controller_(!options.without_rule_3),
        window_(saturation_window(options)),
        estimations_left_(options.estimate_runs) {
    controller_.set_between_threads(criterion_->between_threads());
    for (const auto& [first, second] : options.covered) requirements_.add_covered({first, second});
    for (const auto& [first, second] : options.uncovered) requirements_.add({first, second}, true);
  }

  bool next(Prefix& prefix) override {
    if (is_saturated(curve_, window_, options_.saturation_threshold)) return false;
    prefix.clear();
    requirements_.end_run();
    ++run_;
    stream_ = SplitMix64(SplitMix64(options_.seed + run_ * 0x632be59bd9b4e019)());
    controller_.begin_run(stream_(), temper_of_next_run());
    seen_ = 0;
    return true;
  }

  std::size_t choose(const FreeChoice& at) override {
    follow(at);
    actions_.clear();
    first_choice_.clear();
    for (std::size_t i = 0; i < at.enabled.size(); ++i) {
      const ThreadId thread = at.enabled[i].thread;
      if (!actions_.empty() && actions_.back().thread == thread) continue;
      const Upcoming upcoming = at.threads->upcoming(thread);
      actions_.push_back({thread, criterion_->controls(upcoming.op), upcoming.object, upcoming.location});
      first_choice_.push_back(i);
    }
    const bool estimates = estimations_left_ != 0;
    const std::size_t chosen = estimates ? stream_.below(actions_.size()) : controller_.decide(actions_, requirements_);
    const std::size_t first = first_choice_[chosen];
    const std::size_t end = chosen + 1 < first_choice_.size() ? first_choice_[chosen + 1] : at.enabled.size();
    return first + (end - first == 1 ? 0 : stream_.below(end - first));
  }

  void learn(const Trace& trace) override {
    requirements_.end_run();
    // More lines than can be named: such a run is not understood as a whole.
    if (trace.unlocated) {
      ++unlocated_;
      return;
    }
    const bool is_estimation = estimations_left_ != 0;
    const bool estimates = is_estimation ? !is_too_early(trace) : leads_elsewhere(trace);
    const ThreadModel model(trace, estimates);
    if (estimates) estimate(model, is_estimation);
    if (estimates && is_estimation) --estimations_left_;
    for (const Pair& pair : criterion_->covered(trace, model)) requirements_.cover(pair, run_);
    in_vain_ = curve_.empty() || curve_.back() != static_cast<double>(requirements_.covered()) ? 0 : in_vain_ + 1;
    curve_.push_back(static_cast<double>(requirements_.covered()));
    runs_.push_back(run_);
    times_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  }

  [[nodiscard]] bool exhausts() const override { return false; }

  [[nodiscard]] std::string why_finished() const override {
    return fmt::format("coverage grew no more in the last {} (--saturation)", plural(window_, "run"));
  }

  [[nodiscard]] std::string leaves_out() const override {
    if (unlocated_ == 0) return {};
    return fmt::format(
        "what {} run{} covered does not count: it came from more places in the code than there is room for", unlocated_,
        unlocated_ == 1 ? "" : "s");
  }

  [[nodiscard]] std::string guarantee() const override {
    return fmt::format("{} ({} estimated)",
                       covered_share(requirements_.covered(), requirements_.all().size(), words(criterion_->name())),
                       requirements_.estimated());
  }

  [[nodiscard]] std::string coverage() const override {
    nlohmann::json result;
    result["criterion"] = criterion_->name();
    result["estimated"] = requirements_.estimated();
    result["covered"] = requirements_.covered();
    result["uncovered"] = requirements_.all().size() - requirements_.covered();
    result["infeasible"] = std::count_if(infeasible_.begin(), infeasible_.end(),
                                         [this](const Pair& pair) { return !requirements_.all().contains(pair); });
    const auto& rules = controller_.rules_used();
    result["rules"] = {rules[0], rules[1], rules[2]};
    nlohmann::json& list = result["requirements"] = nlohmann::json::array();
    std::uint64_t unestimated = 0;
    for (const auto& [pair, state] : requirements_.all()) {
      list.push_back({pair.first, pair.second, state.estimated, state.covered_in, state.times, state.covered_before});
      unestimated += !state.estimated && !state.covered_before;
    }
    result["found_later"] = unestimated;
    nlohmann::json& curve = result["curve"] = nlohmann::json::array();
    for (std::size_t i = 0; i < curve_.size(); ++i)
      if (i == 0 || i + 1 == curve_.size() || curve_[i] != curve_[i - 1])
        curve.push_back({runs_[i], curve_[i], times_[i]});
    return result.dump();
  }

 private:
  double chance() {
    constexpr std::uint64_t parts = 1U << 20;
    return static_cast<double>(stream_.below(parts)) / parts;
  }

  /// The rules lead to the same places again and again when nothing is left that they can bring about. The more runs
  /// were in vain, the more is left to chance, and the more runs aim at less.
  Temper temper_of_next_run() {
    if (in_vain_ == 0) return {};
    constexpr double patience = 1;
    constexpr double rank_changes[] = {1, 0.5, 0.25, 0.1, 0.03};
    Temper temper;
    temper.takes_unestimated = criterion_->counts_any_two();
    temper.unrest = static_cast<double>(in_vain_) / (static_cast<double>(in_vain_) + patience);
    temper.rank_change = rank_changes[stream_.below(std::size(rank_changes))];
    if (in_vain_ == 1) uncovered_ = requirements_.uncovered();
    if (!uncovered_.empty() && chance() < temper.unrest) temper.aim = &draw_aim();
    return temper;
  }

  /// A few of what is uncovered, or many, any number of digits being as likely as any other.
  const Requirements& draw_aim() {
    aim_ = {};
    const auto size = static_cast<std::size_t>(power(static_cast<double>(uncovered_.size()), chance()));
    for (std::size_t i = 0; i < size; ++i) aim_.add(uncovered_[stream_.below(uncovered_.size())], true);
    return aim_;
  }

  static std::string words(std::string_view name) {
    std::string text(name);
    for (char& c : text)
      if (c == '-') c = ' ';
    return text;
  }

  /// Which variables threads share is found out by running. Programs that share others in every run are estimated all
  /// the same.
  bool is_too_early(const Trace& trace) {
    constexpr unsigned patience = 10;
    return trace.shares_more && ++put_off_ <= patience;
  }

  /// A run that departed from the rules, because those before were in vain, may come to where no other did. What can
  /// be covered there is estimated like the rest.
  bool leads_elsewhere(const Trace& trace) { return in_vain_ != 0 && steps_.add(trace, *criterion_); }

  /// `at_first`: before anything is tested. What later estimations add counts as found later.
  void estimate(const ThreadModel& model, bool at_first) {
    const Estimated found = criterion_->estimate(model, options_.happens_before);
    for (const Pair& pair : found.accepted) requirements_.add(pair, at_first);
    infeasible_.insert(found.rejected.begin(), found.rejected.end());
    uncovered_ = requirements_.uncovered();
  }

  /// What has happened since the last choice.
  void follow(const FreeChoice& at) {
    const auto events = at.threads->events();
    const auto locations = at.threads->locations();
    for (; seen_ < events.size(); ++seen_) {
      const Event& event = events[seen_];
      const Action action{event.thread, true, event.object, locations[seen_]};
      if (!criterion_->controls(event.op)) continue;
      if (const auto pair = controller_.completes(action)) {
        requirements_.cover_for_now(*pair);
        aim_.cover_for_now(*pair);
      }
      if (criterion_->begins(event)) controller_.happened(event.thread, event.object, locations[seen_]);
    }
  }

  const Options options_;
  std::unique_ptr<Criterion> criterion_;
  Controller controller_;
  Requirements requirements_;
  Requirements aim_;             ///< of the run at hand, if it is not all that is uncovered
  std::vector<Pair> uncovered_;  ///< after the first run in vain, and what was estimated since
  std::set<Pair> infeasible_;    ///< rejected by an estimation; what others accept or runs cover does not count
  Steps steps_;
  std::size_t window_;
  std::uint64_t estimations_left_;
  unsigned put_off_ = 0;
  std::uint64_t run_ = 0;
  std::uint64_t unlocated_ = 0;  ///< runs that do not count
  std::uint64_t in_vain_ = 0;    ///< runs that covered nothing new, since the last that did
  std::vector<double> curve_;    ///< how much was covered, after each run that counted
  std::vector<std::uint64_t> runs_;
  std::vector<double> times_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  SplitMix64 stream_{0};
  std::size_t seen_ = 0;  ///< events of the run at hand
  std::vector<Action> actions_;
  std::vector<std::size_t> first_choice_;
};

}  // namespace

std::unique_ptr<Strategy> make_coverage(const Options& options) { return std::make_unique<Coverage>(options); }

}  // namespace norn
