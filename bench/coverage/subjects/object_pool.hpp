// A bounded pool of objects that are expensive to make: lent to threads, which wait while all are lent, given back,
// invalidated, and thrown away when they are idle. The pool, every object, the factory and the listener have locks of
// their own; nothing calls the factory or the listener while it holds the lock of the pool.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

enum class PooledState { idle, lent, tested, destroyed };

// An object and what the pool knows of it.
class PooledObject {
 public:
  explicit PooledObject(int number) : number_(number) {}

  // Whether the object changed from one state to the other; false if someone else was faster.
  bool change(PooledState from, PooledState to) {
    const std::lock_guard guard(mutex_);
    if (state_ != from) return false;
    state_ = to;
    return true;
  }

  PooledState state() const {
    const std::lock_guard guard(mutex_);
    return state_;
  }

  void activate() {
    const std::lock_guard guard(mutex_);
    active_ = true;
    ++uses_;
  }

  void passivate() {
    const std::lock_guard guard(mutex_);
    active_ = false;
  }

  bool active() const {
    const std::lock_guard guard(mutex_);
    return active_;
  }

  int uses() const {
    const std::lock_guard guard(mutex_);
    return uses_;
  }

  // What a borrower does with the object.
  void write(const std::string& text) {
    const std::lock_guard guard(mutex_);
    text_ += text;
  }

  std::string text() const {
    const std::lock_guard guard(mutex_);
    return text_;
  }

  int number() const { return number_; }

 private:
  const int number_;
  mutable std::mutex mutex_;
  PooledState state_ = PooledState::idle;
  bool active_ = false;
  int uses_ = 0;
  std::string text_;
};

using Pooled = std::shared_ptr<PooledObject>;

class PoolFactory {
 public:
  explicit PoolFactory(int most_uses) : most_uses_(most_uses) {}

  Pooled make() {
    const std::lock_guard guard(mutex_);
    return std::make_shared<PooledObject>(++made_);
  }

  void destroy(PooledObject& object) {
    const std::lock_guard guard(mutex_);
    ++destroyed_;
    object.passivate();
  }

  void activate(PooledObject& object) {
    const std::lock_guard guard(mutex_);
    ++activations_;
    object.activate();
  }

  void passivate(PooledObject& object) {
    const std::lock_guard guard(mutex_);
    ++passivations_;
    object.passivate();
  }

  // Objects wear out.
  bool validate(const PooledObject& object) {
    const std::lock_guard guard(mutex_);
    return object.uses() < most_uses_;
  }

  void set_most_uses(int uses) {
    const std::lock_guard guard(mutex_);
    most_uses_ = uses;
  }

  int made() const {
    const std::lock_guard guard(mutex_);
    return made_;
  }

  int destroyed() const {
    const std::lock_guard guard(mutex_);
    return destroyed_;
  }

  int alive() const {
    const std::lock_guard guard(mutex_);
    return made_ - destroyed_;
  }

  // Activations that were not undone.
  int activated() const {
    const std::lock_guard guard(mutex_);
    return activations_ - passivations_;
  }

 private:
  mutable std::mutex mutex_;
  int most_uses_;
  int made_ = 0;
  int destroyed_ = 0;
  int activations_ = 0;
  int passivations_ = 0;
};

// What happened to a pool, for those who watch it.
class PoolListener {
 public:
  void borrowed(int number) {
    const std::lock_guard guard(mutex_);
    ++borrowed_[number];
  }

  void returned(int number) {
    const std::lock_guard guard(mutex_);
    ++returned_[number];
  }

  void invalidated(int number) {
    const std::lock_guard guard(mutex_);
    ++returned_[number];
    invalid_.push_back(number);
  }

  void evicted(int number) {
    const std::lock_guard guard(mutex_);
    evicted_.push_back(number);
  }

  std::size_t losses() const {
    const std::lock_guard guard(mutex_);
    return invalid_.size() + evicted_.size();
  }

