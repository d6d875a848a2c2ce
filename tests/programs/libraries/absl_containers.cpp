// Abseil's hash map and inlined vector behind a mutex of the standard library: an index of words that two threads fill.
//
// norn: pass
// norn links: absl_hash absl_raw_hash_set absl_strings absl_city absl_low_level_hash absl_throw_delegate
// absl_hashtablez_sampler
#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>
#include <absl/strings/str_split.h>
#include <absl/strings/string_view.h>

#include <cassert>
#include <mutex>
#include <string>
#include <thread>

class Index {
 public:
  void add(int line, absl::string_view text) {
    for (absl::string_view word : absl::StrSplit(text, ' ')) {
      std::lock_guard lock(mutex_);
      lines_[std::string(word)].push_back(line);
    }
  }

  std::size_t count(const std::string& word) const {
    std::lock_guard lock(mutex_);
    const auto found = lines_.find(word);
    return found == lines_.end() ? 0 : found->second.size();
  }

 private:
  mutable std::mutex mutex_;
  absl::flat_hash_map<std::string, absl::InlinedVector<int, 2>> lines_;
};

int main() {
  Index index;
  std::thread other([&] { index.add(1, "time after time"); });
  index.add(2, "once upon a time");
  other.join();
  assert(index.count("time") == 3);
  assert(index.count("upon") == 1);
}
