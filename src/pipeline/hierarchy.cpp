// Leaves, proofs and pairs (pipeline/hierarchy.hpp); the bounds are hierarchy_bounds.cpp.
#include "pipeline/hierarchy.hpp"

#include <algorithm>
#include <numbers>

#include "bvh/leaf_query.hpp"
#include "core/assert.hpp"
#include "mesh/topology.hpp"

namespace graze {

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

std::vector<LeafPair> Hierarchy::pairs_of(std::span<const std::uint32_t> leaves, std::uint64_t& bv_tests) {
  const std::vector<std::uint32_t> slots = moving_.slots_of(leaves, leaves_.size());
  const BvhView moving = moving_.view(PairTests::Continuous, true, leaves_);
  std::vector<LeafPair> pairs;
  // Two of the list find each other: the pair is the smaller one's.
  const auto is_first = [&](const LeafPair& pair) {
    return pair.a < pair.b || (pair.a != pair.b && !std::binary_search(leaves.begin(), leaves.end(), pair.b));
  };
  bv_tests += bvh_query_leaves(moving, slots, moving, is_first, pairs);
  if (!has_static()) return pairs;
  const BvhView still = static_.view(PairTests::Continuous, true, leaves_);
  bv_tests += bvh_query_leaves(
      moving, slots, still, [](const LeafPair&) { return true; }, pairs);
  return pairs;
}

std::vector<BvhTraversal> Hierarchy::marked_leaf_pairs(std::span<const std::uint32_t> leaves) {
  std::vector<BvhTraversal> traversals;
  if (leaves.empty()) return traversals;
  const BvhView moving = moving_.marked_view(leaves, leaves_);
  traversals.emplace_back(moving);
  if (has_static()) traversals.emplace_back(moving, static_.marked_view({}, leaves_));
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
