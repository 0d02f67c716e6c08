// The parts that soups are made of: panels with holes, shells of revolution, boxes and tubes, each meshed for
// itself at one spacing, each a hair out of place. Linear in the triangles made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <graze/types.hpp>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes::shaping {

class SoupParts {
 public:
  /// Edges are about as long as the spacing. Equal seeds make equal soups.
  SoupParts(double spacing, std::uint64_t seed) : spacing_(spacing), random_(seed) {}

  using Surface = std::function<Vec3(double u, double v)>;
  using Keep = std::function<bool(double u, double v)>;
  /// An open patch over [0, 1]^2, about so long in u and v; cells whose middle is not to be kept are left out.
  void panel(double length_u, double length_v, const Surface& surface, const Keep& keep = {});

  struct ProfilePoint {
    double radius = 0.0;
    double z = 0.0;
  };
  /// A shell of revolution about the z axis through `base`, a patch for each piece of its profile.
  void lathe(const Vec3& base, const std::vector<ProfilePoint>& profile);

  /// Six separate faces.
  void box(const Vec3& middle, const Vec3& half);

  /// An open tube along a curve p(t), t in [0, 1], of that length.
  void tube(double length, double radius, const std::function<Vec3(double t)>& curve);

  /// A cylinder from a to b with lids.
  void cylinder(const Vec3& a, const Vec3& b, double radius);

  /// The soup, some triangles twice and some facing the other way. The maker is then empty.
  Shape take();

 private:
  [[nodiscard]] std::size_t cuts(double length, std::size_t least) const;

  double spacing_;
  Random random_;
  Shape soup_;
};

}  // namespace graze::scenes::shaping
