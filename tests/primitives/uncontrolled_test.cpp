// What cannot be controlled is named, and the verdict is never "pass".

#include "exploration.hpp"

namespace norn::test {
namespace {

struct Call {
  std::string name;
  std::string reason;  ///< part of what the verdict says
};

std::ostream& operator<<(std::ostream& stream, const Call& call) { return stream << call.name; }

class Uncontrolled : public testing::TestWithParam<Call> {};

TEST_P(Uncontrolled, IsNamed) {
  const auto& [name, reason] = GetParam();
  for (const std::string threads : {"fiber", "os"}) {
    SCOPED_TRACE(threads);
    const Checked checked = explore({"uncontrolled", name, {}}, {"--threads", threads, "--max-run-seconds", "0.3"});
    EXPECT_EQ(checked.verdict(), "incomplete") << checked.finished.error;
    EXPECT_EQ(checked.finished.exit_code, 3);
    const std::string reasons = checked.summary.value("reasons", nlohmann::json()).dump();
    EXPECT_NE(reasons.find(reason), std::string::npos) << reasons;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Calls, Uncontrolled,
    testing::Values(
        Call{"dlopen", "dlopen"}, Call{"fork", "fork"}, Call{"vfork", "vfork"}, Call{"system", "system"},
        Call{"popen", "popen"}, Call{"exec", "exec"}, Call{"clone", "system call"},
        Call{"pthread_cancel", "pthread_cancel"}, Call{"pthread_kill", "pthread_kill"}, Call{"kill", "kill"},
        Call{"raise", "raise"}, Call{"sigqueue", "sigqueue"}, Call{"alarm", "alarm"}, Call{"setitimer", "setitimer"},
        Call{"signal", "signal"}, Call{"sigaction", "sigaction"}, Call{"sigwait", "sigwait"}, Call{"pause", "pause"},
        Call{"read", "pipe"}, Call{"read_ready", "pipe"}, Call{"recv", "recv"}, Call{"poll", "poll"},
        Call{"select", "select"}, Call{"epoll_wait", "epoll_wait"}, Call{"waitpid", "waitpid"}, Call{"readv", "readv"},
        Call{"eventfd", "eventfd_read"}, Call{"clone_function", "clone"}, Call{"ppoll", "ppoll"},
        Call{"pselect", "pselect"}, Call{"epoll_pwait", "epoll_pwait"}, Call{"sigtimedwait", "sigtimedwait"},
        Call{"ualarm", "ualarm"}, Call{"semop", "semop"}, Call{"msgrcv", "msgrcv"}, Call{"_Fork", "_Fork"},
        Call{"daemon", "daemon"}, Call{"forkpty", "forkpty"}, Call{"wordexp", "wordexp"}, Call{"execle", "execve"},
        Call{"fexecve", "fexecve"}, Call{"execveat", "execveat"}, Call{"exec_call", "system call"},
        Call{"killpg", "killpg"}, Call{"tgkill", "tgkill"}, Call{"sysv_signal", "sysv_signal"},
        Call{"sigset", "sigset"}, Call{"stack", "pthread_attr_setstack"}, Call{"stack_size", "33554432 bytes"},
        Call{"urandom", "urandom"}, Call{"setrlimit", "setrlimit"}, Call{"prlimit", "prlimit"}, Call{"nice", "nice"},
        Call{"setpriority", "setpriority"}, Call{"sched_setaffinity", "sched_setaffinity"}, Call{"prctl", "prctl"},
        Call{"setsid", "setsid"}, Call{"fcntl", "fcntl"}, Call{"fgetc_ready", "stream"}, Call{"read_chk", "pipe"},
        Call{"recv_chk", "recv"}, Call{"poll_chk", "poll"}, Call{"open_2", "urandom"}, Call{"sbrk", "sbrk"},
        Call{"epoll_pwait2", "epoll_pwait2"}, Call{"accept4", "accept4"}, Call{"mq_send", "mq_send"},
        Call{"mq_timedsend", "mq_timedsend"}, Call{"mq_receive", "mq_receive"},
        Call{"mq_timedreceive", "mq_timedreceive"}, Call{"mq_notify", "mq_notify"},
        Call{"read_call", "system call (read)"}, Call{"poll_call", "system call (poll)"},
        Call{"epoll_wait_call", "system call (epoll_wait)"},
        Call{"mq_timedreceive_call", "system call (mq_timedreceive)"},
        Call{"futex_waitv_call", "system call (futex_waitv)"},
        Call{"io_uring_enter_call", "system call (io_uring_enter)"}, Call{"aio_read", "aio_read"},
        Call{"aio_write", "aio_write"}, Call{"aio_fsync", "aio_fsync"}, Call{"aio_suspend", "aio_suspend"},
        Call{"lio_listio", "lio_listio"}, Call{"aio_read64", "aio_read"}, Call{"getaddrinfo_a", "getaddrinfo_a"},
        Call{"dlopen_again", "dlopen"}, Call{"dlclose", "dlclose"}, Call{"futex_wait_call", "futex_wait"},
        Call{"flock", "several threads (flock)"}, Call{"flock_taken", "waits for a locked file (flock)"},
        Call{"fcntl_taken", "waits for a locked file (fcntl)"},
        // Not known by name: noticed because the same schedule comes to something else.
        Call{"stamp_printed", "printed something else"}, Call{"stamp_compared", "was another one"},
        // Not known by name: noticed because nothing happens any more.
        Call{"fgetc", "does not control"}, Call{"write", "does not control"}, Call{"sigsuspend", "does not control"}),
    [](const auto& test) { return test.param.name; });

/// In a process of its own a run that blocks is noticed from outside; whatever it is called, it is no pass.
TEST(UncontrolledCalls, BlockedProcess) {
  for (const std::string name : {"write", "fgetc"}) {
    const Checked checked = explore({"uncontrolled", name, {}}, {"--isolation", "fork", "--max-run-seconds", "0.3"});
    EXPECT_EQ(checked.verdict(), "incomplete");
  }
}

/// What a library that is loaded changes is gone with the process.
TEST(UncontrolledCalls, LibraryIsLoadedInAProcessOfItsOwn) {
  const Checked checked = explore({"uncontrolled", "dlopen", {}}, {"--isolation", "fork"});
  EXPECT_EQ(checked.verdict(), "pass") << checked.finished.error;
}

/// Blocking signals is harmless to others: it works, or it is named.
TEST(UncontrolledCalls, SignalMask) {
  const Checked checked = explore({"uncontrolled", "sigmask", {}});
  EXPECT_TRUE(checked.verdict() == "incomplete" || checked.outcomes.count({"ok", "done\n"}) == 1)
      << checked.finished.error;
}

TEST(UncontrolledCalls, SameRunsInAllWays) {
  std::vector<Case> cases;
  for (const std::string name : {"fork", "system", "pthread_cancel", "pthread_kill", "read", "read_ready", "signal"})
    cases.push_back({"uncontrolled", name, {}});
  expect_same_runs_in_all_ways(cases);
}

}  // namespace
}  // namespace norn::test
