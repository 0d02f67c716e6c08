// Disc test and contour of a cluster; cluster_disc.hpp has the conditions and their proof.
#include "methods/cluster/build/cluster_disc.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

/// Stores the contour, given the successors of its vertices and one of these; false if it has not this length.
bool store_contour(const std::array<std::uint8_t, kClusterVertices>& next, std::size_t start, std::size_t length,
                   Cluster& cluster) {
  std::size_t count = 0;
  std::size_t at = start;
  do {
    cluster.contour[count++] = static_cast<std::uint8_t>(at);
    at = next[at];
  } while (at != start && at != kNone && count < length);
  if (at != start || count != length) return false;
  for (std::size_t i = count; i < kContourPlaces; ++i) cluster.contour[i] = cluster.contour[i - count];
  cluster.contour_count = static_cast<std::uint8_t>(count);
  return true;
}

/// Sets orientation and contour if the flags of the faces orient them alike already, up to that of the first face,
/// as those of a mesh with a consistent winding do: then each direction of an edge has one face at most, and rows
/// of bits say what neighbours it has. Returns whether it decided; if not, faces turn different ways, or an edge
/// has more than two faces.
bool find_contour_of_oriented(Cluster& cluster) {
  std::array<std::uint32_t, kClusterVertices> out{};  // by vertex: the vertices that its edges lead to
  std::array<std::uint32_t, kClusterVertices> in{};   // and those that they come from
  std::array<std::array<std::uint8_t, kClusterVertices>, kClusterVertices> face{};  // by edge in `out`
  const std::uint32_t turned = cluster.faces[0] & kFlippedFace;
  std::uint32_t repeated = 0;
  std::size_t inner = 0;  // twice the number of edges with two faces
  std::array<std::array<std::uint8_t, 3>, kClusterFaces> oriented;
  for (std::size_t f = 0; f < cluster.face_count; ++f) {
    cluster.faces[f] ^= turned;
    const std::uint32_t word = cluster.faces[f];
    const unsigned swap = (word & kFlippedFace) != 0 ? 8 : 0;
    auto& v = oriented[f];
    v = {static_cast<std::uint8_t>(word & 31U), static_cast<std::uint8_t>(word >> (8 + swap) & 31U),
         static_cast<std::uint8_t>(word >> (16 - swap) & 31U)};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = v[k];
      const std::size_t to = v[k == 2 ? 0 : k + 1];
      repeated |= out[from] & 1U << to;
      inner += 2 * (in[from] >> to & 1U);
      out[from] |= 1U << to;
      in[to] |= 1U << from;
      face[from][to] = static_cast<std::uint8_t>(f);
    }
  }
  if (repeated != 0) return false;
  std::array<std::uint8_t, kClusterVertices> next;  // successor along the contour, by vertex
  std::uint32_t on_contour = 0;
  std::size_t used = 0;
  bool is_loop = true;
  for (std::size_t v = 0; v < kClusterVertices; ++v) {
    const std::uint32_t open = out[v] & ~in[v];
    used += out[v] != 0 ? 1U : 0U;
    on_contour |= (open != 0 ? 1U : 0U) << v;
    is_loop = is_loop && (open & (open - 1)) == 0 && (out[v] >> v & 1U) == 0;  // no edge to itself
    next[v] = open == 0 ? kNone : static_cast<std::uint8_t>(std::countr_zero(open));
  }
  const std::size_t outer = std::size_t{3} * cluster.face_count - inner;
  if (!is_loop || outer == 0 || used + cluster.face_count != 1 + inner / 2 + outer) return true;
  // From face to face over their edges, in rounds, so that no face waits for the one before it.
  std::uint32_t reached = 1;
  for (std::uint32_t todo = 1; todo != 0;) {
    std::uint32_t found = 0;
    for (; todo != 0; todo &= todo - 1) {
      const auto& v = oriented[static_cast<std::size_t>(std::countr_zero(todo))];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t from = v[k];
        const std::size_t to = v[k == 2 ? 0 : k + 1];
        found |= (in[from] >> to & 1U) << face[to][from];
      }
    }
    todo = found & ~reached;
    reached |= found;
  }
  if (reached != ~std::uint32_t{0} >> (kClusterFaces - cluster.face_count)) return true;
  store_contour(next, static_cast<std::size_t>(std::countr_zero(on_contour)), outer, cluster);
  return true;
}

}  // namespace

void find_contour(Cluster& cluster) {
  cluster.contour_count = 0;
  if (cluster.face_count == 0 || find_contour_of_oriented(cluster)) return;
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
  store_contour(next, start, outer, cluster);
}

}  // namespace graze::methods
