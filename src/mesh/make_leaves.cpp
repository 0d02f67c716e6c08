// Assigns features to triangles; make_leaves.hpp describes the method.
#include "mesh/make_leaves.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/partition_plan.hpp"
#include "core/tasks.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/represented_first.hpp"
#include "mesh/topology.hpp"

namespace graze::mesh {

namespace {

constexpr std::size_t kGrain = 4096;
constexpr std::uint32_t kNoTriangle = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kFirstOfEdge = 1U << 31U;  // flag of a side: its triangle represents the edge

/// A side of a triangle to sort.
struct Side {
  VertexId low;
  VertexId high;
  /// (3 * triangle + side) * 2, plus 1 for the one side that has the two lower ids of its triangle.
  std::uint32_t owner;
};
constexpr std::size_t kWordsPerSide = 3;

constexpr bool is_base(std::uint32_t owner) {
  return (owner & 1U) != 0;
}
constexpr std::uint32_t triangle_of_owner(std::uint32_t owner) {
  return owner / 6;
}
constexpr std::uint32_t side_of_owner(std::uint32_t owner) {
  return owner / 2 % 3;
}

/// Calls visit(side) for the sides of a triangle: those with two different ids, and the base in any case.
template <typename Visit>
void for_sides(const Triangle& t, std::uint32_t number, const Visit& visit) {
  const VertexId highest = std::max({t[0], t[1], t[2]});
  // The first side whose opposite vertex is the highest one.
  const std::uint32_t base = t[2] == highest ? 0U : t[0] == highest ? 1U : 2U;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const VertexId a = t[k];
    const VertexId b = t[k == 2 ? 0 : k + 1];
    if (a == b && k != base) continue;
    visit(Side{std::min(a, b), std::max(a, b), (3 * number + k) * 2 + (k == base ? 1U : 0U)});
  }
}

/// Partitions of the sides of a soup, by lower vertex id.
PartitionPlan plan_sides(std::size_t triangle_count, std::size_t vertex_count) {
  constexpr unsigned kMinVertexBits = 10;
  constexpr unsigned kMaxPartitionBits = 10;
  return {triangle_count, vertex_count, kMinVertexBits, kMaxPartitionBits};
}

void lower_to(std::uint32_t& value, std::uint32_t candidate) {
  const std::atomic_ref<std::uint32_t> shared(value);
  std::uint32_t now = shared.load(std::memory_order_relaxed);
  while (candidate < now && !shared.compare_exchange_weak(now, candidate, std::memory_order_relaxed)) {
  }
}

/// The sides of a soup, by partition, in the order of triangles.
struct PartitionedSides {
  UninitializedVector<std::uint32_t> words;  ///< three per side
  std::vector<std::size_t> begin;            ///< by partition: its first side; and the end
  UninitializedVector<std::uint32_t> first;  ///< by vertex: its lowest triangle, or kNoTriangle
};

/// Partitions the sides, and calls begin(t) for every triangle.
template <typename Begin>
PartitionedSides partition_sides(std::span<const Triangle> triangles, std::size_t vertex_count,
                                 const PartitionPlan& plan, const Begin& begin) {
  PartitionedSides made;
  made.first.resize(vertex_count);
  parallel_for(0, vertex_count, std::size_t{1} << 16U, [&](std::size_t first, std::size_t last) {
    std::fill(made.first.data() + first, made.first.data() + last, kNoTriangle);
  });
  std::vector<std::uint32_t> places = plan.counters();  // first counts, then next places
  plan.for_blocks(places, triangles.size(), [&](std::uint32_t* counts, std::size_t first, std::size_t end) {
    for (std::size_t t = first; t < end; ++t) {
      if (triangles[t] == kRemovedTriangle) continue;
      const Face f = face_of(triangles[t]);
      counts[plan.partition_of(f[0])] += f[0] != f[2] ? 2U : 1U;
      counts[plan.partition_of(f[1])] += f[1] != f[2] ? 1U : 0U;
    }
  });
  made.begin = plan.places_from_counts(places);
  made.words.resize(kWordsPerSide * made.begin.back());
  plan.for_blocks(places, triangles.size(), [&](std::uint32_t* place, std::size_t first, std::size_t end) {
    for (auto t = static_cast<std::uint32_t>(first); t < end; ++t) {
      begin(t);
      if (triangles[t] == kRemovedTriangle) continue;
      for (const VertexId v : triangles[t]) lower_to(made.first[v], t);
      for_sides(triangles[t], t, [&](const Side& side) {
        std::uint32_t* const to =
            made.words.data() + kWordsPerSide * std::size_t{place[plan.partition_of(side.low)]++};
        to[0] = side.low;
        to[1] = side.high;
        to[2] = side.owner;
      });
    }
  });
  return made;
}

/// Sorts a short range faster than std::sort; a long one by std::sort.
void sort_few(std::uint64_t* begin, std::uint64_t* end) {
  constexpr std::ptrdiff_t kFew = 24;
  if (end - begin > kFew) return std::sort(begin, end);
  for (std::uint64_t* i = begin + 1; i < end; ++i) {
    const std::uint64_t value = *i;
    std::uint64_t* to = i;
    for (; to > begin && value < to[-1]; --to) *to = to[-1];
    *to = value;
  }
}

/// Calls mark(t) for all triangles of a run of equal sides, except the lowest, that have one face. A side is its
/// upper id and its owner, ascending by owner.
template <typename Mark>
void mark_duplicates(std::span<const Triangle> triangles, std::span<const std::uint64_t> run, const Mark& mark) {
  std::vector<std::pair<VertexId, std::uint32_t>> faces;  // third vertex and triangle
  for (const std::uint64_t side : run) {
    const auto owner = static_cast<std::uint32_t>(side);
    if (!is_base(owner)) continue;
    const Triangle& t = triangles[triangle_of_owner(owner)];
    faces.emplace_back(std::max({t[0], t[1], t[2]}), triangle_of_owner(owner));
  }
  std::sort(faces.begin(), faces.end());
  for (std::size_t i = 1; i < faces.size(); ++i) {
    if (faces[i].first == faces[i - 1].first) mark(faces[i].second);
  }
}

/// Work space of a task that sorts partitions.
struct SortSpace {
  std::vector<std::uint32_t> ends;           // by lower id in the partition
  UninitializedVector<std::uint64_t> sides;  // upper id and owner
};

/// Sorts the sides of a partition into runs: calls run(low, sides) for each, ascending. The sides of a run have the
/// same two ids.
template <typename Run>
void for_runs(const PartitionedSides& partitioned, const PartitionPlan& plan, std::size_t partition,
              SortSpace& space, const Run& run) {
  const std::size_t begin = partitioned.begin[partition];
  const std::size_t count = partitioned.begin[partition + 1] - begin;
  const std::uint32_t* const words = partitioned.words.data() + kWordsPerSide * begin;
  const std::size_t vertices = std::size_t{1} << plan.shift;
  const std::uint32_t mask = static_cast<std::uint32_t>(vertices - 1);
  space.ends.assign(vertices + 1, 0);
  space.sides.resize(count);
  for (std::size_t i = 0; i < count; ++i) ++space.ends[(words[kWordsPerSide * i] & mask) + 1];
  for (std::size_t v = 0; v < vertices; ++v) space.ends[v + 1] += space.ends[v];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* const side = words + kWordsPerSide * i;
    space.sides[space.ends[side[0] & mask]++] = std::uint64_t{side[1]} << 32U | side[2];
  }
  std::uint64_t* const sides = space.sides.data();
  std::size_t from = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t end = space.ends[v];
    sort_few(sides + from, sides + end);
    for (std::size_t next = from; from < end; from = next) {
      while (next < end && sides[next] >> 32U == sides[from] >> 32U) ++next;
      run(static_cast<VertexId>(partition << plan.shift | v),
          std::span<const std::uint64_t>(sides + from, sides + next));
    }
  }
}

