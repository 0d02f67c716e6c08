// The bounds of a hierarchy (pipeline/hierarchy.hpp): of sweeps, and around homes (ADAPTIVE, section 4.1).
//
// Boxes of vertices first, from them those of edges and leaves, then the trees. Static bounds are inflated for a
// gap, too, and the gap may grow from query to query: they are made with some room, and again only when it no
// longer holds, or is so large that it costs. A drift of what moves against what does not widens them by itself,
// which is a gap larger by twice as much. Cost: linear; of homes that moved, what hierarchy and leaves have above
// them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "pipeline/hierarchy.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;

/// make_vertex_volumes, packed: volumes(first, boxes) makes those from `first` on.
template <typename Volumes>
void make_packed(std::span<PackedBox> boxes, const Volumes& volumes) {
  constexpr std::size_t kSome = 512;
  parallel_for(0, (boxes.size() + kSome - 1) / kSome, 4, [&](std::size_t first, std::size_t last) {
    std::array<Aabb, kSome> some;
    for (std::size_t begin = first * kSome; begin < std::min(last * kSome, boxes.size()); begin += kSome) {
      const std::size_t count = std::min(kSome, boxes.size() - begin);
      volumes(begin, std::span(some).first(count));
      for (std::size_t i = 0; i < count; ++i) boxes[begin + i].set(some[i]);
    }
  });
}

}  // namespace

/// All bounds; those of static bodies for a gap of their own.
void Hierarchy::make_bounds(const Whereabouts& at, double static_gap) {
  homes_gap_.reset();
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
  make_vertex_boxes(moving_share_, at);
  make_edge_boxes(moving_share_);
  update_part(moving_, moving_share_, at);
  if (!has_static()) return;
  Whereabouts still = at;
  still.gap = static_gap;
  update_static(still);
  if (static_edges_valid_) return;
  make_edge_boxes(static_share_);
  static_edges_valid_ = true;
}

void Hierarchy::update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) {
  GRAZE_ASSERT(x_t0.size() == vertex_count_ && x_t1.size() == vertex_count_);
  make_bounds({.x_t0 = x_t0, .x_t1 = x_t1, .homes = {}, .gap = gap}, gap);
}

void Hierarchy::update_homes(std::span<const HomePoint> homes, double gap, double drift) {
  GRAZE_ASSERT(homes.size() == vertex_count_);
  const double wide =
      drift > 0.0 ? std::nextafter(gap + 2.0 * drift, std::numeric_limits<double>::infinity()) : gap;
  make_bounds({.x_t0 = {}, .x_t1 = {}, .homes = homes, .gap = gap}, wide);
  homes_gap_ = gap;
}

void Hierarchy::move_homes(std::span<const HomePoint> homes, std::span<const std::uint32_t> leaves) {
  GRAZE_ASSERT(homes_gap_.has_value() && homes.size() == vertex_count_);
  constexpr std::size_t kSomeLeaves = 256;
  const Whereabouts at{.homes = homes, .gap = *homes_gap_};
  homes_gap_.reset();  // until all of it is done: memory may run out
  parallel_for(0, leaves.size(), kSomeLeaves, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Leaf& leaf = leaves_[leaves[i]];
      // A vertex's own box is written by its representative alone, which is among the leaves.
      const std::size_t own = represented_vertex_count(leaf.id);
      std::array<PackedBox, 3> boxes;
      for (std::size_t k = 0; k < 3; ++k) {
        const VertexId v = leaf.vertices[k];
        const Aabb box = home_volume<Aabb>(homes[v], at.gap);
        boxes[k].set(box);
        if (k < own) vertex_boxes_[v].set(box);
      }
      leaf.box.set_union(boxes[0], boxes[1], boxes[2]);
    }
  });
  // An edge's box likewise, when its ends are done.
  if (stored_edges_) {
    parallel_for(0, leaves.size(), kSomeLeaves, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (const std::uint32_t e : leaves_[leaves[i]].represented_edges()) {
          edge_boxes_[e].set_union(vertex_boxes_[edge_boxes_[e].first], vertex_boxes_[edge_boxes_[e].second]);
        }
      }
    });
  }
  with_leaf_volumes(at, [&](auto volume, const auto& leaf) {
    moving_.refit_leaves<typename decltype(volume)::type>(leaves, leaves_.size(), leaf);
  });
  homes_gap_ = at.gap;
}

