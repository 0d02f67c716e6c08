// Local update of representatives (mesh/representative_update.hpp). Triangles are removed and added one at a time;
// properties I to III hold after each of these operations.
//
// The linked lists identify corners and sides by the sorted ids of a triangle, because the order of its entry
// changes with the features it represents. Position k is skipped if it repeats position k - 1; side 0 is (0, 1),
// side 1 is (1, 2), side 2 is (0, 2), and a triangle with a repeated id has at most one edge.
#include "mesh/representative_update.hpp"

#include <algorithm>
#include <utility>

#include <graze/error.hpp>

#include "core/assert.hpp"

#include <fmt/core.h>

namespace graze::mesh {

namespace {

/// Calls visit(k, vertex) for each different id of a face.
template <typename Visit>
void each_vertex(const Face& f, const Visit& visit) {
  for (std::uint32_t k = 0; k < 3; ++k) {
    if (k == 0 || f[k] != f[k - 1]) visit(k, f[k]);
  }
}

/// Calls visit(k, edge) for each different edge of a face.
template <typename Visit>
void each_edge(const Face& f, const Visit& visit) {
  if (f[0] != f[1]) visit(0U, Edge{f[0], f[1]});
  if (f[1] != f[2]) visit(1U, Edge{f[1], f[2]});
  if (f[0] != f[1] && f[1] != f[2]) visit(2U, Edge{f[0], f[2]});
}

/// Moves an item that is not among the first `count` to position `count`.
template <typename T>
void move_to_front(std::array<T, 3>& items, std::uint32_t count, T item) {
  const auto found = std::find(items.begin() + count, items.end(), item);
  GRAZE_ASSERT(found != items.end());
  std::swap(items[count], *found);
}

}  // namespace

RepresentativeUpdater::RepresentativeUpdater(Representatives representatives, std::size_t vertex_count)
    : representatives_(std::move(representatives)) {
  const auto count = static_cast<std::uint32_t>(representatives_.ids.size());
  vertex_corners_.grow_rows(vertex_count);
  vertex_corners_.grow_items(std::size_t{3} * count);
  edge_sides_.grow_rows(representatives_.edges.size());
  edge_sides_.grow_items(std::size_t{3} * count);
  duplicates_.grow_rows(count);
  duplicates_.grow_items(count);
  face_triangles_.reserve(count, face_key());
  edge_ids_.reserve(representatives_.edges.size(), edge_key());
  // Edges freed by earlier edits are in no entry.
  std::vector<std::uint8_t> used(representatives_.edges.size(), 0);
  for (std::uint32_t t = 0; t < count; ++t) {
    if (representatives_.ids[t] == kRepresentsNothing) continue;
    face_triangles_.insert(t, face_key());
    for (const std::uint32_t e : representatives_.edges_of(representatives_.ids[t])) used[e] = 1;
  }
  for (auto e = static_cast<std::uint32_t>(used.size()); e-- > 0;) {
    if (used[e] != 0) {
      edge_ids_.insert(e, edge_key());
    } else {
      free_edges_.push_back(e);
    }
  }
  // From the last triangle, so that the lists, which grow at the front, begin with the lowest triangle.
  for (std::uint32_t t = count; t-- > 0;) {
    if (is_removed(t)) continue;
    if (representatives_.ids[t] != kRepresentsNothing) {
      link(t);
    } else {
      duplicates_.add(face_triangles_.find(face_key()(t), face_key()), t);
    }
  }
}

void RepresentativeUpdater::check(const MeshChange& change) const {
  const std::size_t count = representatives_.ids.size();
  if (change.vertex_count < vertex_count()) {
    throw InputError(fmt::format("vertex count {} is less than before ({})", change.vertex_count, vertex_count()));
  }
  if (change.triangle_count < count) {
    throw InputError(fmt::format("triangle count {} is less than before ({})", change.triangle_count, count));
  }
  require_representable(change.triangle_count);
  for (std::size_t i = 0; i < change.triangles.size(); ++i) {
    const auto& [t, before, after] = change.triangles[i];
    if (t >= change.triangle_count) {
      throw InputError(
          fmt::format("cannot change triangle {}: the mesh has {} triangles", t, change.triangle_count));
    }
    if (i > 0 && t <= change.triangles[i - 1].triangle) {
      throw InputError(
          fmt::format("triangle changes must ascend: triangle {} follows {}", t, change.triangles[i - 1].triangle));
    }
    const Triangle& now = t < count ? representatives_.entries[t].vertices : kRemovedTriangle;
    if (face_of(before) != face_of(now)) {
      throw InputError(
          before == kRemovedTriangle ? fmt::format("cannot add triangle {}: it already exists", t)
          : now == kRemovedTriangle
              ? fmt::format("cannot remove triangle {}: it does not exist", t)
              : fmt::format("cannot change triangle {}: its vertices are not those before the change", t));
    }
    if (after == kRemovedTriangle) continue;
    for (const VertexId v : after) {
      if (v >= change.vertex_count) {
        throw InputError(fmt::format("triangle {}: vertex {} is out of range, the mesh has {} vertices", t, v,
                                     change.vertex_count));
      }
    }
  }
}

std::vector<RepresentativeEvent> RepresentativeUpdater::update(const MeshChange& change) {
  check(change);
  const std::size_t count = change.triangle_count;
  representatives_.ids.resize(count, kRepresentsNothing);
  representatives_.entries.resize(count, {.vertices = kRemovedTriangle});
  vertex_corners_.grow_rows(change.vertex_count);
  vertex_corners_.grow_items(3 * count);
  edge_sides_.grow_items(3 * count);
  duplicates_.grow_rows(count);
  duplicates_.grow_items(count);
  std::vector<RepresentativeEvent> events;
  for (const TriangleChange& triangle : change.triangles) {
    if (triangle.before != kRemovedTriangle) remove(triangle.triangle, events);
  }
  for (const TriangleChange& triangle : change.triangles) {
    if (triangle.after != kRemovedTriangle) add(triangle.triangle, triangle.after, events);
  }
  return events;
}

std::uint32_t RepresentativeUpdater::edge_id(const Edge& edge) const {
  const std::uint32_t e = edge_ids_.find(edge, edge_key());
  GRAZE_ASSERT(e != IndexTable<2>::kNone);
  return e;
}

void RepresentativeUpdater::link(std::uint32_t triangle) {
  const Face f = face_of(representatives_.entries[triangle].vertices);
  each_vertex(f, [&](std::uint32_t k, VertexId v) { vertex_corners_.add(v, 3 * triangle + k); });
  each_edge(f, [&](std::uint32_t k, const Edge& e) { edge_sides_.add(edge_id(e), 3 * triangle + k); });
}

void RepresentativeUpdater::unlink(std::uint32_t triangle) {
  const Face f = face_of(representatives_.entries[triangle].vertices);
  each_vertex(f, [&](std::uint32_t k, VertexId v) { vertex_corners_.erase(v, 3 * triangle + k); });
  each_edge(f, [&](std::uint32_t k, const Edge& e) { edge_sides_.erase(edge_id(e), 3 * triangle + k); });
}

void RepresentativeUpdater::represent_vertex(std::uint32_t triangle, VertexId v) {
  RepresentativeId& id = representatives_.ids[triangle];
  move_to_front(representatives_.entries[triangle].vertices, represented_vertex_count(id), v);
  id += make_representative_id(0, 1, 0);
}

void RepresentativeUpdater::represent_edge(std::uint32_t triangle, std::uint32_t e) {
  RepresentativeId& id = representatives_.ids[triangle];
  move_to_front(representatives_.entries[triangle].edges, represented_edge_count(id), e);
  id += make_representative_id(0, 0, 1);
}

void RepresentativeUpdater::remove(std::uint32_t triangle, std::vector<RepresentativeEvent>& events) {
  using Kind = RepresentativeEvent::Kind;
  constexpr Representatives::Entry kRemoved = {.vertices = kRemovedTriangle};
  const Representatives::Entry entry = representatives_.entries[triangle];
  const RepresentativeId id = std::exchange(representatives_.ids[triangle], kRepresentsNothing);
  if (id == kRepresentsNothing) {  // a duplicate: the triangle that represents the face remains
    duplicates_.erase(face_triangles_.find(face_of(entry.vertices), face_key()), triangle);
    representatives_.entries[triangle] = kRemoved;
    return;
  }
  unlink(triangle);
  const std::uint32_t heir = duplicates_.first(triangle);
  if (heir != LinkedRows::kNone) {  // the heir has the same features
    duplicates_.erase(triangle, heir);
    duplicates_.move_row(triangle, heir);
    face_triangles_.replace(triangle, heir, face_key());
    representatives_.entries[heir] = entry;
    representatives_.entries[triangle] = kRemoved;
    representatives_.ids[heir] =
        make_representative_id(heir, represented_vertex_count(id), represented_edge_count(id));
    link(heir);
    events.push_back({Kind::Inherited, heir, triangle, entry});
    return;
  }
  face_triangles_.erase(triangle, face_key());
  representatives_.entries[triangle] = kRemoved;
  events.push_back({Kind::Removed, triangle, triangle, entry});
  const auto gains = [&](std::uint32_t t) {
    events.push_back({Kind::Gained, t, t, representatives_.entries[t]});
    return t;
  };
  for (std::uint32_t k = 0; k < represented_vertex_count(id); ++k) {
    const VertexId v = entry.vertices[k];
    const std::uint32_t corner = vertex_corners_.first(v);
    if (corner != LinkedRows::kNone) represent_vertex(gains(corner / 3), v);
  }
  // Edges that this triangle did not represent have another triangle.
  for (std::uint32_t k = 0; k < represented_edge_count(id); ++k) {
    const std::uint32_t e = entry.edges[k];
    const std::uint32_t side = edge_sides_.first(e);
    if (side != LinkedRows::kNone) {
      represent_edge(gains(side / 3), e);
    } else {
      edge_ids_.erase(e, edge_key());
      free_edges_.push_back(e);
    }
  }
}

std::uint32_t RepresentativeUpdater::add_edge(const Edge& edge) {
  const std::uint32_t known = edge_ids_.find(edge, edge_key());
  if (known != IndexTable<2>::kNone) return known;
  std::uint32_t e = 0;
  if (free_edges_.empty()) {
    e = static_cast<std::uint32_t>(representatives_.edges.size());
    representatives_.edges.push_back(edge);
    edge_sides_.grow_rows(representatives_.edges.size());
  } else {
    e = free_edges_.back();
    free_edges_.pop_back();
    representatives_.edges[e] = edge;
  }
  edge_ids_.insert(e, edge_key());
  return e;
}

void RepresentativeUpdater::add(std::uint32_t triangle, const Triangle& vertices,
                                std::vector<RepresentativeEvent>& events) {
  const Face face = face_of(vertices);
  Representatives::Entry& entry = representatives_.entries[triangle];
  entry = {vertices, {kNoEdge, kNoEdge, kNoEdge}};
  std::size_t edge_count = 0;
  each_edge(face, [&](std::uint32_t, const Edge& edge) { entry.edges[edge_count++] = add_edge(edge); });
  const std::uint32_t known = face_triangles_.find(face, face_key());
  if (known != IndexTable<3>::kNone) {
    representatives_.ids[triangle] = kRepresentsNothing;
    duplicates_.add(known, triangle);
    return;
  }
  // The new triangle represents the features that no other triangle has.
  face_triangles_.insert(triangle, face_key());
  representatives_.ids[triangle] = make_representative_id(triangle, 0, 0);
  each_vertex(face, [&](std::uint32_t, VertexId v) {
    if (vertex_corners_.first(v) == LinkedRows::kNone) represent_vertex(triangle, v);
  });
  const auto edges = entry.edges;
  for (std::size_t k = 0; k < edge_count; ++k) {
    if (edge_sides_.first(edges[k]) == LinkedRows::kNone) represent_edge(triangle, edges[k]);
  }
  link(triangle);
  events.push_back({RepresentativeEvent::Kind::Added, triangle, triangle, {.vertices = kRemovedTriangle}});
}

std::size_t RepresentativeUpdater::memory_bytes() const {
  return representatives_.memory_bytes() + vertex_corners_.memory_bytes() + edge_sides_.memory_bytes() +
         duplicates_.memory_bytes() + face_triangles_.memory_bytes() + edge_ids_.memory_bytes() +
         free_edges_.capacity() * sizeof(std::uint32_t);
}

}  // namespace graze::mesh
