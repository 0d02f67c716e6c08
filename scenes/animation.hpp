// An animation: vertices that move, one position array a frame, and triangles, which stay unless something breaks.
// What every scene maker returns.
//
// Makers are pure functions of their arguments and give the same doubles on every platform: they use only + - * /,
// sqrt and floor, which IEEE 754 rounds in one way, and the numbers of scenes/random.hpp. Cost: linear in
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

/// The vertices and triangles of one body: [first, last) of the animation's arrays.
struct BodyRange {
  std::size_t first_vertex = 0;
  std::size_t last_vertex = 0;
  std::size_t first_triangle = 0;
  std::size_t last_triangle = 0;
  Motion motion = Motion::Deforming;
};

/// What changes at a frame where something breaks. A step has one topology, that at its end: the step from `frame`
/// to the next is the first with these triangles, and begins with each new vertex where its parent is.
struct TopologyChange {
  std::size_t frame = 0;
  std::vector<VertexId> parents;    ///< of the new vertices, whose ids follow the old ones
  std::vector<Triangle> triangles;  ///< all of them; as many as before, in the same order, other ids
};

/// A mesh that moves. Triangles name vertices of the whole animation; each frame has a position for every vertex
/// that is there. Triangles and bodies are those of the first frame; what is new later is of the last body.
struct Animation {
  std::string name;
  std::vector<Triangle> triangles;
  std::vector<std::vector<Vec3>> frames;
  std::vector<BodyRange> bodies;
  std::vector<TopologyChange> changes = {};  ///< by ascending frame, one a frame at most

  /// Of the first frame.
  [[nodiscard]] std::size_t vertex_count() const { return frames.empty() ? 0 : frames.front().size(); }
};

/// The scene of an animation, body by body, with the triangles of a frame and its positions there.
Scene make_scene(const Animation& animation, std::size_t frame = 0);

/// Positions at the start of the step from a frame to the next, for all vertices that the step has.
std::vector<Vec3> start_of_step(const Animation& animation, std::size_t frame);

/// Appends a body's triangles (ids of its own) to an animation that has no frames yet; says where the body is.
/// Frames are then filled by the maker, vertices of the bodies one after the other.
BodyRange append_body(Animation& animation, std::size_t vertex_count, std::span<const Triangle> triangles,
                      Motion motion);

}  // namespace graze::scenes
