#include "exec/crew.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "exec/fatal.hpp"
#include "exec/process_heap.hpp"
#include "exec/real.hpp"

namespace norn::exec {
namespace {

/// An exploration that is over sooner needs no others.
constexpr double seconds_alone = 0.005;
/// So much is lost if a worker dies.
constexpr double seconds_between_reports = 0.25;
/// Which may take one part in so many of the time.
constexpr double part_of_time = 50;
/// Where one has died before.
constexpr double seconds_between_reports_in_danger = 0.02;
/// Whoever had nothing to give is not asked again at once.
constexpr double seconds_between_requests = 0.001;
/// A part of the work over which so many workers crashed, or were killed, one after the other, is left out.
constexpr unsigned most_crashes = 3;
constexpr unsigned most_kills = 1000;

constexpr int exit_code_of_fatal = 4;

/// So long somebody who wants to stop waits for workers.
constexpr double patience_with_workers = 1;

/// Ctrl-C may reach all processes: the crew ends the exploration.
void take_signals_as_worker() {
  for (const int ignored : {SIGINT, SIGTERM, SIGHUP}) NORN_REAL(signal)(ignored, SIG_IGN);
}

double seconds_since(std::chrono::steady_clock::time_point moment) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count();
}

}  // namespace

Crew::Crew(Options& options, Body body, std::span<std::byte> stack, const Descent& descent,
           std::span<std::atomic<std::uint32_t>> requests, Lookout& lookout)
    : options_(options),
      body_(body),
      stack_(stack),
      descent_(descent),
      requests_(requests),
      lookout_(lookout),
      chaos_(options.chaos) {
  members_.reserve(options.jobs);
}

Crew::~Crew() {
  for (Member& member : members_) dismiss(member);
}

Crew::Result Crew::explore(const Standing* from) {
  begin(from != nullptr ? find_strategy(from->strategy)->name : Explorer::first_strategy(options_));
  if (from != nullptr) resume(*from);
  for (;;) {
    assign();
    if (at_work() == 0) break;
    if (stop_requested) end(Stop::asked);
    if (options_.max_seconds != 0 && elapsed() >= options_.max_seconds) end(Stop::time);
    if (stop_requested && seconds_since(ending_since_) >= patience_with_workers) give_up_on_the_rest();
    hire_others();
    ask();
    if (options_.chaos != 0) wreak_havoc();
    listen();
    if (lookout_.is_due()) look();
  }
  if (!ending_ && !waiting_.empty()) stop_ = Stop::budget;
  Result result{stop_, standing()};
  for (const Member& member : members_) result.peak_memory += member.peak_memory;
  return result;
}

/// From the beginning, with what is known by now.
void Crew::begin(std::string_view strategy) {
  for (Member& member : members_) dismiss(member);
  members_.clear();
  waiting_.clear();
  strategy_ = strategy;
  findings_ = {};
  fingerprints_ = {};
  began_ = Clock::now();
  const auto whole = find_strategy(strategy)->create(options_);
  waiting_.push_back({whole->pieces()});
  runs_ = run_limit(options_, whole->exhausts());
  limited_ = runs_ != 0;
  hire();
}

/// From where another process left off.
void Crew::resume(const Standing& from) {
  findings_ = from.findings;
  fingerprints_.add_all(from.fingerprints);
  if (from.too_many) fingerprints_.give_up();
  remark_ = from.remark;
  seconds_before_ = from.seconds;
  runs_ -= std::min(runs_, findings_.executions + findings_.partial_runs);
  waiting_.clear();
  if (!from.left.empty()) waiting_.push_back({from.left});
  if (!findings_.bugs.empty() && !options_.keep_going) end(Stop::bug);
}

/// What workers are known to have left, and what waits for them.
std::vector<Piece> Crew::left() const {
  std::vector<Piece> pieces;
  const auto add = [&pieces](const Unit& unit) { pieces.insert(pieces.end(), unit.pieces.begin(), unit.pieces.end()); };
  for (const Unit& unit : waiting_) add(unit);
  for (const Member& member : members_)
    if (member.works) add(member.unit);
  return pieces;
}

