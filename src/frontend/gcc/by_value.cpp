// A pass of GCC's own. GCC instruments assignments, but not the memory that a call reads for an argument or writes its
// result to, where a structure is passed by value: `length(range)`, `range = grown(range)`. Here such calls get copies
// of their arguments and give their result to a copy, so that there are assignments to instrument. What has a copy
// constructor of its own is left alone: its copies are code.

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
#include "tree-cfg.h"
#include "ssa.h"
#include "stringpool.h"
#include "attribs.h"
#include "asan.h"
// clang-format on

#include <cstring>

int plugin_is_GPL_compatible;

namespace {

/// Whether values of this type are in memory and are copied as bytes.
bool is_plain_structure(tree type) {
  return !is_gimple_reg_type(type) && !TREE_ADDRESSABLE(type) && COMPLETE_TYPE_P(type) && !is_empty_type(type) &&
         TREE_CODE(TYPE_SIZE_UNIT(type)) == INTEGER_CST && !integer_zerop(TYPE_SIZE_UNIT(type));
}

/// GCC instruments nothing else.
bool is_known_to_others(tree value) {
  const tree base = get_base_address(value);
  if (base == NULL_TREE) return false;
  return !DECL_P(base) || TREE_ADDRESSABLE(base) || needs_to_live_in_memory(base);
}

bool needs_copy(tree value) {
  return value != NULL_TREE && (DECL_P(value) || handled_component_p(value) || TREE_CODE(value) == MEM_REF) &&
         is_plain_structure(TREE_TYPE(value)) && is_known_to_others(value);
}

gassign* assign(tree to, tree from, gcall* call) {
  gassign* const assignment = gimple_build_assign(to, from);
  gimple_set_location(assignment, gimple_location(call));
  return assignment;
}

void copy_arguments(gimple_stmt_iterator at, gcall* call) {
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
    const tree argument = gimple_call_arg(call, i);
    if (!needs_copy(argument)) continue;
    const tree copy = create_tmp_var(TREE_TYPE(argument));
    gsi_insert_before(&at, assign(copy, unshare_expr(argument), call), GSI_SAME_STMT);
    gimple_call_set_arg(call, i, copy);
    update_stmt(call);
  }
}

/// If a call can throw, the assignment belongs to where it goes on otherwise.
void copy_result(gimple_stmt_iterator at, gcall* call) {
  const tree result = gimple_call_lhs(call);
  if (!needs_copy(result)) return;
  edge next = nullptr;
  if (stmt_ends_bb_p(call) && (next = find_fallthru_edge(gimple_bb(call)->succs)) == nullptr) return;
  const tree copy = create_tmp_var(TREE_TYPE(result));
  gassign* const assignment = assign(result, copy, call);
  gimple_call_set_lhs(call, copy);
  gimple_call_set_return_slot_opt(call, false);
  update_stmt(call);
  if (next != nullptr)
    gsi_insert_on_edge(next, assignment);
  else
    gsi_insert_after(&at, assignment, GSI_SAME_STMT);
}

const pass_data description = {GIMPLE_PASS, "norn_by_value", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0,
                               0,           TODO_update_ssa};

class CopyByValue : public gimple_opt_pass {
 public:
  CopyByValue() : gimple_opt_pass(description, g) {}
  opt_pass* clone() final { return new CopyByValue; }
  bool gate(function* code) final { return sanitize_flags_p(SANITIZE_THREAD, code->decl); }
  unsigned execute(function* code) final {
    basic_block block;
    FOR_EACH_BB_FN(block, code) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gcall* const call = dyn_cast<gcall*>(gsi_stmt(at));
        if (call == nullptr || gimple_call_internal_p(call) || gimple_call_builtin_p(call)) continue;
        copy_arguments(at, call);
        copy_result(at, call);
      }
    }
    gsi_commit_edge_inserts();
    return 0;
  }
};

void insert_before(const char* pass, const char* plugin) {
  register_pass_info info = {new CopyByValue, pass, 0, PASS_POS_INSERT_BEFORE};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

}  // namespace

/// Does nothing in a GCC of another version.
int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (std::strcmp(version->basever, gcc_version.basever) != 0) return 0;
  insert_before("tsan", plugin->base_name);   // if the program is optimized
  insert_before("tsan0", plugin->base_name);  // if it is not
  return 0;
}
