// An election that one compare-exchange decides.
//
// norn: pass
#include <atomic>
#include <thread>

class Election {
 public:
  bool stand(int candidate) {
    int leader = nobody;
    return leader_.compare_exchange_strong(leader, candidate);
  }

 private:
  static constexpr int nobody = 0;
  std::atomic<int> leader_{nobody};
};

int main() {
  Election election;
  bool elected[3] = {false, false, false};
  std::thread first([&] { elected[0] = election.stand(1); });
  std::thread second([&] { elected[1] = election.stand(2); });
  elected[2] = election.stand(3);
  first.join();
  second.join();
  return elected[0] + elected[1] + elected[2] == 1 ? 0 : 1;
}
