#pragma once

#include <type_traits>

#include "frontend/interpose/caller.hpp"

namespace norn::frontend {

/// Reads and writes links between the nodes of a container of the program, as instrumented code would.
class VisibleLinks {
 public:
  explicit VisibleLinks(const Caller& caller) : caller_(caller) {}

  template <typename T>
  T get(const T& place) const {
    reads(&place, sizeof place, caller_);
    return place;
  }
  template <typename T>
  void set(T& place, std::type_identity_t<T> value) const {
    writes(&place, sizeof place, caller_);
    place = value;
  }

 private:
  Caller caller_;
};

}  // namespace norn::frontend
