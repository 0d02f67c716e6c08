// The state of a detector, and how it runs a query: input checked, structures up to date, threads limited, time
// measured. Shared by the queries of positions on the host (detector.cpp) and in GPU memory (detector_device.cpp).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <graze/detector.hpp>

#include "api/pick_method.hpp"
#include "core/memory_budget.hpp"
#include "core/stopwatch.hpp"
#include "core/tasks.hpp"
#include "mesh/side_table.hpp"
#include "mesh/topology.hpp"
#include "query/contact_method.hpp"
#include "scene/body_filter.hpp"
#include "scene/input_checks.hpp"
#include "scene/scene_change.hpp"

namespace graze {

namespace api {

/// Positions in which every removed vertex, whose given position may be anything, has the position of an existing
/// vertex: bounds over all vertices are then bounds over the existing ones.
class LivePositions {
 public:
  LivePositions(const Scene& scene, std::span<const VertexId> removed, std::span<const Vec3> x) : x_(x) {
    if (removed.empty()) return;
    copy_.assign(x.begin(), x.end());
    VertexId live = 0;
    while (live < x.size() && !scene.has_vertex(live)) ++live;
    const Vec3 place = live < x.size() ? x[live] : Vec3{};
    for (const VertexId v : removed) copy_[v] = place;
    x_ = copy_;
  }
  LivePositions(const LivePositions&) = delete;
  LivePositions& operator=(const LivePositions&) = delete;

  [[nodiscard]] std::span<const Vec3> get() const { return x_; }

 private:
  std::vector<Vec3> copy_;
  std::span<const Vec3> x_;
};

}  // namespace api

struct Detector::State {
  State(const Scene& bodies, const DetectorOptions& given)
      : scene(bodies), options(given), filter(scene), method(api::pick_method(scene, options)) {}

  Scene scene;
  DetectorOptions options;
  scene::BodyFilter filter;
  std::unique_ptr<query::ContactMethod> method;
  std::optional<mesh::SideTable> sides;  ///< of the scene's triangles, for intersections; made when it is needed
  bool stale = true;                     ///< the method must be rebuilt before the next query
  std::vector<VertexId> removed;         ///< removed vertices, whose slots remain

  /// Rebuilds all structures of the method from the scene.
  void rebuild() {
    stale = true;
    // Charges the least that topology can take before it is built; each query charges the actual bytes.
    core::MemoryBudget(options.memory_cap)
        .charge(mesh::least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
    method->rebuild();
    filter.update();
    list_removed();
    stale = false;
  }

  /// Lists the removed vertices; most scenes have none, which all threads find out.
  void list_removed() {
    removed.clear();
    std::atomic<bool> any = false;
    core::parallel_for(0, scene.vertex_count(), std::size_t{1} << 15U, [&](std::size_t first, std::size_t last) {
      for (std::size_t v = first; v < last; ++v) {
        if (scene.body_of(static_cast<VertexId>(v)) == kNoBody) any.store(true, std::memory_order_relaxed);
      }
    });
    if (!any) return;
    for (VertexId v = 0; v < scene.vertex_count(); ++v) {
      if (!scene.has_vertex(v)) removed.push_back(v);
    }
  }

  /// Records the vertices that an edit removed.
  void note_removed(const scene::SceneChange& change) {
    for (const scene::SceneChange::MovedVertex& moved : change.moved_vertices) {
      if (moved.after == kNoBody) removed.push_back(moved.vertex);
    }
    for (std::size_t i = 0; i < change.new_vertices.size(); ++i) {
      if (change.new_vertices[i].body == kNoBody) {
        removed.push_back(static_cast<VertexId>(change.vertices_before + i));
      }
    }
  }

  [[nodiscard]] query::QueryContext query() const { return {scene, filter, options}; }
  [[nodiscard]] api::LivePositions live(std::span<const Vec3> x) const { return {scene, removed, x}; }

  /// Number of threads: one for a small scene, for which waking others does not pay off, unless the options set it.
  [[nodiscard]] unsigned threads() const {
    const bool few = scene.triangle_count() < method->min_triangles_for_threads();
    return options.threads == 0 && few ? 1 : options.threads;
  }

  /// Runs a query on threads() threads and measures its time: check() throws if the input is wrong, before anything
  /// changes.
  template <typename Result, typename Check, typename Fn>
  Result run(const Check& check, const Fn& fn) {
    const core::Stopwatch total;
    Result result;
    core::with_threads(threads(), [&] {
      check();
      if (stale) rebuild();
      result = fn();
    });
    if constexpr (std::is_same_v<Result, Stats>) {
      result.total_ms = total.ms();
    } else {
      result.stats.total_ms = total.ms();
    }
    return result;
  }
};

}  // namespace graze
