// Operations of a scene edit (topology change): each is checked completely, then applied to the overlay
// (scene/scene_overlay.hpp). scene_split.cpp finds where groups of triangles can be separated.
//
// Cost of an operation: O(1) expected per vertex and triangle that it names, plus the fans of the vertices whose
// triangles it needs; removing or splitting a body visits that body.
#include <graze/edit.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "mesh/topology.hpp"
#include "scene/input_checks.hpp"
#include "scene/scene_change.hpp"
#include "scene/scene_overlay.hpp"
#include "scene/scene_split.hpp"

namespace graze {

using namespace scene;
using namespace core;
using namespace geometry;
using namespace mesh;

namespace {

template <typename... Args>
[[noreturn]] void refuse(std::string_view operation, fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(fmt::format("{}: {}", operation, fmt::format(format, std::forward<Args>(args)...)));
}

bool has(const Triangle& t, VertexId v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

Triangle replaced(Triangle t, VertexId from, VertexId to) {
  std::replace(t.begin(), t.end(), from, to);
  return t;
}

}  // namespace

struct SceneEdit::State {
  State(const Scene& scene, const SceneLinks& links) : overlay(scene, links) {}

  SceneOverlay overlay;
  std::vector<Copy> copies;
  std::optional<SceneChange> change;  ///< computed on demand
  bool complete = true;               ///< false while an operation writes; stays false if memory runs out

  /// Called first by every operation: throws if the edit is incomplete or the scene has changed since the edit
  /// began.
  void require_current(std::string_view operation) const {
    require_complete();
    if (overlay.is_current()) return;
    refuse(operation, "the edit was begun at revision {} of its scene, which is at {} now", overlay.revision(),
           overlay.scene_revision());
  }
  void require_complete() const {
    if (!complete) throw InputError("the edit is not complete: memory ran out in one of its operations");
  }
  /// Called between the checks of an operation and its writes; done() is called after the writes.
  void begin_writes() {
    complete = false;
    change.reset();
  }
  void done() { complete = true; }

  void require_body(std::string_view operation, BodyId body) const {
    if (body >= overlay.body_count()) {
      refuse(operation, "there is no body {}, the scene has {}", body, overlay.body_count());
    }
    if (overlay.body(body).removed) refuse(operation, "body {} was removed", body);
  }
  void require_vertex(std::string_view operation, VertexId v) const {
    if (v >= overlay.vertex_count()) {
      refuse(operation, "there is no vertex {}, the scene has {}", v, overlay.vertex_count());
    }
    if (overlay.body_of(v) == kNoBody) refuse(operation, "vertex {} was removed", v);
  }
  void require_triangle(std::string_view operation, TriangleId t) const {
    if (t >= overlay.triangle_count()) {
      refuse(operation, "there is no triangle {}, the scene has {}", t, overlay.triangle_count());
    }
    if (overlay.triangle(t) == kRemovedTriangle) refuse(operation, "triangle {} was removed", t);
  }
  void require_one_body(std::string_view operation, const Triangle& vertices) const {
    for (const VertexId v : vertices) require_vertex(operation, v);
    for (const VertexId v : vertices) {
      if (overlay.body_of(v) == overlay.body_of(vertices[0])) continue;
      refuse(operation, "vertex {} is of body {}, but vertex {} is of body {}", vertices[0],
             overlay.body_of(vertices[0]), v, overlay.body_of(v));
    }
  }
  void require_finite(std::string_view operation, const Vec3& p) const {
    const char axis = axis_not_finite(p);
    if (axis != 0) refuse(operation, "{} is {}, not a finite number", axis, coordinate(p, axis));
  }
  void require_room(std::string_view operation, std::size_t vertices, std::size_t triangles) const {
    constexpr std::size_t kMaxVertices = std::numeric_limits<VertexId>::max();
    if (vertices > kMaxVertices - overlay.vertex_count()) {
      refuse(operation, "adding {} vertices to the {} of the scene exceeds the limit of {}", vertices,
             overlay.vertex_count(), kMaxVertices);
    }
    if (triangles > kMaxTriangles - overlay.triangle_count()) {
      refuse(operation, "adding {} triangles to the {} of the scene exceeds the limit of {}", triangles,
             overlay.triangle_count(), kMaxTriangles);
    }
  }
  void require_once(std::string_view operation, std::span<const TriangleId> triangles) const {
    std::vector<TriangleId> sorted(triangles.begin(), triangles.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) refuse(operation, "triangle {} is named twice", *twice);
  }
  /// Returns the triangles at an edge; throws if there is no such edge.
  [[nodiscard]] std::vector<TriangleId> require_edge(std::string_view operation, VertexId a, VertexId b) const {
    require_vertex(operation, a);
    require_vertex(operation, b);
    std::vector<TriangleId> triangles = overlay.shorter_fan(a, b);
    std::erase_if(triangles, [&](TriangleId t) {
      return a == b || !has(overlay.triangle(t), a) || !has(overlay.triangle(t), b);
    });
    if (triangles.empty()) refuse(operation, "there is no edge from vertex {} to vertex {}", a, b);
    return triangles;
  }

