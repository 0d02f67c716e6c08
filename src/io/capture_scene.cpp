// Encodes and parses the scene of a capture. See the header.
#include "io/capture_scene.hpp"

#include <graze/error.hpp>

#include "io/input.hpp"
#include "mesh/mesh_change.hpp"
#include "scene/scene_access.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

namespace graze::io {
namespace {

constexpr std::uint64_t kBodySize = 20;
constexpr std::uint64_t kIgnoredSize = 8;
constexpr std::uint64_t kTriangleSize = 12;
constexpr std::uint32_t kRemovedBit = 4;

}  // namespace

std::uint64_t scene_bytes(const CaptureCounts& counts, std::uint32_t version) {
  return kBodySize * counts.bodies + kIgnoredSize * counts.ignored + kTriangleSize * counts.triangles +
         (version == kEditedVersion ? sizeof(BodyId) * counts.vertices : 0);
}

std::uint32_t version_for(const Scene& scene) {
  VertexId end = 0;
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    const auto [first, last] = scene.vertices(body);
    if (!scene.has_body(body) || first != end) return kEditedVersion;
    for (VertexId v = first; v < last; ++v) {
      if (scene.body_of(v) != body) return kEditedVersion;
    }
    end = last;
  }
  if (end != scene.vertex_count()) return kEditedVersion;
  BodyId before = 0;
  for (const Triangle& t : scene.triangles()) {
    if (t == kRemovedTriangle || scene.body_of(t[0]) < before) return kEditedVersion;
    before = scene.body_of(t[0]);
  }
  return kPlainVersion;
}

void append_scene(std::string& bytes, const Scene& scene, std::uint32_t version) {
  const auto put = [&](auto value) { append(bytes, value, std::endian::little); };
  // Plain version: the triangles of a body are the next ones, as long as their vertices belong to the body.
  std::size_t triangle = 0;
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    const Scene::VertexRange range = scene.vertices(body);
    if (version == kPlainVersion) {
      const std::size_t first = triangle;
      while (triangle < scene.triangle_count() && scene.triangles()[triangle][0] < range.last) ++triangle;
      put(static_cast<std::uint32_t>(range.last - range.first));
      put(static_cast<std::uint32_t>(triangle - first));
    } else {
      put(range.first);
      put(range.last);
    }
    put(static_cast<std::uint32_t>(scene.motion(body)) | (scene.has_body(body) ? 0U : kRemovedBit));
    put(scene.groups(body));
    put(scene.meets(body));
  }
  for (const auto& [a, b] : scene.ignored_pairs()) {
    put(a);
    put(b);
  }
  for (const Triangle& t : scene.triangles()) {
    for (const VertexId id : t) put(id);
  }
  if (version == kPlainVersion) return;
  for (std::size_t v = 0; v < scene.vertex_count(); ++v) put(scene.body_of(static_cast<VertexId>(v)));
}

SceneRecord::SceneRecord(Cursor& cursor, const CaptureCounts& counts, std::uint32_t version,
                         const std::string& name)
    : name_(name),
      version_(version),
      bodies_(counts.bodies),
      ignored_(counts.ignored),
      triangles_(counts.triangles),
      vertex_body_(version == kEditedVersion ? counts.vertices : 0) {
  const std::uint32_t motion_limit = version == kEditedVersion ? 2 * kRemovedBit : kRemovedBit;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyRecord& body = bodies_[i];
    body.first = cursor.next<std::uint32_t>();
    body.second = cursor.next<std::uint32_t>();
    const auto motion = cursor.next<std::uint32_t>();
    if (motion % kRemovedBit > static_cast<std::uint32_t>(Motion::Static) || motion >= motion_limit) {
      fail(name_, fmt::format("body {} has motion {}; it must be 0, 1 or 2{}", i, motion,
                              version == kEditedVersion ? ", or 4, 5 or 6 for a removed body" : ""));
    }
    body.motion = static_cast<Motion>(motion % kRemovedBit);
    body.removed = motion >= kRemovedBit;
    body.groups = cursor.next<std::uint32_t>();
    body.meets = cursor.next<std::uint32_t>();
  }
  for (std::array<BodyId, 2>& pair : ignored_) {
    for (BodyId& body : pair) body = cursor.next<BodyId>();
  }
  for (Triangle& triangle : triangles_) {
    for (VertexId& id : triangle) id = cursor.next<VertexId>();
  }
  for (BodyId& body : vertex_body_) body = cursor.next<BodyId>();
  if (version == kPlainVersion) {
    check_plain_counts(counts);
  } else {
    check_edited();
  }
}

