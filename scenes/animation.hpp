// Animation: one array of vertex positions per frame, and triangles that change only where something breaks. Every
// scene generator returns an Animation.
//
// Scene generators are pure functions of their arguments and give the same doubles on every platform: they use only
// + - * /, sqrt and floor, which IEEE 754 rounds in one way, and the numbers of scenes/random.hpp. Cost: linear in
// vertices times frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::scenes {

/// Vertex and triangle ranges of one body: [first, last) of the animation's arrays.
struct BodyRange {
  std::size_t first_vertex = 0;
  std::size_t last_vertex = 0;
  std::size_t first_triangle = 0;
  std::size_t last_triangle = 0;
  Motion motion = Motion::Deforming;
};

/// Change of topology at a frame where something breaks. A step has one topology, that of its end: the step from
/// `frame` to the next is the first with these triangles, and each new vertex starts it at the position of its
/// parent.
struct TopologyChange {
  std::size_t frame = 0;
  std::vector<VertexId> parents;    ///< parents of the new vertices, whose ids follow the old ones
  std::vector<Triangle> triangles;  ///< all triangles; as many as before, in the same order, with new ids
};

/// A moving mesh. Triangles refer to vertices of the whole animation; each frame has a position for every vertex
/// that exists then. `triangles` and `bodies` describe the first frame; vertices added later belong to the last
/// body.
struct Animation {
  std::string name;
  std::vector<Triangle> triangles;
  std::vector<std::vector<Vec3>> frames;
  std::vector<BodyRange> bodies;
  std::vector<TopologyChange> changes = {};  ///< by ascending frame, at most one per frame

  /// Number of vertices in the first frame.
  [[nodiscard]] std::size_t vertex_count() const { return frames.empty() ? 0 : frames.front().size(); }
};

/// Builds the scene of an animation, body by body, with the triangles and positions of a frame.
Scene make_scene(const Animation& animation, std::size_t frame = 0);

/// Positions at the start of the step from `frame` to the next, for all vertices of that step.
std::vector<Vec3> start_of_step(const Animation& animation, std::size_t frame);

/// Appends a body's triangles (with ids local to the body) to an animation that has no frames yet; returns the
/// body's ranges. The caller then fills the frames, with the vertices of the bodies in order.
BodyRange append_body(Animation& animation, std::size_t vertex_count, std::span<const Triangle> triangles,
                      Motion motion);

}  // namespace graze::scenes
