// Branch and bound over two hierarchies for distance queries: the distance of two posed objects, or the pairs of
// triangles within a distance.
//
// Depth first, nearest first: of a pair of boxes the larger one is opened, its eight children are bounded in lanes
// (box_bounds.hpp), and the survivors are visited in order of their bounds. Two leaf groups are bounded by triangle
// pairs in lanes (triangle_bounds.hpp); what these bounds leave open is decided one by one (triangle_distance.hpp).
// The direction between the closest points found so far bounds boxes and triangles, too: near the optimum it is the
// best there is.
//
// A pair of boxes or triangles is dropped only if its lower bound is positive, which proves that nothing in it
// intersects, and not below the limit of the query. For distances with tolerances r and s and the least upper bound
// hi, that limit is hi - max(r hi, s). It never grows when hi falls, so every lower bound that dropped a pair is at
// least the limit at the end, and so is the least of them: lo. Memory: O(depth), and the pairs found.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <graze/rigid_distance.hpp>

#include "core/function_ref.hpp"
#include "rigid/distance/box_bounds.hpp"
#include "rigid/distance/triangle_bounds.hpp"
#include "rigid/distance/triangle_distance.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// An object with its hierarchy for distances, in a pose.
struct ProximitySide {
  const ObjectState& object;
  const ProximityTree& tree;
  const Pose& pose;
};

/// The posed corners of a triangle.
TriangleCorners corners_of(const ProximitySide& side, TriangleId triangle);

/// Work space of a search; one search at a time.
struct ProximityWork {
  struct Pair {
    ProximityTree::Slot a = 0;
    ProximityTree::Slot b = 0;
    double bound = 0.0;  ///< lower bound of the distance in units if positive
  };
  static constexpr std::size_t kCached = 64;  // a power of two
  struct Cache {
    std::array<std::uint32_t, kCached> keys;
    std::array<PosedGroup, kCached> groups;
  };

  std::vector<Pair> stack;
  std::unique_ptr<std::array<Cache, 2>> posed;  ///< leaf groups of this query, by the low bits of their index
};

/// Bounds of the distance. `start`: a pair of triangles to begin with. Preconditions: checked poses and options.
RigidDistance search_distance(const ProximitySide& a, const ProximitySide& b, const DistanceOptions& options,
                              std::optional<TrianglePair> start, ProximityWork& work);

/// A pair of triangles within d, if there is one. Precondition: d is finite and >= 0.
WithinDistance search_within(const ProximitySide& a, const ProximitySide& b, double d,
                             std::optional<TrianglePair> start, ProximityWork& work);

/// Decides after each pair whether to end the search.
using PairStop = core::FunctionRef<bool(const TrianglePair&)>;

/// The pairs of triangles within d, in any order: all, or those up to the one at which `stop` returns true.
/// Precondition as above.
std::vector<TrianglePair> search_pairs(const ProximitySide& a, const ProximitySide& b, double d,
                                       ProximityWork& work, RigidStats& stats, PairStop stop);

/// Bounds and closest points of one pair.
RigidProximity proximity_of(const ProximitySide& a, const ProximitySide& b, const TrianglePair& pair);

}  // namespace graze::rigid
