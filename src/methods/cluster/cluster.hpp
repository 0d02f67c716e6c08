// A cluster: up to 32 triangles that lie together, with all that a pair of clusters needs in two kilobytes, and
// bounds that are linear in time.
//
// Where its vertices are at both ends of a step stands in six rows of floats; features are numbers of its vertices,
// one byte each. So bounds of edges and faces need not be kept: they are looked up, lane by lane, in a table that
// fits two registers. A vertex and an edge belong to the cluster of the triangle that represents them (R-TRI), a
// face to its own: the pairs of features of all pairs of clusters are each pair once.
//
// Bounds linear in time: for points on straight ways, the largest coordinate at t is at most (1-t) max at t0 + t
// max at t1, and the smallest likewise at least. So what is apart along an axis in the same order at both ends is
// apart all the time between. Common motion counts for nothing.
//
// Floats are relative to a frame. A coordinate is off by at most a quarter of the cluster's `error` (frame.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::methods {

inline constexpr std::size_t kClusterFaces = 32;
inline constexpr std::size_t kClusterVertices = 32;
inline constexpr std::size_t kClusterEdges = 64;
inline constexpr std::size_t kContourPlaces = 48;  ///< more than vertices, in whole vectors

/// Bit of a face's word: as an oriented face it has its second and third vertex exchanged.
inline constexpr std::uint32_t kFlippedFace = 1U << 24U;

/// Lower and upper ends along the axes, at t0 and at t1. Starts empty.
struct LinearBox {
  std::array<float, 6> lo;  ///< x y z at t0, x y z at t1
  std::array<float, 6> hi;

  LinearBox() {
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
  }
  void include(const LinearBox& other) {
    for (std::size_t k = 0; k < 6; ++k) {
      lo[k] = other.lo[k] < lo[k] ? other.lo[k] : lo[k];
      hi[k] = other.hi[k] > hi[k] ? other.hi[k] : hi[k];
    }
  }
};

/// The same along the ten slanted directions of a 26-DOP, as they are, not of unit length: x + y, x - y, y + z, y -
/// z, z + x, z - x, and x +- y +- z. Padded to a vector; padding tells nothing apart.
struct alignas(64) SlabBox {
  static constexpr std::size_t kLanes = 16;

  std::array<std::array<float, kLanes>, 2> lo{};  ///< at t0 and t1
  std::array<std::array<float, kLanes>, 2> hi{};
};

struct alignas(64) Cluster {
  /// By row as in LinearBox, then by vertex; places past the last vertex repeat it.
  std::array<std::array<float, kClusterVertices>, 6> x{};
  std::array<VertexId, kClusterVertices> ids{};  ///< the owned ones first; likewise
  /// Features as words: the places of their vertices in `ids`, a byte each, the lowest id in the lowest byte.
  std::array<std::uint32_t, kClusterEdges> edges{};  ///< those that are owned
  std::array<std::uint32_t, kClusterFaces> faces{};  ///< and kFlippedFace
  std::array<float, 3> normal{};   ///< about the middle of its faces' normals, of unit length; or none, 0
  std::array<float, 2> slab_lo{};  ///< along it, at t0 and t1, with room
  std::array<float, 2> slab_hi{};
  SlabBox slabs;                  ///< of all its vertices, with room as in `box`
  LinearBox box;                  ///< of all its vertices, with room for their errors
  float error = 0.0F;             ///< four times what a coordinate may be off by
  std::uint32_t still = 0;        ///< vertices, by bit, that stand still in this step
  std::uint32_t kept = 0;         ///< of those, that stood there in the whole step before: see cluster_mesh.hpp
  std::uint8_t vertex_count = 0;  ///< 0: a free place
  std::uint8_t owned_vertices = 0;
  std::uint8_t edge_count = 0;
  std::uint8_t face_count = 0;
  std::uint8_t filled = 0;         ///< whether the table holds
  std::uint8_t slow = 0;           ///< whether vertices go much less far than the cluster is large
  std::uint8_t contour_count = 0;  ///< 0: its faces are no disc (cluster_disc.hpp)
  /// Places of the vertices round the disc, as its faces turn; past the last the first ones again.
  std::array<std::uint8_t, kContourPlaces> contour{};

  [[nodiscard]] bool all_kept() const { return kept == 0xffffffffU; }
};

/// Two clusters, by number; one by itself where they are the same.
struct ClusterPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

}  // namespace graze::methods
