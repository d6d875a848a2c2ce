// A range that a thread hands on by value, straight from where another one is just replacing it.
//
// norn: bug data-race
// norn expects: reads
#include <cassert>
#include <thread>

struct Range {
  long begin;
  long end;
};

Range visible{0, 10};

[[gnu::noinline]] long length(Range range) { return range.end - range.begin; }

int main() {
  std::thread scrolling([] { visible = Range{20, 30}; });
  const long seen = length(visible);
  scrolling.join();
  assert(seen == 10);
}
