// The queries of method `auto` on a GPU, for one scene or a batch: everything stays in GPU memory between steps.
//
// A query is one chain of kernels: extent and gap of the step, tables of clusters and bounds of the tree, pairs of
// clusters, pairs of features, times of impact, order. Lists have a fixed capacity; a kernel counts what does not
// fit, and the query then grows the list and runs again, so that nothing is lost. In the steady state a query is
// one CUDA graph and allocates nothing.
//
// This header has no type of CUDA, so that the rest of the library needs no CUDA compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>

#include "cuda/stage_times.hpp"
#include "methods/cluster/cluster_tree.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::cuda {

/// Positions of all vertices at both ends of a step; the same view twice for an instant. In the memory of the host,
/// or of the GPU after the work of a stream.
struct Positions {
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
  bool on_device = false;
  void* stream = nullptr;
  bool again = false;  ///< they are those of the last query, which has copied them
};

/// The clusters of a scene, their order, the frame that most of them share, and the vertices of the scene: a scene
/// of a batch has a range of its own.
struct SceneClusters {
  std::span<const methods::Cluster> clusters;
  const methods::ClusterTree* tree = nullptr;
  methods::ClusterLocalFrame shared;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

/// What a query asks for.
enum class Want : std::uint8_t {
  Impacts,        ///< all impacts, in order, in the memory of the host
  DeviceImpacts,  ///< all impacts, in order, in the memory of the GPU
  First,          ///< the earliest impact of a part of the step
  NearPairs,      ///< candidates of a proximity query at one instant
  EdgeFaces,      ///< candidates of an intersection query at one instant
};

struct Query {
  Want want = Want::Impacts;
  ElementaryOptions elementary = {};
  double distance = 0.0;      ///< of NearPairs
  double until = 1.0;         ///< of First: the part [0, until] of the step; 0: the engine chooses one
  double cluster_size = 0.0;  ///< of First: mean size of the clusters, for that choice

  friend bool operator==(const Query& a, const Query& b) {
    return a.want == b.want && a.elementary.tolerance == b.elementary.tolerance &&
           a.elementary.thickness == b.elementary.thickness && a.distance == b.distance && a.until == b.until &&
           a.cluster_size == b.cluster_size;
  }
};

/// A candidate that floating-point arithmetic did not decide.
struct Undecided {
  FeaturePair pair;
  PairStep points;
};

/// A candidate of an intersection query.
struct EdgeFaceCandidate {
  std::array<VertexId, 2> edge;
  std::array<VertexId, 3> face;
};

/// What a query found out beside its results.
struct Answer {
  std::size_t impact_count = 0;
  Impact earliest;       ///< of First, if impact_count is not zero
  double until = 1.0;    ///< the part of the step that was searched
  bool refused = false;  ///< a position is not finite, or a static vertex moves: nothing was searched
  Stats stats;
  // Measures of the clusters, for the decision to make them anew: sizes of all clusters, of the lowest nodes, and
  // the number of clusters that need a frame of their own.
  double cluster_sizes = 0.0;
  double node_sizes = 0.0;
  double own_frames = 0.0;
};

class Engine {
 public:
  /// Throws ResourceError if there is no GPU that can be used.
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Takes the clusters of one scene or of many. Throws ResourceError if the memory of the GPU does not suffice;
  /// the engine then holds no clusters.
  void take_clusters(std::span<const SceneClusters> scenes);
  void take_filter(std::span<const Scene* const> scenes);

  /// Runs a query. `memory_cap`: bytes that the engine may hold; 0: any.
  Answer run(const Positions& x, const Query& query, std::uint64_t memory_cap);

  /// What the last query of impacts left undecided.
  [[nodiscard]] std::vector<Undecided> undecided() const;
  /// Adds impacts that the host has found to those of the last query, in order. `answer`: of that query.
  void add(std::span<const Impact> impacts, Answer& answer);
  /// The impacts of the last query, where it left them: valid until the next query.
  [[nodiscard]] std::span<const Impact> impacts() const;
  /// In a batch: where the impacts of each scene begin, and their number.
  [[nodiscard]] std::span<const std::uint32_t> scene_begins() const;
  /// Copies positions from and to GPU memory, after the work of a stream.
  [[nodiscard]] std::vector<Vec3> copy_to_host(const Vec3* x, std::size_t count, void* stream);
  void copy_from_host(std::span<const Vec3> x, Vec3* to, void* stream);
  /// The candidates of the last query at one instant, in any order.
  [[nodiscard]] std::vector<FeaturePair> near_pairs() const;
  [[nodiscard]] std::vector<EdgeFaceCandidate> edge_faces() const;

  /// Bytes of GPU memory.
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Switches the recording of stage times, which is off at first: a query then has no cost of it.
  void record_stages(bool on);
  /// Times of the stages of the last query; empty if they were not recorded, or if nothing was searched.
  [[nodiscard]] std::optional<StageTimes> stage_times() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::cuda
