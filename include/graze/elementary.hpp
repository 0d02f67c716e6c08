// Elementary tests (narrow phase) of one feature pair, exact for the given doubles: continuous collision detection
// with or without thickness, discrete intersection, and distance. Three tiers decide: a floating-point filter with
// a proved error bound, interval subdivision, exact arithmetic. Cost: O(1).
//
// All functions are pure and thread-safe. They accept any finite doubles (magnitudes from 1e-300 to 1e300, and
// zero) and any degenerate shape, and throw InputError for NaN or infinity. The order of the points affects only
// the last bits of the intervals; pass points in canonical order (see FeaturePair), as Detector does, for identical
// bits.
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
  std::array<Vec3, 4> t0;  ///< points at time 0
  std::array<Vec3, 4> t1;  ///< points at time 1
};

/// Options of the continuous elementary tests, which throw InputError for values outside the ranges stated here.
struct ElementaryOptions {
  /// Maximum width of a time-of-impact interval, in [2^-40, 1] of the step; it is also at most 2^-10 of its end.
  double tolerance = 1e-6;
  double thickness = 0.0;  ///< a pair counts as a contact at distances <= thickness; scene units, >= 0
};

/// The first contact of a pair. Without thickness, [toi_lo, toi_hi] contains the exact first time of contact, and
/// toi_lo is 0 only for a contact at the start (or before 2^-980). With
/// thickness, the distance is greater than thickness before toi_lo, and at most thickness + slack at toi_hi, where
/// slack = max(tolerance * min(1, thickness), 2^-43 * (largest coordinate difference in the pair)). The other
/// fields describe the pair at toi_hi and are rounded.
struct ElementaryImpact {
  double toi_lo = 0.0;  ///< lower end of the time-of-impact interval, in [0, 1]
  double toi_hi = 0.0;  ///< upper end of the time-of-impact interval, in [0, 1]
  /// Barycentric weights of the four points. Vertex-face: 1, then the weights of f0, f1, f2. Edge-edge: the weights
  /// of a0, a1, then of b0, b1. The weights of each feature sum to 1.
  std::array<double, 4> weights{};
  /// Unit contact normal. It points from the second feature (face, edge b) to the side that the first feature came
  /// from; {0, 0, 0} where no normal is defined (a zero-area face, parallel edges).
  Vec3 normal;
  /// Side of the first feature before the contact: +1 if the cross product (f1-f0)x(f2-f0), or (a1-a0)x(b1-b0),
  /// points towards it, -1 if it points away, 0 if the pair touches from the start or is coplanar throughout.
  int side = 0;
};

/// Returns the first contact of a vertex and a face (a closed triangle of any shape), or nothing if they do not
/// touch in [0, 1]. `tiers`, if not null, counts the tier that decided. Throws InputError for a coordinate that is
/// not finite or invalid options.
[[nodiscard]] GRAZE_API std::optional<ElementaryImpact> impact_vertex_face(const PairStep& pair,
                                                                           const ElementaryOptions& options = {},
                                                                           TierCounts* tiers = nullptr);

/// Returns the first contact of two edges (closed segments of any length), or nothing if they do not touch in [0,
/// 1]. Parameters and errors as for impact_vertex_face.
[[nodiscard]] GRAZE_API std::optional<ElementaryImpact> impact_edge_edge(const PairStep& pair,
                                                                         const ElementaryOptions& options = {},
                                                                         TierCounts* tiers = nullptr);

/// Returns whether the closed segment p-q and the closed triangle a, b, c share a point, decided exactly. Points:
/// p, q, a, b, c. `tiers`, if not null, counts the tier that decided. Throws InputError for a coordinate that is
/// not finite.
[[nodiscard]] GRAZE_API bool intersect_edge_face(const std::array<Vec3, 5>& points, TierCounts* tiers = nullptr);

/// Returns whether two closed triangles share a point, decided exactly. Points: a0, a1, a2, b0, b1, b2. `tiers` and
/// errors as for intersect_edge_face.
[[nodiscard]] GRAZE_API bool intersect_triangle_triangle(const std::array<Vec3, 6>& points,
                                                         TierCounts* tiers = nullptr);

/// Distance of a pair at one instant, and its closest points.
struct ElementaryDistance {
  double distance = 0.0;            ///< within two units in the last place of the exact distance; scene units
  std::array<double, 4> weights{};  ///< barycentric weights of the closest points, see ElementaryImpact::weights
  /// Unit vector from the closest point of the second feature to that of the first, usually to the last place,
  /// always within 2^-25; zero where the features touch.
  Vec3 normal = {};
};

/// Returns the distance of a point and a closed triangle. Points: v, f0, f1, f2. Throws InputError for a coordinate
/// that is not finite.
[[nodiscard]] GRAZE_API ElementaryDistance distance_vertex_face(const std::array<Vec3, 4>& points);
/// Returns the distance of two closed segments. Points: a0, a1, b0, b1. Throws InputError for a coordinate that is
/// not finite.
[[nodiscard]] GRAZE_API ElementaryDistance distance_edge_edge(const std::array<Vec3, 4>& points);

/// Returns whether the exact distance of a point and a closed triangle is <= d, decided exactly. Points: v, f0, f1,
/// f2. `tiers`, if not null, counts the tier that decided. Throws InputError for a coordinate that is not finite,
/// or a d that is not finite or negative.
[[nodiscard]] GRAZE_API bool within_vertex_face(const std::array<Vec3, 4>& points, double d,
                                                TierCounts* tiers = nullptr);
/// Returns whether the exact distance of two closed segments is <= d, decided exactly. Points: a0, a1, b0, b1.
/// `tiers` and errors as for within_vertex_face.
[[nodiscard]] GRAZE_API bool within_edge_edge(const std::array<Vec3, 4>& points, double d,
                                              TierCounts* tiers = nullptr);

}  // namespace graze
