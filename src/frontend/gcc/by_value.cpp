// A pass of GCC's own. GCC instruments assignments, but not the memory that a call reads for an argument or writes its
// result to, where a structure is passed by value: `length(range)`, `range = grown(range)`. Here the reads are told
// of as GCC does it elsewhere, and results get assignments of their own. What has a copy constructor of its own is left
// alone: its copies are code.

// These need each other in this order.
// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "context.h"
#include "tree.h"
#include "tree-pass.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "tree-cfg.h"
#include "ssa.h"
#include "stringpool.h"
#include "attribs.h"
#include "asan.h"
// clang-format on

#include <algorithm>
#include <cstring>

int plugin_is_GPL_compatible;

namespace {

/// Whether values of this type are in memory and are copied as bytes.
bool is_plain_structure(tree type) {
  return !is_gimple_reg_type(type) && !TREE_ADDRESSABLE(type) && COMPLETE_TYPE_P(type) &&
         TREE_CODE(TYPE_SIZE_UNIT(type)) == INTEGER_CST;
}

unsigned HOST_WIDE_INT size_of(tree type) { return tree_to_uhwi(TYPE_SIZE_UNIT(type)); }

/// Without the padding at its end, where others may have something of their own: what is derived from it, for instance.
unsigned HOST_WIDE_INT size_without_padding(tree type) {
  if (TREE_CODE(type) == ARRAY_TYPE) {
    const unsigned HOST_WIDE_INT element = size_of(TREE_TYPE(type));
    const bool is_empty = element == 0 || size_of(type) == 0;
    return is_empty ? 0 : size_of(type) - element + size_without_padding(TREE_TYPE(type));
  }
  if (!RECORD_OR_UNION_TYPE_P(type)) return size_of(type);
  unsigned HOST_WIDE_INT size = 0;
  for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
    if (TREE_CODE(field) != FIELD_DECL || DECL_SIZE(field) == NULL_TREE || !tree_fits_uhwi_p(DECL_SIZE(field)))
      continue;
    const unsigned HOST_WIDE_INT bit = int_bit_position(field);
    const bool has_bytes = !DECL_BIT_FIELD_TYPE(field) && tree_fits_uhwi_p(TYPE_SIZE_UNIT(TREE_TYPE(field)));
    const unsigned HOST_WIDE_INT bits =
        has_bytes ? size_without_padding(TREE_TYPE(field)) * BITS_PER_UNIT : tree_to_uhwi(DECL_SIZE(field));
    if (bits != 0) size = std::max(size, (bit + bits + BITS_PER_UNIT - 1) / BITS_PER_UNIT);
  }
  return std::min(size, size_of(type));
}

/// GCC instruments nothing else.
bool is_known_to_others(tree value) {
  const tree base = get_base_address(value);
  if (base == NULL_TREE) return false;
  if (!DECL_P(base)) return true;
  return (VAR_P(base) || TREE_CODE(base) == PARM_DECL) && (TREE_ADDRESSABLE(base) || is_global_var(base));
}

bool is_accessed(tree value) {
  if (value == NULL_TREE || !(DECL_P(value) || handled_component_p(value) || TREE_CODE(value) == MEM_REF)) return false;
  return is_plain_structure(TREE_TYPE(value)) && is_known_to_others(value) &&
         size_without_padding(TREE_TYPE(value)) != 0;
}

/// A call of the sanitizer's function for an access to the value.
gimple_seq access_to(tree value, built_in_function function, gcall* call) {
  gimple_seq statements = nullptr;
  if (const tree base = get_base_address(value); DECL_P(base)) mark_addressable(base);
  const tree address = force_gimple_operand(build_fold_addr_expr(unshare_expr(value)), &statements, true, NULL_TREE);
  const tree size = build_int_cst(size_type_node, size_without_padding(TREE_TYPE(value)));
  gcall* const access = gimple_build_call(builtin_decl_implicit(function), 2, address, size);
  gimple_set_location(access, gimple_location(call));
  gimple_seq_add_stmt(&statements, access);
  return statements;
}

void read_arguments(gimple_stmt_iterator at, gcall* call) {
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i)
    if (const tree argument = gimple_call_arg(call, i); is_accessed(argument))
      gsi_insert_seq_before(&at, access_to(argument, BUILT_IN_TSAN_READ_RANGE, call), GSI_SAME_STMT);
}

/// Whether a structure has pointers, perhaps to itself: then it matters where it is made.
bool has_pointers(tree type) {
  if (POINTER_TYPE_P(type)) return true;
  if (TREE_CODE(type) == ARRAY_TYPE) return has_pointers(TREE_TYPE(type));
  if (!RECORD_OR_UNION_TYPE_P(type)) return false;
  for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field))
    if (TREE_CODE(field) == FIELD_DECL && has_pointers(TREE_TYPE(field))) return true;
  return false;
}

/// The result goes to a copy, so that there is an assignment, which GCC instruments. If it must be made in place, the
/// write is told of after it has happened.
gimple_seq write_of(tree result, gcall* call) {
  if (has_pointers(TREE_TYPE(result))) return access_to(result, BUILT_IN_TSAN_WRITE_RANGE, call);
  const tree copy = create_tmp_var(TREE_TYPE(result));
  gassign* const assignment = gimple_build_assign(result, copy);
  gimple_set_location(assignment, gimple_location(call));
  gimple_call_set_lhs(call, copy);
  gimple_call_set_return_slot_opt(call, false);
  update_stmt(call);
  gimple_seq statements = nullptr;
  gimple_seq_add_stmt(&statements, assignment);
  return statements;
}

/// If a call can throw, it writes its result only where it goes on otherwise.
void write_result(gimple_stmt_iterator at, gcall* call) {
  const tree result = gimple_call_lhs(call);
  if (!is_accessed(result)) return;
  if (!stmt_ends_bb_p(call)) return gsi_insert_seq_after(&at, write_of(result, call), GSI_SAME_STMT);
  if (const edge next = find_fallthru_edge(gimple_bb(call)->succs))
    gsi_insert_seq_on_edge(next, write_of(result, call));
}

const pass_data description = {GIMPLE_PASS, "norn_by_value", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0,
                               0,           TODO_update_ssa};

class AccessByValue : public gimple_opt_pass {
 public:
  explicit AccessByValue(bool optimizes) : gimple_opt_pass(description, g), optimizes_(optimizes) {}
  opt_pass* clone() final { return new AccessByValue(optimizes_); }
  bool gate(function* code) final {
    return sanitize_flags_p(SANITIZE_THREAD, code->decl) && (optimize != 0) == optimizes_;
  }
  unsigned execute(function* code) final {
    basic_block block;
    FOR_EACH_BB_FN(block, code) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gcall* const call = dyn_cast<gcall*>(gsi_stmt(at));
        if (call == nullptr || gimple_call_internal_p(call) || gimple_call_builtin_p(call)) continue;
        read_arguments(at, call);
        write_result(at, call);
      }
    }
    gsi_commit_edge_inserts();
    return 0;
  }

 private:
  bool optimizes_;  ///< as GCC has a pass for each of these
};

void insert_before(const char* pass, bool optimizes, const char* plugin) {
  register_pass_info info = {new AccessByValue(optimizes), pass, 0, PASS_POS_INSERT_BEFORE};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

}  // namespace

/// Does nothing in a GCC of another version.
int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (std::strcmp(version->basever, gcc_version.basever) != 0) return 0;
  insert_before("tsan", true, plugin->base_name);
  insert_before("tsan0", false, plugin->base_name);
  return 0;
}
