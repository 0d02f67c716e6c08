// FCL's distance of two BVHModels of OBBRSS volumes in double precision, with closest points: its fastest mesh tree
// for distances. Its lower bounds are computed in floating point without error bounds. Compiled like rigid_fcl.cpp:
// with GRAZE_PEERS_NATIVE from its headers, for this machine.
#include <stdexcept>
#include <vector>

#include "benchmarks/peers/rigid_distance_peer.hpp"

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
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>
#include <fcl/narrowphase/distance_request.h>
#include <fcl/narrowphase/distance_result.h>
#undef extern
#else
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>
#endif

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

class Fcl final : public RigidDistancePeer {
 public:
  [[nodiscard]] std::string_view name() const override {
#ifdef GRAZE_PEERS_NATIVE
    return "fcl-native";
#else
    return "fcl";
#endif
  }
  void prepare(std::span<const Vec3> positions, std::span<const Triangle> triangles) override {
    std::vector<fcl::Vector3d> points;
    points.reserve(positions.size());
    for (const Vec3& p : positions) points.emplace_back(p.x, p.y, p.z);
    std::vector<fcl::Triangle> faces;
    faces.reserve(triangles.size());
    for (const Triangle& t : triangles) faces.emplace_back(t[0], t[1], t[2]);
    model_.beginModel(static_cast<int>(faces.size()), static_cast<int>(points.size()));
    model_.addSubModel(points, faces);
    if (model_.endModel() != fcl::BVH_OK) throw std::runtime_error("FCL does not build a model of this mesh");
  }
  double distance(const PosePair& poses, double relative) override {
    fcl::DistanceRequestd request;
    request.enable_nearest_points = true;
    request.rel_err = relative;
    fcl::DistanceResultd result;
#ifdef GRAZE_PEERS_NATIVE
    fcl::detail::MeshDistanceTraversalNodeOBBRSS<double> node;
    fcl::detail::initialize(node, model_, to_fcl(poses.a), model_, to_fcl(poses.b), request, result);
    fcl::detail::distance(&node);
#else
    fcl::distance(&model_, to_fcl(poses.a), &model_, to_fcl(poses.b), request, result);
#endif
    return result.min_distance;
  }

 private:
  Model model_;
};

}  // namespace

std::unique_ptr<RigidDistancePeer> make_rigid_distance_fcl() {
  return std::make_unique<Fcl>();
}

}  // namespace graze::peers
