// Builds the topology by stable counting sorts on vertex ids, least significant id first (a radix sort whose digits
// are ids). A side or face is then one run of equal keys in the sorted order, and the run lists its triangles.
// Cost: O(vertices + triangles) time, on up to three threads; 12 bytes of work space per triangle side.
#include "mesh/topology.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "mesh/mesh_change.hpp"

namespace graze::mesh {

namespace {

/// Converts counts, stored one position to the right, into offsets: offsets[r] is where row r begins.
void prefix_sum(std::vector<std::uint32_t>& offsets) {
  std::inclusive_scan(offsets.begin(), offsets.end(), offsets.begin());
}

/// Stable counting sort. Calls each(visit) twice, which calls visit(key, value) for every item; returns the values
/// by ascending key. `begin_of` is work space for vertex_count + 1 numbers.
template <typename Value, typename Each>
std::vector<Value> counting_sort(std::size_t count, std::size_t vertex_count, std::vector<std::uint32_t>& begin_of,
                                 const Each& each) {
  begin_of.assign(vertex_count + 1, 0);
  each([&](VertexId key, const Value&) { ++begin_of[key + std::size_t{1}]; });
  prefix_sum(begin_of);
  std::vector<Value> sorted(count);
  each([&](VertexId key, const Value& value) { sorted[begin_of[key]++] = value; });
  return sorted;
}

/// Returns the two ids of a triangle's side, ascending; they are equal if the side is not an edge.
Edge side_of(const Triangle& t, std::size_t side) {
  const VertexId a = t[side];
  const VertexId b = t[side == 2 ? 0 : side + 1];
  return a < b ? Edge{a, b} : Edge{b, a};
}

/// An item to sort: the next key, and the triangle side (3 * triangle + side) or triangle that owns it.
struct Item {
  VertexId key;
  std::uint32_t owner;
};

/// Fills edges, edge_triangles and triangle_edges.
void build_edges(std::span<const Triangle> triangles, std::size_t vertex_count, Topology& topology) {
  std::vector<std::uint32_t> begin_of;
  std::size_t side_count = 0;
  for (const Triangle& t : triangles) {
    side_count += static_cast<std::size_t>(t[0] != t[1]) + static_cast<std::size_t>(t[1] != t[2]) +
                  static_cast<std::size_t>(t[2] != t[0]);
  }
  std::vector<std::uint32_t> sides;
  {
    const auto by_last = counting_sort<Item>(side_count, vertex_count, begin_of, [&](const auto& visit) {
      for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::uint32_t k = 0; k < 3; ++k) {  // no side of a removed triangle has two different ids
          const Edge e = side_of(triangles[t], k);
          if (e[0] != e[1]) visit(e[1], Item{e[0], 3 * t + k});
        }
      }
    });
    sides = counting_sort<std::uint32_t>(side_count, vertex_count, begin_of, [&](const auto& visit) {
      for (const Item& item : by_last) visit(item.key, item.owner);
    });
  }

  // Allocates the edges first: callers keep them longest.
  std::vector<Edge>& edges = topology.features.edges;
  Rows& rows = topology.edge_triangles;
  const std::size_t foreseen = side_count / 2 + side_count / 32 + 1;  // two sides per edge, except at a boundary
  edges.reserve(foreseen);
  rows.offsets.reserve(foreseen + 1);
  topology.triangle_edges.assign(triangles.size(), {kNoEdge, kNoEdge, kNoEdge});
  // The sorted sides become the rows in place: the write position never passes the read position.
  std::uint32_t written = 0;
  for (const std::uint32_t side : sides) {
    const std::uint32_t t = side / 3;
    const Edge e = side_of(triangles[t], side % 3);
    if (edges.empty() || edges.back() != e) {
      if (!edges.empty()) rows.offsets.push_back(written);
      edges.push_back(e);
      sides[written++] = t;
    } else if (sides[written - 1] != t) {  // a triangle with a repeated id has the same edge twice
      sides[written++] = t;
    }
    topology.triangle_edges[t][side % 3] = static_cast<std::uint32_t>(edges.size() - 1);
  }
  if (!edges.empty()) rows.offsets.push_back(written);
  sides.resize(written);
  rows.items = std::move(sides);
}

