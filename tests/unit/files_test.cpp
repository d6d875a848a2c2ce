// What is written is read back the same: options as JSON, runs as trace files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/checkpoint.hpp"
#include "cli/traces.hpp"
#include "report/trace_file.hpp"
#include "support/error.hpp"
#include "support/options_json.hpp"
#include "trace/alternative.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Options unusual_options() {
  Options options;
  options.strategy = "exhaustive";
  options.seed = UINT64_MAX;
  options.pct_depth = 7;
  options.max_executions = UINT64_MAX - 1;
  options.max_seconds = 1.5;
  options.max_steps = 11;
  options.max_threads = 12;
  options.jobs = 3;
  options.preemptions = 2;
  options.chaos = 4;
  options.forget = 5;
  options.check_tables = true;
  options.max_memory = std::uint64_t{1} << 33;
  options.max_run_seconds = 0.25;
  options.keep_going = true;
  options.minimise = 99;
  options.wakeup = "fifo";
  options.spurious = 3;
  options.isolation = "fork";
  options.from_start = true;
  options.threads = "os";
  options.plain = "visible";
  options.races = "report";
  options.memory = "ignore";
  options.leaks = true;
  options.visible = {{16, 20}, {64, 72}};
  options.loops = {{3, 4}};
  options.releases_visible = true;
  options.readers_ordered = true;
  options.barriers_ordered = true;
  options.sends_visible = true;
  options.locks_one_by_one = true;
  options.t = 3;
  options.reduce = "pv";
  options.graph = true;
  options.criterion = "blocking-pairs";
  options.estimate_runs = 3;
  options.happens_before = true;
  options.without_rule_3 = true;
  options.saturation = 50;
  options.saturation_threshold = 0.5;
  options.covered = {{2, 3}};
  options.uncovered = {{3, 2}};
  options.progress = true;
  options.checkpoint = true;
  options.checkpoint_seconds = 0.5;
  options.resume = 77;
  options.self_check = true;
  options.sequence = "main mutex.lock * *\n";
  options.replays = true;
  options.outcomes = true;
  options.list_runs = true;
  options.list_behaviours = true;
  options.replay = "main mutex.lock -\n";
  options.compare = true;
  options.details = true;
  return options;
}

/// Without those that need another strategy, or one process.
Options unusual_options_that_fit() {
  Options options = unusual_options();
  options.reduce.clear();
  options.graph = options.check_tables = false;
  return options;
}

void expect_equal(const Options& a, const Options& b) {
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.pct_depth, b.pct_depth);
  EXPECT_EQ(a.max_executions, b.max_executions);
  EXPECT_EQ(a.max_seconds, b.max_seconds);
  EXPECT_EQ(a.max_steps, b.max_steps);
  EXPECT_EQ(a.max_threads, b.max_threads);
  EXPECT_EQ(a.max_memory, b.max_memory);
  EXPECT_EQ(a.max_run_seconds, b.max_run_seconds);
  EXPECT_EQ(a.keep_going, b.keep_going);
  EXPECT_EQ(a.minimise, b.minimise);
  EXPECT_EQ(a.wakeup, b.wakeup);
  EXPECT_EQ(a.spurious, b.spurious);
  EXPECT_EQ(a.isolation, b.isolation);
  EXPECT_EQ(a.from_start, b.from_start);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.plain, b.plain);
  EXPECT_EQ(a.races, b.races);
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.leaks, b.leaks);
  EXPECT_EQ(a.visible, b.visible);
  EXPECT_EQ(a.releases_visible, b.releases_visible);
  EXPECT_EQ(a.readers_ordered, b.readers_ordered);
  EXPECT_EQ(a.barriers_ordered, b.barriers_ordered);
  EXPECT_EQ(a.sends_visible, b.sends_visible);
  EXPECT_EQ(a.locks_one_by_one, b.locks_one_by_one);
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.reduce, b.reduce);
  EXPECT_EQ(a.graph, b.graph);
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.compare, b.compare);
  EXPECT_EQ(a.replays, b.replays);
  EXPECT_EQ(a.details, b.details);
  EXPECT_EQ(a.outcomes, b.outcomes);
  EXPECT_EQ(a.list_runs, b.list_runs);
  EXPECT_EQ(a.replay, b.replay);
}

