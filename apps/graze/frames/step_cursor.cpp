// Differences of triangle lists as edits, and positions by scene ids (step_cursor.hpp).
#include "frames/step_cursor.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <stdexcept>

namespace graze::app {

namespace {

/// Scenes with fewer removed ids than this are not rebuilt.
constexpr std::size_t kSmall = 4096;

/// The rotation that is smallest in lexicographic order, so it begins with the smallest id.
Triangle from_smallest(const Triangle& t) {
  return std::min({t, Triangle{t[1], t[2], t[0]}, Triangle{t[2], t[0], t[1]}});
}

/// An unmatched triangle in its smallest rotation, and its place in the list.
using Left = std::pair<Triangle, std::uint32_t>;

/// Removes pairs of equal triangles from both lists; calls matched(place in from, place in to) for each pair.
template <class Matched>
void match(std::vector<Left>& from, std::vector<Left>& to, const Matched& matched) {
  std::sort(from.begin(), from.end());
  std::sort(to.begin(), to.end());
  std::vector<Left> from_rest;
  std::vector<Left> to_rest;
  std::size_t i = 0;
  for (const Left& wanted : to) {
    while (i < from.size() && from[i].first < wanted.first) from_rest.push_back(from[i++]);
    if (i < from.size() && from[i].first == wanted.first) {
      matched(from[i++].second, wanted.second);
    } else {
      to_rest.push_back(wanted);
    }
  }
  from_rest.insert(from_rest.end(), from.begin() + static_cast<std::ptrdiff_t>(i), from.end());
  from.swap(from_rest);
  to.swap(to_rest);
}

bool by_place(const Left& a, const Left& b) {
  return a.second < b.second;
}

}  // namespace

void SceneDifference::fill(SceneEdit& edit) const {
  for (const Vec3& position : new_vertices) edit.add_vertex(body, position);
  for (const auto& [id, vertices] : set) edit.set_triangle(id, vertices);
  for (const TriangleId id : removed) edit.remove_triangle(id);
  for (const Triangle& vertices : added) edit.add_triangle(vertices);
  for (const VertexId id : removed_vertices) edit.remove_vertex(id);
}

SceneIds fresh_ids(const FrameTopology& topology) {
  SceneIds ids;
  ids.vertex_count = topology.vertex_count;
  ids.triangle_count = topology.triangles.size();
  ids.vertices.resize(ids.vertex_count);
  ids.triangles.resize(ids.triangle_count);
  std::iota(ids.vertices.begin(), ids.vertices.end(), VertexId{0});
  std::iota(ids.triangles.begin(), ids.triangles.end(), TriangleId{0});
  return ids;
}

SceneDifference difference(const FrameTopology& from, const FrameTopology& to, SceneIds& ids) {
  SceneDifference result;
  while (ids.vertices.size() > to.vertex_count) {
    result.removed_vertices.push_back(ids.vertices.back());
    ids.vertices.pop_back();
  }
  while (ids.vertices.size() < to.vertex_count) {
    result.new_vertices.emplace_back();
    ids.vertices.push_back(static_cast<VertexId>(ids.vertex_count++));
  }

  std::vector<Left> gone;
  std::vector<Left> come;
  const std::size_t most = std::max(from.triangles.size(), to.triangles.size());
  for (std::uint32_t place = 0; place < most; ++place) {
    const bool in_from = place < from.triangles.size();
    const bool in_to = place < to.triangles.size();
    if (in_from && in_to && from.triangles[place] == to.triangles[place]) continue;
    if (in_from) gone.emplace_back(from_smallest(from.triangles[place]), place);
    if (in_to) come.emplace_back(from_smallest(to.triangles[place]), place);
  }
  const std::vector<TriangleId> before = ids.triangles;
  ids.triangles.resize(to.triangles.size());
  match(gone, come,
        [&](std::uint32_t old_place, std::uint32_t place) { ids.triangles[place] = before[old_place]; });

  std::sort(gone.begin(), gone.end(), by_place);
  std::sort(come.begin(), come.end(), by_place);
  const auto in_scene = [&](std::uint32_t place) {
    const Triangle& t = to.triangles[place];
    return Triangle{ids.vertices[t[0]], ids.vertices[t[1]], ids.vertices[t[2]]};
  };
  auto old = gone.begin();
  for (const auto& [key, place] : come) {
    for (; old != gone.end() && old->second < place; ++old) result.removed.push_back(before[old->second]);
    if (old != gone.end() && old->second == place) {
      ids.triangles[place] = before[place];
      result.set.emplace_back(before[place], in_scene(place));
      ++old;
    } else {
      ids.triangles[place] = static_cast<TriangleId>(ids.triangle_count++);
      result.added.push_back(in_scene(place));
    }
  }
  for (; old != gone.end(); ++old) result.removed.push_back(before[old->second]);
  return result;
}

StepCursor::Change StepCursor::go_to(std::size_t step) {
  if (loaded_ == step) {
    t0_ = std::move(t1_);
  } else {
    t0_ = frames_->read(step);
  }
  loaded_.reset();  // until the read below succeeds
  t1_ = frames_->read(step + 1);
  loaded_ = step + 1;
  place_start(step);

  Change change = Change::Same;
  if (topology_ == nullptr) {
    change = Change::New;
  } else if (t1_.topology != topology_ && *t1_.topology != *topology_) {
    edit_ = difference(*topology_, *t1_.topology, ids_);
    edit_.body = static_cast<BodyId>(frames_->scene().body_count() - 1);
    const std::vector<Vec3>& start = frame_t0();
    for (std::size_t i = 0; i < edit_.new_vertices.size(); ++i) {
      edit_.new_vertices[i] = start[start.size() - edit_.new_vertices.size() + i];
    }
    if (!edit_.empty()) change = Change::Edited;  // otherwise the same triangles in another order
    const bool mostly_gone = ids_.vertex_count > 2 * ids_.vertices.size() + kSmall ||
                             ids_.triangle_count > 2 * ids_.triangles.size() + kSmall;
    if (mostly_gone && !keep_scene_) change = Change::New;
  }
  topology_ = t1_.topology;
  if (change == Change::New) ids_ = fresh_ids(*topology_);
  if (!same_ids()) {
    scene_t0_ = spread(frame_t0());
    scene_t1_ = spread(frame_t1());
  }
  return change;
}

/// Computes the start positions of the vertices that the step ends with.
void StepCursor::place_start(std::size_t step) {
  const std::size_t before = t0_.positions.size();
  const std::size_t after = t1_.positions.size();
  frames_->require_fits(step, before, after);
  start_.reset();
  if (before == after) return;
  start_ = t0_.positions;
  start_->resize(std::min(before, after));
  const std::span<const VertexId> parents = frames_->parents(step);
  for (std::size_t i = before; i < after; ++i) {
    const Vec3 at = i - before < parents.size() ? (*start_)[parents[i - before]] : t1_.positions[i];
    start_->push_back(at);
  }
}

Scene StepCursor::scene() const {
  return frames_->scene_of(frame_t0(), *topology_);
}

std::vector<Vec3> StepCursor::spread(const std::vector<Vec3>& positions) const {
  std::vector<Vec3> result(ids_.vertex_count);
  for (std::size_t i = 0; i < positions.size(); ++i) result[ids_.vertices[i]] = positions[i];
  return result;
}

std::vector<VertexId> StepCursor::frame_ids() const {
  std::vector<VertexId> result(ids_.vertex_count, kNoVertex);
  for (std::size_t i = 0; i < ids_.vertices.size(); ++i) result[ids_.vertices[i]] = static_cast<VertexId>(i);
  return result;
}

void StepCursor::to_frame_ids(std::vector<Impact>& impacts) const {
  if (same_ids()) return;
  const std::vector<VertexId> frame_id = frame_ids();
  for (Impact& impact : impacts) {
    for (VertexId& id : impact.pair.vertices) {
      id = frame_id[id];
      if (id == kNoVertex) throw std::logic_error("a contact has a vertex that its frame does not have");
    }
  }
}

}  // namespace graze::app
