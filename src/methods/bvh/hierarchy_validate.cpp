// Compares a hierarchy with fresh structures of its scene (Hierarchy::validate): for tests.
//
// Lists of faces, hubs, rings, orphans, contours and mesh components must be equal;
// query/leaf/leaf_bounds_validate.cpp checks leaves and edges. Trees may differ from fresh ones: their properties
// are checked. Cost: more than a build.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "bvh/validate.hpp"

#include <graze/research.hpp>
#include "mesh/topology.hpp"
#include "methods/bvh/hierarchy.hpp"

namespace graze::methods {

namespace {

std::string compare_rows(std::string_view what, const RowPool& kept, const RowPool& fresh) {
  for (std::size_t r = 0; r < std::max(kept.size(), fresh.size()); ++r) {
    const auto row = [&](const RowPool& rows) {
      return r < rows.size() ? rows[r] : std::span<const std::uint32_t>();
    };
    const auto a = row(kept);
    const auto b = row(fresh);
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) {
      return fmt::format("{} {}: its {} entries differ from the {} of a fresh build", what, r, a.size(), b.size());
    }
  }
  return {};
}

std::string first_of(std::initializer_list<std::string> lines) {
  for (const std::string& line : lines) {
    if (!line.empty()) return line;
  }
  return {};
}

/// Components of the mesh, connected by edges: for each leaf the smallest leaf of its component.
std::vector<std::uint32_t> pieces_of(std::size_t leaf_count, const RowPool& edge_leaves) {
  std::vector<std::uint32_t> parent(leaf_count);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root_of = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t e = 0; e < edge_leaves.size(); ++e) {
    const auto row = edge_leaves[e];
    for (std::size_t k = 1; k < row.size(); ++k) {
      const std::uint32_t a = root_of(row[0]);
      const std::uint32_t b = root_of(row[k]);
      if (a != b) parent[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::uint32_t i = 0; i < leaf_count; ++i) parent[i] = root_of(i);
  return parent;
}

/// Compares the components of a two-level tree with those of the mesh; empty if they agree.
std::string compare_components(const TwoLevelTree& levels, std::span<const std::uint32_t> pieces) {
  const BvhTree& tree = levels.tree;
  std::vector<std::size_t> sizes(pieces.size(), 0);
  for (const std::uint32_t piece : pieces) ++sizes[piece];
  for (const TwoLevelTree::Component& component : levels.components) {
    std::uint32_t smallest = kNoNode;
    std::vector<std::uint32_t> leaves;
    std::vector<std::uint32_t> todo{component.root};
    while (!todo.empty()) {
      const std::uint32_t word = todo.back();
      todo.pop_back();
      if ((word & kLeaf) != 0) {
        leaves.push_back(word & ~kLeaf);
        smallest = std::min(smallest, word & ~kLeaf);
      } else {
        for (const std::size_t slot : {std::size_t{2} * word, std::size_t{2} * word + 1}) {
          todo.push_back(tree.words[slot]);
        }
      }
    }
    for (const std::uint32_t leaf : leaves) {
      if (pieces[leaf] != smallest) {
        return fmt::format("leaf {} is in the tree of leaf {}, but not in its piece of mesh", leaf, smallest);
      }
    }
    if (sizes[smallest] != leaves.size()) {
      return fmt::format("the piece of leaf {} has {} faces, its tree {}", smallest, sizes[smallest],
                         leaves.size());
    }
  }
  return {};
}

}  // namespace

std::string HierarchyPart::validate(const PartMesh& mesh, bool connected) const {
  if (!built_ || is_edited()) return {};
  std::string broken = std::visit(
      [&](const auto& volumes) {
        // A one-level tree has no components until an edit.
        return levels_.components.empty() ? bvh_validate(tree(), volumes) : bvh_validate(levels_, volumes);
      },
      volumes_);
  if (!broken.empty()) return broken;
  std::vector<std::uint32_t> held;
  for (const std::uint32_t word : tree().words) {
    if (word != kNoNode && (word & kLeaf) != 0) held.push_back(word & ~kLeaf);
  }
  std::sort(held.begin(), held.end());
  if (held != mesh.numbers())
    return fmt::format("the {} leaves of the tree are not those of the mesh", held.size());
  if (connected) {
    std::string other =
        compare_components(levels_, pieces_of(mesh.leaves.size(), mesh.mesh->incidence.edge_leaves));
    if (!other.empty()) return other;
  }
  if (!patches_) return {};
  const PatchContours fresh = make_patch_contours(tree(), first_patch_block(), mesh.leaves);
  const PatchContours& kept = patches_->contours();
  if (kept.leaf_counts != fresh.leaf_counts) return "the leaf counts of patches are wrong";
  return compare_rows("contour of block", kept.loops, fresh.loops);
}

std::string Hierarchy::validate() const {
  std::string broken = LeafBounds::validate();
  if (!broken.empty()) return broken;
  if (mesh_) {
    const Representatives representatives = represented();
    const std::vector<std::uint32_t> triangles = leaf_triangles();
    const Incidence fresh = make_incidence(representatives, triangles, vertex_count());
    std::string other = first_of({compare_rows("vertex", mesh_->incidence.vertex_leaves, fresh.vertex_leaves),
                                  compare_rows("edge", mesh_->incidence.edge_leaves, fresh.edge_leaves)});
    if (!other.empty()) return other;
    if (options_.procedural) {
      const NearFaces hubs(fresh);
      const Topology topology = build_topology(scene().triangles(), vertex_count());
      for (const VertexId v : topology.features.vertices) {
        if (hubs.is_hub(v) != mesh_->near_faces.is_hub(v))
          return fmt::format("the hub mark of vertex {} is wrong", v);
      }
      if (!(mesh_->orphans == find_orphans({representatives, triangles, fresh, hubs}))) {
        return "orphans are not those of the mesh";
      }
      const std::vector<VertexBits> rings = make_rings(leaves(), fresh);
      for (std::size_t i = 0; i < rings.size(); ++i) {
        if (triangles[i] != kNoLeaf && rings[i] != mesh_->rings[i]) {
          return fmt::format("the ring of leaf {} is wrong", i);
        }
      }
    }
  }
  if (shares_stale()) return {};
  const bool connected = options_.builder == research::TreeBuilder::Connected;
  return first_of(
      {moving_.validate(part_mesh(moving_ranges(), {}), connected),
       has_static() && static_valid() ? static_.validate(part_mesh(static_ranges(), {}), connected) : ""});
}

}  // namespace graze::methods
