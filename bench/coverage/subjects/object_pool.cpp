// Ten threads borrow objects from pools, use them and give them back or invalidate them, while others throw away idle
// objects and change the limits of a pool.
//
// norn: pass
#include <string>

#include "driver.hpp"
#include "object_pool.hpp"

static void use(ObjectPool& pool, const std::string& text) {
  const Pooled object = pool.borrow();
  require(object != nullptr && object->active(), "an object that was borrowed is active");
  object->write(text);
  require(object->text().ends_with(text), "nobody else uses an object that was borrowed");
  require(pool.give_back(object), "an object can be given back");
}

static void use_and_spoil(ObjectPool& pool) {
  const Pooled object = pool.borrow();
  require(pool.invalidate(object), "an object can be invalidated");
  require(!pool.give_back(object), "an object that is gone cannot be given back");
}

static void use_if_idle(ObjectPool& pool) {
  if (const Pooled object = pool.try_borrow()) pool.give_back(object);
}

static void use_of_key(KeyedObjectPool& pools, const std::string& key, bool spoil) {
  const Pooled object = pools.borrow(key);
  require(object != nullptr, "a pool that is open lends");
  object->write(key);
  spoil ? pools.invalidate(key, object) : pools.give_back(key, object);
}

static void tune(ObjectPool& pool, PoolFactory& factory) {
  pool.set_most_idle(1);
  pool.set_most_objects(3);
  if (pool.waiting() == 0 && pool.lent() == 0) pool.clear();
  factory.set_most_uses(3);
}

static void evict(ObjectPool& pool, KeyedObjectPool& pools) {
  pool.evict();
  if (pool.idle() > 0) pool.evict();
  if (pools.keys() > 0) pools.evict();
}

int main() {
  PoolFactory factory(2);
  PoolListener listener;
  ObjectPool pool(factory, listener, 2, 2);
  KeyedObjectPool pools(factory, listener);

  run_together({
      [&] { use(pool, "one"); },
      [&] { use(pool, "two"); },
      [&] { use(pool, "three"); },
      [&] { use_and_spoil(pool); },
      [&] { use_if_idle(pool); },
      [&] { pool.prepare_idle(2); },
      [&] { use_of_key(pools, "key", false); },
      [&] { use_of_key(pools, "key", true); },
      [&] { tune(pool, factory); },
      [&] { evict(pool, pools); },
  });

  require(pool.consistent() && pool.lent() == 0, "everything came back");
  require(pool.total() == pool.idle(), "what is not idle is gone");
  require(factory.alive() == static_cast<int>(pool.total() + pools.total()), "the pools know of all objects");
  require(listener.all_returned() && factory.activated() == 0, "everything came back");
  pool.close();
  pools.close();
  require(pool.closed() && pool.borrow() == nullptr, "a pool that is closed lends nothing");
  require(factory.made() == factory.destroyed(), "closed pools destroy their objects");
  require(static_cast<int>(listener.losses()) <= factory.made(), "no object is lost twice");
}
