// Leaves, bounds and trees (pipeline/hierarchy.hpp).
//
// Static bounds are inflated for a gap, too, and the gap may grow from query to query: they are made with some
// room, and again only when it no longer holds, or is so large that it costs.
#include "pipeline/hierarchy.hpp"

#include <algorithm>
#include <numbers>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "mesh/topology.hpp"

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

HierarchyChoices hierarchy_choices(Method method, const HierarchyOptions& options,
                                   const AdaptiveOptions& adaptive) {
  HierarchyChoices choices;
  choices.adjacency = method == Method::Adj;
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
  if (method == Method::Adaptive) {
    choices.most_angle = static_cast<float>(adaptive.low_curvature * (std::numbers::pi / 180.0));
  }
  return choices;
}

Hierarchy::Hierarchy(const Scene& scene, const HierarchyChoices& options)
    : options_(options),
      stored_edges_(options.edge_bounds == EdgeBounds::Stored),
      scene_(&scene),
      vertex_count_(scene.vertex_count()) {
  make_leaves();
  make_shares();
  leaf_is_static_.resize(leaves_.size());
  if (!has_static()) return;
  for (std::size_t i = 0; i < leaves_.size(); ++i) leaf_is_static_[i] = is_static(leaves_[i]);
}

void Hierarchy::make_leaves() {
  Representatives representatives =
      make_representatives(scene_->triangles(), build_topology(scene_->triangles(), vertex_count_));
  const std::vector<RepresentativeId> active = representatives.active();
  leaves_.resize(active.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    const Representatives::Entry& entry = representatives.entries[triangle_of(active[i])];
    leaves_[i].id = active[i];
    leaves_[i].vertices = entry.vertices;
    leaves_[i].edges = entry.edges;
  }
  if (options_.lists_faces()) {
    mesh_ = make_patch_mesh(scene_->triangles(), representatives, leaves_, vertex_count_, options_.procedural);
  }
  edges_ = std::move(representatives.edges);
}

void Hierarchy::make_shares() {
  shares_stale_ = true;  // until all is made
  moving_share_ = {};
  const IdRanges still_before = std::exchange(static_share_, {}).vertices;
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
  // Positions of static vertices are kept in their order.
  if (static_share_.vertices != still_before) {
    static_valid_ = false;
    static_contacts_ = {};
    static_positions_ = {};
  }
  shares_stale_ = false;
}

void Hierarchy::update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) {
  GRAZE_ASSERT(x_t0.size() == vertex_count_ && x_t1.size() == vertex_count_);
  constexpr double kRoom = 1.25;
  if (shares_stale_) make_shares();
  vertex_boxes_.resize(vertex_count_);
  if (stored_edges_ && edge_boxes_.size() != edges_.size()) {
    edge_boxes_.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      edge_boxes_[e].first = edges_[e][0];
      edge_boxes_[e].second = edges_[e][1];
    }
  }
  const Sweep sweep{x_t0, x_t1, gap};
  update_features(moving_share_, sweep);
  update_part(moving_, moving_share_, sweep);
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
  const Sweep still{x_t0, x_t1, static_gap_};
  update_features(static_share_, still);
  update_part(static_, static_share_, still);
  static_valid_ = true;
}

