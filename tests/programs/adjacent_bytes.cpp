// Two flags, each protected by its own mutex, that are neighbouring bytes, and a word of which each thread has one
// half: different memory locations, however close.
//
// norn: pass
#include <cassert>
#include <cstdint>
#include <mutex>
#include <thread>

class Device {
 public:
  void set_powered(bool powered) {
    std::lock_guard lock(power_mutex_);
    powered_ = powered;
    volts_ = 12;
  }

  void set_connected(bool connected) {
    std::lock_guard lock(connection_mutex_);
    connected_ = connected;
    megabits_ = 1000;
  }

  bool usable() const { return powered_ && connected_ && volts_ + megabits_ == 1012; }

 private:
  std::mutex power_mutex_;
  std::mutex connection_mutex_;
  bool powered_ = false;
  bool connected_ = false;
  std::uint16_t volts_ = 0;
  std::uint16_t megabits_ = 0;
};

int main() {
  Device device;
  char letters[4] = "...";
  std::thread power([&] {
    device.set_powered(true);
    letters[0] = letters[2] = 'a';
  });
  std::thread network([&] {
    device.set_connected(true);
    letters[1] = 'n';
  });
  power.join();
  network.join();
  assert(device.usable());
  assert(letters[0] == 'a' && letters[1] == 'n' && letters[2] == 'a' && letters[3] == '\0');
}
