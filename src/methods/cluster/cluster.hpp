// Cluster: up to 32 neighbouring triangles with everything that a pair of clusters needs, in less than two
// kilobytes, and with bounds linear in time. The leaf of method `auto`.
//
// Six rows of floats hold the vertex positions at both ends of a step; a feature is a word of vertex indices, one
// byte each. So bounds of edges and faces are not stored: they are computed lane by lane from a table that fits
// into two registers. A vertex or edge belongs to the cluster of the triangle that represents it (R-TRI), a face to
// the cluster of its own triangle: all pairs of clusters together contain each feature pair once.
//
// Bounds linear in time: for vertices in linear motion, the largest coordinate at t is at most (1-t) max at t0 + t
// max at t1, and the smallest likewise at least. So two bounds that are separated along an axis in the same order
// at both ends are separated at all times between. Common motion does not enlarge them.
//
// The floats are relative to a local frame, which most clusters share. The error of a coordinate is at most a
// quarter of the cluster's `error` (local_frame.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <graze/types.hpp>

#include "core/host_device.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::methods {

inline constexpr std::size_t kClusterFaces = 32;
inline constexpr std::size_t kClusterVertices = 32;
inline constexpr std::size_t kClusterEdges = 64;
inline constexpr std::size_t kContourPlaces = 48;  ///< kClusterVertices and one vector of padding

/// Flag in a face's word: the oriented face has its second and third vertex exchanged.
inline constexpr std::uint32_t kFlippedFace = 1U << 24U;

/// Axis-aligned box linear in time: lower and upper ends along the axes, at t0 and at t1. Starts empty.
struct LinearBox {
  std::array<float, 6> lo;  ///< x y z at t0, x y z at t1
  std::array<float, 6> hi;

  GRAZE_HOST_DEVICE LinearBox() {
    for (std::size_t k = 0; k < 6; ++k) {
      lo[k] = std::numeric_limits<float>::infinity();
      hi[k] = -std::numeric_limits<float>::infinity();
    }
  }
  GRAZE_HOST_DEVICE void include(const LinearBox& other) {
    for (std::size_t k = 0; k < 6; ++k) {
      lo[k] = other.lo[k] < lo[k] ? other.lo[k] : lo[k];
      hi[k] = other.hi[k] > hi[k] ? other.hi[k] : hi[k];
    }
  }
};

/// k-DOP slabs linear in time: bounds along the ten diagonal directions of a 26-DOP, not normalised: x + y, x - y,
/// y + z, y - z, z + x, z - x, and x +- y +- z. Padded to a full vector; padding lanes never separate.
struct alignas(64) SlabBox {
  static constexpr std::size_t kLanes = 16;

  std::array<std::array<float, kLanes>, 2> lo{};  ///< at t0 and t1
  std::array<std::array<float, kLanes>, 2> hi{};
};

struct alignas(64) Cluster {
  /// Positions: by row as in LinearBox, then by vertex. Entries past the last vertex repeat it.
  std::array<std::array<float, kClusterVertices>, 6> x{};
  std::array<VertexId, kClusterVertices> ids{};  ///< owned vertices first; entries past the last repeat it
  /// Features as words: indices into `ids`, a byte each, the vertex with the lowest id in the lowest byte.
  std::array<std::uint32_t, kClusterEdges> edges{};  ///< the owned edges
  std::array<std::uint32_t, kClusterFaces> faces{};  ///< with kFlippedFace
  std::array<float, 3> normal{};   ///< unit vector, about the mean of the faces' normals; 0 if undefined
  std::array<float, 2> slab_lo{};  ///< slab along `normal` at t0 and t1, with error margin
  std::array<float, 2> slab_hi{};
  SlabBox slabs;              ///< bounds of all vertices, with error margin
  LinearBox box;              ///< bounds of all vertices, with error margin
  ClusterLocalFrame frame;    ///< of all coordinates
  float error = 0.0F;         ///< four times the error bound of a coordinate
  float displacement = 0.0F;  ///< bound on the change of any coordinate in the step
  float still_prefix = 0.0F;  ///< largest share of the step in which the cluster hardly moves: kStillDisplacement
  VertexId least_id = 0;      ///< the least and the greatest of `ids`
  VertexId greatest_id = 0;
  std::uint32_t static_bits = 0;  ///< bit per vertex: static in this step
  std::uint32_t kept = 0;         ///< bit per vertex: static, and its contacts are cached: see cluster_mesh.hpp
  std::uint8_t vertex_count = 0;  ///< 0: the cluster's slot is free
  std::uint8_t owned_vertices = 0;
  std::uint8_t edge_count = 0;
  std::uint8_t face_count = 0;
  std::uint8_t filled = 0;         ///< 1 if positions and bounds are those of the current step
  std::uint8_t slow = 0;           ///< 1 if displacements are at most 1/32 of the cluster's size
  std::uint8_t own_frame = 0;      ///< 0: `frame` is the one that most clusters share
  std::uint8_t contour_count = 0;  ///< 0: the faces do not form a disc (cluster_disc.hpp)
  /// Vertex indices around the disc, in the orientation of its faces; past the last, the first ones repeat.
  std::array<std::uint8_t, kContourPlaces> contour{};

  /// Size at the ends of the step, in the local frame: the largest extent of the box.
  [[nodiscard]] GRAZE_HOST_DEVICE float size() const {
    float size = 0.0F;
    for (std::size_t k = 0; k < 6; ++k) size = box.hi[k] - box.lo[k] > size ? box.hi[k] - box.lo[k] : size;
    return size;
  }
  [[nodiscard]] GRAZE_HOST_DEVICE bool all_kept() const { return kept == 0xffffffffU; }
  /// False only if the clusters have no vertex in common.
  [[nodiscard]] GRAZE_HOST_DEVICE bool may_share_vertices(const Cluster& other) const {
    return least_id <= other.greatest_id && other.least_id <= greatest_id;
  }
};

/// Two clusters by number; equal for the self-collision test of one cluster.
struct ClusterPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

}  // namespace graze::methods
