// Leaves, bounds and trees (pipeline/hierarchy.hpp).
//
// Static bounds are inflated for a gap, too, and the gap may grow from query to query: they are made with some
// room, and again only when it no longer holds, or is so large that it costs.
#include "pipeline/hierarchy.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;

/// make_vertex_volumes, packed.
void make_vertex_boxes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap,
                       std::span<PackedBox> boxes) {
  constexpr std::size_t kSome = 512;
  parallel_for(0, (boxes.size() + kSome - 1) / kSome, 4, [&](std::size_t first, std::size_t last) {
    std::array<Aabb, kSome> some;
    for (std::size_t begin = first * kSome; begin < std::min(last * kSome, boxes.size()); begin += kSome) {
      const std::size_t count = std::min(kSome, boxes.size() - begin);
      make_vertex_volumes(x_t0.subspan(begin, count), x_t1.subspan(begin, count), gap,
                          std::span(some).first(count));
      for (std::size_t i = 0; i < count; ++i) boxes[begin + i].set(some[i]);
    }
  });
}

}  // namespace

HierarchyChoices hierarchy_choices(Method method, const HierarchyOptions& options) {
  HierarchyChoices choices;
  choices.procedural = method == Method::Iccd;
  if (choices.procedural) {
    choices.volume = BoundingVolume::Kdop18;
    choices.builder = TreeBuilder::Connected;
    choices.cones = NormalCones::Tight;
  }
  choices.volume = options.volume.value_or(choices.volume);
  choices.builder = options.builder.value_or(choices.builder);
  choices.cones = options.cones.value_or(choices.cones);
  choices.edge_bounds = options.edge_bounds;
  return choices;
}

Hierarchy::Hierarchy(const Scene& scene, const Topology& topology, const HierarchyChoices& options)
    : options_(options),
      stored_edges_(options.edge_bounds == EdgeBounds::Stored),
      edges_(topology.features.edges),
      vertex_count_(scene.vertex_count()) {
  make_slices(scene);
  make_leaves(scene, topology);
}

void Hierarchy::make_slices(const Scene& scene) {
  // Edges are sorted by their first vertex, and bodies own ranges of vertices: a body's edges lie together.
  const auto first_edge_from = [&](std::size_t vertex) {
    const auto place = std::lower_bound(edges_.begin(), edges_.end(), vertex,
                                        [](const Edge& edge, std::size_t v) { return edge[0] < v; });
    return static_cast<std::size_t>(place - edges_.begin());
  };
  // Runs of vertices that move alike; removed ones, whose positions may be anything, are in none.
  std::size_t first = 0;
  while (first < vertex_count_) {
    const BodyId body = scene.body_of(static_cast<VertexId>(first));
    const bool is_static = body != kNoBody && scene.motion(body) == Motion::Static;
    std::size_t last = first + 1;
    for (; last < vertex_count_; ++last) {
      const BodyId next = scene.body_of(static_cast<VertexId>(last));
      if (next == body) continue;
      if (next == kNoBody || body == kNoBody || (scene.motion(next) == Motion::Static) != is_static) break;
    }
    if (body != kNoBody) {
      auto& slices = is_static ? static_slices_ : moving_slices_;
      slices.push_back({first, last, first_edge_from(first), first_edge_from(last)});
    }
    first = last;
  }
}

void Hierarchy::make_leaves(const Scene& scene, const Topology& topology) {
  const Representatives representatives = make_representatives(scene.triangles(), topology);
  const std::vector<RepresentativeId> active = representatives.active();
  leaves_.reserve(active.size());
  const auto append = [&](bool moving) {
    for (const RepresentativeId id : active) {
      const Representatives::Entry& entry = representatives.entries[triangle_of(id)];
      const bool is_static =
          !static_slices_.empty() && scene.motion(scene.body_of(entry.vertices[0])) == Motion::Static;
      if (is_static == moving) continue;
      Leaf leaf;
      leaf.id = id;
      leaf.vertices = entry.vertices;
      leaf.edges = entry.edges;
      leaves_.push_back(leaf);
    }
  };
  append(true);
  moving_leaves_ = leaves_.size();
  if (!static_slices_.empty()) append(false);
  if (options_.procedural || options_.cones != NormalCones::None || options_.builder == TreeBuilder::Connected) {
    mesh_ = make_patch_mesh(scene.triangles(), representatives, leaves_, vertex_count_, options_.procedural);
  }
}

