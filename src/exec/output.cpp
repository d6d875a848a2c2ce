#include "exec/output.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "exec/services.hpp"

namespace norn::exec {
namespace {

Output* current_output = nullptr;

}  // namespace

Output::Output()
    : original_output_(make_own(dup(STDOUT_FILENO))),
      original_error_(make_own(dup(STDERR_FILENO))),
      nowhere_(make_own(open("/dev/null", O_WRONLY))),
      memory_(make_own(memfd_create("norn-output", MFD_CLOEXEC))) {
  fcntl(memory_, F_SETFL, O_APPEND);
}

Output::~Output() {
  current_output = nullptr;
  direct(original_output_, original_error_);
  for (const int descriptor : {original_output_, original_error_, nowhere_, memory_}) close(descriptor);
}

void Output::direct(int output, int error) {
  if (output >= 0) dup2(output, STDOUT_FILENO);
  if (error >= 0) dup2(error, STDERR_FILENO);
}

void Output::begin_run(Mode mode, bool separate, std::size_t written) {
  current_output = this;
  separate_ = separate;
  unwritten_.clear();
  if (through_) mode = Mode::through;
  const bool is_other = std::exchange(mode_, mode) != mode;
  if (keeps() && this->written() != written) ftruncate(memory_, static_cast<off_t>(written));
  if (!is_other) return;
  switch (mode) {
    case Mode::through: return direct(original_output_, original_error_);
    case Mode::discard: return direct(nowhere_, nowhere_);
    case Mode::standard_output: return direct(memory_, nowhere_);
    case Mode::everything: return direct(memory_, memory_);
  }
}

std::size_t Output::written() const {
  const off_t size = keeps() ? lseek(memory_, 0, SEEK_END) : 0;
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

std::string Output::text() const {
  const off_t size = lseek(memory_, 0, SEEK_END);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  if (text.empty()) return unwritten_;
  const ssize_t got = pread(memory_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text + unwritten_;
}

std::size_t written_output() { return current_output->written(); }

void end_output(bool orderly) {
  Output& output = *current_output;
  switch (output.mode_) {
    case Output::Mode::discard: return;
    case Output::Mode::through:
    case Output::Mode::everything: fflush(nullptr); return;
    case Output::Mode::standard_output:
      if (!orderly) return;
      if (output.separate_) {
        fflush(stdout);
      } else {
        // Read from the buffer of the C library, because millions of runs cannot afford system calls.
        output.unwritten_.assign(stdout->_IO_write_base, stdout->_IO_write_ptr);
      }
  }
}

}  // namespace norn::exec