Standing Crew::standing() const {
  return {
      std::string(strategy_),     remark_, findings_, fingerprints_.all_but_new(), fingerprints_.are_too_many(), left(),
      seconds_before_ + elapsed()};
}

void Crew::look() {
  const Clock::time_point begin = Clock::now();
  const std::vector<Piece> pieces = left();
  Progress progress{findings_.executions, findings_.partial_runs, fingerprints_.count(), findings_.bugs.size()};
  if (findings_.exhausts) progress.frontier = pieces.size();
  progress.estimate = estimate(findings_.executions, pieces);
  progress.seconds = seconds_before_ + elapsed();
  lookout_.look(
      progress, [this] { return standing(); }, LearnedFacts::told_by(options_), begin);
}

/// Somebody wants to stop, and runs that do not end must not keep him from it: what they belong to is left to do.
void Crew::give_up_on_the_rest() {
  for (Member& member : members_) {
    if (!member.works) continue;
    dismiss(member);
    member.works = false;
    waiting_.push_back(std::move(member.unit));
  }
}

void Crew::hire() { replace(members_.emplace_back()); }

/// A new process for a member.
void Crew::replace(Member& member) {
  const auto index = static_cast<std::size_t>(&member - members_.data());
  requests_[index] = nothing;
  auto [mine, theirs] = Channel::make();
  const pid_t process = fork_norn();
  if (process < 0) fatal("cannot start a worker process (too many processes?)");
  if (process == 0) become_worker(index, std::move(theirs));
  member.process = process;
  member.channel = std::move(mine);
  member.works = false;
  member.asked = nothing;
}

void Crew::become_worker(std::size_t index, Channel channel) {
  take_signals_as_worker();
  Options options = options_;
  options.max_seconds = 0;  // the crew looks at the clock
  Engine engine(options, body_, stack_, descent_);
  engine.keep_output(options.outcomes);
  Worker worker{options, strategy_, engine, channel, requests_[index]};
  engine.drive([](void* argument) { static_cast<Worker*>(argument)->work(); }, &worker);
  NORN_REAL(_exit)(0);
  __builtin_unreachable();
}

void Crew::dismiss(Member& member) {
  if (member.process == 0) return;
  NORN_REAL(kill)(member.process, SIGKILL);
  while (NORN_REAL(waitpid)(member.process, nullptr, 0) < 0 && errno == EINTR) {
  }
  member.channel.close();
  member.process = 0;
}

void Crew::hire_others() {
  if (ending_ || members_.size() == options_.jobs || (seconds_since(began_) < seconds_alone && options_.chaos == 0))
    return;
  while (members_.size() < options_.jobs) hire();
}

void Crew::assign() {
  for (Member& member : members_)
    if (!ending_ && !member.works && !waiting_.empty() && (!limited_ || runs_ != 0)) assign(member);
}

void Crew::assign(Member& member) {
  member.unit = std::move(waiting_.front());
  waiting_.pop_front();
  Assignment assignment{member.unit.pieces, 0};
  if (limited_) {
    // Not all at once, so that the others get some too.
    assignment.runs = member.runs = std::max<std::uint64_t>(1, runs_ / (2 * options_.jobs));
    runs_ -= assignment.runs;
  }
  member.works = true;
  member.asked = nothing;
  member.reported = Clock::now();
  member.channel.send(pack(assignment));  // if it is dead, we shall hear of it
}

/// Those who have nothing to do need somebody who shares, and those who work report from time to time.
void Crew::ask() {
  std::size_t idle = waiting_.empty() && (!limited_ || runs_ != 0) && !ending_ ? members_.size() - at_work() : 0;
  for (const Member& member : members_) idle -= member.works && member.asked == share && idle != 0 ? 1 : 0;
  for (Member& member : members_) {
    if (!member.works || member.asked != nothing) continue;
    const double usual =
        std::max(std::min(seconds_between_reports, lookout_.period()), part_of_time * member.seconds_to_report);
    const double silent = seconds_since(member.reported);
    if (idle != 0 && (silent >= seconds_between_requests || options_.chaos != 0)) {
      ask(member, share);
      --idle;
    } else if (silent >= (member.unit.kills + member.unit.crashes == 0 ? usual : seconds_between_reports_in_danger)) {
      ask(member, report);
    }
  }
}

