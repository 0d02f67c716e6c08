// Checks of scene and query input (scene/input_checks.hpp).
#include "scene/input_checks.hpp"

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/tasks.hpp"
#include "mesh/topology.hpp"

namespace graze::scene {

void validate_body(const SceneCounts& counts, const Body& body) {
  constexpr std::size_t kMaxVertices = std::numeric_limits<VertexId>::max();
  if (body.positions.size() > kMaxVertices - counts.vertices) {
    throw InputError(fmt::format("body {}: its {} vertices and the {} of the scene exceed the limit of {}",
                                 counts.bodies, body.positions.size(), counts.vertices, kMaxVertices));
  }
  if (body.triangles.size() > kMaxTriangles - counts.triangles) {
    throw InputError(fmt::format("body {}: its {} triangles and the {} of the scene exceed the limit of {}",
                                 counts.bodies, body.triangles.size(), counts.triangles, kMaxTriangles));
  }
  for (std::size_t v = 0; v < body.positions.size(); ++v) {
    const char axis = axis_not_finite(body.positions[v]);
    if (axis != 0) {
      throw InputError(fmt::format("body {}: vertex {}: {} is {}, not a finite number", counts.bodies, v, axis,
                                   coordinate(body.positions[v], axis)));
    }
  }
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    for (const VertexId v : body.triangles[t]) {
      if (v >= body.positions.size()) {
        throw InputError(fmt::format("body {}: triangle {}: vertex id {} is out of range, the body has {} vertices",
                                     counts.bodies, t, v, body.positions.size()));
      }
    }
  }
}

namespace {

/// Returns whether a vertex was added together with its body, not by a later edit.
bool came_with_body(const Scene& scene, VertexId v) {
  const auto [first, last] = scene.vertices(scene.body_of(v));
  return first <= v && v < last;
}

[[noreturn]] void fail_static(const Scene& scene, VertexId v, const Vec3& from, const Vec3& to) {
  const BodyId body = scene.body_of(v);
  const char axis = from.x != to.x ? 'x' : from.y != to.y ? 'y' : 'z';
  const std::string which = came_with_body(scene, v)
                                ? fmt::format("its vertex {} (scene vertex {})", v - scene.vertices(body).first, v)
                                : fmt::format("its scene vertex {}", v);
  throw InputError(fmt::format("body {} is static, but {} moves: {} from {} to {}", body, which, axis,
                               coordinate(from, axis), coordinate(to, axis)));
}

/// Returns the lowest index below `count` for which `wrong` is true; `count` if there is none. On all threads.
template <typename Wrong>
std::size_t first_wrong(std::size_t count, const Wrong& wrong) {
  constexpr std::size_t kGrain = 4096;
  std::atomic<std::size_t> lowest = count;
  parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
    std::size_t i = first;
    while (i < last && !wrong(i)) ++i;
    if (i == last) return;
    std::size_t known = lowest.load();
    while (i < known && !lowest.compare_exchange_weak(known, i)) {
    }
  });
  return lowest;
}

}  // namespace

void validate_positions(const Scene& scene, std::span<const Vec3> x, std::string_view name) {
  if (x.size() != scene.vertex_count()) {
    throw InputError(
        fmt::format("{} has {} positions, the scene has {} vertices", name, x.size(), scene.vertex_count()));
  }
  const std::size_t wrong = first_wrong(x.size(), [&](std::size_t i) {
    return axis_not_finite(x[i]) != 0 && scene.body_of(static_cast<VertexId>(i)) != kNoBody;
  });
  if (wrong == x.size()) return;
  const auto v = static_cast<VertexId>(wrong);
  const BodyId body = scene.body_of(v);
  const char axis = axis_not_finite(x[v]);
  const std::string own =
      came_with_body(scene, v) ? fmt::format(", its vertex {}", v - scene.vertices(body).first) : std::string();
  throw InputError(fmt::format("{}: vertex {} (body {}{}): {} is {}, not a finite number", name, v, body, own, axis,
                               coordinate(x[v], axis)));
}

void validate_step(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  validate_positions(scene, x_t0, "x_t0");
  validate_positions(scene, x_t1, "x_t1");
  bool any_static = false;
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    any_static = any_static || (scene.has_body(body) && scene.motion(body) == Motion::Static);
  }
  if (!any_static) return;
  const std::size_t wrong = first_wrong(x_t0.size(), [&](std::size_t i) {
    if (x_t0[i] == x_t1[i]) return false;
    const BodyId body = scene.body_of(static_cast<VertexId>(i));
    return body != kNoBody && scene.motion(body) == Motion::Static;
  });
  if (wrong < x_t0.size()) fail_static(scene, static_cast<VertexId>(wrong), x_t0[wrong], x_t1[wrong]);
}

}  // namespace graze::scene
