#include "report/kinds.hpp"

#include <algorithm>
#include <array>

namespace norn {
namespace {

constexpr std::array all_kinds = {
    Kind{"assertion", "Assertion fails in some interleaving",
         "There is an order in which the threads can run that makes an assertion fail."},
    Kind{"deadlock", "Deadlock",
         "The threads can come to a point where each of them waits for something that only another one of them can do, "
         "or for a notification that nobody is left to give."},
    Kind{"data-race", "Data race",
         "Two threads access the same memory without synchronization between the accesses, and one of them writes. "
         "The behaviour of such a program is undefined."},
    Kind{"memory", "Memory error in some interleaving",
         "Memory is used after it was freed, freed twice, used beyond its bounds, used on the stack of a thread that "
         "has "
         "ended, or never freed."},
    Kind{"crash", "Crash in some interleaving",
         "There is an order in which the threads can run that ends the program with a signal."},
    Kind{"exception", "Uncaught exception in some interleaving",
         "There is an order in which the threads can run that leaves an exception uncaught."},
    Kind{"livelock", "Livelock", "A thread waits in a loop for a change that nobody can make any more."},
    Kind{"misuse", "Misuse of a synchronization primitive",
         "A lock, condition variable, semaphore, barrier or thread is used in a way that its specification forbids."},
    Kind{"exit", "Wrong exit code in some interleaving",
         "There is an order in which the threads can run that makes the program end with an exit code other than 0."},
    Kind{"property", "Property does not hold in some interleaving",
         "There is an order in which the threads can run that violates a property the program states."},
    Kind{"abort", "Abort in some interleaving",
         "There is an order in which the threads can run that makes the program end itself."},
    Kind{
        "lock-order", "Locks are taken in different orders",
        "Threads take the same locks in different orders. If they do so at the same time, they can wait for each other "
        "for ever."},
    Kind{"other", "Failure in some interleaving",
         "There is an order in which the threads can run that makes the program fail."},
};

}  // namespace

std::span<const Kind> kinds() { return all_kinds; }

std::size_t number_of_kind(std::string_view name) {
  const auto found =
      std::find_if(all_kinds.begin(), all_kinds.end(), [name](const Kind& kind) { return kind.name == name; });
  return static_cast<std::size_t>(std::min(found, all_kinds.end() - 1) - all_kinds.begin());
}

}  // namespace norn
