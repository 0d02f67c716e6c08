// Small moving meshes with contacts in themselves that a careless normal-cone or contour test loses: patches that
// wind twice round a vertex, that are no discs, that fold, that flip in the middle of the step. Every projection is
// along z, so heights are free: the cone test sees x and y alone. Each case names the variants of careless_cone.hpp
// that it proves wrong.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "support/careless_cone.hpp"

namespace graze::testing {

struct GalleryCase {
  std::string name;
  oracle::SceneStep step;
  std::vector<Omission> fools;  ///< variants that see no contact in it; each alone does
};

/// For GoogleTest's messages.
inline std::ostream& operator<<(std::ostream& out, const GalleryCase& item) {
  return out << item.name;
}

/// The gallery; 8 to some 80 triangles each, and some again with several hundred.
std::vector<GalleryCase> cone_gallery();

}  // namespace graze::testing
