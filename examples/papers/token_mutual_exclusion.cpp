// Distributed mutual exclusion by a token (Suzuki and Kasami): who has the token may be in its critical section.
// Process 0 has it at first; the others send numbered requests to all and wait for it. The token knows which requests
// have been served and who waits for it. Every process has two threads, one that enters the critical section once and
// one that takes requests, and a lock for what both use.
//
// Arguments: processes (3). By default it has 24 behaviours.
//
// norn: pass
#include <norn/lock.hpp>
#include <norn/port.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "arguments.hpp"

struct token {
  std::vector<int> served;          ///< for every process, the number of its last request that was served
  std::deque<std::size_t> waiting;  ///< who gets the token next
};

class process {
 public:
  process(std::size_t id, std::size_t processes, std::deque<process>& all)
      : id_(id), all_(all), requested_(processes) {}

  token enter_critical_section() {
    if (id_ == 0) return {std::vector<int>(all_.size()), {}};
    const request mine = {++requested_[id_], id_};
    for (process& other : all_)
      if (&other != this) other.requests_.send(mine);
    return tokens_.receive();
  }

  void leave_critical_section(token token) {
    const std::lock_guard guard(lock_);
    token.served[id_] = requested_[id_];
    for (std::size_t other = 0; other < all_.size(); ++other)
      if (is_due(other, token) && std::ranges::find(token.waiting, other) == token.waiting.end())
        token.waiting.push_back(other);
    if (token.waiting.empty()) {
      idle_token_ = std::move(token);
    } else {
      const std::size_t next = token.waiting.front();
      token.waiting.pop_front();
      all_[next].tokens_.send(std::move(token));
    }
  }

  /// Every process but 0 sends one request to all others.
  void take_requests() {
    for (std::size_t left = id_ == 0 ? all_.size() - 1 : all_.size() - 2; left != 0; --left) {
      const request other = requests_.receive();
      const std::lock_guard guard(lock_);
      requested_[other.id] = std::max(requested_[other.id], other.number);
      if (idle_token_ && is_due(other.id, *idle_token_)) {
        all_[other.id].tokens_.send(std::move(*idle_token_));
        idle_token_.reset();
      }
    }
  }

  bool has_idle_token() const { return idle_token_.has_value(); }

 private:
  struct request {
    int number;
    std::size_t id;
  };

  bool is_due(std::size_t id, const token& token) const { return requested_[id] == token.served[id] + 1; }

  const std::size_t id_;
  std::deque<process>& all_;
  norn::port<request> requests_;
  norn::port<token> tokens_;
  norn::lock lock_;
  std::vector<int> requested_;       ///< for every process, the number of its last request
  std::optional<token> idle_token_;  ///< the token, while it is here and nobody needs it
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const auto processes = static_cast<std::size_t>(given.size("processes", 3));
  given.end();

  std::deque<process> all;
  for (std::size_t id = 0; id < processes; ++id) all.emplace_back(id, processes, all);
  std::size_t visits = 0;  // two processes in their critical sections would be a data race

  std::vector<std::thread> threads;
  for (process& process : all) {
    threads.emplace_back([&] {
      token token = process.enter_critical_section();
      ++visits;
      process.leave_critical_section(std::move(token));
    });
    threads.emplace_back([&] { process.take_requests(); });
  }
  for (std::thread& thread : threads) thread.join();

  assert(visits == processes);
  assert(std::ranges::count_if(all, &process::has_idle_token) == 1);
}
