// The overlay of an edit over an unchanged scene (scene_overlay.hpp). Entries of added_to_vertex_ and
// added_to_body_ are never removed: an entry counts only if the item is there now, once. So a change costs O(1),
// and a read costs at most what the edit has written before.
#include "scene/scene_overlay.hpp"

#include <algorithm>

#include "scene/scene_access.hpp"

namespace graze::scene {

namespace {

bool has(const Triangle& t, VertexId v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

template <typename T>
void sort_unique(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

SceneOverlay::SceneOverlay(const Scene& scene, const SceneLinks& links)
    : scene_(&scene),
      links_(&links),
      revision_(scene.revision()),
      history_(SceneAccess::history(scene)),
      vertices_before_(scene.vertex_count()),
      triangles_before_(scene.triangle_count()),
      bodies_before_(scene.body_count()) {}

bool SceneOverlay::empty() const {
  return new_vertices_.empty() && new_triangles_.empty() && new_bodies_.empty() && triangles_.empty() &&
         bodies_.empty() && removed_bodies_.empty() && ignored_.empty();
}

const Triangle& SceneOverlay::triangle(TriangleId t) const {
  if (t >= triangles_before_) return new_triangles_[t - triangles_before_];
  const auto changed = triangles_.find(t);
  return changed != triangles_.end() ? changed->second.after : scene_->triangles()[t];
}

BodyId SceneOverlay::body_of(VertexId v) const {
  if (v >= vertices_before_) return new_vertices_[v - vertices_before_].body;
  const auto changed = bodies_.find(v);
  return changed != bodies_.end() ? changed->second.after : scene_->body_of(v);
}

const Vec3& SceneOverlay::position(VertexId v) const {
  return v >= vertices_before_ ? new_vertices_[v - vertices_before_].position : scene_->positions()[v];
}

SceneOverlay::NewBody SceneOverlay::body(BodyId body) const {
  if (body >= bodies_before_) return new_bodies_[body - bodies_before_];
  return {.vertices = scene_->vertices(body),
          .motion = scene_->motion(body),
          .groups = scene_->groups(body),
          .meets = scene_->meets(body),
          .removed = !scene_->has_body(body) || removed_bodies_.contains(body)};
}

std::vector<TriangleId> SceneOverlay::shorter_fan(VertexId a, VertexId b) const {
  if (a >= vertices_before_ || b >= vertices_before_) return fan(std::max(a, b));  // a new vertex: few triangles
  // Advances both lists in step: apart from triangles added by this edit, the list that ends first is the shorter.
  auto of_a = links_->corners(a).begin();
  auto of_b = links_->corners(b).begin();
  const auto end_a = links_->corners(a).end();
  const auto end_b = links_->corners(b).end();
  while (of_a != end_a && of_b != end_b) {
    ++of_a;
    ++of_b;
  }
  return fan(of_a == end_a ? a : b);
}

std::vector<TriangleId> SceneOverlay::fan(VertexId v) const {
  std::vector<TriangleId> fan;
  const auto take = [&](TriangleId t) {
    if (has(triangle(t), v)) fan.push_back(t);
  };
  if (v < vertices_before_) {
    for (const std::uint32_t corner : links_->corners(v)) take(corner / 3);
  }
  const auto came = added_to_vertex_.find(v);
  if (came != added_to_vertex_.end()) {
    for (const TriangleId t : came->second) take(t);
  }
  sort_unique(fan);
  return fan;
}

std::vector<VertexId> SceneOverlay::vertices_of(BodyId body) const {
  std::vector<VertexId> vertices;
  const auto take = [&](VertexId v) {
    if (body_of(v) == body) vertices.push_back(v);
  };
  if (body < bodies_before_) {
    for (const VertexId v : links_->vertices(body)) take(v);
  }
  const auto came = added_to_body_.find(body);
  if (came != added_to_body_.end()) {
    for (const VertexId v : came->second) take(v);
  }
  sort_unique(vertices);
  return vertices;
}

std::vector<BodyId> SceneOverlay::ignored_with(BodyId body) const {
  std::vector<BodyId> others;
  const auto take = [&](const std::array<BodyId, 2>& pair) {
    if (pair[0] == body || pair[1] == body) others.push_back(pair[0] == body ? pair[1] : pair[0]);
  };
  for (const auto& pair : scene_->ignored_pairs()) take(pair);
  for (const auto& pair : ignored_) take(pair);
  sort_unique(others);
  return others;
}

void SceneOverlay::joins(TriangleId t, const Triangle& before, const Triangle& after) {
  for (const VertexId v : after) {
    if (v != kNoVertex && !has(before, v)) added_to_vertex_[v].push_back(t);
  }
}

void SceneOverlay::set_triangle(TriangleId t, const Triangle& vertices) {
  joins(t, triangle(t), vertices);
  if (t >= triangles_before_) {
    new_triangles_[t - triangles_before_] = vertices;
  } else if (vertices == scene_->triangles()[t]) {
    triangles_.erase(t);
  } else {
    triangles_[t] = {scene_->triangles()[t], vertices};
  }
}

TriangleId SceneOverlay::add_triangle(const Triangle& vertices) {
  const auto t = static_cast<TriangleId>(triangle_count());
  new_triangles_.push_back(vertices);
  joins(t, kRemovedTriangle, vertices);
  return t;
}

VertexId SceneOverlay::add_vertex(BodyId body, const Vec3& position) {
  const auto v = static_cast<VertexId>(vertex_count());
  new_vertices_.push_back({body, position});
  added_to_body_[body].push_back(v);
  return v;
}

void SceneOverlay::set_body_of(VertexId v, BodyId body) {
  if (body != kNoBody) added_to_body_[body].push_back(v);
  if (v >= vertices_before_) {
    new_vertices_[v - vertices_before_].body = body;
  } else if (body == scene_->body_of(v)) {
    bodies_.erase(v);
  } else {
    bodies_[v] = {scene_->body_of(v), body};
  }
}

BodyId SceneOverlay::add_body(const NewBody& body) {
  new_bodies_.push_back(body);
  return static_cast<BodyId>(body_count() - 1);
}

void SceneOverlay::remove_body(BodyId body) {
  if (body >= bodies_before_) {
    new_bodies_[body - bodies_before_].removed = true;
  } else {
    removed_bodies_.insert(body);
  }
}

void SceneOverlay::ignore(BodyId a, BodyId b) {
  ignored_.insert({std::min(a, b), std::max(a, b)});
}

SceneChange SceneOverlay::change() const {
  SceneChange change;
  change.revision = revision_;
  change.history = history_;
  change.vertices_before = vertices_before_;
  change.triangles_before = triangles_before_;
  change.bodies_before = bodies_before_;
  change.mesh.vertex_count = vertex_count();
  change.mesh.triangle_count = triangle_count();
  change.mesh.triangles.reserve(triangles_.size() + new_triangles_.size());
  for (const auto& [t, changed] : triangles_) change.mesh.triangles.push_back({t, changed.before, changed.after});
  std::sort(change.mesh.triangles.begin(), change.mesh.triangles.end(),
            [](const TriangleChange& a, const TriangleChange& b) { return a.triangle < b.triangle; });
  for (std::size_t i = 0; i < new_triangles_.size(); ++i) {
    if (new_triangles_[i] == kRemovedTriangle) continue;
    change.mesh.triangles.push_back(
        {static_cast<TriangleId>(triangles_before_ + i), kRemovedTriangle, new_triangles_[i]});
  }
  change.new_vertices = new_vertices_;
  for (const auto& [v, changed] : bodies_) change.moved_vertices.push_back({v, changed.before, changed.after});
  std::sort(change.moved_vertices.begin(), change.moved_vertices.end(),
            [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
  change.new_bodies = new_bodies_;
  change.removed_bodies.assign(removed_bodies_.begin(), removed_bodies_.end());
  std::sort(change.removed_bodies.begin(), change.removed_bodies.end());
  change.ignored_pairs.assign(ignored_.begin(), ignored_.end());
  return change;
}

}  // namespace graze::scene
