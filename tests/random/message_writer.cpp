#include "message_writer.hpp"

#include <algorithm>
#include <utility>

namespace random_programs {
namespace {

class MessageWriter {
 public:
  MessageWriter(Random& random, const Habits& habits, bool unjoined)
      : random_(random), habits_(habits), unjoined_(unjoined), first_(random.chance(60) ? 1 : 0) {}

  std::vector<std::vector<Operation>> write() {
    plans_.resize(first_ + random_.between(2, 4));
    choose_ports();
    choose_receivers();
    for (unsigned t = first_; t < plans_.size(); ++t) plan_messages(t);
    std::vector<std::vector<Operation>> threads;
    for (unsigned t = 0; t < plans_.size(); ++t) threads.push_back(write_thread(t));
    return threads;
  }

 private:
  /// What one thread is to do with messages.
  struct Plan {
    std::vector<unsigned> own;       // the ports it receives from
    std::vector<unsigned> sends;     // to which ports
    std::vector<unsigned> receives;  // from which ports: as many as others send there
  };

  /// Entries, ports or both; of each one or two.
  void choose_ports() {
    const unsigned draw = random_.below(100);
    if (draw < 80) ports_.push_back(0);
    if (draw < 80 && random_.chance(40)) ports_.push_back(1);
    if (draw >= 45) ports_.push_back(2);
    if (draw >= 45 && random_.chance(30)) ports_.push_back(3);
  }

  /// One thread that receives everything, or two that share the ports.
  void choose_receivers() {
    const auto active = static_cast<unsigned>(plans_.size()) - first_;
    const unsigned one = random_.below(active);
    const unsigned other = random_.chance(40) ? (one + random_.between(1, active - 1)) % active : one;
    for (unsigned i = 0; i < ports_.size(); ++i) plans_[first_ + (i % 2 == 0 ? one : other)].own.push_back(ports_[i]);
  }

  bool receives(unsigned thread, unsigned port) const {
    const std::vector<unsigned>& own = plans_[thread].own;
    return std::find(own.begin(), own.end(), port) != own.end();
  }

  /// To those of others, mostly: a thread that calls itself waits for ever.
  void plan_messages(unsigned thread) {
    const bool only_sends = plans_[thread].own.empty();
    const unsigned most = plans_.size() - first_ > 2 ? 2 : 3;
    if (!only_sends && random_.chance(60)) return;
    for (unsigned count = random_.between(1, only_sends ? most : 2); count > 0 && messages_ < max_messages; --count) {
      const unsigned port = ports_[random_.below(static_cast<unsigned>(ports_.size()))];
      if (receives(thread, port) && !random_.chance(is_entry(port) ? 5 : 25)) continue;
      ++messages_;
      plans_[thread].sends.push_back(port);
      for (Plan& plan : plans_)
        if (std::find(plan.own.begin(), plan.own.end(), port) != plan.own.end()) plan.receives.push_back(port);
    }
  }

  std::vector<Operation> write_thread(unsigned thread) {
    ThreadWriter writer(random_, habits_, thread == 0 || !unjoined_);
    if (thread < first_) return writer.take();
    Plan& plan = plans_[thread];
    miscount(plan);
    unsigned ports = 0;
    for (unsigned port : plan.own) ports |= 1u << port;
    if (random_.chance(15)) ports |= random_.below(1u << port_count);
    const unsigned selects = random_.chance(25) ? 0 : random_.chance(60) ? 100 : 50;
    while (!plan.sends.empty() || !plan.receives.empty()) {
      if (random_.chance(15)) writer.aside();
      const bool sends =
          random_.below(static_cast<unsigned>(plan.sends.size() + plan.receives.size())) < plan.sends.size();
      const unsigned port = draw(sends ? plan.sends : plan.receives);
      if (sends) {
        writer.send(port, ++contents_);
      } else {
        random_.chance(selects) ? writer.select(ports) : writer.receive(port);
      }
    }
    if (random_.chance(30)) writer.aside();
    return writer.take();
  }

  /// Sometimes one too many or too few.
  void miscount(Plan& plan) {
    if (!plan.receives.empty() && random_.chance(25)) draw(plan.receives);
    if (!plan.own.empty() && random_.chance(4)) plan.receives.push_back(plan.own.front());
  }

  unsigned draw(std::vector<unsigned>& ports) {
    std::swap(ports[random_.below(static_cast<unsigned>(ports.size()))], ports.back());
    const unsigned port = ports.back();
    ports.pop_back();
    return port;
  }

  Random& random_;
  const Habits& habits_;
  bool unjoined_;
  unsigned first_;  // 1 if main only starts the others
  std::vector<unsigned> ports_;
  std::vector<Plan> plans_;
  unsigned messages_ = 0;
  unsigned contents_ = 0;  // so that every message is another one
};

}  // namespace

std::vector<std::vector<Operation>> write_messages(Random& random, const Habits& habits, bool unjoined) {
  return MessageWriter(random, habits, unjoined).write();
}

}  // namespace random_programs
