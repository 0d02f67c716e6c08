// Embree's rtcCollide as a broad phase: pairs of boxes of swept features, without the elementary tests.
//
// Three scenes of one user geometry each: vertices, faces, edges. A step sets the boxes of all vertices (of the
// segment from x_t0 to x_t1, in float, rounded outward), from which the bounds callbacks make those of edges and
// faces, refits the three trees, and collides vertices with faces and edges with themselves. The count is of pairs
// that share no vertex id. The first run builds the trees. Cost: Embree's.
//
// rtcCollide gives all pairs of two leaves, of several primitives each, so that the callback tests their boxes. Two
// rows: `embree` requests refitted geometry in scenes of Embree's default quality; `embree-low` uses dynamic scenes
// of low quality, the only ones whose trees Embree really refits, and its fastest setting here. Embree and graze
// share oneTBB: the device option "threads" would limit the whole process, an arena limits only the peer.
#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/peers/peers.hpp"
#include "core/tasks.hpp"
#include "geometry/volume.hpp"
#include "mesh/features.hpp"
#include "mesh/topology.hpp"

#include <graze/error.hpp>

#include <oneapi/tbb/task_arena.h>

#if GRAZE_PEER_EMBREE >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace graze::peers {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

class Embree final : public Peer {
 public:
  Embree(unsigned threads, bool low) : threads_(threads), low_(low), device_(rtcNewDevice(nullptr)) {
    if (device_ == nullptr) throw InputError("peer:embree: Embree gives no device on this machine");
    rtcSetDeviceMemoryMonitorFunction(
        device_,
        [](void* self, ssize_t bytes, bool) {
          static_cast<Embree*>(self)->bytes_.fetch_add(bytes);
          return true;
        },
        this);
  }

  ~Embree() override {
    for (RTCScene scene : scenes_) {
      if (scene != nullptr) rtcReleaseScene(scene);
    }
    rtcReleaseDevice(device_);
  }

  [[nodiscard]] std::string_view name() const override { return low_ ? "embree-low" : "embree"; }