  bool all_returned() const {
    const std::lock_guard guard(mutex_);
    return borrowed_ == returned_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<int, int> borrowed_;
  std::map<int, int> returned_;
  std::vector<int> invalid_;
  std::vector<int> evicted_;
};

class ObjectPool {
 public:
  ObjectPool(PoolFactory& factory, PoolListener& listener, std::size_t most_objects, std::size_t most_idle)
      : factory_(factory), listener_(listener), most_objects_(most_objects), most_idle_(most_idle) {}

  ~ObjectPool() { close(); }

  // Nothing if the pool is closed.
  Pooled borrow() {
    while (true) {
      Pooled object = next();
      if (!object) return nullptr;
      if (prepare(object)) return object;
    }
  }

  // Nothing also if all objects are lent.
  Pooled try_borrow() {
    Pooled object;
    {
      const std::lock_guard guard(mutex_);
      if (closed_ || idle_.empty()) return nullptr;
      object = take_idle();
    }
    return prepare(object) ? object : nullptr;
  }

  // False if the object was given back before.
  bool give_back(const Pooled& object) {
    if (object->state() != PooledState::lent) return false;
    factory_.passivate(*object);
    listener_.returned(object->number());
    if (!keep(object)) destroy(object);
    return true;
  }

  bool invalidate(const Pooled& object) {
    if (object->state() != PooledState::lent) return false;
    factory_.passivate(*object);
    listener_.invalidated(object->number());
    {
      const std::lock_guard guard(mutex_);
      --lent_;
    }
    destroy(object);
    return true;
  }

  // Makes objects before someone asks for them.
  void prepare_idle(std::size_t objects) {
    for (std::size_t i = 0; i < objects; ++i) {
      {
        const std::lock_guard guard(mutex_);
        if (closed_ || total_ >= most_objects_ || idle_.size() >= most_idle_) return;
        ++total_;
        ++lent_;
      }
      const Pooled object = factory_.make();
      object->change(PooledState::idle, PooledState::lent);
      if (!keep(object)) destroy(object);
    }
  }

  // Tests the object that is idle for longest and throws it away if it is worn out.
  void evict() {
    Pooled object;
    {
      const std::lock_guard guard(mutex_);
      if (idle_.empty()) return;
      object = idle_.back();
      idle_.pop_back();
      object->change(PooledState::idle, PooledState::tested);
    }
    if (factory_.validate(*object) && put_tested_back(object)) return;
    listener_.evicted(object->number());
    destroy(object);
  }

  void clear() {
    std::deque<Pooled> dropped;
    {
      const std::lock_guard guard(mutex_);
      dropped.swap(idle_);
    }
    for (const auto& object : dropped) destroy(object);
  }

  // Borrowers that wait go away with nothing; objects that are lent are destroyed when they come back.
  void close() {
    {
      const std::lock_guard guard(mutex_);
      closed_ = true;
      available_.notify_all();
    }
    clear();
  }

  bool closed() const {
    const std::lock_guard guard(mutex_);
    return closed_;
  }

  void set_most_objects(std::size_t objects) {
    const std::lock_guard guard(mutex_);
    most_objects_ = objects;
    available_.notify_all();
  }

  void set_most_idle(std::size_t objects) {
    std::deque<Pooled> dropped;
    {
      const std::lock_guard guard(mutex_);
      most_idle_ = objects;
      while (idle_.size() > most_idle_) {
        dropped.push_back(idle_.back());
        idle_.pop_back();
      }
    }
    for (const auto& object : dropped) destroy(object);
  }

  std::size_t idle() const {
    const std::lock_guard guard(mutex_);
    return idle_.size();
  }

  std::size_t lent() const {
    const std::lock_guard guard(mutex_);
    return lent_;
  }

  std::size_t waiting() const {
    const std::lock_guard guard(mutex_);
    return waiting_;
  }

  std::size_t total() const {
    const std::lock_guard guard(mutex_);
    return total_;
  }

  bool consistent() const {
    const std::lock_guard guard(mutex_);
    const bool all_idle = std::all_of(idle_.begin(), idle_.end(),
                                      [](const Pooled& object) { return object->state() == PooledState::idle; });
    return all_idle && total_ >= idle_.size() + lent_;
  }

