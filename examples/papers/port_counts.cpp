// Threads that send messages to one port: every order in which they can arrive is a behaviour.
//
// Arguments: senders (3), messages of each of them (2). By default it has 90 behaviours; with n senders and k messages
// it is (nk)! / (k!)^n.
//
// norn: pass
#include <norn/port.hpp>

#include <cassert>
#include <thread>
#include <vector>

#include "arguments.hpp"

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int senders = given.size("senders", 3);
  const int messages = given.size("messages", 2);
  given.end();

  struct message {
    int sender;
    int number;
  };
  norn::port<message> port;

  std::vector<std::thread> threads;
  for (int sender = 0; sender < senders; ++sender)
    threads.emplace_back([&, sender] {
      for (int number = 0; number < messages; ++number) port.send({sender, number});
    });
  threads.emplace_back([&] {
    std::vector<int> received(senders);
    for (int left = senders * messages; left != 0; --left) {
      const message message = port.receive();
      assert(message.number == received[message.sender]);
      ++received[message.sender];
    }
  });
  for (std::thread& thread : threads) thread.join();
}
