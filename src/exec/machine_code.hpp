#pragma once

#include <cstdint>
#include <vector>

namespace norn::exec {

/// Of the registers that a call must preserve, those that programs keep values in, in the order of
/// norn_with_registers (exec/context.hpp).
enum class Saved : std::uint8_t { r15, r14, r13, r12, rbx, count_, none = count_ };
inline constexpr unsigned saved_registers = static_cast<unsigned>(Saved::count_);

/// A part of the frame of a function, from its frame pointer.
struct FrameRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] bool contains(std::int64_t offset) const { return begin <= offset && offset < end; }
};

/// One instruction, as far as it is about these registers and the frame.
struct Instruction {
  /// Where the function goes on.
  enum class Flow : std::uint8_t {
    next,
    call,     ///< and then the next one
    jump,     ///< to `target`
    branch,   ///< there, or to the next one
    leave,    ///< nowhere: the function returns
    stop,     ///< nowhere: the program ends
    unknown,  ///< it cannot be told, or this is no instruction
  };

  std::uint8_t length = 0;
  Flow flow = Flow::unknown;
  std::uint8_t reads = 0;   ///< registers, bit `1 << Saved`
  std::uint8_t writes = 0;  ///< those that it gives a new value, whatever they had
  bool is_hook = false;     ///< it calls one of the functions that the compiler puts in, which never throw
  FrameRange read;
  FrameRange written;
  std::uintptr_t target = 0;
};

/// The machine code of one function.
class FunctionCode {
 public:
  /// The one that has the instruction at `address`. Nothing is known if it cannot be found.
  explicit FunctionCode(std::uintptr_t address);

  /// That at `address`; one that is not known elsewhere.
  [[nodiscard]] const Instruction& at(std::uintptr_t address) const;
  [[nodiscard]] std::uintptr_t begin() const { return begin_; }
  [[nodiscard]] std::uintptr_t end() const { return begin_ + code_.size(); }
  [[nodiscard]] bool contains(std::uintptr_t address) const { return begin_ <= address && address < end(); }
  [[nodiscard]] bool has_frame_pointer() const { return has_frame_pointer_; }
  /// Nobody but itself has the address of anything in its frame: only what it names there is looked at.
  [[nodiscard]] bool has_private_frame() const { return has_frame_pointer_ && !gives_away_frame_; }
  /// Whether an instruction names this byte of the frame, so that it belongs to a variable.
  [[nodiscard]] bool names(std::int64_t offset) const;
  /// Whether this byte lies between variables. Below all of them there may be arguments of the function that is called,
  /// and what is pushed has no name.
  [[nodiscard]] bool is_gap(std::int64_t offset) const;
  /// Calls that throw can go on in it.
  [[nodiscard]] bool has_landing_pads() const { return has_landing_pads_; }

 private:
  class Decoder;

  void find_extent(std::uintptr_t address);
  void decode();

  std::uintptr_t begin_ = 0;
  std::vector<Instruction> code_;  ///< by distance from the beginning
  std::vector<FrameRange> named_;
  bool has_frame_pointer_ = false;
  bool gives_away_frame_ = false;
  bool pushes_ = false;  ///< more than the frame pointer
  bool has_landing_pads_ = false;
};

}  // namespace norn::exec
