// Leaves and their boxes (query/leaf/leaf_bounds.hpp): for swept motion, or around reference positions (ADAPTIVE,
// section 4.1).
//
// Vertex boxes come first; edge and leaf boxes are unions of vertex boxes. Static bounds are also inflated by the
// gap, which may grow from query to query: they get a margin, and are recomputed only if the gap exceeds it or if
// the margin is so large that it costs time. Cost: linear; partial update: linear in the updated leaves.
//
// Coordinate maps follow from the boxes themselves: a pass over all leaves counts those whose box is only a few
// floats wide. Maps are made when there are many of them, and made anew when there are many more of them than right
// after that. The counts do not depend on threads, so neither do the maps.
#include "query/leaf/leaf_bounds.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "core/tasks.hpp"
#include "geometry/reference_point.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"
#include "mesh/make_leaves.hpp"

namespace graze::query {

namespace {

constexpr std::size_t kGrain = 4096;

/// Computes packed boxes of vertices in batches: volumes(first, boxes) fills the boxes from vertex `first` on.
template <typename Volumes>
void make_packed(std::span<PackedBox> boxes, const Volumes& volumes) {
  constexpr std::size_t kVerticesPerBatch = 512;
  parallel_for(0, (boxes.size() + kVerticesPerBatch - 1) / kVerticesPerBatch, 4,
               [&](std::size_t first, std::size_t last) {
                 std::array<Aabb, kVerticesPerBatch> some;
                 for (std::size_t begin = first * kVerticesPerBatch;
                      begin < std::min(last * kVerticesPerBatch, boxes.size()); begin += kVerticesPerBatch) {
                   const std::size_t count = std::min(kVerticesPerBatch, boxes.size() - begin);
                   volumes(begin, std::span(some).first(count));
                   for (std::size_t i = 0; i < count; ++i) boxes[begin + i].set(some[i]);
                 }
               });
}

/// Whether a box is so narrow for its coordinates that floats widen it: by more than one percent where they round
/// outward, by a few percent where maps make the best of floats already.
bool is_coarse(const PackedBox& box, bool mapped) {
  const float resolved = mapped ? 0x1p-18F : 0x1p-15F;
  float extent = 0.0F;
  float size = 0.0F;
  for (std::size_t k = 0; k < 3; ++k) {
    const float lo = box.lo[k];
    const float hi = -box.minus_hi[k];
    extent = std::max(extent, hi - lo);
    size = std::max({size, -lo, hi});
  }
  return extent <= resolved * size;
}

/// Whether bounds do not resolve a leaf. No coordinates resolve a point, so a leaf without a size does not count.
bool is_unresolved(const Leaf& leaf, const MotionBounds& at) {
  if (!is_coarse(leaf.box, at.maps != nullptr) || leaf.id == kRepresentsNothing) return false;
  const auto& v = leaf.vertices;
  return !(at.position(v[0]) == at.position(v[1]) && at.position(v[0]) == at.position(v[2]));
}

std::size_t direction_count(research::BoundingVolume volume) {
  switch (volume) {
    case research::BoundingVolume::Aabb:
      break;
    case research::BoundingVolume::Kdop18:
      return Dop18::kDirections;
    case research::BoundingVolume::Kdop26:
      return Dop26::kDirections;
  }
  return Aabb::kDirections;
}

}  // namespace

std::vector<std::uint32_t> live_leaves(std::span<const Leaf> leaves, const IdRanges& ranges) {
  std::vector<std::uint32_t> numbers;
  for (const auto& [first, last] : ranges) {
    for (std::size_t i = first; i < last; ++i) {
      if (leaves[i].id != kRepresentsNothing) numbers.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return numbers;
}

LeafBounds::LeafBounds(const Scene& scene, research::EdgeBounds edge_bounds, research::BoundingVolume volume,
                       const Look& look)
    : stored_edges_(edge_bounds == research::EdgeBounds::Stored),
      scene_(&scene),
      vertex_count_(scene.vertex_count()),
      directions_(direction_count(volume)) {
  make_leaves(look);
  make_shares();
  leaf_is_static_.resize(leaves_.size());
  if (!has_static()) return;
  for (std::size_t i = 0; i < leaves_.size(); ++i) leaf_is_static_[i] = is_static(leaves_[i]);
}

void LeafBounds::make_leaves(const Look& look) {
  MadeLeaves made = mesh::make_leaves(scene_->triangles(), vertex_count_);
  leaves_ = std::move(made.leaves);
  edges_ = std::move(made.edges);
  if (look) look(represented(), leaves_);
}

void LeafBounds::make_shares() {
  shares_stale_ = true;  // until both shares are complete
  moving_share_ = {};
  const IdRanges static_before = std::exchange(static_share_, {}).vertices;
  bool any_static = false;
  for (BodyId body = 0; body < scene_->body_count(); ++body) {
    any_static = any_static || scene_->motion(body) == Motion::Static;
  }
  if (!any_static) {
    moving_share_ = {whole_range(vertex_count_), whole_range(edges_.size()), whole_range(leaves_.size())};
    static_valid_ = false;
    shares_stale_ = false;
    return;
  }
  std::vector<bool> is_static(vertex_count_);
  for (VertexId v = 0; v < vertex_count_; ++v) {
    const BodyId body = scene_->body_of(v);
    is_static[v] = body != kNoBody && scene_->motion(body) == Motion::Static;
  }
  const auto share = [&](bool wanted) {
    return Share{ranges_where(vertex_count_, [&](std::size_t v) { return is_static[v] == wanted; }),
                 ranges_where(edges_.size(), [&](std::size_t e) { return is_static[edges_[e][0]] == wanted; }),
                 ranges_where(leaves_.size(), [&](std::size_t i) {
                   return leaves_[i].id != kRepresentsNothing && is_static[leaves_[i].vertices[0]] == wanted;
                 })};
  };
  moving_share_ = share(false);
  static_share_ = share(true);
  // static_positions_ is in the order of the static vertices, so it is invalid if these changed.
  if (static_share_.vertices != static_before) {
    static_valid_ = false;
    static_contacts_ = {};
    static_positions_ = {};
  }
  shares_stale_ = false;
}

std::optional<MotionBounds> LeafBounds::make_boxes(MotionBounds& at, double static_gap) {
  if (shares_stale_) make_shares();
  vertex_boxes_.resize(vertex_count_);
  if (stored_edges_ && edge_boxes_.size() != edges_.size()) {
    static_edges_valid_ = false;
    edge_boxes_.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      edge_boxes_[e].first = edges_[e][0];
      edge_boxes_[e].second = edges_[e][1];
    }
  }
  gap_ = at.gap;
  // A few unresolved leaves cost less than maps, in which bounds take a little longer.
  const std::size_t few = std::max<std::size_t>(64, leaves_.size() / 1024);
  const bool moved = has_static() && !static_unmoved(at);
  if (moved) {
    keep_static_positions(at);
    static_contacts_ = {};
  }
  at.maps = maps();
  std::optional<MotionBounds> still =
      make_all_boxes(at, static_gap, moved || static_maps_version_ != maps_version_);
  if (unresolved() <= (maps_ ? tolerated_unresolved_ : few)) return still;
  if (maps_) {  // perhaps the leaves moved to where they need no maps
    change_maps(std::nullopt);
    at.maps = nullptr;
    still = make_all_boxes(at, static_gap, true);
    if (unresolved() <= few) return still;
  }
  // Small parts of a large scene have few samples at first. The second maps have samples of what the first ones do
  // not resolve.
  std::vector<Triangle> samples;
  for (const bool unresolved_only : {false, true}) {
    add_samples(samples, unresolved_only, at);
    change_maps(make_coordinate_maps(at, samples, directions_));
    at.maps = maps();
    still = make_all_boxes(at, static_gap, true);
    if (unresolved() <= few) break;
  }
  tolerated_unresolved_ = 2 * unresolved() + few;
  return still;
}

std::optional<MotionBounds> LeafBounds::make_all_boxes(const MotionBounds& at, double static_gap,
                                                       bool renew_static) {
  make_vertex_boxes(moving_share_, at);
  make_edge_boxes(moving_share_);
  moving_unresolved_ = make_leaf_boxes(moving_share_, at);
  if (!has_static()) {
    static_unresolved_ = 0;
    return std::nullopt;
  }
  MotionBounds static_bounds = at;
  static_bounds.gap = static_gap;
  const bool anew = update_static(static_bounds, renew_static);
  if (!static_edges_valid_) {
    make_edge_boxes(static_share_);
    static_edges_valid_ = true;
  }
  return anew ? std::optional(static_bounds) : std::nullopt;
}

/// Adds up to 4096 triangles of leaves, evenly spread over their numbers.
void LeafBounds::add_samples(std::vector<Triangle>& triangles, bool unresolved_only, const MotionBounds& at) const {
  constexpr std::size_t kMaxSamples = 4096;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    if (leaf.id == kRepresentsNothing) continue;
    if (!unresolved_only || is_unresolved(leaf, at)) numbers.push_back(i);
  }
  const std::size_t count = std::min(kMaxSamples, numbers.size());
  for (std::size_t i = 0; i < count; ++i) {
    triangles.push_back(leaves_[numbers[i * numbers.size() / count]].vertices);
  }
}

/// Makes static bounds stale. Contacts among static bodies do not depend on bounds, and are kept.
void LeafBounds::change_maps(std::optional<CoordinateMaps> maps) {
  ++maps_version_;
  maps_ = std::move(maps);
}

void LeafBounds::move_boxes(const MotionBounds& at, std::span<const std::uint32_t> leaves) {
  constexpr std::size_t kLeavesPerTask = 256;
  parallel_for(0, leaves.size(), kLeavesPerTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Leaf& leaf = leaves_[leaves[i]];
      // Only the representative of a vertex, which is among `leaves`, writes the vertex box.
      const std::size_t own = represented_vertex_count(leaf.id);
      std::array<PackedBox, 3> boxes;
      for (std::size_t k = 0; k < 3; ++k) {
        const VertexId v = leaf.vertices[k];
        const Aabb box = reference_volume<Aabb>(at.reference_points[v], at.gap, at.maps);
        boxes[k].set(box);
        if (k < own) vertex_boxes_[v].set(box);
      }
      leaf.box.set_union(boxes[0], boxes[1], boxes[2]);
    }
  });
  // Only the representative of an edge writes the edge box, after all vertex boxes.
  if (stored_edges_) {
    parallel_for(0, leaves.size(), kLeavesPerTask, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (const std::uint32_t e : leaves_[leaves[i]].represented_edges()) {
          edge_boxes_[e].set_union(vertex_boxes_[edge_boxes_[e].first], vertex_boxes_[edge_boxes_[e].second]);
        }
      }
    });
  }
}

