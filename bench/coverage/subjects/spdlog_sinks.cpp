// Six threads use the loggers of spdlog: they log to sinks that they share, add and remove sinks, and ask and change
// the registry. All locks are those of the library, which is used as headers only. Needs the headers of spdlog and fmt.
//
// norn: pass
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY  // spdlog brings no formatter of its own here
#endif
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>

#include "driver.hpp"

using Logger = std::shared_ptr<spdlog::logger>;
using Stream = spdlog::sinks::ostream_sink_mt;
using Ring = spdlog::sinks::ringbuffer_sink_mt;
using Fan = spdlog::sinks::dist_sink_mt;

static void talk(const Logger& logger) {
  logger->info("one");
  logger->warn("two {}", 2);
  logger->flush();
}

static void change_sinks(const std::shared_ptr<Fan>& fan, const std::shared_ptr<Ring>& ring) {
  fan->add_sink(ring);
  fan->remove_sink(ring);
}

static void look_back(const std::shared_ptr<Ring>& ring) {
  require(ring->last_raw().size() <= 2, "a ring keeps two messages");
  require(ring->last_formatted(1).size() <= 1, "no more messages than asked for");
}

static void remember(const Logger& logger) {
  logger->enable_backtrace(2);
  logger->trace("three");
  logger->dump_backtrace();
  logger->disable_backtrace();
}

static void administer() {
  if (const Logger logger = spdlog::get("main")) logger->info("four");
  spdlog::apply_all([](const Logger& logger) { logger->flush(); });
  spdlog::drop("other");
  spdlog::flush_on(spdlog::level::err);
}

int main() {
  std::ostringstream text;
  const auto stream = std::make_shared<Stream>(text);
  const auto ring = std::make_shared<Ring>(2);
  const auto fan = std::make_shared<Fan>();
  fan->add_sink(stream);
  const auto logger = std::make_shared<spdlog::logger>("main", fan);
  const auto other = std::make_shared<spdlog::logger>("other", stream);
  logger->set_pattern("%n %v");
  spdlog::register_logger(logger);
  spdlog::register_logger(other);

  run_together({
      [&] { talk(logger); },
      [&] { talk(other); },
      [&] { change_sinks(fan, ring); },
      [&] { look_back(ring); },
      [&] { remember(other); },
      [&] { administer(); },
  });

  const std::string written = text.str();
  const auto lines = std::count(written.begin(), written.end(), '\n');
  require(lines >= 5, "every message was written");
  require(written.find("main one") != std::string::npos, "messages are written whole");
  spdlog::shutdown();
}