/// Assigns all features, and returns whether every triangle represents a face. `slots` has, by triangle, begin(t),
/// which makes an empty slot, and references id(t), vertices(t), edges(t).
template <typename Slots, typename Edges>
bool assign(std::span<const Triangle> triangles, std::size_t vertex_count, const Slots& slots, Edges& edges) {
  const PartitionPlan plan = plan_sides(triangles.size(), vertex_count);
  PartitionedSides partitioned = partition_sides(triangles, vertex_count, plan, [&](std::uint32_t t) {
    slots.begin(t);
    slots.vertices(t) = triangles[t];
    slots.edges(t) = {kNoEdge, kNoEdge, kNoEdge};
    slots.id(t) = triangles[t] == kRemovedTriangle ? kRepresentsNothing : make_representative_id(t, 0, 0);
  });

  // Edges are numbered within their partition at first, and replace its sides.
  constexpr std::size_t kPartitionsPerTask = 2;
  std::vector<std::uint32_t> edge_begin(plan.partitions + 1, 0);
  parallel_for(0, plan.partitions, kPartitionsPerTask, [&](std::size_t first, std::size_t last) {
    SortSpace space;
    for (std::size_t p = first; p < last; ++p) {
      if (partitioned.begin[p] == partitioned.begin[p + 1]) continue;
      std::uint32_t* const here = partitioned.words.data() + kWordsPerSide * partitioned.begin[p];
      std::uint32_t count = 0;
      for_runs(partitioned, plan, p, space, [&](VertexId low, std::span<const std::uint64_t> run) {
        std::size_t bases = 0;
        for (const std::uint64_t side : run) bases += is_base(static_cast<std::uint32_t>(side)) ? 1U : 0U;
        if (bases > 1) {
          mark_duplicates(triangles, run, [&](std::uint32_t t) { slots.id(t) = kRepresentsNothing; });
        }
        const auto high = static_cast<VertexId>(run[0] >> 32U);
        if (high == low) return;  // the base of a triangle that repeats its lowest id
        const std::uint32_t owner = triangle_of_owner(static_cast<std::uint32_t>(run[0]));
        for (const std::uint64_t side : run) {
          const std::uint32_t t = triangle_of_owner(static_cast<std::uint32_t>(side));
          slots.edges(t)[side_of_owner(static_cast<std::uint32_t>(side))] =
              count | (t == owner ? kFirstOfEdge : 0U);
        }
        here[2 * std::size_t{count}] = low;
        here[2 * std::size_t{count} + 1] = high;
        ++count;
      });
      edge_begin[p + 1] = count;
    }
  });
  for (std::size_t p = 0; p < plan.partitions; ++p) edge_begin[p + 1] += edge_begin[p];
  edges.resize(edge_begin.back());
  parallel_for(0, plan.partitions, kPartitionsPerTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const std::uint32_t* here = partitioned.words.data() + kWordsPerSide * partitioned.begin[p];
      for (std::size_t e = edge_begin[p]; e < edge_begin[p + 1]; ++e, here += 2) edges[e] = {here[0], here[1]};
    }
  });

  std::atomic<bool> all = true;
  parallel_for(0, triangles.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (auto t = static_cast<std::uint32_t>(first); t < last; ++t) {
      const auto sides = slots.edges(t);
      auto& listed = slots.edges(t);
      listed = {kNoEdge, kNoEdge, kNoEdge};
      std::size_t count = 0;
      std::array<std::uint32_t, 3> represented{kNoEdge, kNoEdge, kNoEdge};
      for (std::size_t k = 0; k < 3; ++k) {
        if (sides[k] == kNoEdge) continue;
        const VertexId low = std::min(triangles[t][k], triangles[t][k == 2 ? 0 : k + 1]);
        const std::uint32_t e = (sides[k] & ~kFirstOfEdge) + edge_begin[low >> plan.shift];
        if ((count > 0 && listed[0] == e) || (count > 1 && listed[1] == e)) continue;  // a repeated id
        if ((sides[k] & kFirstOfEdge) != 0) represented[count] = e;
        listed[count++] = e;
      }
      if (slots.id(t) == kRepresentsNothing) {
        all = false;
        continue;
      }
      const std::uint32_t vertices =
          represented_first(slots.vertices(t), [&](VertexId v) { return partitioned.first[v] == t; });
      const std::uint32_t represented_edges = represented_first(listed, [&](std::uint32_t e) {
        return e != kNoEdge && (e == represented[0] || e == represented[1] || e == represented[2]);
      });
      slots.id(t) = make_representative_id(t, vertices, represented_edges);
    }
  });
  return all;
}

