// See the header.
#include "narrow/triangle_contact.hpp"

namespace graze::narrow {

TriangleContact triangle_contact(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& /*b*/, bool& /*exact*/) {
  return {ContactShape::Point, a[0], a[0]};
}

}  // namespace graze::narrow