void Hierarchy::update_features(const Share& share, const Sweep& sweep) {
  for (const auto& [first, last] : share.vertices) {
    const auto part = [first = first, count = last - first](auto x) { return x.subspan(first, count); };
    make_vertex_boxes(part(sweep.x_t0), part(sweep.x_t1), sweep.gap, part(std::span(vertex_boxes_)));
  }
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

/// Whether static bodies stand elsewhere than at the last call, or this is the first.
bool Hierarchy::static_moved(std::span<const Vec3> x) {
  std::size_t place = 0;
  bool moved = !static_valid_;
  for (const auto& [first, last] : static_share_.vertices) {
    const auto now = x.subspan(first, last - first);
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

PartMesh Hierarchy::part_mesh(const Share& share, std::span<const Vec3> x) const {
  return {.leaves = leaves_,
          .ranges = share.leaves,
          .mesh = mesh_ ? &*mesh_ : nullptr,
          .x = x,
          .cones = options_.cones != NormalCones::None,
          .editor = editor_ ? &*editor_ : nullptr};
}

void Hierarchy::update_part(HierarchyPart& part, const Share& share, const Sweep& sweep) {
  for (const auto& [first, last] : share.leaves) {
    parallel_for(first, last, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto& v = leaves_[i].vertices;
        leaves_[i].box.set_union(vertex_boxes_[v[0]], vertex_boxes_[v[1]], vertex_boxes_[v[2]]);
      }
    });
  }
  const std::span<const Leaf> leaves = leaves_;
  const auto box = [&](std::uint32_t i) { return leaves[i].box.box(); };
  const PartMesh mesh = part_mesh(share, sweep.x_t0);
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
  moving_.prove(leaves_, paths, cone_rule(), counts);
  if (static_too && has_static()) static_.prove(leaves_, paths, cone_rule(), counts);
}

std::vector<BvhTraversal> Hierarchy::prove_again(std::span<const VertexPath> paths, CullCounts& counts,
                                                 std::uint64_t& violating) {
  std::vector<BvhTraversal> traversals;
  const PatchCulling::Opened opened = moving_.prove_again(leaves_, paths, cone_rule(), counts);
  violating += opened.triangles;
  if (!opened.blocks.empty()) {
    traversals.emplace_back(moving_.view(PairTests::Continuous, true, leaves_), opened.blocks);
  }
  return traversals;
}

void Hierarchy::forget_proofs() {
  moving_.forget_proofs();
  static_.forget_proofs();
}

/// The orphans of a part, each with the lowest patch that holds both of its features.
void Hierarchy::place_orphans(PlacedOrphans& placed, const HierarchyPart& part) {
  if (placed.version == part.version()) return;
  placed = {};
  const std::vector<std::uint32_t> blocks = part.leaf_blocks(leaves_.size());
  const auto is_here = [&](std::uint32_t leaf) { return blocks[leaf] != kNoNode; };
  // Of several patches the last: parents come before their children.
  const auto lowest = [&](std::span<const std::uint32_t> of_a, std::span<const std::uint32_t> of_b) {
    std::uint32_t best = 0;
    for (const std::uint32_t a : of_a) {
      for (const std::uint32_t b : of_b) {
        best = std::max(best, lowest_common_block(part.tree(), blocks[a], blocks[b]));
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
  place_orphans(placed, part);
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

std::vector<BvhTraversal> Hierarchy::leaf_pairs(Scope scope, PairTests tests, bool masked) {
  const auto moving = [&] { return moving_.view(tests, masked, leaves_); };
  const auto still = [&] { return static_.view(tests, masked, leaves_); };
  std::vector<BvhTraversal> traversals;
  if (scope == Scope::Moving) {
    traversals.emplace_back(moving());
    if (has_static()) traversals.emplace_back(moving(), still());
  } else if (has_static()) {
    traversals.emplace_back(still());
  }
  return traversals;
}

std::size_t Hierarchy::planned_bytes() const {
  return id_count(static_share_.vertices) * sizeof(Vec3) + edges_.size() * sizeof(Edge) +
         static_contacts_.memory_bytes() + leaves_.size() * sizeof(Leaf) +
         (mesh_ ? mesh_->memory_bytes() + mesh_->orphans.size() * kPlacedBytes : 0) +
         (options_.cones != NormalCones::None ? PatchCulling::planned_bytes(leaves_.size()) : 0) +
         vertex_count_ * sizeof(PackedBox) + (stored_edges_ ? edges_.size() * sizeof(PackedBox) : 0) +
         HierarchyPart::planned_bytes(leaves_.size(), options_.volume, !options_.procedural);
}

std::size_t Hierarchy::memory_bytes() const {
  return leaves_.capacity() * sizeof(Leaf) + edges_.capacity() * sizeof(Edge) +
         vertex_boxes_.capacity() * sizeof(PackedBox) + (mesh_ ? mesh_->memory_bytes() : 0) +
         (editor_ ? editor_->memory_bytes() : 0) +
         (moving_orphans_.orphans.capacity() + static_orphans_.orphans.capacity()) * kPlacedBytes +
         edge_boxes_.capacity() * sizeof(PackedBox) + static_positions_.capacity() * sizeof(Vec3) +
         moving_.memory_bytes() + static_.memory_bytes() + static_contacts_.memory_bytes();
}

}  // namespace graze
