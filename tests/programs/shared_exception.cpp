// Two threads handle one exception and count that in it. That each of them owns the exception meanwhile orders
// nothing: who throws it again shares it with the others.
//
// norn: bug data-race
#include <exception>
#include <thread>

struct Failure {
  int handled = 0;
};

void handle(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (Failure& caught) {
    ++caught.handled;
  }
}

int main() {
  const std::exception_ptr failure = std::make_exception_ptr(Failure());
  std::thread other([failure] { handle(failure); });
  handle(failure);
  other.join();
}
