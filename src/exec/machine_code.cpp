#include "exec/machine_code.hpp"

#include <Zydis/Zydis.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "support/address.hpp"

/// Of libgcc, which unwinds stacks by this.
struct dwarf_eh_bases {
  void* text;
  void* data;
  void* function;
};
extern "C" const void* _Unwind_Find_FDE(void* address, dwarf_eh_bases* bases);

namespace norn::exec {
namespace {

using Flow = Instruction::Flow;

Saved saved_register(ZydisRegister part) {
  switch (ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part)) {
    case ZYDIS_REGISTER_R15: return Saved::r15;
    case ZYDIS_REGISTER_R14: return Saved::r14;
    case ZYDIS_REGISTER_R13: return Saved::r13;
    case ZYDIS_REGISTER_R12: return Saved::r12;
    case ZYDIS_REGISTER_RBX: return Saved::rbx;
    default: return Saved::none;
  }
}

std::uint8_t bit(Saved one) {
  return one == Saved::none ? 0 : static_cast<std::uint8_t>(1U << static_cast<unsigned>(one));
}

template <typename T>
T value_at(std::uintptr_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

}  // namespace

/// Reads one instruction after the other.
class FunctionCode::Decoder {
 public:
  explicit Decoder(FunctionCode& function) : function_(function) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  }

