// How far triangles stray from home in a step, and whether a kept distance rules a pair out (ADAPTIVE, section 6:
// the distance heuristic). What sessions and the distance filter share.
//
// A triangle strays as far as the farthest of its vertices; against still bodies all that move also drift
// (methods/adaptive/reference_positions.hpp), which is added on the still side of a pair. Two features whose
// distance is d at home are at least d less both strays apart during the step, since no point of a triangle moves
// farther than its vertices. Cost of a step: linear in vertices and leaves. Memory: 40 bytes a vertex, 8 a leaf.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "methods/adaptive/pair_store.hpp"
#include "methods/adaptive/reference_positions.hpp"
#include "methods/bvh/hierarchy.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// A step as the parts of Method::Adaptive see it.
struct AdaptiveStep {
  const DetectorQuery& query;
  Hierarchy& hierarchy;
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
  std::span<const VertexPath> paths;
  double gap = 0.0;  ///< no test reports what stays farther apart

  /// The same with options of a stage.
  [[nodiscard]] AdaptiveStep with(const DetectorQuery& stage) const {
    return {stage, hierarchy, x_t0, x_t1, paths, gap};
  }
};

class LeafDisplacements {
 public:
  /// The scene was edited: bodies and mean edge lengths are to be learnt again.
  void forget_scene() { knows_scene_ = false; }

  /// New homes, from this step on; false where there can be none (see Homes::begin).
  [[nodiscard]] bool begin(const AdaptiveStep& step, const ReferencePositions::Plan& plan);
  /// Strays of another step; false if static bodies stand elsewhere, so that homes are to be made anew.
  [[nodiscard]] bool advance(const AdaptiveStep& step);
  /// Gives vertices that dangle new homes, and their leaves what follows. Returns how many vertices.
  std::size_t renew_references(const AdaptiveStep& step);

  /// Leaves with a vertex that left its reach in this step, ascending.
  [[nodiscard]] std::span<const std::uint32_t> dangling() const { return dangling_; }
  [[nodiscard]] const ReferencePositions& reference_points() const { return reference_positions_; }
  [[nodiscard]] double mean_displacement_bound() const {
    return reference_positions_.mean_displacement_bound(mesh());
  }
  [[nodiscard]] std::size_t leaf_count() const { return leaves_.size(); }

  /// How far apart two leaves may be at home, with `gap` to spare, and still come together within their reach.
  [[nodiscard]] float farthest(std::uint32_t a, std::uint32_t b, float gap) const {
    return (leaves_[a].displacement_bound + leaves_[b].displacement_bound + gap) * kRoundings;
  }
  /// Whether the features of a pair stay apart in this step. Never of a pair of which a leaf dangles.
  [[nodiscard]] bool rules_out(const StoredPair& pair) const {
    return pair.distance > (leaves_[pair.a].displacement + leaves_[pair.b].displacement + gap_) * kRoundings;
  }
  [[nodiscard]] bool dangles(const StoredPair& pair) const {
    return std::isnan(leaves_[pair.a].displacement) || std::isnan(leaves_[pair.b].displacement);
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct LeafMotion {
    float displacement_bound = 0.0F;  ///< the farthest of its vertices
    float displacement = 0.0F;        ///< the farthest, in this step; not a number while it dangles
  };
  /// Three sums of floats err by less than 2^-22 of themselves.
  static constexpr float kRoundings = 1.0F + 0x1p-20F;

  void learn_scene(const AdaptiveStep& step);
  void note_leaves(const AdaptiveStep& step);
  [[nodiscard]] LeafMotion motion_of(const Leaf& leaf) const;
  [[nodiscard]] ReferencePositions::Mesh mesh() const { return {groups_, edge_lengths_}; }

  bool knows_scene_ = false;
  std::vector<std::uint32_t> groups_;  ///< see Homes::Mesh
  std::vector<double> edge_lengths_;
  ReferencePositions reference_positions_;
  ReferencePositions::Plan plan_;
  float gap_ = 0.0F;                     ///< of the step, rounded up
  std::vector<LeafMotion> leaves_;       ///< by number
  std::vector<std::uint32_t> dangling_;  ///< numbers
};

}  // namespace graze::methods
