// Disc test and contour of a cluster; cluster_disc.hpp has the conditions and their proof.
#include "methods/cluster/build/cluster_disc.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace graze::methods {

namespace {

constexpr std::uint8_t kNone = 0xff;

/// Entry of FaceMap: the number of a face, and kReversed if the face, unflipped, passes the edge in the direction
/// opposite to that of the entry.
constexpr std::uint8_t kReversed = 0x20;
constexpr std::uint8_t kFaceMask = 0x1f;
static_assert(kClusterFaces <= kFaceMask + 1);

/// Up to two faces per edge, one for each direction of the pair of vertices.
class FaceMap {
 public:
  FaceMap() {
    for (auto& row : faces_) row.fill(kNone);
  }
  [[nodiscard]] std::uint8_t at(std::size_t from, std::size_t to) const { return faces_[from][to]; }
  /// Stores the face at its direction, or at the other one if that is taken; returns whether it was stored.
  bool set(std::size_t from, std::size_t to, std::size_t face) {
    std::uint8_t& own = faces_[from][to];
    std::uint8_t& other = faces_[to][from];
    if (own == kNone) {
      own = static_cast<std::uint8_t>(face);
    } else if (other == kNone) {
      other = static_cast<std::uint8_t>(face | kReversed);
    } else {
      return false;
    }
    return true;
  }

 private:
  std::array<std::array<std::uint8_t, kClusterVertices>, kClusterVertices> faces_;
};

std::array<std::size_t, 3> corners(std::uint32_t word) {
  return {word & 31U, word >> 8U & 31U, word >> 16U & 31U};
}

/// Records up to two faces per edge, whatever their orientation. Returns false if an edge has more faces, or if a
/// face has an edge from a vertex to itself.
bool map_faces(const Cluster& cluster, FaceMap& map) {
  for (std::size_t f = 0; f < cluster.face_count; ++f) {
    const auto v = corners(cluster.faces[f]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = v[k];
      const std::size_t to = v[k == 2 ? 0 : k + 1];
      if (from == to || !map.set(from, to, f)) return false;
    }
  }
  return true;
}

}  // namespace

void find_contour(Cluster& cluster) {
  cluster.contour_count = 0;
  if (cluster.face_count == 0) return;
  FaceMap at_edge;
  if (!map_faces(cluster, at_edge)) return;
  // Breadth-first from face to face: with consistent orientation, a neighbour passes the common edge in the other
  // direction.
  std::array<std::uint8_t, kClusterFaces> list{};
  std::bitset<kClusterFaces> visited;
  std::bitset<kClusterVertices> used;
  std::array<std::uint8_t, kClusterVertices> next;  // successor along the contour, by vertex
  next.fill(kNone);
  visited.set(0);
  cluster.faces[0] &= ~kFlippedFace;
  std::size_t count = 1;
  std::size_t inner = 0;  // twice the number of edges with two faces
  std::size_t outer = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t f = list[i];
    auto v = corners(cluster.faces[f]);
    if ((cluster.faces[f] & kFlippedFace) != 0) std::swap(v[1], v[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = v[k];
      const std::size_t to = v[k == 2 ? 0 : k + 1];
      used.set(from);
      const std::uint8_t one = at_edge.at(from, to);
      const std::uint8_t two = at_edge.at(to, from);
      const bool is_one = one != kNone && (one & kFaceMask) == f;
      const std::uint8_t entry = is_one ? two : one;
      if (entry == kNone) {
        if (next[from] != kNone) return;  // the contour would pass this vertex twice
        next[from] = static_cast<std::uint8_t>(to);
        ++outer;
        continue;
      }
      ++inner;
      const std::size_t other = entry & kFaceMask;
      const bool same_way = is_one == ((entry & kReversed) != 0);
      if (visited[other]) {
        if (same_way == ((cluster.faces[other] & kFlippedFace) == 0)) return;  // not orientable: a Moebius strip
        continue;
      }
      cluster.faces[other] = (cluster.faces[other] & ~kFlippedFace) | (same_way ? kFlippedFace : 0U);
      visited.set(other);
      list[count++] = static_cast<std::uint8_t>(other);
    }
  }
  if (count != cluster.face_count || outer == 0 || used.count() + count != 1 + inner / 2 + outer) return;
  std::size_t start = 0;
  while (next[start] == kNone) ++start;
  std::size_t length = 0;
  std::size_t at = start;
  do {
    cluster.contour[length++] = static_cast<std::uint8_t>(at);
    at = next[at];
  } while (at != start && at != kNone && length < outer);
  if (at != start || length != outer) return;
  for (std::size_t i = length; i < kContourPlaces; ++i) cluster.contour[i] = cluster.contour[i - length];
  cluster.contour_count = static_cast<std::uint8_t>(length);
}

}  // namespace graze::methods
