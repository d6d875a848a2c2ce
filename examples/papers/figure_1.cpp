// The example that reachability testing is introduced with: four threads and two ports. Two messages race for each of
// the ports, so there are 2 * 2 = 4 behaviours.
//
// norn: pass
#include <norn/port.hpp>

#include <cassert>
#include <thread>

int main() {
  norn::port<int> port_2, port_3;  // a message is the number of the thread that sent it

  std::thread thread_1([&] { port_2.send(1); });
  std::thread thread_2([&] {
    const int first = port_2.receive();
    const int second = port_2.receive();
    assert((first == 1 && second == 4) || (first == 4 && second == 1));
    port_3.send(2);
  });
  std::thread thread_3([&] {
    const int first = port_3.receive();
    const int second = port_3.receive();
    assert((first == 2 && second == 4) || (first == 4 && second == 2));
  });
  std::thread thread_4([&] {
    port_2.send(4);
    port_3.send(4);
  });

  thread_1.join();
  thread_2.join();
  thread_3.join();
  thread_4.join();
}
