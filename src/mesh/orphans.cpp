// Counting orphans locally: both features of an orphan lie in triangles that touch, so for each face (or edge) only
// the fans of its triangle's three vertices need a look. Stamps keep a candidate from being counted twice.
#include "mesh/orphans.hpp"

#include <algorithm>
#include <vector>

namespace graze {
namespace {

// Marks items of a list as seen by the current round, in constant time a round.
class Stamps {
 public:
  explicit Stamps(std::size_t count) : round_of_(count, 0) {}
  void next_round() { ++round_; }
  bool first_time(std::uint32_t item) {
    if (round_of_[item] == round_) return false;
    round_of_[item] = round_;
    return true;
  }

 private:
  std::vector<std::uint32_t> round_of_;
  std::uint32_t round_ = 0;
};

class Counter {
 public:
  explicit Counter(const Topology& topology) : topology_(topology) {}

  [[nodiscard]] std::uint64_t vertex_face() const {
    std::uint64_t count = 0;
    Stamps seen(topology_.vertex_triangles.size());
    for (const Face& face : topology_.features.faces) {
      seen.next_round();
      for_touching(face, [&](std::uint32_t triangle) {
        for (const VertexId v : face_of_triangle(triangle)) {
          if (!seen.first_time(v) || incident(v, face)) continue;
          if (all_touch(topology_.vertex_triangles[v], face)) ++count;
        }
      });
    }
    return count;
  }

  [[nodiscard]] std::uint64_t edge_edge() const {
    std::uint64_t count = 0;
    const auto& edges = topology_.features.edges;
    Stamps seen(edges.size());
    for (std::uint32_t a = 0; a < edges.size(); ++a) {
      seen.next_round();
      const auto triangles_a = topology_.edge_triangles[a];
      // The triangles of b must all touch the first triangle of a, so b is an edge of one that does.
      for_touching(face_of_triangle(triangles_a.front()), [&](std::uint32_t triangle) {
        for (const std::uint32_t b : topology_.triangle_edges[triangle]) {
          if (b == kNoEdge || b <= a || !seen.first_time(b) || incident(edges[a], edges[b])) continue;
          const auto triangles_b = topology_.edge_triangles[b];
          const bool orphan = std::all_of(triangles_a.begin(), triangles_a.end(), [&](std::uint32_t t) {
            return all_touch(triangles_b, face_of_triangle(t));
          });
          if (orphan) ++count;
        }
      });
    }
    return count;
  }

 private:
  [[nodiscard]] const Face& face_of_triangle(std::uint32_t triangle) const {
    return topology_.features.faces[topology_.triangle_faces[triangle]];
  }

  [[nodiscard]] bool all_touch(std::span<const std::uint32_t> triangles, const Face& face) const {
    return std::all_of(triangles.begin(), triangles.end(),
                       [&](std::uint32_t t) { return share_vertex(face_of_triangle(t), face); });
  }

  // Calls with every triangle that shares a vertex with the face, itself included; some more than once.
  template <typename Visit>
  void for_touching(const Face& face, const Visit& visit) const {
    for (const VertexId v : face) {
      for (const std::uint32_t triangle : topology_.vertex_triangles[v]) visit(triangle);
    }
  }

  const Topology& topology_;
};

}  // namespace

OrphanCounts count_orphans(const Topology& topology) {
  const Counter counter(topology);
  return {.vf = counter.vertex_face(), .ee = counter.edge_edge()};
}

}  // namespace graze
