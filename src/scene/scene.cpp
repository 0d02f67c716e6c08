// Scene: bodies, body filters, and the application of edits. A body or a change is checked completely before any of
// it is applied. Cost: adding a body is O(its vertices + triangles); an edit costs what it changes, amortised, plus
// a pass over the ignored pairs if it adds to them.
#include <graze/scene.hpp>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <graze/edit.hpp>
#include <graze/error.hpp>

#include "core/assert.hpp"
#include "core/hash.hpp"
#include "scene/input_checks.hpp"
#include "scene/scene_change.hpp"
#include "scene/scene_links.hpp"

namespace graze {

using namespace scene;
using namespace core;
using namespace geometry;
using namespace mesh;

namespace {

/// Reserves space for `more` items; doubles the capacity, so that many small bodies cost linear time in total.
template <typename T>
void make_room(std::vector<T>& v, std::size_t more) {
  if (v.capacity() - v.size() < more) v.reserve(std::max(v.size() + more, 2 * v.capacity()));
}

// History hashes: scenes that were changed in different ways have different hashes, except for 64-bit collisions.

void add_to(Hash64& hash, const Triangle& t) {
  hash.add(t[0], t[1]);
  hash.add(t[2], 0);
}
void add_to(Hash64& hash, const Vec3& p) {
  for (const double value : {p.x, p.y, p.z}) hash.add(value);
}

std::uint64_t with_body(std::uint64_t history, const Body& body) {
  Hash64 hash;
  hash.add(history);
  for (const Vec3& p : body.positions) add_to(hash, p);
  for (const Triangle& t : body.triangles) add_to(hash, t);
  hash.add(body.groups, body.meets);
  hash.add(static_cast<std::uint64_t>(body.motion));
  return hash.value();
}

std::uint64_t with_pair(std::uint64_t history, const std::array<BodyId, 2>& pair) {
  Hash64 hash;
  hash.add(history);
  hash.add(pair[0], pair[1]);
  return hash.value();
}

std::uint64_t with_change(const SceneChange& change) {
  Hash64 hash;
  hash.add(change.history);
  for (const TriangleChange& t : change.mesh.triangles) {
    hash.add(std::uint64_t{t.triangle});
    add_to(hash, t.after);
  }
  for (const auto& [body, position] : change.new_vertices) {
    hash.add(std::uint64_t{body});
    add_to(hash, position);
  }
  for (const auto& [v, before, after] : change.moved_vertices) hash.add(v, after);
  for (const auto& [vertices, motion, groups, meets, removed] : change.new_bodies) {
    hash.add(groups, meets);
    hash.add(static_cast<std::uint32_t>(motion), removed ? 1U : 0U);
  }
  for (const BodyId body : change.removed_bodies) hash.add(std::uint64_t{body});
  for (const auto& [a, b] : change.ignored_pairs) hash.add(a, b);
  return hash.value();
}

}  // namespace

Scene::Arrays& Scene::own_arrays() {
  if (!arrays_) {
    arrays_ = std::make_shared<Arrays>();
  } else if (arrays_.use_count() > 1) {
    arrays_ = std::make_shared<Arrays>(*arrays_);
  } else {
    // What a copy read before it was destroyed comes first: giving up an owner synchronizes with those that did,
    // and the count alone does not. The thread sanitizer has no fences.
    std::shared_ptr<Arrays>(arrays_).reset();
  }
  return *arrays_;
}

BodyId Scene::add_body(const Body& body) {
  validate_body({body_count(), vertex_count(), triangle_count()}, body);

  // The views may refer to this scene's own arrays, and memory may run out: copy and reserve first; the rest cannot
  // fail.
  const std::vector<Vec3> positions(body.positions.begin(), body.positions.end());
  std::vector<Triangle> triangles(body.triangles.begin(), body.triangles.end());
  const std::uint64_t history = with_body(history_, body);
  auto& [all_positions, vertex_body, all_triangles] = own_arrays();
  make_room(all_positions, positions.size());
  make_room(vertex_body, positions.size());
  make_room(all_triangles, triangles.size());
  make_room(bodies_, 1);
  const auto first = static_cast<VertexId>(all_positions.size());
  for (Triangle& t : triangles) t = {t[0] + first, t[1] + first, t[2] + first};
  all_positions.insert(all_positions.end(), positions.begin(), positions.end());
  vertex_body.resize(all_positions.size(), static_cast<BodyId>(bodies_.size()));
  all_triangles.insert(all_triangles.end(), triangles.begin(), triangles.end());
  bodies_.push_back({.vertices = {first, static_cast<VertexId>(all_positions.size())},
                     .motion = body.motion,
                     .groups = body.groups,
                     .meets = body.meets});
  links_.links.reset();
  ++revision_;
  history_ = history;
  return static_cast<BodyId>(bodies_.size() - 1);
}

void Scene::ignore_pair(BodyId a, BodyId b) {
  for (const BodyId body : {a, b}) {
    if (body >= body_count()) {
      throw InputError(fmt::format("ignore_pair: there is no body {}, the scene has {}", body, body_count()));
    }
    if (!has_body(body)) throw InputError(fmt::format("ignore_pair: body {} was removed", body));
  }
  const std::array<BodyId, 2> pair{std::min(a, b), std::max(a, b)};
  const auto place = std::lower_bound(ignored_.begin(), ignored_.end(), pair);
  if (place != ignored_.end() && *place == pair) return;
  ignored_.insert(place, pair);
  ++revision_;
  history_ = with_pair(history_, pair);
}

bool Scene::tests_pair(BodyId a, BodyId b) const {
  GRAZE_ASSERT(a < body_count() && b < body_count());
  if ((bodies_[a].groups & bodies_[b].meets) == 0 || (bodies_[b].groups & bodies_[a].meets) == 0) return false;
  return !std::binary_search(ignored_.begin(), ignored_.end(), std::array{std::min(a, b), std::max(a, b)});
}

bool Scene::tests_all_pairs() const {
  std::uint32_t groups = 0;
  for (const Entry& body : bodies_) groups |= body.removed ? 0U : body.groups;
  const bool all_tested = std::all_of(bodies_.begin(), bodies_.end(), [&](const Entry& body) {
    return body.removed || (body.groups != 0 && (body.meets & groups) == groups);
  });
  return all_tested && std::none_of(ignored_.begin(), ignored_.end(), [&](const auto& pair) {
           return !bodies_[pair[0]].removed && !bodies_[pair[1]].removed;
         });
}

bool Scene::has_body(BodyId body) const {
  return body < bodies_.size() && !bodies_[body].removed;
}

bool Scene::has_vertex(VertexId v) const {
  return v < vertex_count() && body_of(v) != kNoBody;
}

bool Scene::has_triangle(TriangleId triangle) const {
  return triangle < triangle_count() && triangles()[triangle] != kRemovedTriangle;
}

SceneEdit Scene::begin_edit() {
  if (!links_.links) links_.links = std::make_shared<SceneLinks>(*this);
  return SceneEdit::begin(*this, *links_.links);
}

void Scene::check(const SceneChange& change) const {
  const bool same_counts = change.revision == revision_ && change.vertices_before == vertex_count() &&
                           change.triangles_before == triangle_count() && change.bodies_before == body_count();
  if (!same_counts) {
    throw InputError(fmt::format(
        "the edit is for a scene at revision {} with {} vertices, {} triangles and {} bodies; this one is at "
        "revision {} and has {}, {} and {}",
        change.revision, change.vertices_before, change.triangles_before, change.bodies_before, revision_,
        vertex_count(), triangle_count(), body_count()));
  }
  // Scenes with a different history can have the same counts. So compare what the edit changes with what it saw,
  // then the history, which covers everything else.
  for (const TriangleChange& t : change.mesh.triangles) {
    if (t.triangle < triangle_count() && triangles()[t.triangle] != t.before) {
      throw InputError(fmt::format("the edit is for another scene: triangle {} has other vertices", t.triangle));
    }
  }
  for (const auto& v : change.moved_vertices) {
    if (body_of(v.vertex) != v.before) {
      throw InputError(fmt::format("the edit is for another scene: vertex {} is of another body", v.vertex));
    }
  }
  if (change.history != history_) throw InputError("the edit is for a scene with a different history of changes");
}

void Scene::apply(const SceneEdit& edit) {
  const SceneChange& change = edit.change();
  check(change);
  // Memory may run out: reserve first; the rest cannot fail.
  auto& [positions, vertex_body, triangles] = own_arrays();
  make_room(positions, change.new_vertices.size());
  make_room(vertex_body, change.new_vertices.size());
  make_room(triangles, change.mesh.triangle_count - triangle_count());
  make_room(bodies_, change.new_bodies.size());
  make_room(ignored_, change.ignored_pairs.size());
  SceneLinks* const links = links_.links.get();
  const std::size_t bodies = body_count() + change.new_bodies.size();
  if (links != nullptr) links->make_room(change.mesh.vertex_count, change.mesh.triangle_count, bodies);

  if (links != nullptr) links->grow(change.mesh.vertex_count, change.mesh.triangle_count, bodies);
  for (const BodyId body : change.removed_bodies) bodies_[body].removed = true;
  for (const auto& [vertices, motion, groups, meets, removed] : change.new_bodies) {
    bodies_.push_back({vertices, motion, groups, meets, removed});
  }
  for (const auto& [v, before, after] : change.moved_vertices) {
    vertex_body[v] = after;
    if (links == nullptr) continue;
    links->unlink_vertex(v, before);
    if (after != kNoBody) links->link_vertex(v, after);
  }
  for (const auto& [body, position] : change.new_vertices) {
    if (links != nullptr && body != kNoBody) links->link_vertex(static_cast<VertexId>(positions.size()), body);
    positions.push_back(position);
    vertex_body.push_back(body);
  }
  triangles.resize(change.mesh.triangle_count, kRemovedTriangle);
  for (const auto& [t, before, after] : change.mesh.triangles) {
    triangles[t] = after;
    if (links == nullptr) continue;
    links->unlink(t, before);
    links->link(t, after);
  }
  insert_ignored(change.ignored_pairs);
  ++revision_;
  history_ = with_change(change);
}

void Scene::insert_ignored(std::span<const std::array<BodyId, 2>> pairs) {
  // Merges from the back into reserved space, without further allocation.
  std::size_t place = ignored_.size() + pairs.size();
  std::size_t old = ignored_.size();
  ignored_.resize(place);
  for (std::size_t i = pairs.size(); i-- > 0;) {
    while (old > 0 && pairs[i] < ignored_[old - 1]) ignored_[--place] = ignored_[--old];
    ignored_[--place] = pairs[i];
  }
}

}  // namespace graze
