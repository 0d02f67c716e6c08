// RigidWorld: the public face of a world. See graze/rigid_world.hpp; edits are in world_state.cpp, queries in
// pair_queries.cpp, proximity_queries.cpp and ray_queries.cpp.
#include <graze/rigid_world.hpp>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/hash.hpp"
#include "rigid/world/pair_queries.hpp"
#include "rigid/world/proximity_queries.hpp"
#include "rigid/world/ray_queries.hpp"
#include "rigid/world/world_state.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

struct RigidWorld::State {
  WorldState world;

  [[nodiscard]] const WorldSlot& slot(ObjectId id, std::string_view function) const {
    return world.objects()[world.objects().find(id, function)];
  }
  [[nodiscard]] PairScope scope(ObjectId id, std::string_view function) const {
    return {.slot = world.objects().find(id, function)};
  }
  [[nodiscard]] PairScope scope(const WorldProbe& probe) const {
    check_probe(world, probe);
    return {.probe = &probe};
  }
};

RigidWorld::RigidWorld() : state_(std::make_unique<State>()) {}
RigidWorld::~RigidWorld() = default;
RigidWorld::RigidWorld(RigidWorld&&) noexcept = default;
RigidWorld& RigidWorld::operator=(RigidWorld&&) noexcept = default;

ObjectId RigidWorld::add(const RigidObject& object, const Pose& pose, const WorldObjectOptions& options) {
  return state_->world.add(object, pose, options);
}
void RigidWorld::remove(ObjectId id) {
  state_->world.remove(id);
}
void RigidWorld::set_pose(ObjectId id, const Pose& pose) {
  state_->world.set_pose(id, pose);
}
void RigidWorld::move(ObjectId id, const Pose& pose) {
  state_->world.move(id, pose);
}
void RigidWorld::move(std::span<const ObjectId> ids, std::span<const Pose> poses) {
  state_->world.move(ids, poses);
}
void RigidWorld::set_motion(ObjectId id, graze::Motion motion) {
  state_->world.set_motion(id, motion);
}
void RigidWorld::set_groups(ObjectId id, std::uint32_t groups, std::uint32_t meets) {
  state_->world.set_groups(id, {groups, meets});
}
void RigidWorld::ignore_pair(ObjectId a, ObjectId b) {
  state_->world.ignore_pair(a, b);
}
void RigidWorld::allow_pair(ObjectId a, ObjectId b) {
  state_->world.allow_pair(a, b);
}

std::size_t RigidWorld::size() const {
  return state_->world.objects().size();
}
bool RigidWorld::has(ObjectId id) const {
  return state_->world.objects().has(id);
}
std::vector<ObjectId> RigidWorld::ids() const {
  const ObjectTable& objects = state_->world.objects();
  std::vector<ObjectId> all;
  all.reserve(objects.size());
  for (std::uint32_t slot = 0; slot < objects.slot_count(); ++slot) {
    if (objects.used(slot)) all.push_back(objects.id(slot));
  }
  return all;
}
RigidObject RigidWorld::object(ObjectId id) const {
  return *state_->slot(id, "object").object;
}
Pose RigidWorld::pose(ObjectId id) const {
  return state_->slot(id, "pose").pose;
}
graze::Motion RigidWorld::motion(ObjectId id) const {
  return state_->slot(id, "motion").motion;
}
std::uint32_t RigidWorld::groups(ObjectId id) const {
  return state_->slot(id, "groups").masks.groups;
}
std::uint32_t RigidWorld::meets(ObjectId id) const {
  return state_->slot(id, "meets").masks.meets;
}
bool RigidWorld::tests_pair(ObjectId a, ObjectId b) const {
  const ObjectTable& objects = state_->world.objects();
  const std::uint32_t slot_a = objects.find(a, "tests_pair");
  const std::uint32_t slot_b = objects.find(b, "tests_pair");
  return slot_a != slot_b && objects[slot_a].masks.meet(objects[slot_b].masks) && !objects.ignores(slot_a, slot_b);
}
std::vector<ObjectPair> RigidWorld::ignored_pairs() const {
  const ObjectTable& objects = state_->world.objects();
  std::vector<ObjectPair> pairs;
  pairs.reserve(objects.ignored().size());
  for (const std::uint64_t key : objects.ignored())
    pairs.push_back({objects.id(first_of(key)), objects.id(second_of(key))});
  return pairs;
}

