// A session of sub-surfaces for tests (support/sub_surface_session.hpp).
#include "support/sub_surface_session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bvh/masks.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;

namespace {

Scene scene_of(const std::vector<Triangle>& triangles, const std::vector<Vec3>& x) {
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  return scene;
}

}  // namespace

SubSurfaceSession::SubSurfaceSession(const std::vector<Triangle>& triangles, const std::vector<Vec3>& x,
                                     const HierarchyChoices& choices)
    : scene_(scene_of(triangles, x)), hierarchy_(scene_, choices), came_(leaf_count() * leaf_count()) {
  for (std::uint32_t i = 0; i < leaf_count(); ++i) {
    const Leaf& leaf = hierarchy_.leaf(i);
    face_leaf_[leaf.face()] = i;
    for (std::uint32_t k = 0; k < represented_vertex_count(leaf.id); ++k) vertex_leaf_[leaf.vertices[k]] = i;
    for (const std::uint32_t edge : leaf.represented_edges()) edge_leaf_[hierarchy_.edge(edge)] = i;
  }
}

void SubSurfaceSession::begin(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, double gap) {
  came_.assign(came_.size(), 0);
  counts_ = {};
  hierarchy_.update(x_t0, x_t1, gap);
  make_paths(x_t0, x_t1, paths_);
  hierarchy_.prepare_culling(paths_, false, counts_);
  take(hierarchy_.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, true));
  patches_before_ = patches_;
}

void SubSurfaceSession::go_on(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  counts_ = {};
  violating_ = 0;
  make_paths(x_t0, x_t1, paths_);
  patches_before_ = patches_;
  take(hierarchy_.prove_again(paths_, counts_, violating_));
}

void SubSurfaceSession::take(const std::vector<BvhTraversal>& traversals) {
  fresh_.clear();
  for (const BvhTraversal& traversal : traversals) {
    for (std::size_t group = 0; group < traversal.group_count(); ++group) {
      traversal.run_group(
          group, [&](std::span<const LeafPair> pairs) { fresh_.insert(fresh_.end(), pairs.begin(), pairs.end()); });
    }
  }
  for (const auto& [a, b] : fresh_) ++came_[std::min(a, b) * leaf_count() + std::max(a, b)];

  const HierarchyPart& part = hierarchy_.moving_part();
  patches_ = part.leaf_blocks(leaf_count());
  for (std::uint32_t& block : patches_) block = part.patches()->free_patch(part.tree(), block);
}

std::uint8_t SubSurfaceSession::times(std::uint32_t a, std::uint32_t b) const {
  return came_[std::min(a, b) * leaf_count() + std::max(a, b)];
}

std::vector<LeafPair> SubSurfaceSession::contacts(const std::vector<Vec3>& x_t0,
                                                  const std::vector<Vec3>& x_t1) const {
  std::vector<LeafPair> pairs;
  for (const Impact& impact : Detector(scene_, {.method = Method::Brute}).impacts(x_t0, x_t1).impacts) {
    const auto& v = impact.pair.vertices;
    if (impact.pair.kind == FeatureKind::VertexFace) {
      pairs.push_back({vertex_leaf_.at(v[0]), face_leaf_.at({v[1], v[2], v[3]})});
    } else {
      pairs.push_back({edge_leaf_.at({v[0], v[1]}), edge_leaf_.at({v[2], v[3]})});
    }
  }
  return pairs;
}

std::string SubSurfaceSession::missing(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1,
                                       std::uint64_t& count) const {
  const std::vector<LeafPair> pairs = contacts(x_t0, x_t1);
  count += pairs.size();
  for (const auto& [a, b] : pairs) {
    if (times(a, b) == 0) return fmt::format("leaves {} and {} touch but were not generated", a, b);
  }
  return {};
}

std::string SubSurfaceSession::miscounted() const {
  const auto mask = [&](std::uint32_t i) {
    const RepresentativeId id = hierarchy_.leaf(i).id;
    return representative_mask(represented_vertex_count(id), represented_edge_count(id));
  };
  for (std::uint32_t a = 0; a < leaf_count(); ++a) {
    for (std::uint32_t b = a + 1; b < leaf_count(); ++b) {
      const int expected = compatible(mask(a), mask(b)) && !in_one_patch(a, b) ? 1 : 0;
      if (times(a, b) != expected) {
        return fmt::format("leaves {} and {} were generated {} times, expected {}", a, b, times(a, b), expected);
      }
    }
  }
  return {};
}

std::string SubSurfaceSession::fault() const {
  for (const auto& [a, b] : fresh_) {
    if (times(a, b) != 1) return fmt::format("leaves {} and {} were generated {} times", a, b, times(a, b));
  }
  std::map<std::uint32_t, std::uint32_t> within;
  for (std::uint32_t i = 0; i < leaf_count(); ++i) {
    if (patches_[i] == kNoNode) continue;
    const auto [place, is_new] = within.try_emplace(patches_[i], patches_before_[i]);
    if (place->second == kNoNode || place->second != patches_before_[i]) {
      return fmt::format("leaf {} is in patch {}, which was in none before", i, patches_[i]);
    }
  }
  return {};
}

std::uint64_t SubSurfaceSession::free_leaves() const {
  return static_cast<std::uint64_t>(
      std::count_if(patches_.begin(), patches_.end(), [](std::uint32_t patch) { return patch != kNoNode; }));
}

}  // namespace graze::testing