  /// Adds a copy of a vertex to a body, and replaces the vertex by the copy in these triangles.
  VertexId copy_vertex(VertexId v, BodyId body, std::span<const TriangleId> triangles) {
    const Vec3 position = overlay.position(v);
    const VertexId copy = overlay.add_vertex(body, position);
    copies.push_back({copy, v});
    for (const TriangleId t : triangles) overlay.set_triangle(t, replaced(overlay.triangle(t), v, copy));
    return copy;
  }
  std::vector<BodyId> split(BodyId body, std::span<const std::vector<TriangleId>> groups);
};

SceneEdit::SceneEdit(std::unique_ptr<State> state) : state_(std::move(state)) {}
SceneEdit::SceneEdit(SceneEdit&&) noexcept = default;
SceneEdit& SceneEdit::operator=(SceneEdit&&) noexcept = default;
SceneEdit::~SceneEdit() = default;

SceneEdit SceneEdit::begin(const Scene& scene, const SceneLinks& links) {
  return SceneEdit(std::make_unique<State>(scene, links));
}

VertexId SceneEdit::add_vertex(BodyId body, const Vec3& position) {
  constexpr std::string_view kName = "add_vertex";
  state_->require_current(kName);
  state_->require_body(kName, body);
  state_->require_finite(kName, position);
  state_->require_room(kName, 1, 0);
  state_->begin_writes();
  const VertexId v = state_->overlay.add_vertex(body, position);
  state_->done();
  return v;
}

void SceneEdit::remove_vertex(VertexId v) {
  constexpr std::string_view kName = "remove_vertex";
  state_->require_current(kName);
  state_->require_vertex(kName, v);
  const std::vector<TriangleId> fan = state_->overlay.fan(v);
  state_->begin_writes();
  for (const TriangleId t : fan) state_->overlay.set_triangle(t, kRemovedTriangle);
  state_->overlay.set_body_of(v, kNoBody);
  state_->done();
}

TriangleId SceneEdit::add_triangle(const Triangle& vertices) {
  constexpr std::string_view kName = "add_triangle";
  state_->require_current(kName);
  state_->require_one_body(kName, vertices);
  state_->require_room(kName, 0, 1);
  state_->begin_writes();
  const TriangleId t = state_->overlay.add_triangle(vertices);
  state_->done();
  return t;
}

void SceneEdit::set_triangle(TriangleId triangle, const Triangle& vertices) {
  constexpr std::string_view kName = "set_triangle";
  state_->require_current(kName);
  state_->require_triangle(kName, triangle);
  state_->require_one_body(kName, vertices);
  const BodyId body = state_->overlay.body_of(state_->overlay.triangle(triangle)[0]);
  if (state_->overlay.body_of(vertices[0]) != body) {
    refuse(kName, "triangle {} is of body {}, but vertex {} is of body {}", triangle, body, vertices[0],
           state_->overlay.body_of(vertices[0]));
  }
  state_->begin_writes();
  state_->overlay.set_triangle(triangle, vertices);
  state_->done();
}

void SceneEdit::remove_triangle(TriangleId triangle) {
  constexpr std::string_view kName = "remove_triangle";
  state_->require_current(kName);
  state_->require_triangle(kName, triangle);
  state_->begin_writes();
  state_->overlay.set_triangle(triangle, kRemovedTriangle);
  state_->done();
}

VertexId SceneEdit::split_vertex(VertexId v, std::span<const TriangleId> triangles) {
  constexpr std::string_view kName = "split_vertex";
  state_->require_current(kName);
  state_->require_vertex(kName, v);
  for (const TriangleId t : triangles) {
    state_->require_triangle(kName, t);
    if (!has(state_->overlay.triangle(t), v)) refuse(kName, "triangle {} does not have vertex {}", t, v);
  }
  state_->require_once(kName, triangles);
  state_->require_room(kName, 1, 0);
  state_->begin_writes();
  const VertexId copy = state_->copy_vertex(v, state_->overlay.body_of(v), triangles);
  state_->done();
  return copy;
}

std::vector<VertexId> SceneEdit::tear_edge(VertexId a, VertexId b) {
  constexpr std::string_view kName = "tear_edge";
  state_->require_current(kName);
  static_cast<void>(state_->require_edge(kName, a, b));
  // Finds the parts at both ends before either is torn: tearing one end must not change the parts at the other.
  const std::array ends = {a, b};
  const std::array parts = {parts_across_edge(state_->overlay, a, b), parts_across_edge(state_->overlay, b, a)};
  const std::size_t count = parts[0].size() + parts[1].size() - 2;
  if (count == 0) {
    refuse(kName, "the edge from vertex {} to vertex {} cannot be torn: its triangles stay connected at both ends",
           a, b);
  }
  state_->require_room(kName, count, 0);
  std::vector<VertexId> copies;
  copies.reserve(count);
  state_->begin_writes();
  for (std::size_t end = 0; end < 2; ++end) {
    const BodyId body = state_->overlay.body_of(ends[end]);
    for (std::size_t i = 1; i < parts[end].size(); ++i) {
      copies.push_back(state_->copy_vertex(ends[end], body, parts[end][i]));
    }
  }
  state_->done();
  return copies;
}

VertexId SceneEdit::split_edge(VertexId a, VertexId b, const Vec3& position) {
  constexpr std::string_view kName = "split_edge";
  state_->require_current(kName);
  const std::vector<TriangleId> triangles = state_->require_edge(kName, a, b);
  SceneOverlay& overlay = state_->overlay;
  for (const TriangleId t : triangles) {
    const Triangle& ids = overlay.triangle(t);
    if (ids[0] == ids[1] || ids[1] == ids[2] || ids[2] == ids[0]) {
      refuse(kName, "triangle {} at the edge from vertex {} to vertex {} repeats a vertex id", t, a, b);
    }
  }
  state_->require_finite(kName, position);
  state_->require_room(kName, 1, triangles.size());
  state_->begin_writes();
  const VertexId middle = overlay.add_vertex(overlay.body_of(a), position);
  for (const TriangleId t : triangles) {
    const Triangle whole = overlay.triangle(t);
    overlay.set_triangle(t, replaced(whole, std::max(a, b), middle));
    overlay.add_triangle(replaced(whole, std::min(a, b), middle));
  }
  state_->done();
  return middle;
}

BodyId SceneEdit::add_body(const Body& body) {
  state_->require_current("add_body");
  validate_body({body_count(), vertex_count(), triangle_count()}, body);
  SceneOverlay& overlay = state_->overlay;
  const auto first = static_cast<VertexId>(vertex_count());
  const auto last = static_cast<VertexId>(first + body.positions.size());
  state_->begin_writes();
  const BodyId id = overlay.add_body(
      {.vertices = {first, last}, .motion = body.motion, .groups = body.groups, .meets = body.meets});
  for (const Vec3& p : body.positions) overlay.add_vertex(id, p);
  for (const Triangle& t : body.triangles) overlay.add_triangle({t[0] + first, t[1] + first, t[2] + first});
  state_->done();
  return id;
}

void SceneEdit::remove_body(BodyId body) {
  constexpr std::string_view kName = "remove_body";
  state_->require_current(kName);
  state_->require_body(kName, body);
  SceneOverlay& overlay = state_->overlay;
  const std::vector<VertexId> vertices = overlay.vertices_of(body);
  state_->begin_writes();
  for (const VertexId v : vertices) {
    for (const TriangleId t : overlay.fan(v)) overlay.set_triangle(t, kRemovedTriangle);
    overlay.set_body_of(v, kNoBody);
  }
  overlay.remove_body(body);
  state_->done();
}

std::vector<BodyId> SceneEdit::State::split(BodyId body, std::span<const std::vector<TriangleId>> groups) {
  const std::vector<SharedVertex> shared = vertices_of_groups(overlay, groups);
  std::size_t copy_count = 0;
  for (const SharedVertex& v : shared) copy_count += v.users.size() - 1;
  require_room("split_body", copy_count, 0);
  const std::vector<BodyId> ignored = overlay.ignored_with(body);
  SceneOverlay::NewBody piece = overlay.body(body);
  piece.vertices = {};
  std::vector<BodyId> pieces(groups.size());
  begin_writes();
  for (BodyId& id : pieces) id = overlay.add_body(piece);
  for (const SharedVertex& v : shared) {
    const auto owner_of = [&](std::uint32_t user) { return user == 0 ? body : pieces[user - 1]; };
    if (v.users[0].part != 0) overlay.set_body_of(v.vertex, owner_of(v.users[0].part));
    for (std::size_t i = 1; i < v.users.size(); ++i) {
      copy_vertex(v.vertex, owner_of(v.users[i].part), v.users[i].triangles);
    }
  }
  for (const BodyId other : ignored) {
    for (const BodyId id : pieces) overlay.ignore(id, other);
    if (other != body) continue;
    // The pieces of a body that ignores itself ignore each other.
    for (const BodyId a : pieces) {
      for (const BodyId b : pieces) overlay.ignore(a, b);
    }
  }
  done();
  return pieces;
}

std::vector<BodyId> SceneEdit::split_body(BodyId body, std::span<const std::vector<TriangleId>> groups) {
  constexpr std::string_view kName = "split_body";
  state_->require_current(kName);
  state_->require_body(kName, body);
  std::vector<TriangleId> all;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].empty()) refuse(kName, "group {} has no triangle", i);
    for (const TriangleId t : groups[i]) {
      state_->require_triangle(kName, t);
      const BodyId owner = state_->overlay.body_of(state_->overlay.triangle(t)[0]);
      if (owner != body) refuse(kName, "triangle {} is of body {}, not of body {}", t, owner, body);
      all.push_back(t);
    }
  }
  state_->require_once(kName, all);
  return state_->split(body, groups);
}

