// The displacement of each triangle from its reference position in a step, and whether a stored distance rules a
// pair out (ADAPTIVE, section 6: the distance heuristic). Sessions and the distance filter share this file.
//
// The displacement of a triangle is the largest displacement of its vertices. Relative to static bodies all moving
// vertices also have a common drift (methods/adaptive/reference_positions.hpp), which is added on the static side
// of a pair. Two features at distance d at their reference positions are at least d minus both displacements apart
// during the step, since no point of a triangle moves farther than its vertices. Cost of a step: linear in vertices
// and leaves. Memory: 40 bytes per vertex, 8 per leaf.
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

/// Input of one step, as the parts of Method::Adaptive see it.
struct AdaptiveStep {
  const QueryContext& query;
  Hierarchy& hierarchy;
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
  std::span<const VertexPath> paths;
  double gap = 0.0;  ///< no test reports pairs that stay farther apart

  /// Returns a copy of this step with the options of a stage.
  [[nodiscard]] AdaptiveStep with(const QueryContext& stage) const {
    return {stage, hierarchy, x_t0, x_t1, paths, gap};
  }
};

class LeafDisplacements {
 public:
  /// The scene was edited: bodies and mean edge lengths must be computed again.
  void forget_scene() { knows_scene_ = false; }

  /// Takes new reference positions from this step on. Returns false where there can be none (see
  /// ReferencePositions::begin).
  [[nodiscard]] bool begin(const AdaptiveStep& step, const ReferencePositions::Plan& plan);
  /// Measures the displacements of another step. Returns false if static bodies have moved, so that new reference
  /// positions are needed.
  [[nodiscard]] bool advance(const AdaptiveStep& step);
  /// Gives dangling vertices new reference positions and updates the motion of their leaves. Returns the number of
  /// vertices.
  std::size_t renew_references(const AdaptiveStep& step);

  /// Leaves with a vertex that left its displacement bound in this step, in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> dangling() const { return dangling_; }
  [[nodiscard]] const ReferencePositions& reference_points() const { return reference_positions_; }
  [[nodiscard]] double mean_displacement_bound() const {
    return reference_positions_.mean_displacement_bound(mesh());
  }
  [[nodiscard]] std::size_t leaf_count() const { return leaves_.size(); }

  /// Largest distance of two leaves at their reference positions at which they can still come within `gap` of each
  /// other while their displacement bounds hold.
  [[nodiscard]] float max_relevant_distance(std::uint32_t a, std::uint32_t b, float gap) const {
    return (leaves_[a].displacement_bound + leaves_[b].displacement_bound + gap) * kRoundings;
  }
  /// Whether the features of a pair stay separated in this step. Always false if a leaf of the pair dangles
  /// (comparison with NaN).
  [[nodiscard]] bool rules_out(const StoredPair& pair) const {
    return pair.distance > (leaves_[pair.a].displacement + leaves_[pair.b].displacement + gap_) * kRoundings;
  }
  [[nodiscard]] bool dangles(const StoredPair& pair) const {
    return std::isnan(leaves_[pair.a].displacement) || std::isnan(leaves_[pair.b].displacement);
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct LeafMotion {
    float displacement_bound = 0.0F;  ///< largest displacement bound of the leaf's vertices
    float displacement = 0.0F;        ///< largest displacement of the leaf's vertices in this step; NaN while the
                                      ///< leaf dangles
  };
  /// Relative error of a sum of three floats is less than 2^-22.
  static constexpr float kRoundings = 1.0F + 0x1p-20F;

  void learn_scene(const AdaptiveStep& step);
  void update_leaf_displacements(const AdaptiveStep& step);
  [[nodiscard]] LeafMotion leaf_motion(const Leaf& leaf) const;
  [[nodiscard]] ReferencePositions::Mesh mesh() const { return {groups_, edge_lengths_}; }

  bool knows_scene_ = false;
  std::vector<std::uint32_t> groups_;  ///< see ReferencePositions::Mesh
  std::vector<double> edge_lengths_;
  ReferencePositions reference_positions_;
  ReferencePositions::Plan plan_;
  float gap_ = 0.0F;                     ///< gap of the step, rounded up
  std::vector<LeafMotion> leaves_;       ///< indexed by leaf number
  std::vector<std::uint32_t> dangling_;  ///< leaf numbers
};

}  // namespace graze::methods