 private:
  // An idle object or a new one.
  Pooled next() {
    {
      std::unique_lock guard(mutex_);
      ++waiting_;
      available_.wait(guard, [this] { return closed_ || !idle_.empty() || total_ < most_objects_; });
      --waiting_;
      if (closed_) return nullptr;
      if (!idle_.empty()) return take_idle();
      ++total_;
      ++lent_;
    }
    Pooled object = factory_.make();
    object->change(PooledState::idle, PooledState::lent);
    return object;
  }

  Pooled take_idle() {
    Pooled object = idle_.front();
    idle_.pop_front();
    ++lent_;
    object->change(PooledState::idle, PooledState::lent);
    return object;
  }

  bool prepare(const Pooled& object) {
    if (!factory_.validate(*object)) {
      {
        const std::lock_guard guard(mutex_);
        --lent_;
      }
      destroy(object);
      return false;
    }
    factory_.activate(*object);
    listener_.borrowed(object->number());
    return true;
  }

  // The object is no longer lent; false if the pool does not want it any more.
  bool keep(const Pooled& object) {
    const std::lock_guard guard(mutex_);
    --lent_;
    if (closed_ || idle_.size() >= most_idle_) return false;
    object->change(PooledState::lent, PooledState::idle);
    idle_.push_front(object);
    available_.notify_one();
    return true;
  }

  bool put_tested_back(const Pooled& object) {
    const std::lock_guard guard(mutex_);
    if (closed_ || idle_.size() >= most_idle_) return false;
    object->change(PooledState::tested, PooledState::idle);
    idle_.push_front(object);
    available_.notify_one();
    return true;
  }

  // There is room for a new object afterwards, which is as good to those who wait as one that came back.
  void destroy(const Pooled& object) {
    factory_.destroy(*object);
    for (const auto state : {PooledState::idle, PooledState::lent, PooledState::tested}) {
      if (object->change(state, PooledState::destroyed)) break;
    }
    const std::lock_guard guard(mutex_);
    --total_;
    available_.notify_one();
  }

  PoolFactory& factory_;
  PoolListener& listener_;
  mutable std::mutex mutex_;
  std::condition_variable available_;
  std::deque<Pooled> idle_;
  std::size_t most_objects_;
  std::size_t most_idle_;
  std::size_t total_ = 0;
  std::size_t lent_ = 0;
  std::size_t waiting_ = 0;
  bool closed_ = false;
};

// One pool for every key, made when it is first needed.
class KeyedObjectPool {
 public:
  KeyedObjectPool(PoolFactory& factory, PoolListener& listener) : factory_(factory), listener_(listener) {}

  Pooled borrow(const std::string& key) { return pool(key).borrow(); }
  bool give_back(const std::string& key, const Pooled& object) { return pool(key).give_back(object); }
  bool invalidate(const std::string& key, const Pooled& object) { return pool(key).invalidate(object); }

  std::size_t keys() const {
    const std::lock_guard guard(mutex_);
    return pools_.size();
  }

  std::size_t total() const {
    const std::lock_guard guard(mutex_);
    std::size_t sum = 0;
    for (const auto& entry : pools_) sum += entry.second->total();
    return sum;
  }

  void evict() {
    const std::lock_guard guard(mutex_);
    for (const auto& entry : pools_) entry.second->evict();
  }

  void close() {
    const std::lock_guard guard(mutex_);
    for (const auto& entry : pools_) entry.second->close();
  }

 private:
  static constexpr std::size_t kObjectsPerKey = 1;

  ObjectPool& pool(const std::string& key) {
    const std::lock_guard guard(mutex_);
    auto& pool = pools_[key];
    if (!pool) pool = std::make_unique<ObjectPool>(factory_, listener_, kObjectsPerKey, kObjectsPerKey);
    return *pool;
  }

  PoolFactory& factory_;
  PoolListener& listener_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<ObjectPool>> pools_;
};
