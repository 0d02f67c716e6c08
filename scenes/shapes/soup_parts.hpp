// Parts of polygon soups: panels with holes, shells of revolution, boxes and tubes, each meshed separately at one
// spacing and slightly displaced. Cost: linear in the generated triangles.
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
  /// Edges are about as long as the spacing. Equal seeds give equal soups.
  SoupParts(double spacing, std::uint64_t seed) : spacing_(spacing), random_(seed) {}

  using Surface = std::function<Vec3(double u, double v)>;
  using Keep = std::function<bool(double u, double v)>;
  /// Adds an open patch over [0, 1]^2 of these approximate lengths in u and v; omits cells whose centre `keep`
  /// rejects.
  void panel(double length_u, double length_v, const Surface& surface, const Keep& keep = {});

  struct ProfilePoint {
    double radius = 0.0;
    double z = 0.0;
  };
  /// Adds a shell of revolution about the z axis through `base`, one patch for each segment of its profile.
  void lathe(const Vec3& base, const std::vector<ProfilePoint>& profile);

  /// Adds six separate faces.
  void box(const Vec3& middle, const Vec3& half);

  /// Adds an open tube of this length along a curve p(t), t in [0, 1].
  void tube(double length, double radius, const std::function<Vec3(double t)>& curve);

  /// Adds a cylinder from a to b with end caps.
  void cylinder(const Vec3& a, const Vec3& b, double radius);

  /// Returns the soup, with some triangles duplicated and some reversed. The object is empty afterwards.
  Shape take();

 private:
  [[nodiscard]] std::size_t cuts(double length, std::size_t least) const;

  double spacing_;
  Random random_;
  Shape soup_;
};

}  // namespace graze::scenes::shaping
