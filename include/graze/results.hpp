// What the queries return: impacts, the first impact, intersections, proximities. Sorted, each once, nothing
// truncated.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/export.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze {

/// One contact of the step: a feature pair and its first time of contact. Fields as in ElementaryImpact.
struct Impact {
  FeaturePair pair;
  double toi_lo = 0.0;
  double toi_hi = 0.0;
  std::array<double, 4> weights{};
  Vec3 normal = {};
  int side = 0;
  /// On which side the pair was before it came into contact, by what earlier steps saw of it: of Method::Adaptive,
  /// which remembers it while contact lasts and for a few steps more. Where there is no history, the same as
  /// `side`.
  int remembered_side = 0;

  [[nodiscard]] double toi() const { return toi_lo; }
};

/// All impacts of a step, sorted by pair (vertex-face before edge-edge, then by vertex ids).
struct GRAZE_API Impacts {
  std::vector<Impact> impacts;
  Stats stats;

  [[nodiscard]] std::uint64_t vf_count() const;
  [[nodiscard]] std::uint64_t ee_count() const;
  /// Of the pairs alone: two results have the same contacts iff (up to a 64-bit collision) their hashes are equal.
  [[nodiscard]] std::uint64_t hash() const;
  /// Of the pairs with their intervals.
  [[nodiscard]] std::uint64_t toi_hash() const;
};

/// The earliest impact of a step.
struct FirstImpact {
  double toi = 1.0;              ///< no contact before it: the step that is safe to take; 1 if there is no impact
  std::optional<Impact> impact;  ///< an impact with that toi (the first in pair order), if there is any
  Stats stats;
};

/// An edge and a face that share a point: edge {a0 < a1}, face {f0 <= f1 <= f2}.
struct Intersection {
  std::array<VertexId, 2> edge{};
  std::array<VertexId, 3> face{};

  friend auto operator<=>(const Intersection&, const Intersection&) = default;
};

/// All intersections at one instant, sorted, and the pairs of triangles (scene triangle ids, first < second, no
/// vertex shared) that follow from them.
struct Intersections {
  std::vector<Intersection> edge_face;
  std::vector<TrianglePair> triangle_pairs;
  Stats stats;
};

/// A pair within the asked distance.
struct Proximity {
  FeaturePair pair;
  double distance = 0.0;
  std::array<double, 4> weights{};
};

/// All proximities at one instant, sorted by pair.
struct Proximities {
  std::vector<Proximity> proximities;
  Stats stats;
};

}  // namespace graze
