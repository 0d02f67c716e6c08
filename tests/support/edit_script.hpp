// Edits as data: a script of operations that can be performed on any scene, printed, and shrunk.
//
// Operations name ids, so that a script is meaningful without the random numbers that made it; an operation that no
// longer fits the scene is refused and changes nothing. A failing script can therefore be shrunk: omit a part and
// check whether it still fails. Cost of a replay: that of the operations.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <graze/edit.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::testing {

enum class OpKind : std::uint8_t {
  AddVertex,
  RemoveVertex,
  AddTriangle,
  SetTriangle,
  RemoveTriangle,
  SplitVertex,
  TearEdge,
  SplitEdge,
  AddBody,
  RemoveBody,
  SplitGroups,
  SplitPieces,
};
inline constexpr std::size_t kOpKinds = 12;

/// One call of a member of SceneEdit.
struct EditOp {
  OpKind kind = OpKind::AddVertex;
  std::vector<std::uint32_t> ids = {};  ///< the ids in the call, in its order
  Vec3 position = {};
  std::vector<std::vector<TriangleId>> groups = {};  ///< for SplitGroups
  // For AddBody:
  std::vector<Vec3> points = {};
  std::vector<Triangle> triangles = {};
  Motion motion = Motion::Deforming;
  std::uint32_t body_groups = 1;
  std::uint32_t meets = 0xffffffffU;
};

/// The operations of one edit. `round` is kept when earlier edits are omitted, because positions depend on it.
struct EditRound {
  std::uint32_t round = 0;
  std::vector<EditOp> ops = {};
};
using EditScript = std::vector<EditRound>;

/// Whether the edit accepted the operation; a refusal must not change the edit's counts, else this throws
/// logic_error.
bool perform(SceneEdit& edit, const EditOp& op);

/// The call as one line of C++.
std::string to_string(const EditOp& op);
std::string to_string(const EditScript& script);

/// A script that still fails, as small as `attempts` replays allow.
EditScript shrink(EditScript script, const std::function<bool(const EditScript&)>& fails, int attempts);

}  // namespace graze::testing
