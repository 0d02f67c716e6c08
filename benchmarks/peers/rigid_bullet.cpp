// Bullet's GImpact, its shape for moving meshes: a tree of quantized boxes, pairs of boxes first, then a float test
// of each pair of triangles, with contact points.
//
// btCollisionWorld::contactPairTest calls back for each contact point; the points of a triangle pair are
// consecutive and counted once. Bullet has no query that ends at the first hit: both queries are the same. Margins
// are zero. Cost: Bullet's.
#include <vector>

#include "benchmarks/peers/rigid_peer.hpp"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

namespace graze::peers {
namespace {

btTransform to_bullet(const Pose& pose) {
  const auto scalar = [](double x) { return static_cast<btScalar>(x); };
  const auto& r = pose.rotation;
  const btMatrix3x3 basis(scalar(r[0].x), scalar(r[0].y), scalar(r[0].z),  //
                          scalar(r[1].x), scalar(r[1].y), scalar(r[1].z),  //
                          scalar(r[2].x), scalar(r[2].y), scalar(r[2].z));
  return btTransform(basis,
                     btVector3(scalar(pose.translation.x), scalar(pose.translation.y), scalar(pose.translation.z)));
}

struct Collect final : btCollisionWorld::ContactResultCallback {
  std::vector<TrianglePair> pairs;

  btScalar addSingleResult(btManifoldPoint& /*point*/, const btCollisionObjectWrapper* /*a*/, int /*part_a*/,
                           int index_a, const btCollisionObjectWrapper* /*b*/, int /*part_b*/,
                           int index_b) override {
    const TrianglePair pair{static_cast<TriangleId>(index_a), static_cast<TriangleId>(index_b)};
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
    return 0;
  }
};

class Bullet final : public RigidPeer {
 public:
  // contactPairTest uses the table of closest points, which registerAlgorithm does not fill.
  Bullet() {
    dispatcher_.registerClosestPointsCreateFunc(GIMPACT_SHAPE_PROXYTYPE, GIMPACT_SHAPE_PROXYTYPE, &create_);
  }

  [[nodiscard]] std::string_view name() const override { return "bullet"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Bullet, btGImpactMeshShape in float, contactPairTest; no early end";
  }

  void prepare(std::span<const Vec3> positions, std::span<const Triangle> triangles) override {
    points_.clear();
    for (const Vec3& p : positions) {
      for (const double x : {p.x, p.y, p.z}) points_.push_back(static_cast<btScalar>(x));
    }
    ids_.clear();
    for (const Triangle& t : triangles) {
      for (const VertexId v : t) ids_.push_back(static_cast<int>(v));
    }
    btIndexedMesh mesh;
    mesh.m_numTriangles = static_cast<int>(triangles.size());
    mesh.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(ids_.data());
    mesh.m_triangleIndexStride = 3 * sizeof(int);
    mesh.m_numVertices = static_cast<int>(positions.size());
    mesh.m_vertexBase = reinterpret_cast<const unsigned char*>(points_.data());
    mesh.m_vertexStride = 3 * sizeof(btScalar);
    mesh_ = std::make_unique<btTriangleIndexVertexArray>();
    mesh_->addIndexedMesh(mesh, PHY_INTEGER);
    shape_ = std::make_unique<btGImpactMeshShape>(mesh_.get());
    shape_->setMargin(0);
    shape_->updateBound();
    a_.setCollisionShape(shape_.get());
    b_.setCollisionShape(shape_.get());
  }

  bool first_hit(const PosePair& poses) override { return triangle_pairs(poses) > 0; }

  std::size_t triangle_pairs(const PosePair& poses) override {
    a_.setWorldTransform(to_bullet(poses.a));
    b_.setWorldTransform(to_bullet(poses.b));
    found_.pairs.clear();
    world_.contactPairTest(&a_, &b_, found_);
    return found_.pairs.size();
  }

  [[nodiscard]] std::vector<TrianglePair> last_pairs() const override { return found_.pairs; }

  /// Nodes of the quantized tree, and the mesh that Bullet refers to.
  [[nodiscard]] std::uint64_t memory_bytes() const override {
    std::uint64_t nodes = 0;
    for (int i = 0; i < shape_->getMeshPartCount(); ++i) {
      nodes += static_cast<std::uint64_t>(shape_->getMeshPart(i)->getBoxSet()->getNodeCount());
    }
    return nodes * sizeof(BT_QUANTIZED_BVH_NODE) + points_.size() * sizeof(btScalar) + ids_.size() * sizeof(int);
  }

 private:
  btGImpactCollisionAlgorithm::CreateFunc create_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
  std::vector<btScalar> points_;
  std::vector<int> ids_;
  std::unique_ptr<btTriangleIndexVertexArray> mesh_;
  std::unique_ptr<btGImpactMeshShape> shape_;
  btCollisionObject a_;
  btCollisionObject b_;
  Collect found_;
};

}  // namespace

std::unique_ptr<RigidPeer> make_rigid_bullet() {
  return std::make_unique<Bullet>();
}

}  // namespace graze::peers