WorldFirstHit RigidWorld::first_hit(const WorldOptions& options) const {
  return find_first_hit(state_->world, {}, options);
}
WorldFirstHit RigidWorld::first_hit(ObjectId id, const WorldOptions& options) const {
  return find_first_hit(state_->world, state_->scope(id, "first_hit"), options);
}
WorldFirstHit RigidWorld::first_hit(const WorldProbe& probe, const WorldOptions& options) const {
  return find_first_hit(state_->world, state_->scope(probe), options);
}
WorldHits RigidWorld::hits(const WorldOptions& options) const {
  return find_hits(state_->world, {}, options);
}
WorldHits RigidWorld::hits(ObjectId id, const WorldOptions& options) const {
  return find_hits(state_->world, state_->scope(id, "hits"), options);
}
WorldHits RigidWorld::hits(const WorldProbe& probe, const WorldOptions& options) const {
  return find_hits(state_->world, state_->scope(probe), options);
}
WorldHits RigidWorld::triangle_pairs(const WorldOptions& options) const {
  return find_triangle_pairs(state_->world, {}, options);
}
WorldHits RigidWorld::triangle_pairs(ObjectId id, const WorldOptions& options) const {
  return find_triangle_pairs(state_->world, state_->scope(id, "triangle_pairs"), options);
}
WorldHits RigidWorld::triangle_pairs(const WorldProbe& probe, const WorldOptions& options) const {
  return find_triangle_pairs(state_->world, state_->scope(probe), options);
}
WorldContacts RigidWorld::contacts(const WorldOptions& options) const {
  return find_contacts(state_->world, {}, options);
}
WorldContacts RigidWorld::contacts(ObjectId id, const WorldOptions& options) const {
  return find_contacts(state_->world, state_->scope(id, "contacts"), options);
}
WorldContacts RigidWorld::contacts(const WorldProbe& probe, const WorldOptions& options) const {
  return find_contacts(state_->world, state_->scope(probe), options);
}
WorldHits RigidWorld::within(double d, const WorldOptions& options) const {
  check_distance(d, "within");
  return find_within(state_->world, {}, d, options);
}
WorldHits RigidWorld::within(ObjectId id, double d, const WorldOptions& options) const {
  check_distance(d, "within");
  return find_within(state_->world, state_->scope(id, "within"), d, options);
}
WorldHits RigidWorld::within(const WorldProbe& probe, double d, const WorldOptions& options) const {
  check_distance(d, "within");
  return find_within(state_->world, state_->scope(probe), d, options);
}
WorldProximities RigidWorld::proximities(double d, const WorldOptions& options) const {
  check_distance(d, "proximities");
  return find_proximities(state_->world, {}, d, options);
}
WorldProximities RigidWorld::proximities(ObjectId id, double d, const WorldOptions& options) const {
  check_distance(d, "proximities");
  return find_proximities(state_->world, state_->scope(id, "proximities"), d, options);
}
WorldProximities RigidWorld::proximities(const WorldProbe& probe, double d, const WorldOptions& options) const {
  check_distance(d, "proximities");
  return find_proximities(state_->world, state_->scope(probe), d, options);
}
ObjectPairs RigidWorld::box_pairs(const WorldOptions& options) const {
  return find_box_pairs(state_->world, {}, options);
}

RayFirstHit RigidWorld::ray_first_hit(const Ray& ray, const WorldOptions& options) const {
  const RayLine line = line_of(ray, "ray_first_hit");
  return find_first_ray_hits(state_->world, std::span(&line, 1), options).front();
}
std::vector<RayFirstHit> RigidWorld::ray_first_hits(std::span<const Ray> rays, const WorldOptions& options) const {
  std::vector<RayLine> lines;
  lines.reserve(rays.size());
  for (const Ray& ray : rays) {
    try {
      lines.push_back(line_of(ray, "ray_first_hits"));
    } catch (const InputError&) {  // again, with its number
      line_of(ray, fmt::format("ray_first_hits: ray {}", lines.size()));
    }
  }
  return find_first_ray_hits(state_->world, lines, options);
}
RayHits RigidWorld::ray_hits(const Ray& ray, const WorldOptions& options) const {
  return find_ray_hits(state_->world, line_of(ray, "ray_hits"), options);
}
RayFirstHit RigidWorld::segment_first_hit(const Segment& segment, const WorldOptions& options) const {
  const RayLine line = line_of(segment, "segment_first_hit");
  return find_first_ray_hits(state_->world, std::span(&line, 1), options).front();
}
RayHits RigidWorld::segment_hits(const Segment& segment, const WorldOptions& options) const {
  return find_ray_hits(state_->world, line_of(segment, "segment_hits"), options);
}

std::uint64_t RigidWorld::memory_bytes() const {
  return state_->world.memory_bytes();
}
std::string RigidWorld::validate() const {
  return state_->world.validate();
}

std::uint64_t WorldHits::hash() const {
  Hash64 hash;
  for (const WorldHit& hit : hits) {
    hash.add(hit.a.slot, hit.a.generation);
    hash.add(hit.b.slot, hit.b.generation);
    hash.add(hit.pair.a, hit.pair.b);
  }
  return hash.value();
}

}  // namespace graze
