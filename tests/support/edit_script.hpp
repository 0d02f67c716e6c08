// Edits as data: a script of operations that can be made on any scene, printed, and cut down.
//
// Operations name ids, so a script means something without the random numbers that made it; one that no longer fits
// what is there is refused and changes nothing. That is what lets a failing script be shrunk: leave something out
// and look whether it still fails. Cost of a replay: that of the operations.
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
  std::vector<std::uint32_t> ids = {};  ///< the ids that the call names, in its order
  Vec3 position = {};
  std::vector<std::vector<TriangleId>> groups = {};  ///< of SplitGroups
  // Of AddBody:
  std::vector<Vec3> points = {};
  std::vector<Triangle> triangles = {};
  Motion motion = Motion::Deforming;
  std::uint32_t body_groups = 1;
  std::uint32_t meets = 0xffffffffU;
};

/// The operations of one edit. `round` stays with it when edits before it are left out: positions depend on it.
struct EditRound {
  std::uint32_t round = 0;
  std::vector<EditOp> ops = {};
};
using EditScript = std::vector<EditRound>;

/// Whether the edit took it; a refusal must leave the edit's counts as they were, else this throws logic_error.
bool perform(SceneEdit& edit, const EditOp& op);

/// The call, one line of C++.
std::string to_string(const EditOp& op);
std::string to_string(const EditScript& script);

/// A script that still fails, with as little as `attempts` replays allow.
EditScript shrink(EditScript script, const std::function<bool(const EditScript&)>& fails, int attempts);

}  // namespace graze::testing