void SceneRecord::check_plain_counts(const CaptureCounts& counts) const {
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  for (const BodyRecord& body : bodies_) {
    vertices += body.first;
    triangles += body.second;
  }
  if (vertices != counts.vertices || triangles != counts.triangles) {
    fail(name_, fmt::format("its bodies have {} vertices and {} triangles, but the header counts {} and {}",
                            vertices, triangles, counts.vertices, counts.triangles));
  }
}

void SceneRecord::check_edited() const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyRecord& body = bodies_[i];
    if (body.first > body.second || body.second > vertex_body_.size()) {
      fail(name_, fmt::format("body {} was added with the vertices from {} to {}, but there are {}", i, body.first,
                              body.second, vertex_body_.size()));
    }
  }
  for (std::size_t v = 0; v < vertex_body_.size(); ++v) {
    const BodyId body = vertex_body_[v];
    if (body != kNoBody && (body >= bodies_.size() || bodies_[body].removed)) {
      fail(name_, fmt::format("vertex {} belongs to body {}, which does not exist", v, body));
    }
  }
  for (std::size_t i = 0; i < ignored_.size(); ++i) {
    const auto& [a, b] = ignored_[i];
    if (a > b || b >= bodies_.size() || (i > 0 && !(ignored_[i - 1] < ignored_[i]))) {
      fail(name_, fmt::format("ignored pair {}, bodies {} and {}, is out of range or out of order", i, a, b));
    }
  }
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    if (triangles_[t] == kRemovedTriangle) continue;
    for (const VertexId id : triangles_[t]) {
      if (id >= vertex_body_.size() || vertex_body_[id] == kNoBody) {
        fail(name_, fmt::format("triangle {} has vertex {}, which does not exist", t, id));
      }
      if (vertex_body_[id] != vertex_body_[triangles_[t][0]]) {
        fail(name_, fmt::format("triangle {} has vertices of bodies {} and {}", t, vertex_body_[triangles_[t][0]],
                                vertex_body_[id]));
      }
    }
  }
}

Scene SceneRecord::make(std::span<const Vec3> positions) {
  return version_ == kPlainVersion ? make_plain(positions) : make_edited(positions);
}

/// Adds the bodies in order; scene vertex ids become ids within the body.
Scene SceneRecord::make_plain(std::span<const Vec3> positions) const {
  Scene scene;
  std::size_t vertex = 0;
  std::size_t triangle = 0;
  std::vector<Triangle> own;
  for (const BodyRecord& body : bodies_) {
    own.clear();
    for (const Triangle& t : std::span(triangles_).subspan(triangle, body.second)) {
      for (const VertexId id : t) {
        if (id >= vertex && id - vertex < body.first) continue;
        fail(name_,
             fmt::format("triangle {} of body {} has vertex {}, which is not one of the body's {} from {} on",
                         own.size(), scene.body_count(), id, body.first, vertex));
      }
      const auto first = static_cast<VertexId>(vertex);
      own.push_back({t[0] - first, t[1] - first, t[2] - first});
    }
    scene.add_body({.positions = positions.subspan(vertex, body.first),
                    .triangles = own,
                    .motion = body.motion,
                    .groups = body.groups,
                    .meets = body.meets});
    vertex += body.first;
    triangle += body.second;
  }
  for (const auto& [a, b] : ignored_) scene.ignore_pair(a, b);
  return scene;
}

Scene SceneRecord::make_edited(std::span<const Vec3> positions) {
  SceneAccess parts;
  parts.bodies.reserve(bodies_.size());
  for (const BodyRecord& body : bodies_) {
    parts.bodies.push_back({.vertices = {body.first, body.second},
                            .motion = body.motion,
                            .groups = body.groups,
                            .meets = body.meets,
                            .removed = body.removed});
  }
  parts.ignored = std::move(ignored_);
  parts.positions.assign(positions.begin(), positions.end());
  parts.vertex_body = std::move(vertex_body_);
  parts.triangles = std::move(triangles_);
  return SceneAccess::make(std::move(parts));
}

}  // namespace graze::io
