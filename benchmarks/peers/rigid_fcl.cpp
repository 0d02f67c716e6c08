// FCL's BVHModel of OBBRSS volumes in double precision, its fastest mesh tree for collisions.
//
// fcl::collide without contact points: the query ends at the first contact, or keeps all contacts, which are the
// triangle pairs. The triangle test is FCL's own, in floating point, in the local frame of the first object. Cost:
// FCL's.
//
// Debian's library is built for any machine. With GRAZE_PEERS_NATIVE the templates of FCL's headers are compiled
// here instead, for this machine: FCL declares them `extern template`, and `extern` is defined away after all other
// headers are included. Only a few plain functions then come from the library, and the traversal is called without
// the table of all pairs of shapes, which would compile everything.
#include <limits>
#include <stdexcept>
#include <vector>

#include "benchmarks/peers/rigid_peer.hpp"

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
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#undef extern
#else
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
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

class Fcl final : public RigidPeer {
 public:
#ifdef GRAZE_PEERS_NATIVE
  [[nodiscard]] std::string_view name() const override {
    return "fcl-native";
  }
  [[nodiscard]] std::string_view summary() const override {
    return "FCL, BVHModel<OBBRSS<double>>, its headers compiled for this machine";
  }
#else
  [[nodiscard]] std::string_view name() const override {
    return "fcl";
  }
  [[nodiscard]] std::string_view summary() const override {
    return "FCL, BVHModel<OBBRSS<double>>, the library as installed";
  }
#endif

  void prepare(std::span<const Vec3> positions, std::span<const Triangle> triangles) override {
    build(model_, positions, triangles);
    other_ = &model_;
  }
  void prepare_other(std::span<const Vec3> positions, std::span<const Triangle> triangles) override {
    build(second_, positions, triangles);
    other_ = &second_;
  }

  bool first_hit(const PosePair& poses) override {
    return collide(poses, 1) > 0;
  }
  std::size_t triangle_pairs(const PosePair& poses) override {
    return collide(poses, std::numeric_limits<std::size_t>::max());
  }

  [[nodiscard]] std::vector<TrianglePair> last_pairs() const override {
    std::vector<TrianglePair> pairs;
    pairs.reserve(result_.numContacts());
    for (std::size_t i = 0; i < result_.numContacts(); ++i) {
      const auto& contact = result_.getContact(i);
      pairs.push_back({static_cast<TriangleId>(contact.b1), static_cast<TriangleId>(contact.b2)});
    }
    return pairs;
  }

  /// Model::memUsage returns a status, so this sums nodes, the list of triangles in leaf order, and the mesh.
  [[nodiscard]] std::uint64_t memory_bytes() const override {
    const auto count = [](int n) { return static_cast<std::uint64_t>(n); };
    return sizeof(Model) + sizeof(fcl::BVNode<fcl::OBBRSS<double>>) * count(model_.getNumBVs()) +
           (sizeof(fcl::Triangle) + sizeof(unsigned)) * count(model_.num_tris) +
           sizeof(fcl::Vector3d) * count(model_.num_vertices);
  }

 private:
  static void build(Model& model, std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    std::vector<fcl::Vector3d> points;
    points.reserve(positions.size());
    for (const Vec3& p : positions) points.emplace_back(p.x, p.y, p.z);
    std::vector<fcl::Triangle> faces;
    faces.reserve(triangles.size());
    for (const Triangle& t : triangles) faces.emplace_back(t[0], t[1], t[2]);
    model.beginModel(static_cast<int>(faces.size()), static_cast<int>(points.size()));
    model.addSubModel(points, faces);
    if (model.endModel() != fcl::BVH_OK) throw std::runtime_error("FCL does not build a model of this mesh");
  }
  std::size_t collide(const PosePair& poses, std::size_t most) {
    fcl::CollisionRequestd request;
    request.num_max_contacts = most;
    request.enable_contact = false;
    result_.clear();
#ifdef GRAZE_PEERS_NATIVE
    fcl::detail::MeshCollisionTraversalNodeOBBRSS<double> node;
    fcl::detail::initialize(node, model_, to_fcl(poses.a), *other_, to_fcl(poses.b), request, result_);
    fcl::detail::collide(&node);
#else
    fcl::collide(&model_, to_fcl(poses.a), other_, to_fcl(poses.b), request, result_);
#endif
    return result_.numContacts();
  }

  Model model_;
  Model second_;
  Model* other_ = &model_;
  fcl::CollisionResultd result_;
};

}  // namespace

std::unique_ptr<RigidPeer> make_rigid_fcl() {
  return std::make_unique<Fcl>();
}

}  // namespace graze::peers
