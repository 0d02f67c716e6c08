// Assigns features to triangles; feature_masks.hpp describes the method.
#include "methods/cluster/build/feature_masks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "core/partition_plan.hpp"
#include "core/tasks.hpp"
#include "mesh/features.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/representatives.hpp"

namespace graze::methods {

namespace {

/// Partitions of the triangles of a soup, by the ids of their vertices.
PartitionPlan plan_triangles(std::size_t triangle_count, std::size_t vertex_count) {
  constexpr unsigned kMinVertexBits = 11;
  constexpr unsigned kMaxPartitionBits = 12;
  return {triangle_count, vertex_count, kMinVertexBits, kMaxPartitionBits};
}

/// Calls visit(partition) for each partition of a triangle, once.
template <typename Visit>
void for_partitions(const PartitionPlan& plan, const Triangle& t, const Visit& visit) {
  const std::size_t a = plan.partition_of(t[0]);
  const std::size_t b = plan.partition_of(t[1]);
  const std::size_t c = plan.partition_of(t[2]);
  visit(a);
  if (b != a) visit(b);
  if (c != a && c != b) visit(c);
}

bool is_removed(const Triangle& t) {
  return t[0] == kRemovedTriangle[0];
}
/// Whether two faces are one, without a call.
bool same_face(const Face& f, const Face& g) {
  return ((f[0] ^ g[0]) | (f[1] ^ g[1]) | (f[2] ^ g[2])) == 0;
}

/// Flag of a record: the triangle has records in other partitions too.
constexpr std::uint32_t kShared = 1U << 31U;

/// The records of a soup, by partition; those of a partition ascend.
struct PartitionedTriangles {
  UninitializedVector<std::uint32_t> records;
  std::vector<std::size_t> begin;  ///< by partition: its first record; and the end
};

/// Partitions the triangles; clears the neighbours, and the masks that several partitions write, or none.
PartitionedTriangles partition_triangles(std::span<const Triangle> triangles, const PartitionPlan& plan,
                                         FeatureMasks& made) {
  PartitionedTriangles partitioned;
  std::vector<std::uint32_t> places = plan.counters();  // first counts, then next places
  std::atomic<bool> any_removed = false;
  plan.for_blocks(places, triangles.size(), [&](std::uint32_t* counts, std::size_t first, std::size_t end) {
    for (std::size_t t = first; t < end; ++t) {
      if (is_removed(triangles[t])) {
        any_removed.store(true, std::memory_order_relaxed);
      } else {
        for_partitions(plan, triangles[t], [&](std::size_t p) { ++counts[p]; });
      }
    }
  });
  if (any_removed) made.all_faces = false;
  partitioned.begin = plan.places_from_counts(places);
  partitioned.records.resize(partitioned.begin.back());
  plan.for_blocks(places, triangles.size(), [&](std::uint32_t* place, std::size_t first, std::size_t end) {
    for (std::size_t t = first; t < end; ++t) {
      const Triangle& triangle = triangles[t];
      made.neighbours[t] = {kNoNeighbour, kNoNeighbour, kNoNeighbour};
      if (is_removed(triangle)) {
        made.masks[t] = 0;
        continue;
      }
      const auto number = static_cast<std::uint32_t>(t);
      const std::size_t p = plan.partition_of(triangle[0]);
      if (p == plan.partition_of(triangle[1]) && p == plan.partition_of(triangle[2])) {
        partitioned.records[place[p]++] = number;
      } else {
        made.masks[t] = 0;
        for_partitions(plan, triangle,
                       [&](std::size_t to) { partitioned.records[place[to]++] = number | kShared; });
      }
    }
  });
  return partitioned;
}

/// Hash table of the edges of a partition. An entry is a triangle that has the edge, and which of the edges of its
/// face it is; it makes neighbours of triangles.
class EdgeTable {
 public:
  struct Entry {
    bool is_new = false;
    bool has_more = false;    ///< whether several triangles have it already
    std::uint32_t other = 0;  ///< a triangle that has it; the only one if there are not several
  };

  EdgeTable(std::span<const Triangle> triangles, std::span<Neighbours> neighbours)
      : triangles_(triangles), neighbours_(neighbours) {}

  /// Forgets all edges. Precondition of find(): it is called for at most this number of different edges.
  void clear(std::size_t edges) {
    const auto bits = static_cast<unsigned>(std::bit_width(edges + edges / 4));
    shift_ = 64 - bits;
    slots_.assign(std::size_t{1} << bits, kEmpty);
  }

  /// Finds edge k of the face of a triangle, or adds it.
  Entry find(const Face& face, unsigned k, std::uint32_t triangle) {
    const VertexId low = face[kFaceEdges[k][0]];
    const VertexId high = face[kFaceEdges[k][1]];
    const std::size_t mask = slots_.size() - 1;
    // The first probe keeps the edges of a vertex, and those of neighbouring ids, together; others are spread.
    std::size_t at = (kSlotsPerVertex * low + (high * 0x9e3779b1U >> 29U)) & mask;
    for (bool is_first = true;; is_first = false) {
      std::uint32_t& slot = slots_[at];
      if (slot == kEmpty) {
        slot = triangle << 2U | k;
        return {.is_new = true};
      }
      const std::uint32_t other = (slot & ~(kMore | kPaired)) >> 2U;
      const Face face_there = face_of(triangles_[other]);
      const unsigned side = slot & 3U;
      if (face_there[kFaceEdges[side][0]] != low || face_there[kFaceEdges[side][1]] != high) {
        at = is_first ? ((std::uint64_t{low} << 32U | high) * 0x9e3779b97f4a7c15U) >> shift_ : (at + 1) & mask;
        continue;
      }
      const Entry entry{.has_more = (slot & kMore) != 0, .other = other};
      if (same_face(face_there, face)) return entry;  // a duplicate has no neighbours
      if ((slot & kPaired) != 0) {
        slot = triangle << 2U | k | kMore;
      } else {
        slot |= kMore | kPaired;
        neighbours_[triangle][k] = other;
        neighbours_[other][side] = triangle;
      }
      return entry;
    }
  }

