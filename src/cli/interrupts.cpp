#include "cli/interrupts.hpp"

namespace norn {
namespace {

volatile sig_atomic_t interruptions = 0;
volatile sig_atomic_t last_signal = SIGINT;

void on_interrupt(int signal) {
  interruptions = interruptions + 1;
  last_signal = signal;
}

}  // namespace

Interrupts::Interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;  // whatever waits is to look up, so no SA_RESTART
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &previous_[i]);
    // Whoever starts it with nohup does not want it to end with the terminal.
    if (previous_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &previous_[i], nullptr);
}

int Interrupts::count() { return interruptions; }

Interrupted Interrupts::last() { return {last_signal}; }

}  // namespace norn
