// What R-TRI's Table 2 counts: vertices against faces, culled by the box of the vertex's path or by the path
// itself.
//
// Over the pairs of leaves that the traversal gives, so whose boxes overlap and which have something to test: each
// represented vertex against the other leaf's face, unless they are incident, or both stand still, which a
// detector looks at only once. These pairs do not depend on the tree. Cost: that of a traversal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "mesh/representatives.hpp"
#include "research/namespaces.hpp"

namespace graze::research {

struct SweepCulling {
  std::uint64_t pairs = 0;            ///< vertex-face pairs of the leaf pairs
  std::uint64_t box_passed = 0;       ///< of them not culled by box against box
  std::uint64_t segment_passed = 0;   ///< of them not culled by segment against box
  std::size_t bvh_bytes = 0;          ///< tree and node volumes
  std::size_t edge_bounds_bytes = 0;  ///< what storing the box of every edge takes beside them

  [[nodiscard]] double box_cull_rate() const { return culled(box_passed); }
  [[nodiscard]] double segment_cull_rate() const { return culled(segment_passed); }
  /// As the paper computes it: the rates' quotient, less one.
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
  /// Adds the pairs of a step; bytes are those of the last one.
  void add_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, SweepCulling& counts) const;

 private:
  Representatives representatives_;
  std::vector<bool> is_static_;  // by triangle
};

}  // namespace graze::research