/// Recomputes the static bounds; returns false if the old ones are still valid, which `renew` says they are not.
/// Adds headroom to the gap.
bool LeafBounds::update_static(MotionBounds& at, bool renew) {
  constexpr double kGapHeadroom = 1.25;
  // The floor is far below the resolution of the bounds: of floats, or of doubles if there are maps. It absorbs the
  // rounding gaps of step prefixes (query/step_prefix.hpp), which vary within a first_impact query.
  const double floor = (maps_ ? 0x1p-48 : 0x1p-30) * static_size_;
  const bool too_small = !(at.gap <= static_gap_);
  const bool too_large = static_gap_ > 2.0 * (kGapHeadroom * at.gap + floor);
  if (!renew && !too_small && !too_large) return false;
  static_valid_ = false;  // until all structures over static leaves are complete: memory may run out
  static_edges_valid_ = false;
  static_maps_version_ = maps_version_;
  static_gap_ = kGapHeadroom * at.gap + floor;
  at.gap = static_gap_;
  make_vertex_boxes(static_share_, at);
  static_unresolved_ = make_leaf_boxes(static_share_, at);
  return true;
}

void LeafBounds::make_vertex_boxes(const Share& share, const MotionBounds& at) {
  for (const auto& [first, last] : share.vertices) {
    const std::size_t start = first;
    make_packed(std::span(vertex_boxes_).subspan(start, last - start),
                [&](std::size_t begin, std::span<Aabb> boxes) {
                  const auto part = [&](auto x) { return x.subspan(start + begin, boxes.size()); };
                  if (at.has_reference_points()) {
                    make_vertex_volumes(part(at.reference_points), at.gap, boxes, at.maps);
                  } else {
                    make_vertex_volumes(part(at.x_t0), part(at.x_t1), at.gap, boxes, at.maps);
                  }
                });
  }
}

