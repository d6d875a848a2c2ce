// A play list that is printed while a listener adds a song. The list links its nodes inside the C++ library.
//
// norn: bug data-race
#include <list>
#include <thread>

int main() {
  std::list<int> songs = {7, 3};
  std::thread listener([&] { songs.push_back(12); });
  int length = 0;
  for (const int song : songs) length += song;
  listener.join();
  return length == 0;
}
