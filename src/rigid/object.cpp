// RigidObject: checks and copies a mesh and builds its hierarchy; names of trees, splits and overlap tests. See
// graze/rigid.hpp.
#include "rigid/object.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <graze/error.hpp>

#include "core/tasks.hpp"
#include "mesh/weld.hpp"
#include "rigid/boxtree/build_boxtree.hpp"
#include "scene/input_checks.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

constexpr std::array kTrees{RigidTree::Boxtree,   RigidTree::AabbTree,  RigidTree::ObbTree,
                            RigidTree::Dop18Tree, RigidTree::Dop26Tree, RigidTree::SphereTree};
constexpr std::array kSplits{BoxtreeSplit::Free, BoxtreeSplit::Volume, BoxtreeSplit::Longest};
constexpr std::array kOverlaps{BoxOverlap::Sat, BoxOverlap::SatLite, BoxOverlap::Axis, BoxOverlap::Lookup};

}  // namespace

std::string_view name_of(RigidTree tree) {
  constexpr std::array<std::string_view, 6> kNames{"boxtree", "aabb", "obb", "kdop18", "kdop26", "sphere"};
  return kNames.at(static_cast<std::size_t>(tree));
}
std::string_view name_of(BoxtreeSplit split) {
  constexpr std::array<std::string_view, 3> kNames{"free", "volume", "longest"};
  return kNames.at(static_cast<std::size_t>(split));
}
std::string_view name_of(BoxOverlap overlap) {
  constexpr std::array<std::string_view, 4> kNames{"sat", "sat-lite", "axis", "lut"};
  return kNames.at(static_cast<std::size_t>(overlap));
}
std::span<const RigidTree> all_rigid_trees() {
  return kTrees;
}
std::span<const BoxtreeSplit> all_boxtree_splits() {
  return kSplits;
}
std::span<const BoxOverlap> all_box_overlaps() {
  return kOverlaps;
}

RigidObject::RigidObject(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                         const RigidObjectOptions& options) {
  validate_body({}, {.positions = positions, .triangles = triangles});
  auto state = std::make_shared<ObjectState>();
  state->positions.assign(positions.begin(), positions.end());
  state->triangles.assign(triangles.begin(), triangles.end());
  if (positions.size() > triangles.size()) weld(state->positions, state->triangles);
  state->kind = options.tree;
  state->reach = rigid::reach_of(state->positions, state->triangles);
  with_threads(options.threads, [&] {
    if (options.tree == RigidTree::Boxtree) {
      state->boxtree = rigid::build_boxtree(state->positions, state->triangles, options.split);
    } else {
      state->volumes = rigid::build_volume_tree(state->positions, state->triangles, options.tree);
    }
  });
  state_ = std::move(state);
}

RigidObject::RigidObject(std::shared_ptr<const ObjectState> state) : state_(std::move(state)) {}
RigidObject::~RigidObject() = default;
RigidObject::RigidObject(const RigidObject&) = default;
RigidObject::RigidObject(RigidObject&&) noexcept = default;
RigidObject& RigidObject::operator=(const RigidObject&) = default;
RigidObject& RigidObject::operator=(RigidObject&&) noexcept = default;

std::span<const Vec3> RigidObject::positions() const {
  return state_->positions;
}
std::span<const Triangle> RigidObject::triangles() const {
  return state_->triangles;
}
RigidTree RigidObject::tree() const {
  return state_->kind;
}

RigidMemory RigidObject::memory() const {
  RigidMemory memory;
  if (state_->kind == RigidTree::Boxtree) {
    memory.nodes = state_->boxtree.nodes.size();
    memory.bytes_per_node = sizeof(rigid::BoxNode);
    memory.tree_bytes = state_->boxtree.nodes.capacity() * sizeof(rigid::BoxNode) + sizeof(rigid::Boxtree);
    memory.depth = state_->boxtree.depth;
  } else {
    memory.nodes = state_->volumes->node_count();
    memory.bytes_per_node = state_->volumes->bytes_per_node();
    memory.tree_bytes = memory.nodes * memory.bytes_per_node;
    memory.depth = state_->volumes->depth();
  }
  memory.mesh_bytes = state_->positions.capacity() * sizeof(Vec3) + state_->triangles.capacity() * sizeof(Triangle);
  return memory;
}

std::string RigidObject::validate() const {
  return state_->kind == RigidTree::Boxtree
             ? rigid::validate_boxtree(state_->boxtree, state_->positions, state_->triangles)
             : state_->volumes->validate(state_->positions, state_->triangles);
}

}  // namespace graze