void LeafBounds::make_edge_boxes(const Share& share) {
  if (!stored_edges_) return;
  for (const auto& [first, last] : share.edges) {
    parallel_for(first, last, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; ++e) {
        PackedBox& box = edge_boxes_[e];
        box.set_union(vertex_boxes_[box.first], vertex_boxes_[box.second]);
      }
    });
  }
}

/// Makes the boxes of leaves and returns how many of them are not resolved.
std::size_t LeafBounds::make_leaf_boxes(const Share& share, const MotionBounds& at) {
  std::atomic<std::size_t> unresolved = 0;
  for (const auto& [first, last] : share.leaves) {
    parallel_for(first, last, kGrain, [&](std::size_t begin, std::size_t end) {
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i) {
        Leaf& leaf = leaves_[i];
        const auto& v = leaf.vertices;
        leaf.box.set_union(vertex_boxes_[v[0]], vertex_boxes_[v[1]], vertex_boxes_[v[2]]);
        if (is_unresolved(leaf, at)) ++count;
      }
      if (count > 0) unresolved.fetch_add(count, std::memory_order_relaxed);
    });
  }
  return unresolved;
}

PackedBox LeafBounds::edge_box(std::uint32_t id) const {
  if (stored_edges_) return edge_boxes_[id];
  PackedBox box;
  box.first = edges_[id][0];
  box.second = edges_[id][1];
  box.set_union(vertex_boxes_[box.first], vertex_boxes_[box.second]);
  return box;
}

