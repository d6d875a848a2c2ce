// A thread that is started by a base class calls a function that only the derived class has, before it is one.
//
// norn: bug abort
// norn expects: pure virtual function
#include <semaphore>
#include <thread>

class Service {
 public:
  Service() : thread_([this] { run(); }) { started_.acquire(); }
  virtual ~Service() { thread_.join(); }
  virtual void serve() = 0;

 private:
  void run() {
    serve();
    started_.release();
  }

  std::binary_semaphore started_{0};
  std::thread thread_;
};

class Clock final : public Service {
 public:
  void serve() override {}
};

int main() { Clock clock; }
