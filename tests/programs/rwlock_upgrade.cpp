// A reader-writer lock that readers can upgrade: the upgrade waits until its thread is the only reader left. Two
// readers that both upgrade wait for each other to stop reading.
//
// norn: bug deadlock
// norn expects: no thread is left that could notify it
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class UpgradableLock {
 public:
  void lock_shared() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !writing_; });
    ++readers_;
  }

  void unlock_shared() {
    std::lock_guard lock(mutex_);
    --readers_;
    changed_.notify_all();
  }

  void upgrade() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !writing_ && readers_ == 1; });
    readers_ = 0;
    writing_ = true;
  }

  void unlock() {
    std::lock_guard lock(mutex_);
    writing_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool writing_ = false;
};

class Document {
 public:
  void proofread() {
    lock_.lock_shared();
    if (typos_ == 0) {
      lock_.unlock_shared();
      return;
    }
    lock_.upgrade();
    typos_ = 0;
    lock_.unlock();
  }

  int typos() const { return typos_; }

 private:
  UpgradableLock lock_;
  int typos_ = 2;
};

int main() {
  Document document;
  std::thread author([&] { document.proofread(); });
  std::thread editor([&] { document.proofread(); });
  author.join();
  editor.join();
  assert(document.typos() == 0);
}