void Crew::ask(Member& member, Request request) {
  member.asked = request;
  requests_[static_cast<std::size_t>(&member - members_.data())] = request;
}

/// Waits for news, but not long: others may have to be asked.
void Crew::listen() {
  std::vector<pollfd> channels;
  for (const Member& member : members_)
    channels.push_back({member.process == 0 ? -1 : member.channel.descriptor(), POLLIN, 0});
  const bool somebody_waits = at_work() < options_.jobs && !ending_;
  const int patience = somebody_waits ? 1 : 50;
  NORN_REAL(poll)(channels.data(), channels.size(), patience);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].revents == 0) continue;
    Member& member = members_[i];
    const bool lives = member.channel.read();
    while (const std::optional<std::string> message = member.channel.take())
      if (!hear(member, unpack<Report>(*message))) return;  // all has begun anew
    if (!lives) bury(member);
  }
}

/// False if all begins anew.
bool Crew::hear(Member& member, Report report) {
  if (report.stop == Stop::restart || report.stop == Stop::unsuitable) {
    report.facts.tell(options_);
    const std::string& reason = report.findings.unsuitable;
    if (report.stop == Stop::unsuitable) remark_ += Explorer::hand_over(strategy_, reason, options_);
    begin(report.stop == Stop::restart ? strategy_ : Explorer::successor(strategy_, options_));
    return false;
  }
  const std::uint64_t runs = report.findings.executions + report.findings.partial_runs;
  findings_.merge(std::move(report.findings));
  fingerprints_.add_all(report.fingerprints);
  if (!report.given_away.empty()) waiting_.push_back({std::move(report.given_away)});
  member.unit = {std::move(report.left)};
  member.runs -= std::min(member.runs, runs);
  member.peak_memory = report.peak_memory;
  member.seconds_to_report = report.seconds;
  member.reported = Clock::now();
  member.asked = nothing;
  member.works = report.goes_on;
  if (!member.works) {
    runs_ += std::exchange(member.runs, 0);
    if (!member.unit.pieces.empty()) waiting_.push_back(std::move(member.unit));
  }
  if (report.stop == Stop::bug) {
    report.facts.tell(options_);
    end(Stop::bug);
  }
  return true;
}

/// What a dead worker had to do is done by another one.
void Crew::bury(Member& member) {
  int status = 0;
  while (NORN_REAL(waitpid)(member.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == exit_code_of_fatal) NORN_REAL(_exit)(exit_code_of_fatal);
  if (member.works) {
    runs_ += std::exchange(member.runs, 0);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (++(killed ? member.unit.kills : member.unit.crashes) < (killed ? most_kills : most_crashes)) {
      waiting_.push_front(std::move(member.unit));
    } else {
      findings_.notes.emplace_back(
          "several worker processes died over the same part of the exploration, which was left out");
    }
  }
  member.process = 0;
  member.works = false;
  if (!ending_) replace(member);
}

/// For tests: what must not change anything happens all the time.
void Crew::wreak_havoc() {
  constexpr std::uint64_t one_in = 24;
  for (Member& member : members_) {
    const std::uint64_t dice = chaos_.below(one_in);
    if (dice == 0 && member.process != 0) NORN_REAL(kill)(member.process, SIGKILL);
    if (dice % 2 == 1 && member.works && member.asked == nothing) ask(member, share);
  }
  NORN_REAL(usleep)(static_cast<useconds_t>(chaos_.below(2000)));
}

/// The workers stop after the runs at hand.
void Crew::end(Stop stop) {
  if (std::exchange(ending_, true)) return;
  ending_since_ = Clock::now();
  stop_ = stop;
  for (Member& member : members_)
    if (member.works) ask(member, Request::stop);
}

std::size_t Crew::at_work() const {
  return static_cast<std::size_t>(
      std::count_if(members_.begin(), members_.end(), [](const Member& member) { return member.works; }));
}

double Crew::elapsed() const { return seconds_since(start_); }

}  // namespace norn::exec