  /// False if there is none.
  bool read(std::uintptr_t address) {
    address_ = address;
    const auto* bytes = reinterpret_cast<const void*>(address);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes, function_.end() - address, &decoded_, operands_)))
      return false;
    result_ = {};
    result_.length = decoded_.length;
    result_.flow = flow();
    result_.is_hook = result_.flow == Flow::call && function_.has_landing_pads_ && is_hook(called());
    follow_address();
    for (unsigned i = 0; i < decoded_.operand_count; ++i) look_at(operands_[i]);
    // Clearing a register is no look at it.
    if (is_clearing()) result_.reads = 0;
    const bool moves_stack = is(ZYDIS_MNEMONIC_PUSH) || is(ZYDIS_MNEMONIC_POP);
    if (moves_stack && !is_register(0, ZYDIS_REGISTER_RBP)) function_.pushes_ = true;
    was_teardown_ = is(ZYDIS_MNEMONIC_LEAVE) || (is(ZYDIS_MNEMONIC_POP) && is_register(0, ZYDIS_REGISTER_RBP));
    return true;
  }
  [[nodiscard]] const Instruction& result() const { return result_; }

  [[nodiscard]] bool is(ZydisMnemonic mnemonic) const { return decoded_.mnemonic == mnemonic; }
  [[nodiscard]] bool is_register(unsigned operand, ZydisRegister one) const {
    return operand < decoded_.operand_count && operands_[operand].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operands_[operand].reg.value == one;
  }

  /// Whether it looks at the stack or frame pointer, or at what they point to.
  [[nodiscard]] bool is_about_stack() const {
    const auto is_stack = [](ZydisRegister one) { return one == ZYDIS_REGISTER_RSP || one == ZYDIS_REGISTER_RBP; };
    return std::any_of(operands_, operands_ + decoded_.operand_count, [&](const ZydisDecodedOperand& operand) {
      if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) return is_stack(operand.reg.value);
      return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && (is_stack(operand.mem.base) || is_stack(operand.mem.index));
    });
  }

 private:
  [[nodiscard]] bool is_clearing() const {
    const bool subtracts = is(ZYDIS_MNEMONIC_XOR) || is(ZYDIS_MNEMONIC_SUB);
    return subtracts && operands_[0].type == ZYDIS_OPERAND_TYPE_REGISTER && is_register(1, operands_[0].reg.value);
  }

  Flow flow() {
    switch (decoded_.meta.category) {
      case ZYDIS_CATEGORY_RET: return Flow::leave;
      case ZYDIS_CATEGORY_CALL: return Flow::call;
      case ZYDIS_CATEGORY_COND_BR: return jump(Flow::branch);
      case ZYDIS_CATEGORY_UNCOND_BR: return was_teardown_ ? Flow::leave : jump(Flow::jump);
      case ZYDIS_CATEGORY_INTERRUPT: return Flow::stop;
      default: return is(ZYDIS_MNEMONIC_UD2) || is(ZYDIS_MNEMONIC_HLT) ? Flow::stop : Flow::next;
    }
  }
  /// Code that is hardly ever run may lie elsewhere, and what it does there is not known.
  Flow jump(Flow flow) {
    ZyanU64 target = 0;
    const bool is_direct = operands_[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                           ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded_, &operands_[0], address_, &target));
    result_.target = target;
    if (is_direct && function_.contains(target)) return flow;
    function_.gives_away_frame_ = true;
    return Flow::unknown;
  }

  /// Without optimisation, compilers compute the address of a variable just before they tell a hook of it, which does
  /// not keep it. Otherwise anybody may have it from now on.
  void follow_address() {
    if (address_in_ == ZYDIS_REGISTER_NONE) return;
    const bool moves_on = is(ZYDIS_MNEMONIC_MOV) && is_register(0, ZYDIS_REGISTER_RDI) && is_register(1, address_in_);
    const bool is_told = address_in_ == ZYDIS_REGISTER_RDI && result_.flow == Flow::call && is_hook(called());
    if (!moves_on && !is_told) function_.gives_away_frame_ = true;
    address_in_ = moves_on ? ZYDIS_REGISTER_RDI : ZYDIS_REGISTER_NONE;
  }

  /// The function that is called, if that is clear; or 0.
  [[nodiscard]] std::uintptr_t called() const {
    ZyanU64 target = 0;
    if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded_, &operands_[0], address_, &target))) return 0;
    return operands_[0].type == ZYDIS_OPERAND_TYPE_MEMORY ? value_at<std::uintptr_t>(target) : through_stub(target);
  }
  /// Calls of other libraries go through a stub that jumps to where the loader has found the function.
  [[nodiscard]] std::uintptr_t through_stub(std::uintptr_t target) const {
    constexpr std::size_t longest = 16;
    for (int i = 0; i < 2; ++i) {
      ZydisDecodedInstruction decoded;
      ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
      const auto* bytes = reinterpret_cast<const void*>(target);
      if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes, longest, &decoded, operands))) return 0;
      ZyanU64 entry = 0;
      if (decoded.mnemonic == ZYDIS_MNEMONIC_JMP && operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
          ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded, &operands[0], target, &entry)))
        return value_at<std::uintptr_t>(entry);
      target += decoded.length;
    }
    return 0;
  }
  [[nodiscard]] static bool is_hook(std::uintptr_t function) {
    Dl_info info{};
    return function != 0 && dladdr(reinterpret_cast<void*>(function), &info) != 0 && info.dli_sname != nullptr &&
           std::string_view(info.dli_sname).starts_with("__tsan_");
  }

  void look_at(const ZydisDecodedOperand& operand) {
    const bool reads = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
    const bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_WRITE) != 0;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) look_at_register(operand, reads, writes);
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) look_at_memory(operand, reads, writes);
  }

  void look_at_register(const ZydisDecodedOperand& operand, bool reads, bool writes) {
    const Saved saved = saved_register(operand.reg.value);
    // A part of 32 bits or more takes the rest along.
    if (reads) result_.reads |= bit(saved);
    if (writes && operand.size >= 32) result_.writes |= bit(saved);
    const bool is_hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    const bool is_frame = operand.reg.value == ZYDIS_REGISTER_RSP || operand.reg.value == ZYDIS_REGISTER_RBP;
    if (is_frame && !is_hidden && !manages_frame()) function_.gives_away_frame_ = true;
  }
  /// What a function does to set up its frame and to give it back, and what aligns the stack for calls.
  [[nodiscard]] bool manages_frame() const {
    const bool of_stack = is_register(0, ZYDIS_REGISTER_RSP);
    const bool of_frame = is_register(0, ZYDIS_REGISTER_RBP);
    switch (decoded_.mnemonic) {
      case ZYDIS_MNEMONIC_PUSH:
      case ZYDIS_MNEMONIC_POP: return of_frame;
      case ZYDIS_MNEMONIC_MOV:
        return (of_frame && is_register(1, ZYDIS_REGISTER_RSP)) || (of_stack && is_register(1, ZYDIS_REGISTER_RBP));
      case ZYDIS_MNEMONIC_ADD:
      case ZYDIS_MNEMONIC_SUB:
      case ZYDIS_MNEMONIC_AND: return of_stack && operands_[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
      case ZYDIS_MNEMONIC_LEA: return of_stack;
      default: return false;
    }
  }

  void look_at_memory(const ZydisDecodedOperand& operand, bool reads, bool writes) {
    const auto& place = operand.mem;
    if (place.base != ZYDIS_REGISTER_NONE) result_.reads |= bit(saved_register(place.base));
    if (place.index != ZYDIS_REGISTER_NONE) result_.reads |= bit(saved_register(place.index));
    const bool is_hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    const bool is_stack = place.base == ZYDIS_REGISTER_RSP && !is_hidden;
    const bool is_frame = place.base == ZYDIS_REGISTER_RBP;
    if (!is_stack && !is_frame) return;
    const bool is_address = place.type != ZYDIS_MEMOP_TYPE_MEM && !is_register(0, ZYDIS_REGISTER_RSP);
    const bool is_one_place = place.index == ZYDIS_REGISTER_NONE;
    const bool is_of_variable = is_address && is_frame && is_one_place && is(ZYDIS_MNEMONIC_LEA);
    if (is_of_variable) address_in_ = operands_[0].reg.value;
    if ((is_address && !is_of_variable) || !is_one_place || (is_stack && reads)) function_.gives_away_frame_ = true;
    if (!is_frame || place.type != ZYDIS_MEMOP_TYPE_MEM) return;
    const FrameRange range{place.disp.value, place.disp.value + operand.size / 8};
    if (reads) result_.read = range;
    if (writes) result_.written = range;
    function_.named_.push_back(range);
  }

  FunctionCode& function_;
  ZydisDecoder decoder_{};
  ZydisDecodedInstruction decoded_{};
  ZydisDecodedOperand operands_[ZYDIS_MAX_OPERAND_COUNT]{};
  std::uintptr_t address_ = 0;
  bool was_teardown_ = false;
  ZydisRegister address_in_ = ZYDIS_REGISTER_NONE;  ///< of a variable in the frame, as of the last instruction
  Instruction result_;
};

