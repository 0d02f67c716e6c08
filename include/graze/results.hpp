// Results of the queries: impacts, the first impact, the safe step, intersections and proximities, with statistics.
// Results are sorted, contain each pair once and are never truncated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/export.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze {

/// A contact during a step: a feature pair and its first time of contact (time of impact). Times are in [0, 1] of
/// the step. ElementaryImpact defines the fields in full.
struct Impact {
  FeaturePair pair;                 ///< the two features, in canonical order
  double toi_lo = 0.0;              ///< lower end of the time-of-impact interval: no contact before it
  double toi_hi = 0.0;              ///< upper end of the time-of-impact interval
  std::array<double, 4> weights{};  ///< barycentric weights of the contact points, in the order of pair.vertices
  Vec3 normal = {};                 ///< unit contact normal, towards the first feature; zero where undefined
  int side = 0;                     ///< side of the first feature before the contact: +1, -1, or 0 if it has none
  /// Side of the first feature before the contact began, which may have been in an earlier step. Only
  /// Method::Adaptive remembers it, while the contact lasts and for fewer than 8 steps after it. Equal to `side`
  /// without a history.
  int remembered_side = 0;

  /// Time of impact: the lower end of the interval, before which there is no contact.
  [[nodiscard]] double toi() const { return toi_lo; }
};

/// All impacts of a step, sorted by pair (vertex-face before edge-edge, then by vertex ids).
struct GRAZE_API Impacts {
  std::vector<Impact> impacts;  ///< each pair once
  Stats stats;                  ///< work and time of the query

  /// Number of vertex-face impacts. O(impacts).
  [[nodiscard]] std::uint64_t vf_count() const;
  /// Number of edge-edge impacts. O(impacts).
  [[nodiscard]] std::uint64_t ee_count() const;
  /// Hash of the pairs. Two results contain the same pairs if and only if their hashes are equal, apart from 64-bit
  /// collisions.
  [[nodiscard]] std::uint64_t hash() const;
  /// Hash of the pairs and their time-of-impact intervals.
  [[nodiscard]] std::uint64_t toi_hash() const;
};

/// All impacts of a step in GPU memory, in the order of Impacts. Valid until the next query of their detector.
struct DeviceImpacts {
  const Impact* impacts = nullptr;  ///< GPU memory, which the detector owns
  std::size_t count = 0;            ///< number of impacts
  Stats stats;                      ///< work and time of the query
};

/// The earliest impact of a step.
struct FirstImpact {
  double toi = 1.0;  ///< no contact before this time; 1 if there is no impact. For a step to take, see SafeStep
  std::optional<Impact> impact;  ///< the impact with this toi, the first in pair order; empty if there is none
  Stats stats;                   ///< work and time of the query
};

/// A step that is free of contact.
struct SafeStep {
  double step = 1.0;            ///< share of the way from x_t0 to x_t1 that can be taken, in [0, 1]
  std::vector<Vec3> positions;  ///< x_t0 + step (x_t1 - x_t0), rounded: the end of the way that is proved free
  std::optional<Impact> limit;  ///< the first impact of the way to x_t1, which limits the step; empty if step is 1
  Stats stats;                  ///< work and time of the query
};

/// An edge and a face that intersect at one instant, that is, their closed sets share a point.
struct Intersection {
  std::array<VertexId, 2> edge{};  ///< vertex ids of the edge, ascending
  std::array<VertexId, 3> face{};  ///< vertex ids of the face, ascending; they may repeat

  /// Orders by edge, then by face.
  friend auto operator<=>(const Intersection&, const Intersection&) = default;
};

/// What two triangles have in common.
struct TriangleOverlap {
  ContactShape shape = ContactShape::Segment;  ///< decided exactly
  Vec3 p = {};                                 ///< first end, as in RigidContact
  Vec3 q = {};                                 ///< second end, as in RigidContact

  /// Compares all fields.
  friend bool operator==(const TriangleOverlap&, const TriangleOverlap&) = default;
};

/// All intersections at one instant, and the pairs of triangles that intersect.
struct Intersections {
  std::vector<Intersection> edge_face;  ///< sorted
  /// Intersecting triangles without a common vertex; with IntersectionOptions::adjacent also triangles that share a
  /// vertex or an edge and meet beyond it. Sorted, a < b.
  std::vector<TrianglePair> triangle_pairs;
  std::vector<TriangleOverlap> overlaps;  ///< with IntersectionOptions::overlaps: one for each of triangle_pairs
  Stats stats;                            ///< work and time of the query
};

/// A feature pair within the distance of a proximity query.
struct Proximity {
  FeaturePair pair;                 ///< the two features, in canonical order
  double distance = 0.0;            ///< see ElementaryDistance::distance
  std::array<double, 4> weights{};  ///< barycentric weights of the closest points, in the order of pair.vertices
  Vec3 normal = {};                 ///< see ElementaryDistance::normal
};

/// Returns the closest points of the two features of a pair, of the first feature first: the weighted sums of `x`,
/// the positions of all scene vertices at that instant. Also for the contact points of an impact.
[[nodiscard]] GRAZE_API std::array<Vec3, 2> closest_points(const FeaturePair& pair,
                                                           const std::array<double, 4>& weights,
                                                           std::span<const Vec3> x);

/// Returns the contact point of an impact: the middle of the closest points of its two features at toi_hi. `x_t0`
/// and `x_t1`: positions of all scene vertices at both ends of the step.
[[nodiscard]] GRAZE_API Vec3 contact_point(const Impact& impact, std::span<const Vec3> x_t0,
                                           std::span<const Vec3> x_t1);

/// All proximities at one instant, sorted by pair.
struct Proximities {
  std::vector<Proximity> proximities;  ///< each pair once
  Stats stats;                         ///< work and time of the query
};

}  // namespace graze
