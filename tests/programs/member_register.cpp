// Members are looked up while one of them leaves. The set takes it out inside the C++ library, and nothing that the
// others look at is freed.
//
// norn: bug data-race
#include <set>
#include <thread>

int main() {
  std::set<int> members = {1, 2, 3};
  std::set<int>::node_type gone;
  std::thread leaving([&] { gone = members.extract(1); });
  const bool is_member = members.contains(0);
  leaving.join();
  return is_member ? 1 : 0;
}