void Hierarchy::update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) {
  GRAZE_ASSERT(x_t0.size() == vertex_count_ && x_t1.size() == vertex_count_);
  constexpr double kRoom = 1.25;
  vertex_boxes_.resize(vertex_count_);
  if (stored_edges_ && edge_boxes_.size() != edges_.size()) {
    edge_boxes_.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      edge_boxes_[e].first = edges_[e][0];
      edge_boxes_[e].second = edges_[e][1];
    }
  }
  update_slices(moving_slices_, x_t0, x_t1, gap);
  update_part(moving_, 0, moving_leaves_, {x_t0, x_t1, gap});
  if (!has_static()) return;
  const bool moved = static_moved(x_t0);
  // Far below what floats resolve: room for the roundings of first_impact, which come and go within a query.
  const double floor = 0x1p-30 * static_size_;
  const bool too_small = gap > static_gap_;
  const bool too_large = static_gap_ > 2.0 * (kRoom * gap + floor);
  if (static_valid_ && !moved && !too_small && !too_large) return;
  if (moved) static_contacts_ = {};
  static_valid_ = false;  // until all of it is made: memory may run out
  static_gap_ = kRoom * gap + floor;
  update_slices(static_slices_, x_t0, x_t1, static_gap_);
  update_part(static_, moving_leaves_, leaves_.size(), {x_t0, x_t1, static_gap_});
  static_valid_ = true;
}

