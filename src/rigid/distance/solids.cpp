// Solids: where a point lies, and whether two solids are apart, touch, overlap or contain each other. See
// graze/rigid_distance.hpp.
//
// If no two triangles intersect, each component of a boundary is inside or outside of the other solid as a whole,
// and one of its vertices decides. If an edge passes through the interior of a face, both insides meet beside that
// point: the two boundaries cross along a segment, at whose generic points each solid fills one side of a plane.
// All other contacts are decided by rigid/distance/touching_solids.hpp.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/rigid_distance.hpp>

#include "core/enum_names.hpp"
#include "geometry/vec.hpp"
#include "rigid/collide.hpp"
#include "rigid/distance/ray_parity.hpp"
#include "rigid/distance/touching_solids.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

constexpr std::array kRelations{Named{SolidRelation::Apart, "apart"}, Named{SolidRelation::Touching, "touching"},
                                Named{SolidRelation::Overlapping, "overlapping"},
                                Named{SolidRelation::AInB, "a-in-b"}, Named{SolidRelation::BInA, "b-in-a"}};

/// The solid of checked input.
SolidSide solid_side(const PosedObject& object, const char* which) {
  if (object.object == nullptr) throw InputError(fmt::format("{} is a null pointer", which));
  const ObjectState& state = ObjectAccess::state(*object.object);
  check_pose(state, object.pose, fmt::format("pose of {}", which).c_str());
  const SolidTopology& topology = state.distance_data.topology(state);
  if (!topology.fault.empty()) throw InputError(fmt::format("{} bounds no solid: {}", which, topology.fault));
  return {{state, state.distance_data.tree(state), object.pose}, topology};
}

/// How many components of a boundary are inside of the other solid. Precondition: no triangles intersect.
std::size_t components_inside(const SolidSide& own, const SolidSide& other) {
  std::size_t count = 0;
  for (const TriangleId t : own.topology.components)
    count += locate_point(other.side, corners_of(own.side, t)[0]) == PointSide::Inside ? 1U : 0U;
  return count;
}

SolidRelation without_contact(const SolidSide& a, const SolidSide& b) {
  const std::size_t a_in_b = components_inside(a, b);
  const std::size_t b_in_a = components_inside(b, a);
  if (a_in_b == 0 && b_in_a == 0) return SolidRelation::Apart;
  if (b_in_a == 0 && a_in_b == a.topology.components.size()) return SolidRelation::AInB;
  if (a_in_b == 0 && b_in_a == b.topology.components.size()) return SolidRelation::BInA;
  return SolidRelation::Overlapping;
}

}  // namespace

std::string_view name_of(SolidRelation value) {
  return name_in(kRelations, "relation of solids", value);
}

PointSide locate(const PosedObject& solid, const Vec3& point) {
  if (!is_finite(point))
    throw InputError(fmt::format("the point ({}, {}, {}) is not finite", point.x, point.y, point.z));
  return locate_point(solid_side(solid, "the solid").side, point);
}

SolidRelationResult relate(const PosedObject& a, const PosedObject& b) {
  const SolidSide side_a = solid_side(a, "a");
  const SolidSide side_b = solid_side(b, "b");
  SolidRelationResult result;
  ProximityWork work;
  bool piercing = false;
  std::vector<TrianglePair> pairs =
      sorted_pairs(search_pairs(side_a.side, side_b.side, 0.0, work, result.stats, [&](const TrianglePair& pair) {
        piercing = pierces(corners_of(side_a.side, pair.a), corners_of(side_b.side, pair.b));
        if (piercing) result.pair = pair;
        return piercing;
      }));
  // Triangles that are segments or points bound nothing.
  std::erase_if(pairs, [&](const TrianglePair& pair) {
    return !side_a.topology.bounds(pair.a) || !side_b.topology.bounds(pair.b);
  });
  if (piercing) {
    result.relation = SolidRelation::Overlapping;
  } else if (pairs.empty()) {
    result.relation = without_contact(side_a, side_b);
  } else {
    result.pair = pairs.front();
    result.relation = insides_meet(side_a, side_b, pairs) ? SolidRelation::Overlapping : SolidRelation::Touching;
  }
  return result;
}

}  // namespace graze