struct LeafSlots {
  Leaf* leaves;

  void begin(std::uint32_t t) const { leaves[t] = {}; }
  [[nodiscard]] RepresentativeId& id(std::uint32_t t) const { return leaves[t].id; }
  [[nodiscard]] std::array<VertexId, 3>& vertices(std::uint32_t t) const { return leaves[t].vertices; }
  [[nodiscard]] std::array<std::uint32_t, 3>& edges(std::uint32_t t) const { return leaves[t].edges; }
};

struct EntrySlots {
  RepresentativeId* ids;
  Representatives::Entry* entries;

  void begin(std::uint32_t /*t*/) const {}
  [[nodiscard]] RepresentativeId& id(std::uint32_t t) const { return ids[t]; }
  [[nodiscard]] std::array<VertexId, 3>& vertices(std::uint32_t t) const { return entries[t].vertices; }
  [[nodiscard]] std::array<std::uint32_t, 3>& edges(std::uint32_t t) const { return entries[t].edges; }
};

}  // namespace

MadeLeaves make_leaves(std::span<const Triangle> triangles, std::size_t vertex_count) {
  require_representable(triangles.size());
  MadeLeaves made;
  made.leaves.resize(triangles.size());
  const bool all = assign(triangles, vertex_count, LeafSlots{made.leaves.data()}, made.edges);
  if (!all) std::erase_if(made.leaves, [](const Leaf& leaf) { return leaf.id == kRepresentsNothing; });
  return made;
}

Representatives make_representatives(std::span<const Triangle> triangles, std::size_t vertex_count) {
  require_representable(triangles.size());
  Representatives made;
  made.ids.resize(triangles.size());
  made.entries.resize(triangles.size());
  assign(triangles, vertex_count, EntrySlots{made.ids.data(), made.entries.data()}, made.edges);
  return made;
}

}  // namespace graze::mesh
