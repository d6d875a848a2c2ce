// Two kinds of requests share a table of totals, and each takes the lock of its own kind to update it.
//
// norn: bug data-race
#include <mutex>
#include <thread>

struct Totals {
  long requests = 0;
  long bytes = 0;
};

class Statistics {
 public:
  void count_upload(long bytes) {
    std::lock_guard lock(uploads_mutex_);
    add(bytes);
  }

  void count_download(long bytes) {
    std::lock_guard lock(downloads_mutex_);
    add(bytes);
  }

  Totals totals() const { return totals_; }

 private:
  void add(long bytes) {
    totals_.requests++;
    totals_.bytes += bytes;
  }

  std::mutex uploads_mutex_;
  std::mutex downloads_mutex_;
  Totals totals_;
};

int main() {
  Statistics statistics;
  std::thread uploader([&] { statistics.count_upload(1000); });
  std::thread downloader([&] { statistics.count_download(500); });
  uploader.join();
  downloader.join();
  return statistics.totals().requests == 0;
}