 private:
  static constexpr std::size_t kSlotsPerVertex = 8;
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kMore = 1U << 31U;    // several triangles have the edge
  static constexpr std::uint32_t kPaired = 1U << 30U;  // the triangle has a neighbour there
  static_assert(kMaxRepresentatives << 2U < kPaired);

  std::span<const Triangle> triangles_;
  std::span<Neighbours> neighbours_;
  std::vector<std::uint32_t> slots_;
  unsigned shift_ = 0;
};

/// Decides about the features of one partition after the other; keeps its work space.
class PartitionMasks {
 public:
  PartitionMasks(std::span<const Triangle> triangles, const PartitionPlan& plan, FeatureMasks& made)
      : triangles_(triangles), plan_(plan), masks_(made.masks), table_(triangles, made.neighbours) {}

  /// Returns whether every triangle whose lowest vertex is in the partition represents a face.
  bool decide(std::uint32_t partition, std::span<const std::uint32_t> records) {
    if (records.empty()) return true;
    const auto is_here = [&](VertexId v) { return v >> plan_.shift == partition; };
    const std::uint32_t local = (1U << plan_.shift) - 1;
    seen_.assign(std::size_t{1} << plan_.shift, 0);
    table_.clear(3 * records.size());
    bool all = true;
    bool unsure = false;
    for (const std::uint32_t record : records) {
      const std::uint32_t t = record & ~kShared;
      const Face f = face_of(triangles_[t]);
      unsigned mask = 0;
      for (unsigned k = 0; k < 3; ++k) {
        if (!is_here(f[k])) continue;
        mask |= (seen_[f[k] & local] ^ 1U) << k;
        seen_[f[k] & local] = 1;
      }
      if (is_here(f[0])) {
        // The side of the two lower ids comes first, also where they are one: it has all duplicates of a face.
        const EdgeTable::Entry base = table_.find(f, 0, t);
        bool may_repeat = !base.is_new;
        if (f[0] != f[1]) mask |= static_cast<unsigned>(base.is_new) << kFirstEdgeBit;
        if (f[1] != f[2]) {
          const bool is_new = table_.find(f, 1, t).is_new;
          mask |= static_cast<unsigned>(is_new) << (kFirstEdgeBit + 1);
          may_repeat = may_repeat && !is_new;
        }
        const bool repeats = may_repeat && same_face(face_of(triangles_[base.other]), f);
        unsure = unsure || (may_repeat && !repeats && base.has_more);
        if (repeats) {
          all = false;
        } else {
          mask |= kRepresentsFace;
        }
      }
      if (f[0] != f[1] && f[1] != f[2] && is_here(f[1])) {
        mask |= static_cast<unsigned>(table_.find(f, 2, t).is_new) << (kFirstEdgeBit + 2);
      }
      const auto bits = static_cast<FeatureMask>(mask);
      if ((record & kShared) == 0) {
        masks_[t] = bits;
      } else if (bits != 0) {
        std::atomic_ref(masks_[t]).fetch_or(bits, std::memory_order_relaxed);
      }
    }
    return !unsure ? all : clear_duplicates(partition, records) && all;
  }

 private:
  /// Takes the face from each triangle that has that of an earlier one; returns whether there was none.
  bool clear_duplicates(std::uint32_t partition, std::span<const std::uint32_t> records) {
    std::vector<std::pair<Face, std::uint32_t>> faces;
    for (const std::uint32_t record : records) {
      const Face f = face_of(triangles_[record & ~kShared]);
      if (f[0] >> plan_.shift == partition) faces.emplace_back(f, record & ~kShared);
    }
    std::sort(faces.begin(), faces.end());
    bool none = true;
    for (std::size_t i = 1; i < faces.size(); ++i) {
      if (faces[i].first != faces[i - 1].first) continue;
      none = false;
      std::atomic_ref(masks_[faces[i].second])
          .fetch_and(static_cast<FeatureMask>(~kRepresentsFace), std::memory_order_relaxed);
    }
    return none;
  }

  std::span<const Triangle> triangles_;
  const PartitionPlan& plan_;
  std::span<FeatureMask> masks_;
  EdgeTable table_;
  std::vector<std::uint8_t> seen_;  // by vertex of the partition
};

}  // namespace

FeatureMasks make_feature_masks(std::span<const Triangle> triangles, std::size_t vertex_count) {
  require_representable(triangles.size());
  FeatureMasks made;
  made.masks.resize(triangles.size());
  made.neighbours.resize(triangles.size());
  const PartitionPlan plan = plan_triangles(triangles.size(), vertex_count);
  const PartitionedTriangles partitioned = partition_triangles(triangles, plan, made);
  std::atomic<bool> all = made.all_faces;
  parallel_for(0, plan.partitions, 2, [&](std::size_t first, std::size_t last) {
    PartitionMasks partitions(triangles, plan, made);
    for (std::size_t p = first; p < last; ++p) {
      const auto records = std::span(partitioned.records)
                               .subspan(partitioned.begin[p], partitioned.begin[p + 1] - partitioned.begin[p]);
      if (!partitions.decide(static_cast<std::uint32_t>(p), records)) all.store(false, std::memory_order_relaxed);
    }
  });
  made.all_faces = all;
  return made;
}

}  // namespace graze::methods
