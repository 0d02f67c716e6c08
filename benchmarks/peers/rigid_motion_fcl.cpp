// FCL's conservative advancement of two meshes (BVHModel of OBBRSS volumes, double precision) on interpolated
// motions.
//
// The loop is that of FCL's own continuous collision for oriented volumes: a collision query at the start; then the
// traversal computes the smallest step over all node pairs, from their distance and FCL's motion bound, until the
// step is below 1e-4 of the motion (FCL's default) or the end is reached. It is written out here so that FCL's
// templates can be compiled for this machine (see rigid_fcl.cpp), and so that a query that does not converge ends.
// Cost: FCL's.
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "benchmarks/peers/rigid_motion_peer.hpp"

#ifdef GRAZE_PEERS_NATIVE
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <ccd/vec3.h>
#include <Eigen/Dense>
#include <Eigen/StdVector>
#define extern
#endif
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_conservative_advancement_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/traversal_recurse.h>
#ifdef GRAZE_PEERS_NATIVE
#undef extern
#endif

namespace graze::peers {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
constexpr int kMostSteps = 10'000;

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

void build(Model& model, const scenes::Shape& shape) {
  std::vector<fcl::Vector3d> points;
  points.reserve(shape.positions.size());
  for (const Vec3& p : shape.positions) points.emplace_back(p.x, p.y, p.z);
  std::vector<fcl::Triangle> faces;
  faces.reserve(shape.triangles.size());
  for (const Triangle& t : shape.triangles) faces.emplace_back(t[0], t[1], t[2]);
  model.beginModel(static_cast<int>(faces.size()), static_cast<int>(points.size()));
  model.addSubModel(points, faces);
  if (model.endModel() != fcl::BVH_OK) throw std::runtime_error("FCL does not build a model of this mesh");
}

class FclMotion final : public RigidMotionPeer {
 public:
  [[nodiscard]] std::string_view name() const override {
#ifdef GRAZE_PEERS_NATIVE
    return "fcl-native";
#else
    return "fcl";
#endif
  }

  void prepare(const scenes::Shape& a, const scenes::Shape& b) override {
    a_ = std::make_unique<Model>();
    b_ = std::make_unique<Model>();
    build(*a_, a);
    build(*b_, b);
  }

  double first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b) override {
    const fcl::InterpMotion<double> moving_a(to_fcl(motion_a.start), to_fcl(motion_a.end));
    const fcl::InterpMotion<double> moving_b(to_fcl(motion_b.start), to_fcl(motion_b.end));
    fcl::Transform3d at_a;
    fcl::Transform3d at_b;
    moving_a.getCurrentTransform(at_a);
    moving_b.getCurrentTransform(at_b);
    if (collide(at_a, at_b)) return 0.0;

    fcl::detail::MeshConservativeAdvancementTraversalNodeOBBRSS<double> node;
    fcl::detail::initialize(node, std::as_const(*a_), at_a, std::as_const(*b_), at_b);
    node.motion1 = &moving_a;
    node.motion2 = &moving_b;
    for (int step = 0; step < kMostSteps; ++step) {
      node.motion1->getCurrentTransform(at_a);
      node.motion2->getCurrentTransform(at_b);
      const fcl::Transform3d between = at_a.inverse(Eigen::Isometry) * at_b;
      node.R = between.linear();
      node.T = between.translation();
      node.delta_t = 1;
      node.min_distance = std::numeric_limits<double>::max();
      fcl::detail::distanceRecurse<double>(&node, 0, 0, nullptr);
      if (node.delta_t <= node.t_err) break;
      node.toc += node.delta_t;
      if (node.toc > 1) return 1.0;
      node.motion1->integrate(node.toc);
      node.motion2->integrate(node.toc);
    }
    return node.toc;
  }

 private:
  bool collide(const fcl::Transform3d& at_a, const fcl::Transform3d& at_b) {
    fcl::CollisionRequestd request;
    request.num_max_contacts = 1;
    request.enable_contact = false;
    fcl::CollisionResultd result;
    fcl::detail::MeshCollisionTraversalNodeOBBRSS<double> node;
    fcl::detail::initialize(node, *a_, at_a, *b_, at_b, request, result);
    fcl::detail::collide(&node);
    return result.isCollision();
  }

  std::unique_ptr<Model> a_;
  std::unique_ptr<Model> b_;
};

}  // namespace

std::unique_ptr<RigidMotionPeer> make_rigid_motion_peer() {
  return std::make_unique<FclMotion>();
}

}  // namespace graze::peers
