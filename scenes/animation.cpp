// Conversion of animations to scenes, and the ranges of the bodies of an animation (scenes/animation.hpp). Cost:
// linear in vertices and triangles.
#include "scenes/animation.hpp"

namespace graze::scenes {

Scene make_scene(const Animation& animation, std::size_t frame) {
  Scene scene;
  const std::span<const Vec3> positions = animation.frames.at(frame);
  std::span<const Triangle> triangles = animation.triangles;
  for (const TopologyChange& change : animation.changes) {
    if (change.frame < frame) triangles = change.triangles;
  }
  std::vector<Triangle> own;
  for (std::size_t b = 0; b < animation.bodies.size(); ++b) {
    BodyRange body = animation.bodies[b];
    // New vertices belong to the last body.
    if (b + 1 == animation.bodies.size()) body.last_vertex = positions.size();
    const auto offset = static_cast<VertexId>(body.first_vertex);
    own.clear();
    for (std::size_t i = body.first_triangle; i < body.last_triangle; ++i) {
      const Triangle& triangle = triangles[i];
      own.push_back({triangle[0] - offset, triangle[1] - offset, triangle[2] - offset});
    }
    scene.add_body({.positions = positions.subspan(body.first_vertex, body.last_vertex - body.first_vertex),
                    .triangles = own,
                    .motion = body.motion});
  }
  return scene;
}

std::vector<Vec3> start_of_step(const Animation& animation, std::size_t frame) {
  std::vector<Vec3> start = animation.frames.at(frame);
  for (const TopologyChange& change : animation.changes) {
    if (change.frame != frame) continue;
    for (const VertexId parent : change.parents) {
      const Vec3 at = start[parent];
      start.push_back(at);
    }
  }
  return start;
}

BodyRange append_body(Animation& animation, std::size_t vertex_count, std::span<const Triangle> triangles,
                      Motion motion) {
  BodyRange body;
  body.first_vertex = animation.bodies.empty() ? 0 : animation.bodies.back().last_vertex;
  body.last_vertex = body.first_vertex + vertex_count;
  body.first_triangle = animation.triangles.size();
  body.last_triangle = body.first_triangle + triangles.size();
  body.motion = motion;
  const auto offset = static_cast<VertexId>(body.first_vertex);
  for (const Triangle& triangle : triangles) {
    animation.triangles.push_back({triangle[0] + offset, triangle[1] + offset, triangle[2] + offset});
  }
  animation.bodies.push_back(body);
  return body;
}

}  // namespace graze::scenes
