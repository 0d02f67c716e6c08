// A cursor over the steps of a sequence whose triangles may change: the positions at both ends of a step, and the
// edit that turns the scene of the step before into the scene of this step.
//
// A step has one topology, that of the frame it ends with. A triangle with the same vertices in the same cyclic
// order is kept, at any place in the list. Of the others, a triangle at a place that both frames have is set to its
// new vertices; the rest is removed or added. Vertices are matched by id: new ones come at the end of the list, and
// a shorter list lacks the last. Scene ids are never reused, so frame ids and scene ids may differ; they have the
// same order, so answers only need renumbering. Cost: linear in the frame, plus sorting of the triangles that
// moved.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <graze/edit.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "frames/frames.hpp"

namespace graze::app {

/// The difference between two scenes, in scene ids.
struct SceneDifference {
  BodyId body = 0;                 ///< body of the new vertices
  std::vector<Vec3> new_vertices;  ///< their positions at the start of the step
  std::vector<std::pair<TriangleId, Triangle>> set;
  std::vector<TriangleId> removed;
  std::vector<Triangle> added;
  std::vector<VertexId> removed_vertices;

  [[nodiscard]] bool empty() const {
    return new_vertices.empty() && set.empty() && removed.empty() && added.empty() && removed_vertices.empty();
  }
  /// The number of triangles that the edit changes.
  [[nodiscard]] std::size_t triangle_count() const { return set.size() + removed.size() + added.size(); }
  void fill(SceneEdit& edit) const;
};

/// The scene ids of a frame's vertices and triangles, after edits.
struct SceneIds {
  std::vector<VertexId> vertices;     ///< scene id by frame id, ascending
  std::vector<TriangleId> triangles;  ///< scene id by place in the frame's list
  std::size_t vertex_count = 0;       ///< number of vertices of the scene, removed ones included
  std::size_t triangle_count = 0;

  [[nodiscard]] bool same_vertices() const { return vertices.size() == vertex_count; }
};

/// Ids of a scene that is built from one frame: scene ids are frame ids.
SceneIds fresh_ids(const FrameTopology& topology);

/// The edit that turns the scene of `from`, which has these ids, into the scene of `to`; `ids` become those of
/// `to`. The caller fills in the positions of the new vertices.
SceneDifference difference(const FrameTopology& from, const FrameTopology& to, SceneIds& ids);

class StepCursor {
 public:
  /// With keep_scene one scene is edited throughout; otherwise it is rebuilt once most of its ids are removed ones.
  explicit StepCursor(Frames& frames, bool keep_scene = false) : frames_(&frames), keep_scene_(keep_scene) {}

  /// How the scene of a step results from the scene of the step before: unchanged, edited or rebuilt.
  enum class Change { Same, Edited, New };
  /// Moves to a step and reads its two frames; only one if it follows the current step.
  Change go_to(std::size_t step);

  /// The edit of this step. Precondition: go_to() returned Edited.
  [[nodiscard]] const SceneDifference& edit() const { return edit_; }
  /// The scene of the step built from scratch, in the ids of its last frame.
  [[nodiscard]] Scene scene() const;
  [[nodiscard]] const FrameTopology& topology() const { return *topology_; }

  /// Positions at both ends, by ids of the last frame.
  [[nodiscard]] const std::vector<Vec3>& frame_t0() const { return start_ ? *start_ : t0_.positions; }
  [[nodiscard]] const std::vector<Vec3>& frame_t1() const { return t1_.positions; }
  /// Positions at both ends, by scene ids.
  [[nodiscard]] const std::vector<Vec3>& x_t0() const { return same_ids() ? frame_t0() : scene_t0_; }
  [[nodiscard]] const std::vector<Vec3>& x_t1() const { return same_ids() ? frame_t1() : scene_t1_; }

  /// Renumbers impacts from scene ids to ids of the last frame.
  [[nodiscard]] bool same_ids() const { return ids_.same_vertices(); }
  void to_frame_ids(std::vector<Impact>& impacts) const;
  /// Frame id by scene id; kNoVertex for removed vertices.
  [[nodiscard]] std::vector<VertexId> frame_ids() const;

 private:
  void place_start(std::size_t step);
  [[nodiscard]] std::vector<Vec3> spread(const std::vector<Vec3>& positions) const;

  Frames* frames_;
  bool keep_scene_;
  std::optional<std::size_t> loaded_;  ///< the frame that t1_ holds
  Frame t0_;
  Frame t1_;
  std::optional<std::vector<Vec3>> start_;  ///< positions of t0_ for the vertices of t1_, if their numbers differ
  std::shared_ptr<const FrameTopology> topology_;
  SceneIds ids_;
  SceneDifference edit_;
  std::vector<Vec3> scene_t0_;
  std::vector<Vec3> scene_t1_;
};

}  // namespace graze::app
