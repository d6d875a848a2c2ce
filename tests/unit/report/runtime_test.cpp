// From what the runtime sends to a report: addresses become names, and keys that an older runtime does not send are no
// loss.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <fstream>

#include "report/report.hpp"
#include "report/summary.hpp"
#include "scenarios.hpp"

/// Objects and code of this very program, for the addresses of a bug.
int norn_test_counter[4];
[[gnu::noinline]] std::uint64_t norn_test_site() {
  return reinterpret_cast<std::uint64_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
}

namespace norn::test {
namespace {

using nlohmann::json;

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

json own_module() {
  link_map* map = nullptr;
  dlinfo(dlopen(nullptr, RTLD_LAZY), RTLD_DI_LINKMAP, &map);
  std::string self(4096, '\0');
  self.resize(static_cast<std::size_t>(std::max<ssize_t>(0, readlink("/proc/self/exe", self.data(), self.size()))));
  return {{"path", self}, {"begin", map->l_addr}, {"end", map->l_addr + (1U << 30)}, {"bias", map->l_addr}};
}

json bug(const char* kind) { return {{"kind", kind}, {"message", "it happened"}, {"thread", "main/1"}}; }

Report read(const json& bug) {
  return make_report("p.cpp", {{"bugs", {bug}},
                               {"modules", {own_module()}},
                               {"memory",
                                {{{"what", "stack of main"}, {"begin", 0x1000}, {"end", 0x2000}},
                                 {{"what", "heap of main"}, {"begin", 0x8000}, {"end", 0x9000}}}}});
}

TEST(FromRuntime, LittleIsEnough) {
  const Report report = make_report("p.cpp", {{"bugs", {bug("assertion")}}});
  ASSERT_EQ(report.bugs.size(), 1U);
  EXPECT_EQ(report.bugs[0].kind, "assertion");
  EXPECT_EQ(report.bugs[0].count, 1U);
  EXPECT_TRUE(report.bugs[0].reproduced);
  EXPECT_NE(to_text(report, {}).find("It happened in thread main/1."), std::string::npos) << to_text(report, {});
  EXPECT_EQ(make_report("p.cpp", json::object()).verdict(), "incomplete");
}

TEST(FromRuntime, NullIsNothing) {
  json sent = bug("memory");
  for (const char* const key : {"block", "accesses", "held", "minimised", "events", "blocked", "stack"})
    sent[key] = nullptr;
  const ReportedBug read_bug = read(sent).bugs[0];
  EXPECT_FALSE(read_bug.block);
  EXPECT_FALSE(read_bug.minimised);
}

TEST(FromRuntime, ObjectsAreNamed) {
  json sent = bug("assertion");
  const auto event = [](std::uint64_t object, std::uint64_t value) {
    return json{{"thread", "main"}, {"operation", "atomic.store"}, {"object", object}, {"value", value}};
  };
  sent["events"] = {event(number(&norn_test_counter[2]), 3), event(0x1010, 0xffffffff), event(0x8010, UINT64_MAX),
                    event(0x1010, number(&norn_test_counter[1])), event(7, std::uint64_t{1} << 40)};
  const ReportedBug read_bug = read(sent).bugs[0];
  std::vector<std::string> objects;
  std::vector<std::string> values;
  for (const ReportedEvent& each : read_bug.events) {
    objects.push_back(each.object);
    values.push_back(each.value);
  }
  EXPECT_EQ(objects, (std::vector<std::string>{"norn_test_counter[2]", "#1", "#2", "#1", "#3"}));
  EXPECT_EQ(values, (std::vector<std::string>{"3", "-1", "-1", "&norn_test_counter[1]", "0x10000000000"}));
  const std::vector<std::pair<std::string, std::string>> legend = {
      {"#1", "on the stack of main"}, {"#2", "on the heap of main"}, {"#3", "at 0x7"}};
  EXPECT_EQ(read_bug.legend, legend);
}

TEST(FromRuntime, PlacesAreNamed) {
  json sent = bug("assertion");
  sent["stack"] = {norn_test_site()};
  const int line = __LINE__ - 1;
  const ReportedBug read_bug = read(sent).bugs[0];
  EXPECT_EQ(read_bug.place.base_text(), "runtime_test.cpp:" + std::to_string(line));
  ASSERT_FALSE(read_bug.stack.empty());
  EXPECT_EQ(read_bug.stack[0].base_text(), read_bug.place.base_text());
}

TEST(FromRuntime, RacesHaveTwoAccesses) {
  json sent = bug("data-race");
  const std::uint64_t mutex = number(&norn_test_counter[3]);
  const auto access = [&](const char* thread, const char* action, std::uint64_t address) {
    return json{{"thread", thread}, {"action", action}, {"address", address},
                {"size", 4},        {"step", 0},        {"locks", {{{"object", mutex}}}}};
  };
  sent["accesses"] = {access("main", "reads", number(norn_test_counter)), access("main/1", "writes", 0x1020)};
  const ReportedBug read_bug = read(sent).bugs[0];
  ASSERT_EQ(read_bug.accesses.size(), 2U);
  EXPECT_EQ(read_bug.accesses[0].object, "norn_test_counter[0]");
  EXPECT_EQ(read_bug.accesses[1].object, "#1");
  EXPECT_EQ(read_bug.accesses[1].what, "a variable on the stack of main");
  ASSERT_EQ(read_bug.accesses[1].locks.size(), 1U);
  EXPECT_EQ(read_bug.accesses[1].locks[0].object, "norn_test_counter[3]");
}

TEST(FromRuntime, ARaceIsWhereItsSecondAccessIs) {
  json sent = bug("data-race");
  const std::uint64_t end_of_run = norn_test_site();
  const std::uint64_t second = norn_test_site();
  const int line = __LINE__ - 1;
  sent["thread"] = "main";
  sent["stack"] = {end_of_run};
  const auto access = [](const char* thread, std::uint64_t site) {
    return json{{"thread", thread}, {"address", number(norn_test_counter)}, {"size", 4}, {"stack", {site}}};
  };
  sent["accesses"] = {access("main/1", end_of_run), access("main/2", second)};
  const ReportedBug read_bug = read(sent).bugs[0];
  EXPECT_EQ(read_bug.thread, "main/2");
  EXPECT_EQ(read_bug.place.base_text(), "runtime_test.cpp:" + std::to_string(line));
  ASSERT_FALSE(read_bug.stack.empty());
  EXPECT_EQ(read_bug.stack[0].line, line);
}

TEST(FromRuntime, BlocksNameWhatIsInThem) {
  json sent = bug("memory");
  sent["accesses"] = {{{"thread", "main/1"}, {"action", "reads"}, {"address", 0x8010}, {"size", 4}, {"step", 0}}};
  sent["block"] = {{"begin", 0x8000},
                   {"size", 24},
                   {"allocated", {{"thread", "main"}}},
                   {"freed", {{"thread", "main/2"}, {"step", 0}}}};
  const ReportedBug read_bug = read(sent).bugs[0];
  ASSERT_TRUE(read_bug.block && read_bug.block->freed);
  EXPECT_EQ(read_bug.accesses[0].what, "the heap block of 24 bytes");
  EXPECT_EQ(read_bug.legend[0].second, "at offset 16 in the heap block of 24 bytes allocated by main");
  EXPECT_EQ(summarize(read_bug),
            "Thread main/2 freed a heap block of 24 bytes. Thread main/1 then reads 4 bytes of it. "
            "The block was allocated by thread main.");
}

TEST(FromRuntime, WarningsAreKept) {
  const std::uint64_t first = number(&norn_test_counter[0]);
  const std::uint64_t second = number(&norn_test_counter[1]);
  const auto step = [](const char* thread, std::uint64_t holds, std::uint64_t wants) {
    return json{{"thread", thread}, {"holds", holds}, {"wants", wants}};
  };
  const json sent = {{"modules", {own_module()}},
                     {"warnings",
                      {{{"kind", "lock-order"},
                        {"message", "m"},
                        {"cycle", {step("main", first, second), step("main/1", second, first)}}}}}};
  const Report report = make_report("p.cpp", sent);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(
      summarize(report.warnings[0]).find("thread main/1 holds norn_test_counter[1] when it locks norn_test_counter[0]"),
      std::string::npos)
      << summarize(report.warnings[0]);
}

TEST(SummaryFile, SaysWhatTheTextSays) {
  const Report report = scenarios().at("race_with_locks");
  const json written = to_json(report).at("bugs").at(0);
  EXPECT_EQ(written.at("kind"), "data-race");
  EXPECT_EQ(written.at("location"), "src/queue.cpp:33");
  EXPECT_EQ(written.at("summary"), summarize(report.bugs[0]));
  ASSERT_EQ(written.at("accesses").size(), 2U);
  const json& second = written.at("accesses").at(1);
  EXPECT_EQ(second.at("thread"), "main/2");
  EXPECT_EQ(second.at("action"), "reads");
  EXPECT_EQ(second.at("object"), "counter");
  EXPECT_EQ(second.at("location"), "src/queue.cpp:42");
  EXPECT_EQ(second.at("locks").at(0).at("object"), "other_mutex");
  EXPECT_EQ(second.at("locks").at(0).at("location"), "src/queue.cpp:40");
}

TEST(SummaryFile, HasWaitsAndWarnings) {
  const json deadlock = to_json(scenarios().at("deadlock_of_2_threads")).at("bugs").at(0);
  ASSERT_EQ(deadlock.at("waits").size(), 3U);
  EXPECT_EQ(deadlock.at("waits").at(1).at("holder"), "main/2");
  EXPECT_EQ(deadlock.at("waits").at(1).at("object"), "fork[2]");
  const json warned = to_json(scenarios().at("lock_order"));
  ASSERT_EQ(warned.at("warnings").size(), 1U);
  EXPECT_EQ(warned.at("warnings").at(0).at("kind"), "lock-order");
  EXPECT_EQ(warned.at("warnings").at(0).at("cycle").size(), 2U);
}

}  // namespace
}  // namespace norn::test
