// Options, culling proofs and leaf pairs of a hierarchy (methods/bvh/hierarchy.hpp); hierarchy_bounds.cpp has the
// bounds.
#include "methods/bvh/hierarchy.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <numbers>
#include <utility>

#include "bvh/leaf_query.hpp"

namespace graze::methods {

HierarchyChoices hierarchy_choices(Method method, const research::HierarchyOptions& options,
                                   const research::AdaptiveOptions& adaptive) {
  HierarchyChoices choices;
  choices.adjacency = method == research::kAdj;
  choices.procedural = method == Method::Iccd;
  if (choices.procedural) {
    choices.volume = research::BoundingVolume::Kdop18;
    choices.builder = research::TreeBuilder::Connected;
    choices.cones = research::NormalCones::Tight;
  }
  choices.volume = options.volume.value_or(choices.volume);
  choices.builder = options.builder.value_or(choices.builder);
  choices.cones = options.cones.value_or(choices.cones);
  choices.edge_bounds = options.edge_bounds;
  if (method == Method::Adaptive) {
    choices.max_angle = static_cast<float>(adaptive.low_curvature * (std::numbers::pi / 180.0));
  }
  return choices;
}

Hierarchy::Hierarchy(const Scene& scene, const HierarchyChoices& choices)
    : Hierarchy(scene, choices, std::optional<PatchMesh>()) {}

// The base constructor makes `mesh` from data that is not kept; mesh_ does not exist yet at that time.
Hierarchy::Hierarchy(const Scene& scene, const HierarchyChoices& choices, std::optional<PatchMesh> mesh)
    : BoundedLeaves(scene, choices.edge_bounds, choices.volume,
                    choices.lists_faces()
                        ? Look([&](const Representatives& representatives, std::span<Leaf> leaves) {
                            mesh = make_patch_mesh(scene.triangles(), representatives, leaves, scene.vertex_count(),
                                                   choices.procedural);
                          })
                        : Look()),
      options_(choices),
      mesh_(std::move(mesh)) {}

void Hierarchy::prepare_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) {
  if (options_.cones == research::NormalCones::None) return;
  moving_.prove(leaves(), paths, cone_rule(), counts);
  if (static_too && has_static()) static_.prove(leaves(), paths, cone_rule(), counts);
}

std::vector<BvhTraversal> Hierarchy::prove_again(std::span<const VertexPath> paths, CullCounts& counts,
                                                 std::uint64_t& violating) {
  std::vector<BvhTraversal> traversals;
  const PatchCulling::Opened opened = moving_.prove_again(leaves(), paths, cone_rule(), counts);
  violating += opened.triangles;
  if (!opened.blocks.empty()) {
    traversals.emplace_back(moving_.view(PairTests::Continuous, true, leaves()), opened.blocks);
  }
  return traversals;
}

void Hierarchy::disable_culling() {
  moving_.forget_proofs();
  static_.forget_proofs();
}

/// Lists the orphans of a part, each with the lowest patch that contains both of its features.
void Hierarchy::place_orphans(PlacedOrphans& placed, const HierarchyPart& part) {
  if (placed.version == part.version()) return;
  placed = {};
  const std::vector<std::uint32_t> blocks = part.leaf_blocks(leaves().size());
  const auto is_here = [&](std::uint32_t leaf) { return blocks[leaf] != kNoNode; };
  // Takes the block with the largest number: parents have smaller numbers than their children.
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
  // Sorted by patch, so that a query looks up each patch once.
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
  const auto moving = [&] { return moving_.view(tests, masked, leaves()); };
  const auto still = [&] { return static_.view(tests, masked, leaves()); };
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
  const std::vector<std::uint32_t> slots = moving_.slots_of(leaves, this->leaves().size());
  const BvhView moving = moving_.view(PairTests::Continuous, true, this->leaves());
  std::vector<LeafPair> pairs;
  // If both leaves are listed, the smaller one reports the pair.
  const auto is_first = [&](const LeafPair& pair) {
    return pair.a < pair.b || (pair.a != pair.b && !std::binary_search(leaves.begin(), leaves.end(), pair.b));
  };
  bv_tests += bvh_query_leaves(moving, slots, moving, is_first, pairs);
  if (!has_static()) return pairs;
  const BvhView still = static_.view(PairTests::Continuous, true, this->leaves());
  bv_tests += bvh_query_leaves(
      moving, slots, still, [](const LeafPair&) { return true; }, pairs);
  return pairs;
}

std::vector<BvhTraversal> Hierarchy::marked_leaf_pairs(std::span<const std::uint32_t> leaves) {
  std::vector<BvhTraversal> traversals;
  if (leaves.empty()) return traversals;
  const BvhView moving = moving_.marked_view(leaves, this->leaves());
  traversals.emplace_back(moving);
  if (has_static()) traversals.emplace_back(moving, static_.marked_view({}, this->leaves()));
  return traversals;
}

std::size_t Hierarchy::planned_bytes() const {
  return LeafBounds::planned_bytes() + (mesh_ ? mesh_->memory_bytes() + mesh_->orphans.size() * kPlacedBytes : 0) +
         (options_.cones != research::NormalCones::None ? PatchCulling::planned_bytes(leaves().size()) : 0) +
         HierarchyPart::planned_bytes(leaves().size(), options_.volume, !options_.procedural);
}

std::size_t Hierarchy::memory_bytes() const {
  return LeafBounds::memory_bytes() + (mesh_ ? mesh_->memory_bytes() : 0) +
         (moving_orphans_.orphans.capacity() + static_orphans_.orphans.capacity()) * kPlacedBytes +
         moving_.memory_bytes() + static_.memory_bytes();
}

}  // namespace graze::methods
