// Small moving meshes with self-collisions that a careless normal-cone or contour test loses: patches that wind
// twice round a vertex, are not discs, fold, or flip during the step. Every projection is along z, so that heights
// are arbitrary: the cone test sees only x and y. Each case names the variants of careless_cone.hpp that it proves
// wrong.
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
  std::vector<Omission> fools;  ///< variants that each miss its contacts
};

/// For GoogleTest's messages.
inline std::ostream& operator<<(std::ostream& out, const GalleryCase& item) {
  return out << item.name;
}

/// The gallery: 8 to some 80 triangles each, and some cases refined to several hundred.
std::vector<GalleryCase> cone_gallery();

}  // namespace graze::testing
