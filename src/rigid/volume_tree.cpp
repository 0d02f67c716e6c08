// See the header.
#include "rigid/volume_tree.hpp"

#include <graze/error.hpp>

namespace graze::rigid {

std::unique_ptr<VolumeTree> build_volume_tree(std::span<const Vec3> /*positions*/,
                                              std::span<const Triangle> /*triangles*/, RigidTree /*tree*/) {
  throw InputError("this tree is not there yet");
}

}  // namespace graze::rigid
