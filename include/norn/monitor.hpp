#pragma once

// Monitors: objects in which one thread at a time is active.
//
//   class buffer : norn::sc_monitor {
//    public:
//     void deposit(int item) {
//       const auto inside = enter();
//       while (items_.size() == capacity) not_full_.wait();
//       items_.push_back(item);
//       not_empty_.signal();
//     }
//     ...
//    private:
//     condition not_full_{*this}, not_empty_{*this};
//   };
//
// sc_monitor: signal-and-continue. Who signals goes on; who is signalled enters anew, like everybody who wants to
// enter. su_monitor: signal-and-urgent-wait. Who is signalled goes on at once; who signals goes on when the monitor is
// left, before anybody enters. Conditions are first in, first out.
//
// (Conditions in a container: `std::deque<condition> all; ... su_monitor& self = *this; all.emplace_back(self);`)
//
// Under `norn check`, entering is one event on the monitor, and so is entering anew; waiting and signalling are none.

#include <norn/detail/gate.hpp>

namespace norn {
namespace detail {

class monitor {
 protected:
  /// As long as it lives, the thread that made it is inside, or waits in the monitor.
  class [[nodiscard]] section {
   public:
    explicit section(monitor& monitor) : monitor_(monitor) {
      monitor.gate_.enter();
      monitor.current_ = this;
    }
    section(const section&) = delete;
    section& operator=(const section&) = delete;
    ~section() {
      if (inside_) monitor_.leave();
    }

   private:
    friend monitor;
    monitor& monitor_;
    bool inside_ = true;
  };

  ~monitor() = default;

  section enter() { return section(*this); }

  void check_inside() const {
    if (!gate_.is_inside()) misuse("a condition of a monitor is used by a thread that is not in the monitor");
  }
  void leave() {
    if (urgent_.empty()) return gate_.leave();
    gate_.hand_over(urgent_.pop());
  }
  /// The caller's section ends here.
  void leave_early() {
    current_->inside_ = false;
    leave();
  }
  void leave_to(waiter& next) {
    current_->inside_ = false;
    gate_.hand_over(next);
  }
  /// The caller lets `next` in and waits for its own turn.
  void step_aside_for(waiter& next, waiter& self, const void* where) {
    section* mine = current_;
    gate_.hand_over(next);
    wait_for_turn(self, mine, where);
  }
  /// The caller leaves and waits for its turn.
  void step_aside(waiter& self, const void* where) {
    section* mine = current_;
    leave();
    wait_for_turn(self, mine, where);
  }
  /// The caller leaves, waits until somebody lets it go on, and enters anew.
  void go_round(waiter& self, const void* where) {
    section* mine = current_;
    gate_.leave();
    gate_.wait_outside(self, where);
    gate_.enter(true);
    current_ = mine;
  }

  gate gate_;
  queue<waiter> urgent_;  ///< go on before anybody enters

 private:
  void wait_for_turn(waiter& self, section* mine, const void* where) {
    gate_.wait_for_turn(self, where);
    current_ = mine;
  }

  section* current_ = nullptr;
};

}  // namespace detail

class sc_monitor : detail::monitor {
 protected:
  using monitor::enter;

  class condition {
   public:
    explicit condition(sc_monitor& monitor) : monitor_(monitor) {}

    void wait() {
      monitor_.check_inside();
      detail::waiter self;
      waiting_.push(self);
      monitor_.go_round(self, this);
    }
    /// Lets the one who has waited longest go on; nothing happens if nobody waits.
    void signal() {
      monitor_.check_inside();
      if (!waiting_.empty()) monitor_.gate_.let_go_on(waiting_.pop());
    }
    void signal_all() {
      monitor_.check_inside();
      while (!waiting_.empty()) monitor_.gate_.let_go_on(waiting_.pop());
    }
    /// The caller is no longer in the monitor afterwards.
    void signal_and_exit() {
      signal();
      monitor_.leave_early();
    }
    [[nodiscard]] bool empty() const { return length() == 0; }
    [[nodiscard]] std::size_t length() const {
      monitor_.check_inside();
      return waiting_.length();
    }

   private:
    sc_monitor& monitor_;
    detail::queue<detail::waiter> waiting_;
  };
};

class su_monitor : detail::monitor {
 protected:
  using monitor::enter;

  class condition {
   public:
    explicit condition(su_monitor& monitor) : monitor_(monitor) {}

    void wait() {
      monitor_.check_inside();
      detail::waiter self;
      waiting_.push(self);
      monitor_.step_aside(self, this);
    }
    /// Lets the one who has waited longest go on, and waits until it leaves or waits; nothing happens if nobody waits.
    void signal() {
      monitor_.check_inside();
      if (waiting_.empty()) return;
      detail::waiter self;
      monitor_.urgent_.push(self);
      monitor_.step_aside_for(waiting_.pop(), self, this);
    }
    /// Lets all that wait now go on, one after the other.
    void signal_all() {
      for (std::size_t left = length(); left != 0; --left) signal();
    }
    /// The caller is no longer in the monitor afterwards.
    void signal_and_exit() {
      monitor_.check_inside();
      if (!waiting_.empty()) return monitor_.leave_to(waiting_.pop());
      monitor_.leave_early();
    }
    [[nodiscard]] bool empty() const { return length() == 0; }
    [[nodiscard]] std::size_t length() const {
      monitor_.check_inside();
      return waiting_.length();
    }

   private:
    su_monitor& monitor_;
    detail::queue<detail::waiter> waiting_;
  };
};

}  // namespace norn