/// Bounds of static bodies, unless those that there are serve.
void Hierarchy::update_static(Whereabouts at) {
  constexpr double kRoom = 1.25;
  const bool moved = !static_stand(at);
  if (moved) keep_static_positions(at);
  // Far below what floats resolve: room for the roundings of first_impact, which come and go within a query.
  const double floor = 0x1p-30 * static_size_;
  const bool too_small = !(at.gap <= static_gap_);
  const bool too_large = static_gap_ > 2.0 * (kRoom * at.gap + floor);
  if (!moved && !too_small && !too_large) return;
  if (moved) static_contacts_ = {};
  static_valid_ = false;  // until all of it is made: memory may run out
  static_edges_valid_ = false;
  static_gap_ = kRoom * at.gap + floor;
  at.gap = static_gap_;
  make_vertex_boxes(static_share_, at);
  update_part(static_, static_share_, at);
  static_valid_ = true;
}

void Hierarchy::make_vertex_boxes(const Share& share, const Whereabouts& at) {
  for (const auto& [first, last] : share.vertices) {
    const std::size_t start = first;
    make_packed(std::span(vertex_boxes_).subspan(start, last - start),
                [&](std::size_t begin, std::span<Aabb> boxes) {
                  const auto part = [&](auto x) { return x.subspan(start + begin, boxes.size()); };
                  if (at.around_homes()) {
                    make_vertex_volumes(part(at.homes), at.gap, boxes);
                  } else {
                    make_vertex_volumes(part(at.x_t0), part(at.x_t1), at.gap, boxes);
                  }
                });
  }
}

void Hierarchy::make_edge_boxes(const Share& share) {
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

PackedBox Hierarchy::edge_box(std::uint32_t id) const {
  if (stored_edges_) return edge_boxes_[id];
  PackedBox box;
  box.first = edges_[id][0];
  box.second = edges_[id][1];
  box.set_union(vertex_boxes_[box.first], vertex_boxes_[box.second]);
  return box;
}

bool Hierarchy::static_stand(std::span<const Vec3> x) const {
  if (shares_stale_) return false;
  return !has_static() || static_stand(Whereabouts{.x_t0 = x, .x_t1 = x});
}

bool Hierarchy::static_stand(const Whereabouts& at) const {
  if (!static_valid_) return false;
  std::size_t place = 0;
  for (const auto& [first, last] : static_share_.vertices) {
    for (std::size_t v = first; v < last; ++v) {
      if (!(at.position(static_cast<VertexId>(v)) == static_positions_[place++])) return false;
    }
  }
  return true;
}

void Hierarchy::keep_static_positions(const Whereabouts& at) {
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

PartMesh Hierarchy::part_mesh(const Share& share, const Whereabouts& at) const {
  return {.leaves = leaves_,
          .ranges = share.leaves,
          .mesh = mesh_ ? &*mesh_ : nullptr,
          .at = at,
          .cones = options_.cones != NormalCones::None,
          .editor = editor_ ? &*editor_ : nullptr};
}

template <typename Fn>
void Hierarchy::with_leaf_volumes(const Whereabouts& at, const Fn& fn) const {
  const std::span<const Leaf> leaves = leaves_;
  const auto box = [leaves](std::uint32_t i) { return leaves[i].box.box(); };
  const auto with_dops = [&]<typename Volume>(std::type_identity<Volume> type) {
    const TriangleBounds<Volume> bounds(at);
    fn(type, [&](std::uint32_t i) { return bounds(leaves[i].vertices, box(i)); });
  };
  switch (options_.volume) {
    case BoundingVolume::AlignedBox:
      fn(std::type_identity<Aabb>(), box);
      return;
    case BoundingVolume::Kdop18:
      with_dops(std::type_identity<Dop18>());
      return;
    case BoundingVolume::Kdop26:
      with_dops(std::type_identity<Dop26>());
      return;
  }
}

void Hierarchy::update_part(HierarchyPart& part, const Share& share, const Whereabouts& at) {
  for (const auto& [first, last] : share.leaves) {
    parallel_for(first, last, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto& v = leaves_[i].vertices;
        leaves_[i].box.set_union(vertex_boxes_[v[0]], vertex_boxes_[v[1]], vertex_boxes_[v[2]]);
      }
    });
  }
  const PartMesh mesh = part_mesh(share, at);
  const auto box = [&](std::uint32_t i) { return mesh.leaves[i].box.box(); };
  with_leaf_volumes(at, [&](auto volume, const auto& leaf) {
    part.update<typename decltype(volume)::type>(mesh, options_.builder, leaf, box);
  });
}

}  // namespace graze
