// Connected groups of triangles (scene_split.hpp), by union-find over indices in the list of visited triangles. A
// root is the smallest index of its set, so that sets are ordered by their smallest triangle.
#include "scene/scene_split.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace graze::scene {

namespace {

class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Returns the triangles of each set, ascending; `sets` is over indices in the list of triangles.
std::vector<std::vector<TriangleId>> lists_of(Sets& sets, std::span<const TriangleId> triangles) {
  std::vector<std::vector<TriangleId>> lists;
  std::vector<std::size_t> number(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const std::size_t root = sets.root(i);
    if (root == i) {
      number[i] = lists.size();
      lists.emplace_back();
    }
    lists[number[root]].push_back(triangles[i]);
  }
  return lists;
}

}  // namespace

std::vector<std::vector<TriangleId>> parts_across_edge(const SceneOverlay& scene, VertexId v, VertexId other) {
  const std::vector<TriangleId> fan = scene.fan(v);
  Sets sets(fan.size());
  std::unordered_map<VertexId, std::size_t> first_at;  // by the far end of an edge at v
  for (std::size_t i = 0; i < fan.size(); ++i) {
    for (const VertexId w : scene.triangle(fan[i])) {
      if (w == v || w == other) continue;
      const auto [place, is_new] = first_at.try_emplace(w, i);
      if (!is_new) sets.join(place->second, i);
    }
  }
  std::vector<std::vector<TriangleId>> parts = lists_of(sets, fan);
  // Drops the parts that do not contain the edge.
  std::erase_if(parts, [&](const std::vector<TriangleId>& part) {
    return std::none_of(part.begin(), part.end(), [&](TriangleId t) {
      const Triangle& ids = scene.triangle(t);
      return std::find(ids.begin(), ids.end(), other) != ids.end();
    });
  });
  return parts;
}

std::vector<SharedVertex> vertices_of_groups(const SceneOverlay& scene,
                                             std::span<const std::vector<TriangleId>> groups) {
  std::unordered_map<TriangleId, std::uint32_t> part_of;
  std::vector<VertexId> vertices;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const TriangleId t : groups[i]) {
      part_of.emplace(t, static_cast<std::uint32_t>(i + 1));
      const Triangle& ids = scene.triangle(t);
      vertices.insert(vertices.end(), ids.begin(), ids.end());
    }
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  std::vector<SharedVertex> result;
  result.reserve(vertices.size());
  for (const VertexId v : vertices) {
    std::map<std::uint32_t, std::vector<TriangleId>> users;
    for (const TriangleId t : scene.fan(v)) {
      const auto part = part_of.find(t);
      users[part == part_of.end() ? 0 : part->second].push_back(t);
    }
    SharedVertex& shared = result.emplace_back();
    shared.vertex = v;
    for (auto& [part, triangles] : users) shared.users.push_back({part, std::move(triangles)});
  }
  return result;
}

std::vector<std::vector<TriangleId>> connected_pieces(const SceneOverlay& scene, BodyId body) {
  // All triangles in the fan of a vertex are connected. Their indices in the list are found by binary search.
  std::vector<std::vector<TriangleId>> fans;
  std::vector<TriangleId> triangles;
  for (const VertexId v : scene.vertices_of(body)) {
    fans.push_back(scene.fan(v));
    triangles.insert(triangles.end(), fans.back().begin(), fans.back().end());
  }
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  const auto place_of = [&](TriangleId t) {
    return static_cast<std::size_t>(std::lower_bound(triangles.begin(), triangles.end(), t) - triangles.begin());
  };
  Sets sets(triangles.size());
  for (const std::vector<TriangleId>& fan : fans) {
    for (std::size_t i = 1; i < fan.size(); ++i) sets.join(place_of(fan[0]), place_of(fan[i]));
  }
  return lists_of(sets, triangles);
}

}  // namespace graze::scene