bool LeafBounds::static_unmoved(std::span<const Vec3> x) const {
  if (shares_stale_) return false;
  return !has_static() || static_unmoved(MotionBounds{.x_t0 = x, .x_t1 = x});
}

bool LeafBounds::static_unmoved(const MotionBounds& at) const {
  if (!static_valid_) return false;
  std::size_t place = 0;
  for (const auto& [first, last] : static_share_.vertices) {
    for (std::size_t v = first; v < last; ++v) {
      if (!(at.position(static_cast<VertexId>(v)) == static_positions_[place++])) return false;
    }
  }
  return true;
}

void LeafBounds::keep_static_positions(const MotionBounds& at) {
  static_valid_ = false;
  static_positions_.resize(id_count(static_share_.vertices));
  static_size_ = 0.0;
  std::size_t place = 0;
  for (const auto& [first, last] : static_share_.vertices) {
    for (std::size_t v = first; v < last; ++v) {
      const Vec3& p = at.position(static_cast<VertexId>(v));
      static_positions_[place++] = p;
      static_size_ = std::max(static_size_, max_abs(p));
    }
  }
}

std::size_t LeafBounds::planned_bytes() const {
  return leaves_.size() * sizeof(Leaf) + edges_.size() * sizeof(Edge) + vertex_count_ * sizeof(PackedBox) +
         (stored_edges_ ? edges_.size() * sizeof(PackedBox) : 0) + id_count(static_share_.vertices) * sizeof(Vec3) +
         static_contacts_.memory_bytes() + (maps_ ? maps_->memory_bytes() : 0);
}

std::size_t LeafBounds::memory_bytes() const {
  return leaves_.capacity() * sizeof(Leaf) + edges_.capacity() * sizeof(Edge) +
         (vertex_boxes_.capacity() + edge_boxes_.capacity()) * sizeof(PackedBox) +
         static_positions_.capacity() * sizeof(Vec3) + (editor_ ? editor_->memory_bytes() : 0) +
         static_contacts_.memory_bytes() + (maps_ ? maps_->memory_bytes() : 0);
}

}  // namespace graze::query
