// RigidObject: checks and copies a mesh and builds its hierarchy; names of trees, splits and overlap tests. See
// graze/rigid.hpp.
#include "rigid/object.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "core/enum_names.hpp"
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

constexpr std::array kTrees{Named{RigidTree::Boxtree, "boxtree"}, Named{RigidTree::Aabb, "aabb"},
                            Named{RigidTree::Obb, "obb"},         Named{RigidTree::Kdop18, "kdop18"},
                            Named{RigidTree::Kdop26, "kdop26"},   Named{RigidTree::Sphere, "sphere"}};
constexpr std::array kSplits{Named{BoxtreeSplit::Free, "free"}, Named{BoxtreeSplit::Volume, "volume"},
                             Named{BoxtreeSplit::Longest, "longest"},
                             Named{BoxtreeSplit::VolumeSampled, "volume-sampled"}};
constexpr std::array kOverlaps{Named{BoxOverlap::Sat, "sat"}, Named{BoxOverlap::SatLite, "sat-lite"},
                               Named{BoxOverlap::Axis, "axis"}, Named{research::kLookup, "lut"}};

}  // namespace

std::string_view name_of(RigidTree value) {
  return name_in(kTrees, "kind of tree", value);
}
template <>
RigidTree from_name<RigidTree>(std::string_view name) {
  return value_named(kTrees, "kind of tree", name);
}
template <>
std::span<const RigidTree> all_values<RigidTree>() {
  static constexpr auto kAll = values_of(kTrees);
  return kAll;
}
std::string_view name_of(BoxtreeSplit value) {
  return name_in(kSplits, "boxtree split", value);
}
template <>
BoxtreeSplit from_name<BoxtreeSplit>(std::string_view name) {
  return value_named(kSplits, "boxtree split", name);
}
template <>
std::span<const BoxtreeSplit> all_values<BoxtreeSplit>() {
  static constexpr auto kAll = values_of(kSplits);
  return kAll;
}
std::string_view name_of(BoxOverlap value) {
  return name_in(kOverlaps, "overlap test", value);
}
template <>
BoxOverlap from_name<BoxOverlap>(std::string_view name) {
  return value_named(kOverlaps, "overlap test", name);
}
template <>
std::span<const BoxOverlap> all_values<BoxOverlap>() {
  static constexpr auto kAll = values_of(kOverlaps);
  return kAll;
}

RigidObject::RigidObject(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                         const RigidObjectOptions& options) {
  validate_body({}, {.positions = positions, .triangles = triangles});
  auto state = std::make_shared<ObjectState>();
  state->positions.assign(positions.begin(), positions.end());
  state->triangles.assign(triangles.begin(), triangles.end());
  if (positions.size() > triangles.size()) weld(state->positions, state->triangles);
  state->kind = options.tree;
  state->max_coordinate = rigid::max_coordinate_of(state->positions, state->triangles);
  with_threads(options.threads, [&] {
    if (options.tree == RigidTree::Boxtree) {
      state->boxtree = rigid::build_boxtree(state->positions, state->triangles, options.split);
      state->groups = rigid::build_group_tree(state->boxtree, state->positions, state->triangles);
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
    memory.group_bytes = state_->groups.bytes();
    memory.depth = state_->boxtree.depth;
  } else {
    memory.nodes = state_->volumes->node_count();
    memory.bytes_per_node = state_->volumes->bytes_per_node();
    memory.tree_bytes = memory.nodes * memory.bytes_per_node;
    memory.depth = state_->volumes->depth();
  }
  memory.mesh_bytes = state_->positions.capacity() * sizeof(Vec3) + state_->triangles.capacity() * sizeof(Triangle);
  memory.distance_bytes = state_->distance_data.bytes();
  return memory;
}

std::string RigidObject::validate() const {
  return state_->kind == RigidTree::Boxtree
             ? rigid::validate_boxtree(state_->boxtree, state_->positions, state_->triangles)
             : state_->volumes->validate(state_->positions, state_->triangles);
}

}  // namespace graze
