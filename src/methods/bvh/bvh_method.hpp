// The methods on a bounding volume hierarchy: basic, no-dupl, adj and r-tri (R-TRI, Curtis et al. 2008), and iccd
// (ICCD, Tang et al. 2009). One class implements all five: they differ in the feature pairs that they generate for
// overlapping leaves, and in the self-collision culling of the hierarchy.
//
//   basic     all feature pairs of each pair of triangles
//   no-dupl   feature pairs of representative triangles
//   adj       non-adjacent triangles first, then adjacent ones; a run-time database of pairs
//   r-tri     representative triangles, and bounds of features before each elementary test
//   iccd      r-tri with procedural representatives and orphan sets; cones and contours prove patches free
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "methods/bvh/hierarchy.hpp"
#include "query/contact_method.hpp"
#include "query/leaf/bounded_leaves.hpp"

namespace graze::methods {

class BvhMethod final : public ContactMethod, public LeafMethod {
 public:
  /// Refers to the scene. A `method` other than the five above is treated as r-tri.
  BvhMethod(const Scene& scene, Method method, const HierarchyChoices& choices)
      : scene_(scene), method_(method), choices_(choices) {}

  void rebuild() override;
  Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                FoundImpacts found) override;
  FirstImpact first_impact(const QueryContext& query, const StepPositions& x) override;
  Intersections intersections(const QueryContext& query, std::span<const Vec3> x) override;
  Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                    FoundProximities found) override;
  /// False for basic, which repeats pairs, and for adj, where the block that tests a pair depends on the threads.
  [[nodiscard]] bool reports_once() const override { return tests_once() && method_ != research::kAdj; }
  void prepare_edit() override { hierarchy_->prepare_edit(); }
  void apply(const MeshChange& change, bool filter_changed) override;
  [[nodiscard]] std::string validate() const override { return hierarchy_->validate(); }
  [[nodiscard]] std::size_t memory_bytes() const override { return hierarchy_ ? hierarchy_->memory_bytes() : 0; }

  [[nodiscard]] std::unique_ptr<SourceSequence> leaf_sources(const LeafQuery& query) override;
  [[nodiscard]] bool tests_once() const override { return method_ != research::kBasic; }

  /// The hierarchy, for methods that build on this one. Precondition: rebuild() has been called.
  [[nodiscard]] Hierarchy& hierarchy() { return *hierarchy_; }
  [[nodiscard]] const Hierarchy& hierarchy() const { return *hierarchy_; }

 private:
  const Scene& scene_;
  Method method_;
  HierarchyChoices choices_;
  std::optional<Hierarchy> hierarchy_;
};

}  // namespace graze::methods
