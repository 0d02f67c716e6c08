// Method `brute` (brute force): every query tests the boxes of all pairs of features. It is the reference for the
// other methods, and a good choice for tiny scenes. Cost: quadratic in the number of features, with a few SIMD
// operations per pair; linear memory beside the results.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "mesh/features.hpp"
#include "query/contact_method.hpp"

namespace graze::methods {

class BruteMethod final : public ContactMethod {
 public:
  /// Refers to the scene.
  explicit BruteMethod(const Scene& scene) : scene_(scene) {}

  void rebuild() override;
  Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                FoundImpacts found) override;
  FirstImpact first_impact(const QueryContext& query, const StepPositions& x) override;
  Intersections intersections(const QueryContext& query, std::span<const Vec3> x) override;
  Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                    FoundProximities found) override;
  [[nodiscard]] std::size_t min_triangles_for_threads() const override { return 0; }
  void check_triangle_count(std::size_t) const override {}
  [[nodiscard]] bool follows_edits() const override { return false; }
  void apply(const MeshChange&, bool) override {}
  [[nodiscard]] std::string validate() const override;
  [[nodiscard]] std::size_t memory_bytes() const override { return features_.memory_bytes(); }

 private:
  const Scene& scene_;
  Features features_;
};

}  // namespace graze::methods