TEST(OptionsAsJson, ComeBackTheSame) {
  for (const Options& options : {Options(), unusual_options()})
    expect_equal(json::parse(json(options).dump()).get<Options>(), options);
  // An option that is added without travelling would be silently lost; all are different from the default above.
  const json standard = Options();
  const json unusual = unusual_options();
  for (const auto& [name, value] : unusual.items()) EXPECT_NE(value, standard.at(name)) << name;
}

TEST(OptionsAsJson, MayBeOfAnotherVersion) {
  expect_equal(json::object().get<Options>(), Options());
  const Options options = json::parse(R"({"seed":5,"unknown":[1]})").get<Options>();
  EXPECT_EQ(options.seed, 5U);
  EXPECT_THROW((void)json::parse(R"({"seed":"x"})").get<Options>(), json::exception);
}

class TraceFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "norn-unit-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  static TraceFile example() {
    TraceFile trace;
    trace.program = "/path with/\"quotes\" and\nlines";
    trace.arguments = {"", "a b", "--", "tab\t", "gr\xc3\xbc\xc3\x9f"};
    trace.options = unusual_options_that_fit();
    trace.kind = "deadlock";
    trace.message = "a \"message\"\nof two lines";
    trace.thread = "main/2/1";
    trace.location = "queue.cpp:12";
    trace.events = {{"main", "mutex.lock", "-", "m", {"queue.cpp", 12, "push"}},
                    {"main/2/1", "condition.signal", "main/1", "not empty", {"a file.cpp", 20, ""}},
                    {"main/1", "condition.timed_sleep", "expires", "", {}}};
    trace.sources = {{"/path with/a file.cpp", "0123456789abcdef"}, {"/\xff.hpp", "fedcba9876543210"}};
    trace.given = {"/path with/a file.cpp", "/another.c"};
    return trace;
  }

  static void expect_equal_traces(const TraceFile& a, const TraceFile& b) {
    EXPECT_EQ(a.program, b.program);
    EXPECT_EQ(a.arguments, b.arguments);
    expect_equal(a.options, b.options);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.message, b.message);
    EXPECT_EQ(a.thread, b.thread);
    EXPECT_EQ(a.location, b.location);
    EXPECT_EQ(a.sources, b.sources);
    EXPECT_EQ(a.given, b.given);
    EXPECT_EQ(a.schedule(), b.schedule());
  }

  [[nodiscard]] fs::path file() const { return directory_ / "a trace"; }

  fs::path directory_;
};

TEST_F(TraceFiles, ComeBackTheSame) {
  write_trace(file(), example());
  expect_equal_traces(read_trace(file()), example());
  TraceFile empty;
  empty.program = "/p";
  empty.kind = "finished";
  write_trace(file(), empty);
  expect_equal_traces(read_trace(file()), empty);
}

TEST_F(TraceFiles, ComeBackTheSameWhateverFilesAndObjectsAreCalled) {
  TraceFile trace = example();
  trace.location = "two\nlines.cpp:3";
  trace.events[0].place.file = "two\nlines.cpp";
  trace.events[0].object = "operator\n";
  write_trace(file(), trace);
  expect_equal_traces(read_trace(file()), trace);
}

TEST_F(TraceFiles, ComeBackTheSameForPathsThatAreNotUnicode) {
  TraceFile trace = example();
  trace.program = "/path/\xff\xfe";
  trace.arguments = {"\x80"};
  write_trace(file(), trace);
  expect_equal_traces(read_trace(file()), trace);
}

TEST_F(TraceFiles, AreSchedulesForTheRuntime) {
  EXPECT_EQ(example().schedule(),
            "main mutex.lock -\nmain/2/1 condition.signal main/1\nmain/1 condition.timed_sleep expires\n");
}

