// The counts of R-TRI's Table 2: vertex-face pairs, culled by the box of the vertex's path or by the path itself.
//
// The pairs come from the leaf pairs of a BVH traversal, whose boxes overlap and which have something to test: each
// represented vertex with the face of the other leaf. Incident pairs are left out, and pairs that are static in
// this step, which a detector tests only once. The pairs do not depend on the tree. Cost: that of a traversal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "mesh/representatives.hpp"
#include "research/namespaces.hpp"

namespace graze::papers {

struct SweepCulling {
  std::uint64_t pairs = 0;            ///< vertex-face pairs of the leaf pairs
  std::uint64_t box_passed = 0;       ///< pairs not culled by box against box
  std::uint64_t segment_passed = 0;   ///< pairs not culled by segment against box
  std::size_t bvh_bytes = 0;          ///< tree and node volumes
  std::size_t edge_bounds_bytes = 0;  ///< additional memory of a stored box per edge

  [[nodiscard]] double box_cull_rate() const { return culled(box_passed); }
  [[nodiscard]] double segment_cull_rate() const { return culled(segment_passed); }
  /// The improvement as the paper computes it: the quotient of the rates, minus one.
  [[nodiscard]] double improvement() const {
    return box_cull_rate() > 0.0 ? segment_cull_rate() / box_cull_rate() - 1.0 : 0.0;
  }

 private:
  [[nodiscard]] double culled(std::uint64_t passed) const {
    return pairs == 0 ? 0.0 : 1.0 - static_cast<double>(passed) / static_cast<double>(pairs);
  }
};

class CullMeter {
 public:
  explicit CullMeter(const Scene& scene);
  /// Adds the pairs of a step; bytes are those of the last step.
  void add_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, SweepCulling& counts) const;

 private:
  Representatives representatives_;
  std::vector<bool> is_static_;  // by triangle
};

}  // namespace graze::papers
