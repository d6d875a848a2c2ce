// Six threads connect slots to two signals of Boost.Signals2, emit, block and disconnect. All locks are those of the
// library. Needs the headers of Boost.
//
// norn: pass
#include <atomic>
#include <boost/signals2.hpp>

#include "driver.hpp"

namespace signals2 = boost::signals2;
using Signal = signals2::signal<void(int)>;

// Slots may run in several threads at once, because a signal calls them without its lock.
static std::atomic<int> calls{0};

static void count(int by) { calls.fetch_add(by, std::memory_order_relaxed); }

static void connect_and_emit(Signal& signal) {
  const signals2::connection connection = signal.connect(&count);
  require(connection.connected(), "a slot that was connected is connected");
  signal(1);
  connection.disconnect();
}

static void connect_for_a_while(Signal& signal) {
  const signals2::scoped_connection connection(signal.connect(0, &count, signals2::at_front));
  signal(1);
}

static void block(Signal& signal, const signals2::connection& connection) {
  const signals2::shared_connection_block blocked(connection);
  require(blocked.blocking(), "a block blocks");
  signal(1);
}

static void inspect(const Signal& signal) {
  signal.num_slots();
  signal.empty();
}

static void disconnect(Signal& signal, const signals2::connection& connection) {
  connection.disconnect();
  require(!connection.connected(), "what was disconnected stays so");
  signal.disconnect(0);
}

int main() {
  Signal one;
  Signal two;
  const signals2::connection first = one.connect(&count);
  two.connect(one);

  run_together({
      [&] { connect_and_emit(one); },
      [&] { connect_for_a_while(one); },
      [&] { two(1); },
      [&] { block(one, first); },
      [&] { disconnect(one, first); },
      [&] { inspect(one); },
  });

  require(one.empty(), "all slots were disconnected");
  two.disconnect_all_slots();
  require(two.num_slots() == 0, "all slots were disconnected");
  require(calls.load() >= 1, "who connects a slot that nobody else disconnects and emits calls it");
}
