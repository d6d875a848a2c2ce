// How operations of the file system end.
#pragma once

#include <utility>

namespace vfs {

enum class Status {
  ok,
  not_found,
  exists,
  not_a_directory,
  is_a_directory,
  not_empty,
  read_only,
  no_access,
  no_space,
  closed,
  busy,
  invalid,
};

inline const char* to_string(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::not_found: return "not found";
    case Status::exists: return "exists";
    case Status::not_a_directory: return "not a directory";
    case Status::is_a_directory: return "is a directory";
    case Status::not_empty: return "not empty";
    case Status::read_only: return "read only";
    case Status::no_access: return "no access";
    case Status::no_space: return "no space";
    case Status::closed: return "closed";
    case Status::busy: return "busy";
    case Status::invalid: return "invalid";
  }
  return "unknown";
}

// A value, or why there is none.
template <typename T>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: values become results
  Result(Status status) : status_(status) {}     // NOLINT: so do reasons
  explicit operator bool() const { return status_ == Status::ok; }
  Status status() const { return status_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  T value_or(T otherwise) const { return *this ? value_ : std::move(otherwise); }

 private:
  Status status_ = Status::ok;
  T value_{};
};

}  // namespace vfs
