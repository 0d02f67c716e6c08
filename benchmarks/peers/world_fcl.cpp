// FCL's DynamicAABBTreeCollisionManager with a BVHModel of OBBRSS volumes a mesh, which instances share. A pair of
// objects is asked for its first contact alone. The library as installed, in double precision.
#include <algorithm>
#include <stdexcept>

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>

#include "benchmarks/peers/world_peer.hpp"

namespace graze::peers {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

fcl::Transform3d to_fcl(const Pose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const Vec3& row = pose.rotation[static_cast<std::size_t>(i)];
    transform.linear()(i, 0) = row.x;
    transform.linear()(i, 1) = row.y;
    transform.linear()(i, 2) = row.z;
  }
  transform.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
  return transform;
}

std::shared_ptr<Model> make_model(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  std::vector<fcl::Vector3d> points;
  points.reserve(positions.size());
  for (const Vec3& p : positions) points.emplace_back(p.x, p.y, p.z);
  std::vector<fcl::Triangle> faces;
  faces.reserve(triangles.size());
  for (const Triangle& t : triangles) faces.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(faces.size()), static_cast<int>(points.size()));
  model->addSubModel(points, faces);
  if (model->endModel() != fcl::BVH_OK) throw std::runtime_error("FCL does not build a model of this mesh");
  return model;
}

struct Found {
  WorldPeer::Pairs pairs;
  bool first = false;
};

std::uint32_t number_of(const fcl::CollisionObjectd* object) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
}

/// Returns true to end the query.
bool test_pair(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
  auto& found = *static_cast<Found*>(data);
  fcl::CollisionRequestd request;
  request.num_max_contacts = 1;
  request.enable_contact = false;
  fcl::CollisionResultd result;
  if (fcl::collide(a, b, request, result) == 0) return false;
  const std::uint32_t one = number_of(a);
  const std::uint32_t other = number_of(b);
  found.pairs.push_back({std::min(one, other), std::max(one, other)});
  return found.first;
}

class FclWorld final : public WorldPeer {
 public:
  [[nodiscard]] std::string_view name() const override { return "fcl"; }

  void add(std::span<const Vec3> positions, std::span<const Triangle> triangles,
           std::span<const Pose> poses) override {
    const std::shared_ptr<Model> model = make_model(positions, triangles);
    for (const Pose& pose : poses) {
      auto object = std::make_unique<fcl::CollisionObjectd>(model, to_fcl(pose));
      object->computeAABB();
      object->setUserData(reinterpret_cast<void*>(static_cast<std::uintptr_t>(objects_.size())));
      objects_.push_back(std::move(object));
    }
  }
  void set_probe(std::span<const Vec3> positions, std::span<const Triangle> triangles) override {
    probe_ = std::make_unique<fcl::CollisionObjectd>(make_model(positions, triangles));
    probe_->setUserData(reinterpret_cast<void*>(std::uintptr_t{0xffffffffU}));
  }
  void build() override {
    std::vector<fcl::CollisionObjectd*> all;
    all.reserve(objects_.size());
    for (const auto& object : objects_) all.push_back(object.get());
    manager_.registerObjects(all);
    manager_.setup();
  }
  void move(std::span<const Pose> poses) override {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      objects_[i]->setTransform(to_fcl(poses[i]));
      objects_[i]->computeAABB();
    }
    manager_.update();
  }
  Pairs all_hits() override {
    Found found;
    manager_.collide(&found, test_pair);
    return std::move(found.pairs);
  }
  std::vector<std::uint32_t> hits_of(const Pose& pose, bool first) override {
    probe_->setTransform(to_fcl(pose));
    probe_->computeAABB();
    Found found;
    found.first = first;
    manager_.collide(probe_.get(), &found, test_pair);
    std::vector<std::uint32_t> objects;
    objects.reserve(found.pairs.size());
    for (const auto& pair : found.pairs) objects.push_back(pair[0]);
    return objects;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::unique_ptr<fcl::CollisionObjectd> probe_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<WorldPeer> make_world_fcl() {
  return std::make_unique<FclWorld>();
}

}  // namespace graze::peers
