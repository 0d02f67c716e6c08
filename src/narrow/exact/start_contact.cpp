// Narrow phase, exact arithmetic: contact at the start of a step. See start_contact.hpp.
//
// Equal points, one of each feature, need no arithmetic. Otherwise the features touch if their points are coplanar
// and the signs of cross products say so (fixed_pair.hpp). The features touch at t = 0 exactly if the general test
// (exact_tests.cpp) finds a root of F at 0, or F vanishing identically, with a contact there; its interval is then
// [0, 0], and its side 0.
//
// Cost: some 10 to 100 ns.
#include "narrow/exact/start_contact.hpp"

#include <cstddef>

#include "narrow/exact/fixed_pair.hpp"
#include "narrow/orientation.hpp"

namespace graze::narrow {
namespace {

using namespace fixed;

/// A, B, C of one instant; returns false if they do not fit.
template <class Width>
bool load(const std::array<Vec3, 4>& points, Differences<Width>& d) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < 4; ++i) values[i] = coordinate(points[i], axis);
    std::array<typename Width::Coordinate, 4> x{};
    if (!fixed_values<Width::kCoordinateBits>(values, x)) return false;
    for (std::size_t i = 0; i < 3; ++i) d[i][axis] = x[i + 1] - x[0];
  }
  return true;
}

/// Whether F = 0.
template <class Width>
bool coplanar(const Differences<Width>& d) {
  typename Width::Long sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += Width::multiply_long(cross_component<Width>(d[1], d[2], k), d[0][k]);
  return sum.is_zero();
}
template <>
bool coplanar<MachineWidth>(const Differences<MachineWidth>& d) {
  return determinant_sign(d[0], d[1], d[2]) == 0;
}

bool equal(const Vec3& a, const Vec3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

template <class Rule>
bool touch_at_one_instant(const std::array<Vec3, 4>& points) {
  Differences<MachineWidth> machine{};
  if (load<MachineWidth>(points, machine))
    return coplanar<MachineWidth>(machine) && touch_at_end<Rule, MachineWidth>(machine);
  Differences<WideWidth> wide{};
  return load<WideWidth>(points, wide) && coplanar<WideWidth>(wide) && touch_at_end<Rule, WideWidth>(wide);
}

}  // namespace

bool starts_in_contact_vertex_face(const std::array<Vec3, 4>& x) {
  if (equal(x[0], x[1]) || equal(x[0], x[2]) || equal(x[0], x[3])) return true;
  if (certainly_not_coplanar(x[1], x[2], x[3], x[0])) return false;
  return touch_at_one_instant<VertexFaceRule>(x);
}

bool starts_in_contact_edge_edge(const std::array<Vec3, 4>& x) {
  if (equal(x[0], x[2]) || equal(x[0], x[3]) || equal(x[1], x[2]) || equal(x[1], x[3])) return true;
  if (certainly_not_coplanar(x[1], x[2], x[3], x[0])) return false;
  return touch_at_one_instant<EdgeEdgeRule>(x);
}

}  // namespace graze::narrow
