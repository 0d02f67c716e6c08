// Local update of representatives (mesh/representative_update.hpp). Triangles are removed and added one at a time;
// properties I to III hold between any two of these.
//
// A triangle joins the lists by its sorted ids, because the order of its entry changes with what it represents:
// place k is skipped where it repeats place k - 1; side 0 is (0, 1), side 1 is (1, 2), side 2 is (0, 2), and a
// triangle with a repeated id has one edge at most.
#include "mesh/representative_update.hpp"

#include <algorithm>
#include <utility>

#include <graze/error.hpp>

#include "core/assert.hpp"

#include <fmt/core.h>

namespace graze {

namespace {

std::uint64_t key_of(const Edge& e) {
  return std::uint64_t{e[0]} << 32U | e[1];
}

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

/// Brings an item that is not among the first `count` to place `count`.
template <typename T>
void bring_forward(std::array<T, 3>& items, std::uint32_t count, T item) {
  const auto found = std::find(items.begin() + count, items.end(), item);
  GRAZE_ASSERT(found != items.end());
  std::swap(items[count], *found);
}

}  // namespace

std::size_t RepresentativeUpdater::FaceHash::operator()(const Face& face) const {
  // The product of odd constants spreads neighbouring ids over all bits; the fold brings the high ones down.
  std::uint64_t h = (std::uint64_t{face[0]} << 32U | face[1]) * 0x9E3779B97F4A7C15ULL;
  h = (h ^ (h >> 32U) ^ face[2]) * 0xD6E8FEB86659FD93ULL;
  return static_cast<std::size_t>(h ^ (h >> 32U));
}

RepresentativeUpdater::RepresentativeUpdater(Representatives& representatives, std::size_t vertex_count)
    : representatives_(representatives), vertex_count_(vertex_count), removed_(representatives.ids.size(), 0) {
  const auto count = static_cast<std::uint32_t>(representatives.ids.size());
  vertex_corners_.grow_rows(vertex_count);
  vertex_corners_.grow_items(std::size_t{3} * count);
  edge_sides_.grow_rows(representatives.edges.size());
  edge_sides_.grow_items(std::size_t{3} * count);
  duplicates_.grow_rows(count);
  duplicates_.grow_items(count);
  edge_ids_.reserve(representatives.edges.size());
  for (std::uint32_t e = 0; e < representatives.edges.size(); ++e)
    edge_ids_.emplace(key_of(representatives.edges[e]), e);
  face_triangle_.reserve(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    if (representatives.ids[t] != kRepresentsNothing) {
      face_triangle_.emplace(face_of(representatives.entries[t].vertices), t);
    }
  }
  // From the last, so that the lists, which grow at the front, begin with the lowest triangle.
  for (std::uint32_t t = count; t-- > 0;) {
    link(t);
    if (representatives.ids[t] == kRepresentsNothing) duplicates_.add(representative_of(t), t);
  }
}

void RepresentativeUpdater::check(std::span<const std::uint32_t> removed, std::span<const Triangle> added,
                                  std::size_t vertex_count) const {
  const std::size_t count = removed_.size();
  if (vertex_count < vertex_count_) {
    throw InputError(fmt::format("vertex count {} is less than before ({})", vertex_count, vertex_count_));
  }
  for (const std::uint32_t t : removed) {
    if (t >= count || is_removed(t)) throw InputError(fmt::format("cannot remove triangle {}: there is none", t));
  }
  std::vector<std::uint32_t> sorted(removed.begin(), removed.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw InputError(fmt::format("cannot remove triangle {} twice", *twice));
  for (std::size_t i = 0; i < added.size(); ++i) {
    for (const VertexId v : added[i]) {
      if (v >= vertex_count) {
        throw InputError(
            fmt::format("added triangle {}: vertex {} out of range (there are {})", i, v, vertex_count));
      }
    }
  }
  const std::size_t free = free_triangles_.size() + removed.size();
  if (added.size() > free) require_representable(count + (added.size() - free));
}

std::vector<std::uint32_t> RepresentativeUpdater::update(std::span<const std::uint32_t> removed,
                                                         std::span<const Triangle> added,
                                                         std::size_t vertex_count) {
  check(removed, added, vertex_count);
  vertex_count_ = vertex_count;
  vertex_corners_.grow_rows(vertex_count);
  for (const std::uint32_t t : removed) remove(t);
  std::vector<std::uint32_t> indices;
  indices.reserve(added.size());
  for (const Triangle& vertices : added) {
    std::uint32_t t = 0;
    if (free_triangles_.empty()) {
      t = static_cast<std::uint32_t>(removed_.size());
      removed_.push_back(1);
      representatives_.ids.push_back(kRepresentsNothing);
      representatives_.entries.emplace_back();
      const std::size_t count = removed_.size();
      vertex_corners_.grow_items(3 * count);
      edge_sides_.grow_items(3 * count);
      duplicates_.grow_rows(count);
      duplicates_.grow_items(count);
    } else {
      t = free_triangles_.back();
      free_triangles_.pop_back();
    }
    add(t, vertices);
    indices.push_back(t);
  }
  return indices;
}

void RepresentativeUpdater::link(std::uint32_t triangle) {
  const Face f = face_of(representatives_.entries[triangle].vertices);
  each_vertex(f, [&](std::uint32_t k, VertexId v) { vertex_corners_.add(v, 3 * triangle + k); });
  each_edge(f, [&](std::uint32_t k, const Edge& e) { edge_sides_.add(edge_ids_.at(key_of(e)), 3 * triangle + k); });
}

void RepresentativeUpdater::unlink(std::uint32_t triangle) {
  const Face f = face_of(representatives_.entries[triangle].vertices);
  each_vertex(f, [&](std::uint32_t k, VertexId v) { vertex_corners_.erase(v, 3 * triangle + k); });
  each_edge(f,
            [&](std::uint32_t k, const Edge& e) { edge_sides_.erase(edge_ids_.at(key_of(e)), 3 * triangle + k); });
}

std::uint32_t RepresentativeUpdater::representative_of(std::uint32_t triangle) const {
  if (representatives_.ids[triangle] != kRepresentsNothing) return triangle;
  return face_triangle_.at(face_of(representatives_.entries[triangle].vertices));
}

void RepresentativeUpdater::represent_vertex(std::uint32_t triangle, VertexId v) {
  RepresentativeId& id = representatives_.ids[triangle];
  bring_forward(representatives_.entries[triangle].vertices, represented_vertex_count(id), v);
  id += make_representative_id(0, 1, 0);
}

void RepresentativeUpdater::represent_edge(std::uint32_t triangle, std::uint32_t e) {
  RepresentativeId& id = representatives_.ids[triangle];
  bring_forward(representatives_.entries[triangle].edges, represented_edge_count(id), e);
  id += make_representative_id(0, 0, 1);
}

void RepresentativeUpdater::remove(std::uint32_t triangle) {
  unlink(triangle);
  removed_[triangle] = 1;
  free_triangles_.push_back(triangle);
  const Representatives::Entry entry = representatives_.entries[triangle];
  const Face face = face_of(entry.vertices);
  const RepresentativeId id = std::exchange(representatives_.ids[triangle], kRepresentsNothing);
  if (id == kRepresentsNothing) {  // a duplicate: whoever stands for the face stays
    duplicates_.erase(face_triangle_.at(face), triangle);
    return;
  }
  const std::uint32_t heir = duplicates_.first(triangle);
  if (heir != LinkedRows::kNone) {  // it has the same features
    duplicates_.erase(triangle, heir);
    duplicates_.move_row(triangle, heir);
    face_triangle_[face] = heir;
    representatives_.entries[heir] = entry;
    representatives_.ids[heir] =
        make_representative_id(heir, represented_vertex_count(id), represented_edge_count(id));
    return;
  }
  face_triangle_.erase(face);
  for (std::uint32_t k = 0; k < represented_vertex_count(id); ++k) {
    const VertexId v = entry.vertices[k];
    const std::uint32_t corner = vertex_corners_.first(v);
    if (corner != LinkedRows::kNone) represent_vertex(representative_of(corner / 3), v);
  }
  for (std::uint32_t k = 0; k < represented_edge_count(id); ++k) {
    const std::uint32_t e = entry.edges[k];
    const std::uint32_t side = edge_sides_.first(e);
    if (side != LinkedRows::kNone) {
      represent_edge(representative_of(side / 3), e);
    } else {
      edge_ids_.erase(key_of(representatives_.edges[e]));
      free_edges_.push_back(e);
    }
  }
}

void RepresentativeUpdater::add(std::uint32_t triangle, const Triangle& vertices) {
  removed_[triangle] = 0;
  const Face face = face_of(vertices);
  Representatives::Entry& entry = representatives_.entries[triangle];
  entry = {vertices, {kNoEdge, kNoEdge, kNoEdge}};
  // A feature that no triangle uses yet is this one's to represent; a face that has one already brings none.
  std::size_t edge_count = 0;
  each_edge(face, [&](std::uint32_t, const Edge& edge) {
    auto [place, is_new] = edge_ids_.try_emplace(key_of(edge), 0U);
    if (is_new) {
      if (free_edges_.empty()) {
        place->second = static_cast<std::uint32_t>(representatives_.edges.size());
        representatives_.edges.push_back(edge);
        edge_sides_.grow_rows(representatives_.edges.size());
      } else {
        place->second = free_edges_.back();
        free_edges_.pop_back();
        representatives_.edges[place->second] = edge;
      }
    }
    entry.edges[edge_count++] = place->second;
  });
  const auto [known, is_new_face] = face_triangle_.try_emplace(face, triangle);
  if (is_new_face) {
    representatives_.ids[triangle] = make_representative_id(triangle, 0, 0);
    each_vertex(face, [&](std::uint32_t, VertexId v) {
      if (vertex_corners_.first(v) == LinkedRows::kNone) represent_vertex(triangle, v);
    });
    const auto edges = entry.edges;
    for (std::size_t k = 0; k < edge_count; ++k) {
      if (edge_sides_.first(edges[k]) == LinkedRows::kNone) represent_edge(triangle, edges[k]);
    }
  } else {
    representatives_.ids[triangle] = kRepresentsNothing;
    duplicates_.add(known->second, triangle);
  }
  link(triangle);
}

}  // namespace graze
