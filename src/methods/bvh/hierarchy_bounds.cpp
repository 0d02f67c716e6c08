// The bounds of a hierarchy (methods/bvh/hierarchy.hpp): for swept motion, and around reference positions
// (ADAPTIVE, section 4.1).
//
// Leaf boxes come first (query/leaf/leaf_bounds.hpp), then the refit of the trees. Drift widens static bounds: gap
// + 2 drift, since a gap inflates each volume by half. Cost: linear; for new reference positions of some leaves:
// linear in these leaves and the nodes above them.
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "core/assert.hpp"

#include <graze/research.hpp>
#include "methods/bvh/hierarchy.hpp"

namespace graze::methods {

/// Computes all bounds; static bodies have their own gap.
void Hierarchy::make_bounds(MotionBounds at, double static_gap) {
  references_gap_.reset();
  const std::optional<MotionBounds> still = make_boxes(at, static_gap);
  update_part(moving_, moving_ranges(), at);
  if (!still) return;
  update_part(static_, static_ranges(), *still);
  static_bounds_are_made();
}

void Hierarchy::update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) {
  GRAZE_ASSERT(x_t0.size() == vertex_count() && x_t1.size() == vertex_count());
  make_bounds({.x_t0 = x_t0, .x_t1 = x_t1, .reference_points = {}, .gap = gap}, gap);
}

void Hierarchy::update_references(std::span<const ReferencePoint> reference_points, double gap, double drift) {
  GRAZE_ASSERT(reference_points.size() == vertex_count());
  const double wide =
      drift > 0.0 ? std::nextafter(gap + 2.0 * drift, std::numeric_limits<double>::infinity()) : gap;
  make_bounds({.x_t0 = {}, .x_t1 = {}, .reference_points = reference_points, .gap = gap}, wide);
  references_gap_ = gap;
}

void Hierarchy::move_references(std::span<const ReferencePoint> reference_points,
                                std::span<const std::uint32_t> leaves) {
  GRAZE_ASSERT(references_gap_.has_value() && reference_points.size() == vertex_count());
  const MotionBounds at{.reference_points = reference_points, .gap = *references_gap_, .maps = maps()};
  references_gap_.reset();  // until the refit is complete: memory may run out
  move_boxes(at, leaves);
  with_leaf_volumes(at, [&](auto volume, const auto& leaf) {
    moving_.refit_leaves<typename decltype(volume)::type>(leaves, this->leaves().size(), leaf);
  });
  references_gap_ = at.gap;
}

PartMesh Hierarchy::part_mesh(const IdRanges& ranges, const MotionBounds& at) const {
  return {.leaves = leaves(),
          .ranges = ranges,
          .mesh = mesh_ ? &*mesh_ : nullptr,
          .at = at,
          .cones = options_.cones != research::NormalCones::None,
          .editor = editor()};
}

template <typename Fn>
void Hierarchy::with_leaf_volumes(const MotionBounds& at, const Fn& fn) const {
  const std::span<const Leaf> leaves = this->leaves();
  const auto box = [leaves](std::uint32_t i) { return leaves[i].box.box(); };
  const auto with_dops = [&]<typename Volume>(std::type_identity<Volume> type) {
    const TriangleBounds<Volume> bounds(at);
    fn(type, [&](std::uint32_t i) { return bounds(leaves[i].vertices, box(i)); });
  };
  switch (options_.volume) {
    case research::BoundingVolume::Aabb:
      fn(std::type_identity<Aabb>(), box);
      return;
    case research::BoundingVolume::Kdop18:
      with_dops(std::type_identity<Dop18>());
      return;
    case research::BoundingVolume::Kdop26:
      with_dops(std::type_identity<Dop26>());
      return;
  }
}

void Hierarchy::update_part(HierarchyPart& part, const IdRanges& ranges, const MotionBounds& at) {
  const PartMesh mesh = part_mesh(ranges, at);
  const auto box = [&](std::uint32_t i) { return mesh.leaves[i].box.box(); };
  with_leaf_volumes(at, [&](auto volume, const auto& leaf) {
    part.update<typename decltype(volume)::type>(mesh, options_.builder, leaf, box);
  });
}

}  // namespace graze::methods
