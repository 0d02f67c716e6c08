// Goes along the steps of a sequence whose triangles may change: gives each step's ends, and the edit that makes
// the scene of a step from that of the step before.
//
// A step has one topology, that of the frame it ends with. Triangles are matched by what they are: one with the
// same vertices in the same cyclic order stays, wherever it stands in the list; what is left over at the same place
// becomes the new triangle there; the rest is removed and added. Vertices are matched by id; new ones come at the
// end of the list, and of fewer the last are gone. Scene ids are never given twice, so after vertices went and came
// a frame's ids are not the scene's; they are in the same order, so answers need only be renumbered.
// Cost: linear in the frame, and sorting what stands elsewhere.
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

/// What makes one scene of another, in scene ids.
struct SceneDifference {
  BodyId body = 0;                 ///< of the new vertices
  std::vector<Vec3> new_vertices;  ///< where they start
  std::vector<std::pair<TriangleId, Triangle>> set;
  std::vector<TriangleId> removed;
  std::vector<Triangle> added;
  std::vector<VertexId> removed_vertices;

  [[nodiscard]] bool empty() const {
    return new_vertices.empty() && set.empty() && removed.empty() && added.empty() && removed_vertices.empty();
  }
  /// Triangles that the edit changes.
  [[nodiscard]] std::size_t triangle_count() const { return set.size() + removed.size() + added.size(); }
  void fill(SceneEdit& edit) const;
};

/// Where the ids of a frame are in a scene that has been edited.
struct SceneIds {
  std::vector<VertexId> vertices;     ///< scene id by frame id, ascending
  std::vector<TriangleId> triangles;  ///< scene id by place
  std::size_t vertex_count = 0;       ///< of the scene, with what was removed
  std::size_t triangle_count = 0;

  [[nodiscard]] bool same_vertices() const { return vertices.size() == vertex_count; }
};

/// The ids of a scene made of one frame alone.
SceneIds fresh_ids(const FrameTopology& topology);

/// What makes the scene of `to` of one that is the scene of `from` with these ids, which become those of `to`.
/// Where new vertices start is left to the caller.
SceneDifference difference(const FrameTopology& from, const FrameTopology& to, SceneIds& ids);

class FrameWalk {
 public:
  /// With keep_scene one scene is edited throughout; else it is made anew once most of it are ids that are gone.
  explicit FrameWalk(Frames& frames, bool keep_scene = false) : frames_(&frames), keep_scene_(keep_scene) {}

  /// How the scene of the step comes from that of the step gone to before.
  enum class Change { Same, Edited, New };
  /// Reads the ends of a step: one frame, if it follows the step gone to before.
  Change go_to(std::size_t step);

  /// After Edited.
  [[nodiscard]] const SceneDifference& edit() const { return edit_; }
  /// The scene of the step on its own, in the ids of its last frame.
  [[nodiscard]] Scene scene() const;
  [[nodiscard]] const FrameTopology& topology() const { return *topology_; }

  /// Both ends by the ids of the last frame.
  [[nodiscard]] const std::vector<Vec3>& frame_t0() const { return start_ ? *start_ : t0_.positions; }
  [[nodiscard]] const std::vector<Vec3>& frame_t1() const { return t1_.positions; }
  /// Both ends by the ids of the scene.
  [[nodiscard]] const std::vector<Vec3>& x_t0() const { return same_ids() ? frame_t0() : scene_t0_; }
  [[nodiscard]] const std::vector<Vec3>& x_t1() const { return same_ids() ? frame_t1() : scene_t1_; }

  /// From ids of the scene to those of the last frame.
  [[nodiscard]] bool same_ids() const { return ids_.same_vertices(); }
  void to_frame_ids(std::vector<Impact>& impacts) const;
  /// Frame ids by scene id; what is gone has kNoVertex.
  [[nodiscard]] std::vector<VertexId> frame_ids() const;

 private:
  void place_start(std::size_t step);
  [[nodiscard]] std::vector<Vec3> spread(const std::vector<Vec3>& positions) const;

  Frames* frames_;
  bool keep_scene_;
  std::optional<std::size_t> loaded_;  ///< the frame that t1_ holds
  Frame t0_;
  Frame t1_;
  std::optional<std::vector<Vec3>> start_;  ///< t0_ with the vertices of t1_, where they differ
  std::shared_ptr<const FrameTopology> topology_;
  SceneIds ids_;
  SceneDifference edit_;
  std::vector<Vec3> scene_t0_;
  std::vector<Vec3> scene_t1_;
};

}  // namespace graze::app
