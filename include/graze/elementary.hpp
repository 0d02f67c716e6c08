// Elementary tests on one feature pair, exact for the given doubles: continuous, with thickness, discrete,
// distance.
//
// All are pure functions. They answer for any finite doubles, from 1e-300 to 1e300 and zero, and for any degenerate
// shape. Results depend on the order in which points are given only in the last bits of the intervals: callers
// that want identical bits pass points in canonical order (see FeaturePair), as Detector does.
#pragma once

#include <array>
#include <optional>

#include <graze/export.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze {

/// Four points at both ends of a step; each moves on a straight line. Vertex-face: v, f0, f1, f2. Edge-edge: a0,
/// a1, b0, b1.
struct PairStep {
  std::array<Vec3, 4> t0;
  std::array<Vec3, 4> t1;
};

struct ElementaryOptions {
  double tolerance = 1e-6;  ///< widest time-of-impact interval; at least 2^-40 (finer is refused), at most 1
  double thickness = 0.0;   ///< a pair counts as soon as its distance is <= thickness; scene units
};

/// The first contact of a pair. Without thickness [toi_lo, toi_hi] contains the exact first time of contact. With
/// thickness the pair is farther apart than thickness before toi_lo, and at toi_hi no farther than thickness +
/// slack, where slack = max(tolerance * min(1, thickness), 2^-43 * (largest coordinate difference in the pair)).
/// The rest describes the pair at toi_hi, rounded.
struct ElementaryImpact {
  double toi_lo = 0.0;
  double toi_hi = 0.0;
  /// Weights of the four points. Vertex-face: 1, then the face point's barycentrics. Edge-edge: weights on a0, a1,
  /// then b0, b1. Those of each feature sum to 1.
  std::array<double, 4> weights{};
  /// Unit contact normal, from the second feature (face, edge b) to the side the first came from; {0,0,0} where
  /// none is defined (a zero-area face, parallel edges).
  Vec3 normal;
  /// Side of the first feature before the contact: +1 if (f1-f0)x(f2-f0), or (a1-a0)x(b1-b0), points to it, -1
  /// on the other side, 0 where it is in contact from the start or coplanar throughout.
  int side = 0;
};

/// First contact of a vertex and a face (closed triangle, any shape), or nothing if they never touch in [0, 1].
/// Throws InputError for NaN or infinity or bad options. `tiers`, if given, counts which tier decided.
[[nodiscard]] GRAZE_API std::optional<ElementaryImpact> impact_vertex_face(const PairStep& pair,
                                                                           const ElementaryOptions& options = {},
                                                                           TierCounts* tiers = nullptr);

/// First contact of two edges (closed segments, any length), or nothing. As impact_vertex_face.
[[nodiscard]] GRAZE_API std::optional<ElementaryImpact> impact_edge_edge(const PairStep& pair,
                                                                         const ElementaryOptions& options = {},
                                                                         TierCounts* tiers = nullptr);

/// Do the closed segment p-q and the closed triangle a, b, c share a point? Exact. Points: p, q, a, b, c.
[[nodiscard]] GRAZE_API bool intersect_edge_face(const std::array<Vec3, 5>& points, TierCounts* tiers = nullptr);

/// Do two closed triangles share a point? Exact. Points: a0, a1, a2, b0, b1, b2.
[[nodiscard]] GRAZE_API bool intersect_triangle_triangle(const std::array<Vec3, 6>& points,
                                                         TierCounts* tiers = nullptr);

/// The distance of a pair at one instant: its value rounded to nearest within a few ulps, and the closest points.
struct ElementaryDistance {
  double distance = 0.0;
  std::array<double, 4> weights{};  ///< as in ElementaryImpact
};

/// Distance of a point and a closed triangle. Points: v, f0, f1, f2.
[[nodiscard]] GRAZE_API ElementaryDistance distance_vertex_face(const std::array<Vec3, 4>& points);
/// Distance of two closed segments. Points: a0, a1, b0, b1.
[[nodiscard]] GRAZE_API ElementaryDistance distance_edge_edge(const std::array<Vec3, 4>& points);

/// Is the exact distance <= d? Decided exactly. Points as above.
[[nodiscard]] GRAZE_API bool within_vertex_face(const std::array<Vec3, 4>& points, double d,
                                                TierCounts* tiers = nullptr);
[[nodiscard]] GRAZE_API bool within_edge_edge(const std::array<Vec3, 4>& points, double d,
                                              TierCounts* tiers = nullptr);

}  // namespace graze
