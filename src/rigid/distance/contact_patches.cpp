// Contact patches: connected groups of contacts, with a normal and a local penetration depth. See
// graze/rigid_distance.hpp.
//
// Two contacts are connected if they share a vertex of a and a vertex of b: each contact has nine such pairs of
// vertex ids, and equal pairs unite their contacts. A contact of length zero weighs as one of length 2^-20 times
// the longest, so that patches of points have a normal.
//
// Depth. Along the normal n, in doubles, triangles of a reach up to hi and those of b down to lo. Translating b by
// (hi - lo) n moves its projections on n by (hi - lo) n.n, where n.n is at least 1 - 2^-50. The sum of three
// products of doubles errs by 3u times the sum of their magnitudes, at most 3u sqrt(3) C for coordinates up to C,
// for hi and for lo; 2^-49 C covers both, the rounding of the difference and n.n. O(n log n).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/rigid_distance.hpp>

#include "geometry/vec.hpp"
#include "rigid/collide.hpp"
#include "rigid/distance/solid_topology.hpp"
#include "rigid/distance/triangle_distance.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

struct Side {
  const ObjectState& object;
  const Pose& pose;

  [[nodiscard]] TriangleCorners corners(TriangleId t) const { return posed_triangle(object, pose, t); }
};

Side side_of(const PosedObject& object, const char* which) {
  if (object.object == nullptr) throw InputError(fmt::format("{} is a null pointer", which));
  const ObjectState& state = ObjectAccess::state(*object.object);
  check_pose(state, object.pose, fmt::format("pose of {}", which).c_str());
  return {state, object.pose};
}

/// The vector scaled to length 1, or zero if it has no direction.
Vec3 unit(const Vec3& v) {
  const double size = max_abs(v);
  if (!(size > 0.0) || !std::isfinite(size)) return {};
  const Vec3 scaled{v.x / size, v.y / size, v.z / size};
  const double norm = std::sqrt(dot(scaled, scaled));
  return {scaled.x / norm, scaled.y / norm, scaled.z / norm};
}
/// Unit normal of a triangle, scaled so that products of differences do not overflow; zero without area.
Vec3 unit_normal(const TriangleCorners& t) {
  const auto scaled = [](const Vec3& v, double size) { return Vec3{v.x / size, v.y / size, v.z / size}; };
  const Vec3 e = 0.5 * t[1] - 0.5 * t[0];
  const Vec3 f = 0.5 * t[2] - 0.5 * t[0];
  const double size = std::max(max_abs(e), max_abs(f));
  return size > 0.0 ? unit(cross(scaled(e, size), scaled(f, size))) : Vec3{};
}

/// For each contact the lowest contact of its patch.
std::vector<std::uint32_t> patch_roots(const Side& a, const Side& b, std::span<const RigidContact> contacts) {
  using Key = std::pair<std::uint64_t, std::uint32_t>;
  std::vector<Key> keys;
  keys.reserve(9 * contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    for (const VertexId v : a.object.triangles[contacts[i].pair.a]) {
      for (const VertexId w : b.object.triangles[contacts[i].pair.b])
        keys.emplace_back(std::uint64_t{v} << 32U | w, i);
    }
  }
  std::sort(keys.begin(), keys.end());
  DisjointSets sets(contacts.size());
  for (std::size_t k = 1; k < keys.size(); ++k) {
    if (keys[k].first == keys[k - 1].first) sets.unite(keys[k].second, keys[k - 1].second);
  }
  std::vector<std::uint32_t> roots(contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) roots[i] = sets.root(i);
  return roots;
}

double depth_along(const Vec3& n, const Side& a, const Side& b, std::span<const RigidContact> contacts,
                   std::span<const std::uint32_t> members) {
  double hi = -std::numeric_limits<double>::infinity();
  double lo = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (const std::uint32_t i : members) {
    for (const Vec3& p : a.corners(contacts[i].pair.a)) {
      hi = std::max(hi, dot(n, p));
      largest = std::max(largest, max_abs(p));
    }
    for (const Vec3& p : b.corners(contacts[i].pair.b)) {
      lo = std::min(lo, dot(n, p));
      largest = std::max(largest, max_abs(p));
    }
  }
  return std::max(0.0, hi - lo) + 0x1p-49 * largest;
}

ContactPatch patch_of(const Side& a, const Side& b, std::span<const RigidContact> contacts,
                      std::vector<std::uint32_t> members) {
  ContactPatch patch;
  const auto length_of = [&](std::uint32_t i) { return length(contacts[i].q - contacts[i].p); };
  double longest = 0.0;
  for (const std::uint32_t i : members) longest = std::max(longest, length_of(i));
  double total = 0.0;
  Vec3 normal;
  const Vec3 first = contacts[members.front()].p;
  Vec3 centre;  // relative to the first contact
  for (const std::uint32_t i : members) {
    const double weight = longest > 0.0 ? std::max(length_of(i) / longest, 0x1p-20) : 1.0;
    total += weight;
    const Vec3 middle = 0.5 * (contacts[i].p - first) + 0.5 * (contacts[i].q - first);
    centre = centre + weight * middle;
    normal =
        normal + weight * (unit_normal(a.corners(contacts[i].pair.a)) - unit_normal(b.corners(contacts[i].pair.b)));
  }
  patch.centre = first + (1.0 / total) * centre;
  // Opposite normals cancel up to rounding: what is left then is no direction.
  patch.normal = max_abs(normal) > 0x1p-40 * total ? unit(normal) : Vec3{};
  if (patch.normal != Vec3{}) patch.depth = depth_along(patch.normal, a, b, contacts, members);
  patch.contacts = std::move(members);
  return patch;
}

}  // namespace

std::vector<ContactPatch> contact_patches(const PosedObject& a, const PosedObject& b,
                                          const RigidContacts& contacts) {
  const Side side_a = side_of(a, "a");
  const Side side_b = side_of(b, "b");
  for (const RigidContact& contact : contacts.contacts) {
    if (contact.pair.a >= side_a.object.triangles.size() || contact.pair.b >= side_b.object.triangles.size())
      throw InputError(fmt::format("the contact of triangles {} and {} is not of these objects", contact.pair.a,
                                   contact.pair.b));
  }
  const std::vector<std::uint32_t> roots = patch_roots(side_a, side_b, contacts.contacts);
  std::vector<std::uint32_t> patch_at(roots.size());
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < roots.size(); ++i) {
    if (roots[i] == i) {
      patch_at[i] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[patch_at[roots[i]]].push_back(i);
  }
  std::vector<ContactPatch> patches;
  patches.reserve(groups.size());
  for (std::vector<std::uint32_t>& members : groups)
    patches.push_back(patch_of(side_a, side_b, contacts.contacts, std::move(members)));
  return patches;
}

}  // namespace graze