FunctionCode::FunctionCode(std::uintptr_t address) {
  find_extent(address);
  decode();
}

const Instruction& FunctionCode::at(std::uintptr_t address) const {
  static const Instruction none;
  return contains(address) ? code_[address - begin_] : none;
}

bool FunctionCode::names(std::int64_t offset) const {
  return std::any_of(named_.begin(), named_.end(), [offset](const FrameRange& one) { return one.contains(offset); });
}

bool FunctionCode::is_gap(std::int64_t offset) const {
  if (!has_private_frame() || pushes_ || names(offset)) return false;
  return std::any_of(named_.begin(), named_.end(), [offset](const FrameRange& one) { return one.end <= offset; });
}

/// By what is there to unwind stacks with: functions need not have names.
void FunctionCode::find_extent(std::uintptr_t address) {
  constexpr std::uintptr_t range_at = 12;
  constexpr char relative_of_4_bytes = 0x1b;
  dwarf_eh_bases bases{};
  const auto entry = reinterpret_cast<std::uintptr_t>(_Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases));
  if (entry == 0) return;
  const std::uintptr_t common = entry + 4 - static_cast<std::uintptr_t>(value_at<std::int32_t>(entry + 4));
  const char* augmentation = reinterpret_cast<const char*>(common + 9);
  has_landing_pads_ = std::strchr(augmentation, 'L') != nullptr;
  // "zR" and "zPLR" are what compilers write. Three numbers of one byte each, for code as it is compiled here, and the
  // length of the data follow; in "zPLR", the personality routine and the encoding of landing pads come first.
  const char* data = augmentation + std::strlen(augmentation) + 1 + 4;
  const bool is_plain = std::strcmp(augmentation, "zR") == 0 && data[0] == relative_of_4_bytes;
  const bool has_pads = std::strcmp(augmentation, "zPLR") == 0 && data[6] == relative_of_4_bytes;
  if (!is_plain && !has_pads) return;
  begin_ = number(bases.function);
  code_.resize(value_at<std::uint32_t>(entry + range_at));
}

void FunctionCode::decode() {
  Decoder decoder(*this);
  std::uintptr_t address = begin_;
  enum class Begin { nothing, pushed, over } begin = Begin::nothing;
  for (; address < end() && decoder.read(address); address += decoder.result().length) {
    code_[address - begin_] = decoder.result();
    if (decoder.is(ZYDIS_MNEMONIC_ENDBR64) || begin == Begin::over) continue;
    if (begin == Begin::nothing) {
      const bool pushes = decoder.is(ZYDIS_MNEMONIC_PUSH) && decoder.is_register(0, ZYDIS_REGISTER_RBP);
      begin = pushes ? Begin::pushed : Begin::over;
    } else if (decoder.is_about_stack() || decoder.result().flow != Flow::next) {
      // Something else may come before.
      has_frame_pointer_ = decoder.is(ZYDIS_MNEMONIC_MOV) && decoder.is_register(0, ZYDIS_REGISTER_RBP) &&
                           decoder.is_register(1, ZYDIS_REGISTER_RSP);
      begin = Begin::over;
    }
  }
  // What could not be read may do anything.
  if (address < end()) gives_away_frame_ = true;
}

}  // namespace norn::exec