TEST_F(TraceFiles, CanBeReadByPeople) {
  write_trace(file(), example());
  std::ifstream stream(file());
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(text.starts_with("norn-trace 1\n"));
  EXPECT_NE(text.find("\nevents 3\n1 main mutex.lock - at queue.cpp:12 on m\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\nend\n"));
}

TEST_F(TraceFiles, SayWhatIsWrongWithThem) {
  const auto complaint = [&](const std::string& text) -> std::string {
    std::ofstream(file()) << text;
    try {
      read_trace(file());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "norn-trace 1\nprogram \"/p\"\n";
  EXPECT_NE(complaint("").find("line 1: the file ends too early"), std::string::npos);
  EXPECT_NE(complaint("hello\n").find("line 1: it does not begin with"), std::string::npos);
  EXPECT_NE(complaint("norn-trace 9\n").find("version 9"), std::string::npos);
  EXPECT_NE(complaint(head + "events 1\n1 main no.op - at x on y\nend\n").find("`no.op`"), std::string::npos);
  EXPECT_NE(complaint(head + "events 1\n2 main mutex.lock -\nend\n").find("event 1 was expected"), std::string::npos);
  EXPECT_NE(complaint(head + "events 18446744073709551615\nend\n"), "");
  EXPECT_THROW(read_trace(directory_ / "gone"), InputError);
  EXPECT_THROW(write_trace(directory_ / "no" / "such" / "directory", example()), InputError);
  EXPECT_THROW(write_trace("/dev/full", example()), InputError);
}

TEST_F(TraceFiles, LeaveTheCheckpointsOfOtherProgramsAlone) {
  Program program;
  program.given = {"/one/queue.cpp"};
  const std::string first = directory_ / "queue.checkpoint";
  EXPECT_EQ(usual_checkpoint(program, directory_), first);
  CheckpointFile(first, {program.given, {}, {}}).write("state");
  EXPECT_EQ(usual_checkpoint(program, directory_), first) << "that is its own";
  program.given = {"/other/queue.cpp"};
  EXPECT_EQ(usual_checkpoint(program, directory_), directory_ / "queue-2.checkpoint");
  std::ofstream(directory_ / "queue-2.checkpoint") << "something else";
  EXPECT_EQ(usual_checkpoint(program, directory_), directory_ / "queue-3.checkpoint");
}

TEST(OperationNames, AreAllDifferentAndFoundAgain) {
  for (int i = 1; i < static_cast<int>(Op::count_); ++i) {
    const Op op = static_cast<Op>(i);
    EXPECT_FALSE(name(op).empty()) << i;
    EXPECT_EQ(op_named(name(op)), op) << name(op);
    EXPECT_EQ(name(op).find(' '), std::string_view::npos) << "names are words in traces: " << name(op);
  }
  EXPECT_EQ(op_named("no.such_operation"), Op::none);
  EXPECT_EQ(op_named(""), Op::none);
}

TEST(AlternativeText, IsOneWord) {
  std::vector<Identity> identities(3);
  identities[1] = {0, no_thread, 2, 1};
  identities[2] = {0, no_thread, no_thread, 2};
  const ThreadNames names(identities);
  EXPECT_EQ(alternative_text(Op::condition_signal, 2, names), "main/2");
  EXPECT_EQ(alternative_text(Op::condition_signal, no_thread, names), "nobody");
  EXPECT_EQ(alternative_text(Op::address_wake, 1, names), "main/1");
  EXPECT_EQ(alternative_text(Op::condition_timed_sleep, expires, names), "expires");
  EXPECT_EQ(alternative_text(Op::condition_sleep, wakes_spuriously, names), "spurious");
  EXPECT_EQ(alternative_text(Op::mutex_lock, 0, names), "-");
  // The main thread can be the one that waits.
  EXPECT_EQ(alternative_text(Op::condition_signal, main_thread, names), "main");
  EXPECT_NE(alternative_text(Op::address_wake, main_thread, names), alternative_text(Op::address_wake, 1, names));
}

}  // namespace
}  // namespace norn
