#pragma once

// What the constructs of Norn have in common. While they are explored, the runtime decides who goes on; natively, a
// mutex and condition variables do. Nothing here is for users.

#include <norn/runtime_abi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace norn::detail {

inline bool explored() { return norn_exploring != nullptr && norn_exploring() != 0; }

/// Says before main() that the program uses constructs, also those that are nothing but what the standard library has.
inline const bool are_constructs_used = [] {
  if (norn_uses_constructs != nullptr) norn_uses_constructs();
  return true;
}();

[[noreturn]] inline void misuse(const char* message) {
  if (explored()) norn_misuse(message);
  std::fprintf(stderr, "norn: %s\n", message);
  std::abort();
}

/// First in, first out. What is queued lives elsewhere, and has a member `next`.
template <typename T>
class queue {
 public:
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] std::size_t length() const { return length_; }
  void push(T& item) {
    item.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &item;
    last_ = &item;
    ++length_;
  }
  T& pop() {
    T& item = *first_;
    first_ = item.next;
    --length_;
    return item;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
  std::size_t length_ = 0;
};

}  // namespace norn::detail