  void prepare(const Scene& scene) override {
    features_ = build_topology(scene.triangles(), scene.vertex_count()).features;
    const std::array<std::size_t, 3> counts = {features_.vertices.size(), features_.faces.size(),
                                               features_.edges.size()};
    constexpr std::array<RTCBoundsFunction, 3> kBounds = {bounds<kVertices>, bounds<kFaces>, bounds<kEdges>};
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      scenes_[i] = rtcNewScene(device_);
      rtcSetSceneFlags(scenes_[i], RTC_SCENE_FLAG_DYNAMIC);
      if (low_) rtcSetSceneBuildQuality(scenes_[i], RTC_BUILD_QUALITY_LOW);
      geometries_[i] = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
      rtcSetGeometryUserPrimitiveCount(geometries_[i], static_cast<unsigned>(counts[i]));
      rtcSetGeometryUserData(geometries_[i], this);
      rtcSetGeometryBoundsFunction(geometries_[i], kBounds[i], nullptr);
      rtcSetGeometryBuildQuality(geometries_[i], RTC_BUILD_QUALITY_REFIT);
      rtcAttachGeometry(scenes_[i], geometries_[i]);
      rtcReleaseGeometry(geometries_[i]);  // the scene holds it
    }
    check("prepare");
  }

  PeerCounts run(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) override {
    vf_ = 0;
    ee_ = 0;
    // A separate arena: with_threads(1) keeps our loops on this thread, but not Embree's.
    tbb::task_arena arena(threads_ == 0 ? tbb::task_arena::automatic : static_cast<int>(threads_));
    arena.execute([&] {
      make_boxes(x_t0, x_t1);
      for (std::size_t i = 0; i < scenes_.size(); ++i) {
        rtcCommitGeometry(geometries_[i]);
        rtcCommitScene(scenes_[i]);
      }
      rtcCollide(scenes_[kVertices], scenes_[kFaces], collide_vertex_face, this);
      rtcCollide(scenes_[kEdges], scenes_[kEdges], collide_edge_edge, this);
    });
    check("run");
    return {vf_, ee_};
  }

  [[nodiscard]] std::optional<std::uint64_t> memory_bytes() const override {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes_.load()));
  }

 private:
  static constexpr std::size_t kVertices = 0;
  static constexpr std::size_t kFaces = 1;
  static constexpr std::size_t kEdges = 2;

  void make_boxes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
    make_vertex_volumes(x_t0, x_t1, 0.0, by_vertex_id_);
    const auto fill = [&](std::size_t kind, const auto& list, const auto& box_of) {
      boxes_[kind].resize(list.size());
      parallel_for(0, list.size(), 4096, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) boxes_[kind][i] = box_of(list[i]);
      });
    };
    fill(kVertices, features_.vertices, [&](VertexId v) { return by_vertex_id_[v]; });
    fill(kFaces, features_.faces,
         [&](const Face& face) { return triangle_volume(std::span<const Aabb>(by_vertex_id_), face); });
    fill(kEdges, features_.edges, [&](const Edge& edge) {
      Aabb box = by_vertex_id_[edge[0]];
      box.include(by_vertex_id_[edge[1]]);
      return box;
    });
  }

  static void put(const Aabb& box, RTCBounds& out) {
    out.lower_x = box.lo[0];
    out.lower_y = box.lo[1];
    out.lower_z = box.lo[2];
    out.upper_x = box.hi[0];
    out.upper_y = box.hi[1];
    out.upper_z = box.hi[2];
  }

  template <std::size_t kKind>
  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const auto& self = *static_cast<const Embree*>(arguments->geometryUserPtr);
    put(self.boxes_[kKind][arguments->primID], *arguments->bounds_o);
  }

  static void collide_vertex_face(void* user, RTCCollision* collisions, unsigned count) {
    auto& self = *static_cast<Embree*>(user);
    std::uint64_t found = 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned v = collisions[i].primID0;
      const unsigned f = collisions[i].primID1;
      if (!self.boxes_[kVertices][v].overlaps(self.boxes_[kFaces][f])) continue;
      found += incident(self.features_.vertices[v], self.features_.faces[f]) ? 0U : 1U;
    }
    self.vf_.fetch_add(found, std::memory_order_relaxed);
  }

  static void collide_edge_edge(void* user, RTCCollision* collisions, unsigned count) {
    auto& self = *static_cast<Embree*>(user);
    std::uint64_t found = 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned a = collisions[i].primID0;
      const unsigned b = collisions[i].primID1;
      if (a >= b) continue;  // a scene against itself gives every pair in both orders
      if (!self.boxes_[kEdges][a].overlaps(self.boxes_[kEdges][b])) continue;
      found += incident(self.features_.edges[a], self.features_.edges[b]) ? 0U : 1U;
    }
    self.ee_.fetch_add(found, std::memory_order_relaxed);
  }

  void check(const char* where) {
    const RTCError error = rtcGetDeviceError(device_);
    if (error != RTC_ERROR_NONE) {
      throw std::runtime_error(std::string("Embree fails in ") + where + " with error " +
                               std::to_string(static_cast<int>(error)));
    }
  }

  unsigned threads_;
  bool low_;
  RTCDevice device_;
  std::array<RTCScene, 3> scenes_{};  // vertices, faces, edges
  std::array<RTCGeometry, 3> geometries_{};
  Features features_;
  std::vector<Aabb> by_vertex_id_;
  std::array<std::vector<Aabb>, 3> boxes_;  // by index in the lists of features_
  std::atomic<std::uint64_t> vf_{0};
  std::atomic<std::uint64_t> ee_{0};
  std::atomic<std::int64_t> bytes_{0};
};

}  // namespace

std::unique_ptr<Peer> make_embree(unsigned threads) {
  return std::make_unique<Embree>(threads, false);
}
std::unique_ptr<Peer> make_embree_low(unsigned threads) {
  return std::make_unique<Embree>(threads, true);
}

}  // namespace graze::peers