void Hierarchy::update_slices(std::span<const Slice> slices, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                              double gap) {
  for (const Slice& slice : slices) {
    const std::size_t count = slice.last_vertex - slice.first_vertex;
    const auto part = [&](auto x) { return x.subspan(slice.first_vertex, count); };
    make_vertex_boxes(part(x_t0), part(x_t1), gap, part(std::span(vertex_boxes_)));
  }
  if (!stored_edges_) return;
  for (const Slice& slice : slices) {  // an edge may end in another slice of its kind
    parallel_for(slice.first_edge, slice.last_edge, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t e = first; e < last; ++e) {
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

/// Whether static bodies stand elsewhere than at the last call, or this is the first.
bool Hierarchy::static_moved(std::span<const Vec3> x) {
  std::size_t place = 0;
  bool moved = !static_valid_;
  for (const Slice& slice : static_slices_) {
    const auto now = x.subspan(slice.first_vertex, slice.last_vertex - slice.first_vertex);
    if (static_positions_.size() < place + now.size()) {
      static_positions_.resize(place + now.size());
      moved = true;
    }
    const auto kept = static_positions_.begin() + static_cast<std::ptrdiff_t>(place);
    if (moved || !std::equal(now.begin(), now.end(), kept)) {
      std::copy(now.begin(), now.end(), kept);
      moved = true;
    }
    place += now.size();
  }
  if (moved) {
    static_size_ = 0.0;
    for (const Vec3& p : static_positions_) static_size_ = std::max(static_size_, max_abs(p));
  }
  return moved;
}

void Hierarchy::update_part(HierarchyPart& part, std::size_t first, std::size_t last, const Sweep& sweep) {
  parallel_for(first, last, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& v = leaves_[i].vertices;
      leaves_[i].box.set_union(vertex_boxes_[v[0]], vertex_boxes_[v[1]], vertex_boxes_[v[2]]);
    }
  });
  const auto leaves = std::span<const Leaf>(leaves_).subspan(first, last - first);
  const auto box = [&](std::uint32_t i) { return leaves[i].box.box(); };
  const PartMesh mesh{leaves, first, mesh_ ? &*mesh_ : nullptr, sweep.x_t0, options_.cones != NormalCones::None};
  const auto update_dops = [&]<typename Volume>(const TriangleSweep<Volume>& volume) {
    part.update<Volume>(
        mesh, options_.builder, [&](std::uint32_t i) { return volume(leaves[i].vertices, box(i)); }, box);
  };
  switch (options_.volume) {
    case BoundingVolume::AlignedBox:
      part.update<Aabb>(mesh, options_.builder, box, box);
      return;
    case BoundingVolume::Kdop18:
      update_dops(TriangleSweep<Dop18>(sweep.x_t0, sweep.x_t1, sweep.gap));
      return;
    case BoundingVolume::Kdop26:
      update_dops(TriangleSweep<Dop26>(sweep.x_t0, sweep.x_t1, sweep.gap));
      return;
  }
}

void Hierarchy::prove(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) {
  if (options_.cones == NormalCones::None) return;
  moving_.prove(paths, options_.cones, counts);
  if (static_too && has_static()) static_.prove(paths, options_.cones, counts);
}

void Hierarchy::forget_proofs() {
  moving_.forget_proofs();
  static_.forget_proofs();
}

/// The orphans of a part, each with the lowest patch that holds both of its features.
void Hierarchy::place_orphans(PlacedOrphans& placed, const HierarchyPart& part, std::size_t first,
                              std::size_t last) {
  if (placed.version == part.version()) return;
  placed = {};
  const std::vector<std::uint32_t> blocks = part.leaf_blocks();
  const auto is_here = [&](std::uint32_t leaf) { return leaf >= first && leaf < last; };
  const auto block = [&](std::uint32_t leaf) { return blocks[leaf - first]; };
  // Of several patches the last: parents come before their children.
  const auto lowest = [&](std::span<const std::uint32_t> of_a, std::span<const std::uint32_t> of_b) {
    std::uint32_t best = 0;
    for (const std::uint32_t a : of_a) {
      for (const std::uint32_t b : of_b) {
        best = std::max(best, lowest_common_block(part.tree(), block(a), block(b)));
      }
    }
    return best;
  };
  const Incidence& incidence = mesh_->incidence;
  for (const auto& [v, leaf] : mesh_->orphans.vertex_face) {
    if (!is_here(leaf)) continue;
    placed.orphans.push_back(
        {{FeatureKind::VertexFace, v, leaf}, lowest(incidence.vertex_leaves[v], std::span(&leaf, 1))});
  }
  for (const auto& [a, b] : mesh_->orphans.edge_edge) {
    const auto leaves_a = incidence.edge_leaves[a];
    if (!is_here(leaves_a.front())) continue;
    placed.orphans.push_back({{FeatureKind::EdgeEdge, a, b}, lowest(leaves_a, incidence.edge_leaves[b])});
  }
  // By patch, so that each is looked up once a query.
  std::stable_sort(placed.orphans.begin(), placed.orphans.end(),
                   [](const auto& one, const auto& other) { return one.second < other.second; });
  placed.version = part.version();
}

std::vector<Orphan> Hierarchy::open_orphans(Scope scope, CullCounts& counts) {
  const bool moving = scope == Scope::Moving;
  const HierarchyPart& part = moving ? moving_ : static_;
  PlacedOrphans& placed = moving ? moving_orphans_ : static_orphans_;
  place_orphans(placed, part, moving ? 0 : moving_leaves_, moving ? moving_leaves_ : leaves_.size());
  std::vector<Orphan> open;
  std::optional<std::uint32_t> last;
  bool is_free = false;
  for (const auto& [orphan, block] : placed.orphans) {
    if (last != block) is_free = part.is_free(block);
    last = block;
    if (!is_free) open.push_back(orphan);
  }
  counts.orphans_free += placed.orphans.size() - open.size();
  return open;
}

std::vector<LeafTraversal> Hierarchy::leaf_pairs(Scope scope, PairTests tests, bool masked) {
  const auto offset = static_cast<std::uint32_t>(moving_leaves_);
  const auto moving = [&] { return moving_.view(tests, masked, [&](std::uint32_t i) { return leaves_[i].id; }); };
  const auto still = [&] {
    return static_.view(tests, masked, [&](std::uint32_t i) { return leaves_[offset + i].id; });
  };
  std::vector<LeafTraversal> traversals;
  if (scope == Scope::Moving) {
    traversals.push_back({BvhTraversal(moving()), 0, 0});
    if (has_static()) traversals.push_back({BvhTraversal(moving(), still()), 0, offset});
  } else if (has_static()) {
    traversals.push_back({BvhTraversal(still()), offset, offset});
  }
  return traversals;
}

std::size_t Hierarchy::planned_bytes() const {
  std::size_t static_vertices = 0;
  for (const Slice& slice : static_slices_) static_vertices += slice.last_vertex - slice.first_vertex;
  return static_vertices * sizeof(Vec3) + static_contacts_.memory_bytes() + leaves_.size() * sizeof(Leaf) +
         (mesh_ ? mesh_->memory_bytes() + mesh_->orphans.size() * kPlacedBytes : 0) +
         (options_.cones != NormalCones::None ? PatchCulling::planned_bytes(leaves_.size()) : 0) +
         vertex_count_ * sizeof(PackedBox) + (stored_edges_ ? edges_.size() * sizeof(PackedBox) : 0) +
         HierarchyPart::planned_bytes(leaves_.size(), options_.volume, !options_.procedural);
}

std::size_t Hierarchy::memory_bytes() const {
  return leaves_.capacity() * sizeof(Leaf) + vertex_boxes_.capacity() * sizeof(PackedBox) +
         (mesh_ ? mesh_->memory_bytes() : 0) +
         (moving_orphans_.orphans.capacity() + static_orphans_.orphans.capacity()) * kPlacedBytes +
         edge_boxes_.capacity() * sizeof(PackedBox) + static_positions_.capacity() * sizeof(Vec3) +
         moving_.memory_bytes() + static_.memory_bytes() + static_contacts_.memory_bytes();
}

}  // namespace graze
