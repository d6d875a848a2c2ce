#include "trace/link.hpp"

namespace norn {

const char* name(LinkKind kind) {
  switch (kind) {
    case LinkKind::created: return "created";
    case LinkKind::joined: return "joined";
    case LinkKind::released: return "released";
    case LinkKind::met: return "met";
    case LinkKind::woke: return "woke";
    case LinkKind::sent:
    case LinkKind::deposited: return "sent";
    default: return nullptr;
  }
}

}  // namespace norn