std::vector<BodyId> SceneEdit::split_body(BodyId body) {
  constexpr std::string_view kName = "split_body";
  state_->require_current(kName);
  state_->require_body(kName, body);
  std::vector<std::vector<TriangleId>> pieces = connected_pieces(state_->overlay, body);
  if (!pieces.empty()) pieces.erase(pieces.begin());
  return state_->split(body, pieces);
}

std::size_t SceneEdit::vertex_count() const {
  return state_->overlay.vertex_count();
}
std::size_t SceneEdit::triangle_count() const {
  return state_->overlay.triangle_count();
}
std::size_t SceneEdit::body_count() const {
  return state_->overlay.body_count();
}
bool SceneEdit::empty() const {
  return state_->overlay.empty();
}

std::span<const SceneEdit::Copy> SceneEdit::copies() const {
  return state_->copies;
}

std::vector<Vec3> SceneEdit::carry(std::span<const Vec3> x) const {
  const std::size_t before = state_->overlay.vertices_before();
  if (x.size() != before) {
    throw InputError(
        fmt::format("carry: x has {} positions, the scene has {} vertices before the edit", x.size(), before));
  }
  std::vector<Vec3> result;
  result.reserve(vertex_count());
  result.assign(x.begin(), x.end());
  for (const SceneChange::NewVertex& v : state_->overlay.new_vertices()) result.push_back(v.position);
  for (const Copy& copy : state_->copies) result[copy.copy] = result[copy.original];
  return result;
}

const SceneChange& SceneEdit::change() const {
  state_->require_complete();
  if (!state_->change) state_->change = state_->overlay.change();
  return *state_->change;
}

}  // namespace graze
