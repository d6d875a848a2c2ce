// An election in which everybody who sees no leader makes itself the leader, and a program that reports through its
// exit code whether there was exactly one.
//
// norn: bug exit
#include <atomic>
#include <thread>

class Election {
 public:
  bool stand(int candidate) {
    if (leader_ != nobody) return false;
    leader_ = candidate;
    return true;
  }

 private:
  static constexpr int nobody = 0;
  std::atomic<int> leader_{nobody};
};

int main() {
  Election election;
  bool elected[2] = {false, false};
  std::thread first([&] { elected[0] = election.stand(1); });
  std::thread second([&] { elected[1] = election.stand(2); });
  first.join();
  second.join();
  return elected[0] + elected[1] == 1 ? 0 : 1;
}
