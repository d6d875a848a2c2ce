// Ten threads put objects into caches, look them up and load them, and remove them, while a cleaner removes the old.
//
// norn: pass
#include <optional>
#include <string>
#include <vector>

#include "driver.hpp"
#include "object_cache.hpp"

using Manager = CacheManager<int, std::string>;
using Cache = Manager::Cache;

static std::string page(int number) { return "page " + std::to_string(number); }

static bool is_page(int number, const std::optional<std::string>& value) {
  return !value || value->starts_with(page(number));
}

static void writer(Cache& cache, int first) {
  cache.put(first, page(first));
  cache.put(first + 1, page(first + 1));
  cache.put(first, page(first) + " again");
}

static void reader(Cache& cache, int first) {
  require(is_page(first, cache.get(first)), "the page that was asked for");
  require(is_page(first + 1, cache.get(first + 1)), "the page that was asked for");
}

static void loader(Cache& cache, int number) {
  require(is_page(number, cache.get_or_load(number, page)), "the page that was asked for");
  cache.update(number, [](const std::string& value) { return value + " changed"; });
}

static void remover(Cache& cache, int number) {
  if (cache.contains(number)) cache.remove(number);
  cache.clear();
}

static void visitor(Manager& manager) {
  if (const auto drafts = manager.find("drafts")) drafts->put(7, page(7));
  manager.open("pages", 1, 1)->keys();
  manager.find("pages")->values();
  manager.close("drafts");
  manager.names();
}

static void tuner(Cache& cache) {
  cache.set_time_to_live(2);
  cache.clock().advance(3);
  if (cache.capacity() > 2) cache.set_capacity(2);
}

int main() {
  Manager manager;
  const auto pages = manager.open("pages", 3, 4);
  const auto drafts = manager.open("drafts", 1, 2);

  run_together({
      [&] { writer(*pages, 1); },
      [&] { writer(*pages, 2); },
      [&] { reader(*pages, 1); },
      [&] { reader(*pages, 2); },
      [&] { loader(*pages, 3); },
      [&] { loader(*pages, 3); },
      [&] { remover(*pages, 2); },
      [&] { visitor(manager); },
      [&] { tuner(*pages); },
      [&] { manager.clean_all(); },
  });

  require(pages->consistent(), "the index, the order and the statistics of the pages agree");
  require(drafts->consistent(), "the index, the order and the statistics of the drafts agree");
  const CacheCounts counts = pages->statistics().counts();
  require(counts.hits + counts.misses == 6, "every look at a page is a hit or a miss");
  require(pages->statistics().hit_rate().has_value(), "there were looks");
  manager.clear_all();
  require(pages->size() == 0, "nothing is left in a cache that was cleared");
}