/// Fills face_triangles, triangle_faces and faces.
void build_faces(std::span<const Triangle> triangles, std::size_t vertex_count, Topology& topology) {
  std::vector<std::uint32_t> begin_of;
  const auto count = static_cast<std::size_t>(
      std::count_if(triangles.begin(), triangles.end(), [](const Triangle& t) { return t != kRemovedTriangle; }));
  std::vector<Item> by_last = counting_sort<Item>(count, vertex_count, begin_of, [&](const auto& visit) {
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      if (triangles[t] == kRemovedTriangle) continue;
      const Face f = face_of(triangles[t]);
      visit(f[2], Item{f[1], t});
    }
  });
  auto by_middle = counting_sort<std::uint32_t>(count, vertex_count, begin_of, [&](const auto& visit) {
    for (const Item& item : by_last) visit(item.key, item.owner);
  });
  std::vector<Item>().swap(by_last);
  auto order = counting_sort<std::uint32_t>(count, vertex_count, begin_of, [&](const auto& visit) {
    for (const std::uint32_t t : by_middle) visit(face_of(triangles[t])[0], t);
  });

  topology.triangle_faces.assign(triangles.size(), kNoFace);
  std::vector<Face>& faces = topology.features.faces;
  Rows& rows = topology.face_triangles;
  faces.reserve(count);
  rows.offsets.reserve(count + 1);
  Face last{};
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const Face f = face_of(triangles[order[i]]);
    if (i == 0 || last != f) {
      if (i != 0) rows.offsets.push_back(i);
      faces.push_back(f);
      last = f;
    }
    topology.triangle_faces[order[i]] = static_cast<std::uint32_t>(rows.offsets.size() - 1);
  }
  if (!order.empty()) rows.offsets.push_back(static_cast<std::uint32_t>(order.size()));
  rows.items = std::move(order);
}

/// Builds rows by vertex id. each(visit) calls visit(vertex, item) for every item, in ascending order of items.
template <typename Each>
Rows rows_by_vertex(std::size_t vertex_count, const Each& each) {
  Rows rows;
  std::size_t count = 0;
  each([&](VertexId, std::uint32_t) { ++count; });
  std::vector<std::uint32_t> ends;
  rows.items = counting_sort<std::uint32_t>(count, vertex_count, ends, each);
  // After the sort, ends[r] is the end of row r; the last entry is unchanged.
  rows.offsets.assign(vertex_count + 1, 0);
  std::copy_n(ends.begin(), vertex_count, rows.offsets.begin() + 1);
  return rows;
}

/// Fills vertex_edges; features.edges must be complete.
void build_vertex_edges(std::size_t vertex_count, Topology& topology) {
  const std::vector<Edge>& edges = topology.features.edges;
  topology.vertex_edges = rows_by_vertex(vertex_count, [&](const auto& visit) {
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      visit(edges[e][0], e);
      visit(edges[e][1], e);
    }
  });
}

/// Fills vertex_triangles and vertices.
void build_fans(std::span<const Triangle> triangles, std::size_t vertex_count, Topology& topology) {
  topology.vertex_triangles = rows_by_vertex(vertex_count, [&](const auto& visit) {
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      if (a == kNoVertex) continue;
      visit(a, t);
      if (b != a) visit(b, t);
      if (c != a && c != b) visit(c, t);
    }
  });
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (topology.vertex_triangles.length(v) > 0) topology.features.vertices.push_back(static_cast<VertexId>(v));
  }
}

template <typename T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}
std::size_t bytes_of(const Rows& rows) {
  return bytes_of(rows.offsets) + bytes_of(rows.items);
}

}  // namespace

std::size_t Topology::memory_bytes() const {
  return features.memory_bytes() + bytes_of(vertex_triangles) + bytes_of(vertex_edges) + bytes_of(edge_triangles) +
         bytes_of(face_triangles) + bytes_of(triangle_edges) + bytes_of(triangle_faces);
}

Topology build_topology(std::span<const Triangle> triangles, std::size_t vertex_count) {
  GRAZE_ASSERT(triangles.size() <= kMaxTriangles);
  Topology topology;
  // Three independent parts that share only their input.
  const std::array parts = {std::function<void()>([&] {
                              build_edges(triangles, vertex_count, topology);
                              build_vertex_edges(vertex_count, topology);
                            }),
                            std::function<void()>([&] { build_faces(triangles, vertex_count, topology); }),
                            std::function<void()>([&] { build_fans(triangles, vertex_count, topology); })};
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t) { parts[first](); });
  topology.features.vertices.shrink_to_fit();
  topology.features.edges.shrink_to_fit();
  topology.features.faces.shrink_to_fit();
  topology.edge_triangles.offsets.shrink_to_fit();
  topology.face_triangles.offsets.shrink_to_fit();
  return topology;
}

}  // namespace graze::mesh
