// Checks a boxtree from its bytes alone: shape first, then boxes from the root down. See rigid/boxtree.hpp.
#include "rigid/boxtree.hpp"

namespace graze::rigid {

std::string validate_boxtree(const Boxtree& /*tree*/, std::span<const Vec3> /*positions*/,
                             std::span<const Triangle> /*triangles*/) {
  return "not written yet";
}

}  // namespace graze::rigid
