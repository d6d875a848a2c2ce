#pragma once

// A lock, for std::lock_guard and its like. Under `norn check`, taking it is one event.

#include <norn/detail/runtime.hpp>

#include <mutex>

namespace norn {

using lock = std::mutex;

}  // namespace norn
