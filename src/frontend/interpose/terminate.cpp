#include "frontend/interpose/terminate.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <exception>
#include <typeinfo>

#include "frontend/interpose/interpose.hpp"

// Norn has a C++ library of its own, so everything about the program's exceptions is asked of the program's.

namespace norn::frontend {
namespace {

using TerminateHandler = void (*)();
TerminateHandler previous = nullptr;

std::string readable(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : type.name();
  free(text);
  return result;
}

/// what() of the exception in flight, if it derives from std::exception.
const char* explanation(const std::type_info& type) {
  // std::exception_ptr is one pointer, to the exception object; returned through memory as it is not trivial.
  struct Pointer {
    void* object;
    ~Pointer() {}  // NOLINT: not trivial, so that the calling convention is the same
  };
  const auto current = exec::real_if_any<Pointer(), "_ZSt17current_exceptionv">();
  const auto* base = exec::real_if_any<const std::type_info, "_ZTISt9exception">();
  if (current == nullptr || base == nullptr) return nullptr;
  void* object = current().object;
  if (object == nullptr || !base->__do_catch(&type, &object, 1)) return nullptr;
  return static_cast<std::exception*>(object)->what();
}

[[noreturn]] void on_terminate() {
  const void* site = __builtin_return_address(0);
  const auto type_of = exec::real_if_any<const std::type_info*(), "__cxa_current_exception_type">();
  const std::type_info* type = type_of == nullptr ? nullptr : type_of();
  if (!controlled()) {
    if (previous != nullptr) previous();
    abort();
  }
  if (type == nullptr)
    run().end_run(End::abort, site, "std::terminate was called (is a joinable std::thread destroyed?)");
  const char* text = explanation(*type);
  const std::string name = readable(*type);
  run().end_run(End::exception, site,
                text == nullptr ? fmt::format("uncaught exception of type {}", name)
                                : fmt::format("uncaught exception of type {}: {}", name, text));
}

TerminateHandler set_handler(TerminateHandler handler) {
  const auto set = exec::real_if_any<TerminateHandler(TerminateHandler), "_ZSt13set_terminatePFvvE">();
  return set == nullptr ? nullptr : set(handler);
}

}  // namespace

void install_terminate_handler() { previous = set_handler(on_terminate); }

void remove_terminate_handler() {
  if (previous != nullptr) set_handler(previous);
}

}  // namespace norn::frontend

/// What the tables of virtual functions have for those that the class does not define.
NORN_EXPORT void __cxa_pure_virtual() {
  using namespace norn;
  using namespace norn::frontend;
  if (controlled())
    run().end_run(End::abort, NORN_SITE,
                  "a pure virtual function was called (the object is being destroyed, or is not yet constructed)");
  if (const auto real = exec::real_if_any<void(), "__cxa_pure_virtual">()) real();
  abort();
}
