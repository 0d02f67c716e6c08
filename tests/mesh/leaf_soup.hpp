// Soups with all that leaves, procedural representatives and orphans need, and an independent definition of "near".
#pragma once

#include "mesh/incidence.hpp"
#include "mesh/near_faces.hpp"
#include "mesh/orphan_set.hpp"
#include "mesh/procedural_representatives.hpp"
#include "mesh/random_soup.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;

/// The triangle of each leaf: leaves in ascending order of triangles, or shuffled.
inline std::vector<std::uint32_t> number_leaves(const Representatives& representatives,
                                                std::mt19937* shuffle = nullptr) {
  std::vector<std::uint32_t> leaf_triangles;
  for (const RepresentativeId id : representatives.active()) leaf_triangles.push_back(triangle_of(id));
  if (shuffle != nullptr) std::shuffle(leaf_triangles.begin(), leaf_triangles.end(), *shuffle);
  return leaf_triangles;
}

struct LeafSoup {
  Topology topology;
  Representatives representatives;
  std::vector<std::uint32_t> leaf_triangles;
  Incidence incidence;
  NearFaces near_faces;

  LeafSoup(std::span<const Triangle> triangles, std::size_t vertex_count, std::mt19937* shuffle = nullptr)
      : topology(build_topology(triangles, vertex_count)),
        representatives(make_representatives(triangles, topology)),
        leaf_triangles(number_leaves(representatives, shuffle)),
        incidence(make_incidence(representatives, leaf_triangles, vertex_count)),
        near_faces(incidence) {}

  [[nodiscard]] LeafMesh mesh() const { return {representatives, leaf_triangles, incidence, near_faces}; }
};

/// A soup in which most triangles share one or two vertices, so that their fans are about as long as a hub's.
inline std::vector<Triangle> random_hub_soup(std::mt19937& random, std::size_t vertex_count,
                                             std::size_t triangle_count) {
  std::vector<Triangle> triangles = random_soup(random, vertex_count, triangle_count);
  for (Triangle& t : triangles) {
    const auto kind = random() % 8;
    if (kind < 6) t[random() % 3] = 0;
    if (kind < 1) t[random() % 3] = 1;
  }
  return triangles;
}

/// The near relation by its definition: a common vertex with at most kMaxFan different faces.
class NaiveNear {
 public:
  explicit NaiveNear(std::span<const Triangle> triangles) {
    std::set<Face> faces;
    for (const Triangle& t : triangles) faces.insert(face_of(t));
    for (const Face& f : faces) {
      for (const VertexId v : std::set<VertexId>(f.begin(), f.end())) ++fan_[v];
    }
  }
  [[nodiscard]] bool operator()(const Triangle& a, const Triangle& b) const {
    for (const VertexId v : a) {
      if (std::find(b.begin(), b.end(), v) != b.end() && fan_.at(v) <= 24) return true;
    }
    return false;
  }

 private:
  std::map<VertexId, int> fan_;
};

}  // namespace graze
