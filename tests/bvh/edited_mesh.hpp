// A mesh whose leaves are added and removed, for the tests of tree edits: plain maps, everything looked up anew.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "bvh/edit/edit_tree.hpp"
#include "bvh/soups.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;

class EditedMesh final : public EditedLeaves {
 public:
  EditedMesh() = default;
  explicit EditedMesh(const Soup& soup) : x_(soup.x_t0) {
    for (const Triangle& triangle : soup.triangles) add(triangle);
    commit();
  }

  [[nodiscard]] bool has(std::uint32_t leaf) const override { return faces_.contains(leaf); }
  void neighbours(std::uint32_t leaf, std::vector<std::uint32_t>& out) const override {
    for (const auto& edge : edges_of(faces_.at(leaf))) {
      for (const std::uint32_t other : edges_.at(edge)) {
        if (other != leaf) out.push_back(other);
      }
    }
  }
  [[nodiscard]] Aabb box(std::uint32_t leaf) const override {
    Aabb box;
    for (const VertexId v : faces_.at(leaf)) {
      const std::array<float, 3> at = {static_cast<float>(x_[v].x), static_cast<float>(x_[v].y),
                                       static_cast<float>(x_[v].z)};
      box.include(Aabb(at, at));
    }
    return box;
  }
  [[nodiscard]] Vec3 normal(std::uint32_t leaf) const override {
    const Triangle& t = faces_.at(leaf);
    return {x_[t[1]].y - x_[t[0]].y, x_[t[2]].z - x_[t[0]].z, 1.0};
  }

  [[nodiscard]] const std::map<std::uint32_t, Triangle>& faces() const { return faces_; }
  [[nodiscard]] std::vector<Vec3>& positions() { return x_; }
  [[nodiscard]] std::vector<std::uint32_t> leaves() const {
    std::vector<std::uint32_t> all;
    for (const auto& [leaf, face] : faces_) all.push_back(leaf);
    return all;
  }

  VertexId add_vertex(const Vec3& x) {
    x_.push_back(x);
    return static_cast<VertexId>(x_.size() - 1);
  }
  /// Adds a leaf with the lowest free index, or the next one.
  std::uint32_t add(const Triangle& triangle) {
    std::uint32_t leaf = next_;
    if (free_.empty()) {
      ++next_;
    } else {
      leaf = *free_.begin();
      free_.erase(free_.begin());
    }
    put(leaf, triangle);
    return leaf;
  }
  void remove(std::uint32_t leaf) {
    take(leaf);
    free_.insert(leaf);
  }
  void change(std::uint32_t leaf, const Triangle& triangle) {
    take(leaf);
    put(leaf, triangle);
  }

  /// Changes since the last commit: touched leaves and lost links.
  struct Changes {
    std::vector<std::uint32_t> touched;
    std::vector<LeafLink> lost;
  };
  Changes commit() {
    Changes changes{{touched_.begin(), touched_.end()}, lost_};
    touched_.clear();
    lost_.clear();
    return changes;
  }

  /// For each leaf, the smallest leaf of its component.
  [[nodiscard]] std::map<std::uint32_t, std::uint32_t> components() const {
    std::map<std::uint32_t, std::uint32_t> smallest;
    std::vector<std::uint32_t> todo;
    for (const auto& [start, face] : faces_) {
      if (!smallest.emplace(start, start).second) continue;
      todo.assign(1, start);
      while (!todo.empty()) {
        std::vector<std::uint32_t> around;
        neighbours(todo.back(), around);
        todo.pop_back();
        for (const std::uint32_t other : around) {
          if (smallest.emplace(other, start).second) todo.push_back(other);
        }
      }
    }
    return smallest;
  }

 private:
  using Edge = std::pair<VertexId, VertexId>;
  static std::array<Edge, 3> edges_of(const Triangle& t) {
    return {std::minmax(t[0], t[1]), std::minmax(t[1], t[2]), std::minmax(t[2], t[0])};
  }
  void put(std::uint32_t leaf, const Triangle& triangle) {
    faces_[leaf] = triangle;
    for (const Edge& edge : edges_of(triangle)) edges_[edge].insert(leaf);
    touched_.insert(leaf);
  }
  void take(std::uint32_t leaf) {
    // Includes links to neighbours added since the last commit: these leaves are touched, so that the links do no
    // harm.
    std::vector<std::uint32_t> around;
    neighbours(leaf, around);
    for (const std::uint32_t other : around) lost_.push_back({leaf, other});
    for (const Edge& edge : edges_of(faces_.at(leaf))) {
      const auto row = edges_.find(edge);
      if (row == edges_.end()) continue;
      row->second.erase(leaf);
      if (row->second.empty()) edges_.erase(row);
    }
    faces_.erase(leaf);
    touched_.insert(leaf);
  }

  std::vector<Vec3> x_;
  std::map<std::uint32_t, Triangle> faces_;
  std::map<Edge, std::set<std::uint32_t>> edges_;
  std::set<std::uint32_t> free_;
  std::uint32_t next_ = 0;
  std::set<std::uint32_t> touched_;
  std::vector<LeafLink> lost_;
};

}  // namespace graze::testing
