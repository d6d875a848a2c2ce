#pragma once

#include <sys/types.h>

#include <chrono>
#include <deque>

#include "exec/lookout.hpp"
#include "exec/shared_memory.hpp"
#include "exec/worker.hpp"
#include "support/random.hpp"

namespace norn::exec {

/// Processes that explore together. This one only hands out the work and puts together what they find; it knows of
/// every worker what that has to do, so that one that dies can be replaced.
class Crew {
 public:
  /// `requests` has room for one of each worker, in memory that they share.
  Crew(Options& options, Body body, std::span<std::byte> stack, const Descent& descent,
       std::span<std::atomic<std::uint32_t>> requests, Lookout& lookout);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  struct Result {
    Stop stop = Stop::exhausted;
    Standing standing;
    std::uint64_t peak_memory = 0;  ///< of all workers together
  };
  /// All of it, or what is left. What is found out about the program on the way is in the options afterwards.
  Result explore(const Standing* from);

 private:
  using Clock = std::chrono::steady_clock;

  /// What one worker is to do, or waits for somebody to do it.
  struct Unit {
    std::vector<Piece> pieces;
    unsigned kills = 0;  ///< of those who were at it
    unsigned crashes = 0;
  };
  struct Member {
    pid_t process = 0;
    Channel channel;
    bool works = false;
    Unit unit;
    std::uint64_t runs = 0;   ///< that it may still do, if there is a limit
    std::uint32_t asked = 0;  ///< the request that it has not answered yet
    Clock::time_point reported;
    double seconds_to_report = 0;  ///< the last time
    std::uint64_t peak_memory = 0;
  };

  void begin(std::string_view strategy);
  void resume(const Standing& from);
  [[nodiscard]] Standing standing() const;
  [[nodiscard]] std::vector<Piece> left() const;
  void give_up_on_the_rest();
  void look();
  void hire();
  void hire_others();
  [[noreturn]] void become_worker(std::size_t index, Channel channel);
  void dismiss(Member& member);
  void replace(Member& member);
  void bury(Member& member);
  void assign();
  void assign(Member& member);
  void ask();
  void ask(Member& member, Request request);
  void listen();
  bool hear(Member& member, Report report);
  void end(Stop stop);
  void wreak_havoc();
  [[nodiscard]] std::size_t at_work() const;
  [[nodiscard]] double elapsed() const;

  Options& options_;
  Body body_;
  std::span<std::byte> stack_;
  const Descent& descent_;
  std::span<std::atomic<std::uint32_t>> requests_;  ///< shared with the workers
  Lookout& lookout_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point began_;
  std::vector<Member> members_;
  std::deque<Unit> waiting_;
  std::uint64_t runs_ = 0;  ///< that nobody has been given yet, if there is a limit
  bool limited_ = false;
  bool ending_ = false;
  Clock::time_point ending_since_;
  Fingerprints fingerprints_;
  std::string_view strategy_;
  std::string remark_;  ///< that another strategy was wanted
  Findings findings_;
  double seconds_before_ = 0;
  Stop stop_ = Stop::exhausted;
  SplitMix64 chaos_;
};

}  // namespace norn::exec
