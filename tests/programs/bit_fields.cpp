// Two flags, each protected by its own mutex, that are bit-fields of the same byte: to write one is to read and write
// the other.
//
// norn: bug data-race
#include <mutex>
#include <thread>

class Device {
 public:
  void set_powered(bool powered) {
    std::lock_guard lock(power_mutex_);
    powered_ = powered;
  }

  void set_connected(bool connected) {
    std::lock_guard lock(connection_mutex_);
    connected_ = connected;
  }

  bool usable() const { return powered_ && connected_; }

 private:
  std::mutex power_mutex_;
  std::mutex connection_mutex_;
  bool powered_ : 1 = false;
  bool connected_ : 1 = false;
};

int main() {
  Device device;
  std::thread power([&] { device.set_powered(true); });
  std::thread network([&] { device.set_connected(true); });
  power.join();
  network.join();
  return device.usable() ? 0 : 1;
}
