// CGAL's self_intersections of Polygon_mesh_processing: pairs of triangles that intersect at the start of a step,
// those that share a vertex or an edge and meet beyond it included, decided by exact predicates on the doubles.
//
// The mesh is built once; a run sets its points and calls the function, which builds its boxes anew, as it does for
// every user. On one thread. Cost: CGAL's.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <graze/error.hpp>

#include "benchmarks/peers/peers.hpp"

namespace graze::peers {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using SurfaceMesh = CGAL::Surface_mesh<Kernel::Point_3>;

class Cgal final : public Peer {
 public:
  explicit Cgal(unsigned threads) {
    if (threads != 1) throw InputError("peer:cgal runs on one thread: use --threads 1");
  }

  [[nodiscard]] std::string_view name() const override { return "cgal"; }
  [[nodiscard]] PeerAnswer answers() const override { return PeerAnswer::Intersections; }

  void prepare(const Scene& scene) override {
    for (std::size_t v = 0; v < scene.vertex_count(); ++v) mesh_.add_vertex({0, 0, 0});
    for (TriangleId t = 0; t < scene.triangles().size(); ++t) {
      const Triangle& ids = scene.triangles()[t];
      const auto face = mesh_.add_face(Vertex(ids[0]), Vertex(ids[1]), Vertex(ids[2]));
      if (face == SurfaceMesh::null_face()) {
        throw InputError("peer:cgal needs a mesh that is manifold and oriented; triangle " + std::to_string(t) +
                         " does not fit to its neighbours");
      }
    }
  }

  PeerCounts run(std::span<const Vec3> x_t0, std::span<const Vec3> /*x_t1*/) override {
    for (std::size_t v = 0; v < x_t0.size(); ++v) {
      mesh_.point(Vertex(static_cast<VertexId>(v))) = {x_t0[v].x, x_t0[v].y, x_t0[v].z};
    }
    found_.clear();
    CGAL::Polygon_mesh_processing::self_intersections(mesh_, std::back_inserter(found_));
    PeerCounts counts;
    counts.triangle_pairs = found_.size();
    return counts;
  }

  [[nodiscard]] std::vector<TrianglePair> triangle_pairs() const override {
    std::vector<TrianglePair> pairs;
    for (const auto& [f, g] : found_) {
      pairs.push_back({std::min<TriangleId>(f.idx(), g.idx()), std::max<TriangleId>(f.idx(), g.idx())});
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  using Vertex = SurfaceMesh::Vertex_index;
  using Face = SurfaceMesh::Face_index;

  SurfaceMesh mesh_;
  std::vector<std::pair<Face, Face>> found_;
};

}  // namespace

std::unique_ptr<Peer> make_cgal(unsigned threads) {
  return std::make_unique<Cgal>(threads);
}

}  // namespace graze::peers
