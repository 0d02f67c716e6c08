// The headlight as a polygon soup: shells of revolution about z, with the light shining to +z; about 2 wide and 2
// deep.
#include <cmath>
#include <vector>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/soup_parts.hpp"
#include "scenes/shapes/soups.hpp"

namespace graze::scenes {
namespace {

using shaping::SoupParts;
using Profile = std::vector<SoupParts::ProfilePoint>;

// A paraboloid between two radii, in a few segments.
Profile reflector(double inner, double outer, double focus, double shift) {
  constexpr int kPieces = 5;
  Profile profile;
  for (int i = 0; i <= kPieces; ++i) {
    const double r = inner + (outer - inner) * i / kPieces;
    profile.push_back({r + shift, r * r / (4.0 * focus) - 1.0 - shift});
  }
  return profile;
}

// Part of a ball's profile about `middle` on the axis, from one latitude to another.
Profile dome(double radius, double middle, double from, double to) {
  constexpr int kPieces = 4;
  Profile profile;
  for (int i = 0; i <= kPieces; ++i) {
    const double latitude = from + (to - from) * i / kPieces;
    profile.push_back({radius * cos_turns(latitude), middle + radius * sin_turns(latitude)});
  }
  return profile;
}

}  // namespace

Shape make_headlight(std::size_t triangles, std::uint64_t seed) {
  const double area = 32.0;
  return shaping::fit_spacing(
      std::sqrt(2.0 * area / static_cast<double>(triangles)), triangles, [seed](double spacing) {
        SoupParts parts(spacing, seed);
        const Vec3 origin;
        parts.lathe(origin, reflector(0.12, 0.9, 0.16, 0.0));
        parts.lathe(origin, reflector(0.12, 0.9, 0.16, 0.03));  // back side of the reflector
        parts.lathe(origin, {{0.12, -0.97}, {0.12, -1.2}, {0.3, -1.2}, {0.3, -0.95}});
        parts.lathe(origin, {{1.0, 0.35}, {1.0, 0.1}, {0.9, -0.4}, {0.55, -1.0}, {0.35, -1.15}});
        parts.lathe(origin, {{0.97, 0.35}, {0.97, 0.1}, {0.87, -0.4}, {0.52, -0.98}});
        parts.lathe(origin, dome(1.9, -1.28, 0.165, 0.25));  // lens, and its inner side
        parts.lathe(origin, dome(1.87, -1.28, 0.165, 0.25));
        parts.lathe(origin, {{1.03, 0.3}, {1.05, 0.38}, {0.94, 0.42}, {0.92, 0.33}});  // bezel
        parts.lathe(origin, dome(0.11, -0.55, -0.15, 0.25));                           // bulb
        parts.lathe(origin, {{0.06, -0.66}, {0.06, -1.1}});
        parts.lathe(origin, dome(0.2, -0.5, 0.08, 0.25));  // shade
        parts.tube(1.2, 0.006, [](double t) {              // filament
          return Vec3{0.03 * cos_turns(6.0 * t), 0.03 * sin_turns(6.0 * t), -0.6 + 0.1 * t};
        });
        for (int rib = 0; rib < 24; ++rib) {  // ribs inside the housing, perpendicular to it
          const double turns = rib / 24.0;
          parts.panel(0.45, 0.08, [turns](double u, double v) {
            const double r = 0.98 - 0.11 * u - 0.08 * v;
            return Vec3{r * cos_turns(turns), r * sin_turns(turns), 0.05 - 0.4 * u};
          });
        }
        for (int flute = 0; flute < 12; ++flute) {  // flutes of the lens
          const double x = -0.66 + 0.12 * flute;
          parts.panel(0.12, 1.2, [x](double u, double v) {
            const double y = -0.6 + 1.2 * v;
            const double px = x + 0.12 * u;
            return Vec3{px, y, 0.56 - 0.25 * (px * px + y * y) + 0.02 * sin_turns(0.5 * u)};
          });
        }
        for (const double turns : {0.0, 0.25, 0.5, 0.75}) {  // tabs and their screws
          const Vec3 at{1.08 * cos_turns(turns), 1.08 * sin_turns(turns), 0.2};
          parts.box(at, {0.12, 0.12, 0.03});
          parts.cylinder(at - Vec3{0.0, 0.0, 0.2}, at + Vec3{0.0, 0.0, 0.06}, 0.03);
        }
        return parts.take();
      });
}

}  // namespace graze::scenes
