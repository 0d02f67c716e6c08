// Detector: collision detection for one scene, step after step. Finds every impact of a step
// (continuous collision detection), the earliest impact (time of impact), the intersections at one instant
// (discrete collision detection) and the pairs within a distance (proximity), between bodies and within each body
// (self-collision).
//
// Answers are exact for the given doubles, complete and sorted. They do not depend on the method or the number of
// threads. A detector keeps its broad phase (trees, clusters or tables) and contacts of static bodies between
// queries; Method::Adaptive and Method::Auto use more temporal coherence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <graze/device.hpp>
#include <graze/edit.hpp>
#include <graze/error.hpp>
#include <graze/export.hpp>
#include <graze/methods.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// Options of a detector. The constructor throws InputError for values outside the ranges stated here.
struct DetectorOptions {
  Method method = Method::Auto;   ///< how candidates are found; impacts do not depend on it
  ResearchOptions research = {};  ///< variants of the method, for comparisons (graze/research.hpp)
  double thickness = 0.0;         ///< a pair counts as a contact at distances <= thickness; scene units, >= 0
  Device device = Device::Cpu;    ///< which processor runs the queries; answers do not depend on it
  /// Maximum width of a time-of-impact interval, in [2^-40, 1] of the step; it is also at most 2^-10 of its end.
  double tolerance = 1e-6;
  unsigned threads = 0;  ///< 0: all cores, or one for a small scene. Answers do not depend on it
  /// Bytes that kept data, work arrays and results of a query may take; beyond it: ResourceError; 0: no cap.
  std::uint64_t memory_cap = 0;
  /// Called repeatedly during a query with the share of the work that is done, in [0, 1], on the thread that runs
  /// the query. If it returns false, the query stops and throws Interrupted.
  std::function<bool(double)> progress = {};
};

/// Options of Detector::safe_step, which throws InputError for values outside the ranges stated here.
struct SafeStepOptions {
  /// Share of the way to the first contact that is left, in [1/64, 1): a loop that repeats the step comes closer to
  /// the contact by this factor each time.
  double keep = 0.2;
  /// Distance that all pairs exceed on the way, beside the detector's thickness; scene units, >= 0.
  double min_distance = 0.0;
};

/// Options of Detector::intersections.
struct IntersectionOptions {
  /// Also report triangles that share a vertex or an edge and meet beyond it (folded, coplanar or equal faces
  /// included): the self-intersections of mesh repair.
  bool adjacent = false;
  bool overlaps = false;  ///< also compute what the triangles of each pair have in common
};

/// Receives impacts while a query runs; the view is valid during the call only. Returning false stops the query.
using ImpactSink = std::function<bool(std::span<const Impact>)>;

/// Receives proximities while a query runs; the view is valid during the call only. Returning false stops the
/// query.
using ProximitySink = std::function<bool(std::span<const Proximity>)>;

/// Answers queries for a scene, of which it keeps a copy. Not thread-safe: make one call at a time per detector;
/// different detectors are independent. Queries throw ResourceError beyond the memory cap and Interrupted if the
/// progress callback returns false; after any exception the detector stays valid.
class GRAZE_API Detector {
 public:
  /// Copies the scene and the options, and builds what the method keeps. Throws InputError for invalid options or
  /// too many triangles for the method, ResourceError if the scene cannot fit into the memory cap.
  explicit Detector(const Scene& scene, const DetectorOptions& options = {});
  ~Detector();
  Detector(Detector&&) noexcept;             ///< A moved-from detector can only be destroyed or assigned to.
  Detector& operator=(Detector&&) noexcept;  ///< A moved-from detector can only be destroyed or assigned to.

  /// Finds every impact of the step from x_t0 to x_t1: positions of all scene vertices, by vertex id, each of which
  /// moves on a straight line. Pairs of features that share a vertex are not tested. Throws InputError, naming the
  /// vertex and the value, for a wrong count, a position that is not finite, or a static body that moves.
  [[nodiscard]] Impacts impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

  /// Streams the impacts of impacts(x_t0, x_t1): calls `sink` on the calling thread with a batch at a time, each
  /// impact once, in an order that does not depend on the number of threads (Method::Adaptive: only with by_work).
  /// If `sink` returns false, throws Interrupted. Holds few impacts at a time, with these exceptions: all impacts
  /// with research::kBasic, research::kAdj and Method::Hash without representatives, which pass them in one batch;
  /// the impacts of static vertices with Method::Auto; a record per impact with Method::Adaptive (its side).
  Stats impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const ImpactSink& sink);

  /// Finds the earliest impact of the step, usually faster than impacts(). Input and errors as for impacts().
  [[nodiscard]] FirstImpact first_impact(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

  /// Finds how far the scene can move from x_t0 towards x_t1 without a contact: the step to take in a solver or
  /// line search. The way from x_t0 to the returned positions, the very doubles, is proved free: no pair comes
  /// within max(thickness, min_distance). The step is positive unless a pair is that close at x_t0, and leaves at
  /// most `keep` of the way to the first contact, as far as doubles allow (docs/guarantees.md). Input and errors as
  /// for impacts().
  [[nodiscard]] SafeStep safe_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                   const SafeStepOptions& options = {});

  /// Finds every edge and face without a common vertex that intersect at one instant (discrete collision
  /// detection), and the triangles that intersect. `x`: positions of all scene vertices. The thickness is not used.
  /// Throws InputError for a wrong count or a position that is not finite.
  [[nodiscard]] Intersections intersections(std::span<const Vec3> x, const IntersectionOptions& options = {});

  /// Finds every vertex-face and edge-edge pair without a common vertex whose distance is <= d at one instant,
  /// decided exactly. `d` is in scene units, finite and >= 0. The thickness is not used. Throws InputError for an
  /// invalid d, a wrong count or a position that is not finite.
  [[nodiscard]] Proximities proximities(std::span<const Vec3> x, double d);

  /// Streams the proximities of proximities(x, d): calls `sink` on the calling thread with a batch at a time, each
  /// once, in an order that does not depend on the number of threads. If `sink` returns false, throws Interrupted.
  /// Holds few proximities at a time, with these exceptions: all of them with research::kBasic, research::kAdj and
  /// Method::Hash without representatives, which pass them in one batch; with Method::Auto those of vertices that
  /// have not moved since the last query; with other methods those of static bodies.
  Stats proximities(std::span<const Vec3> x, double d, const ProximitySink& sink);

  /// Queries of positions in GPU memory, for Device::Cuda; the answers are those of the overloads above. They wait
  /// for the work of the given stream, and return when the answer is there. Impacts stay in GPU memory. Input and
  /// errors as above; InputError for a null pointer, and for a detector that runs on the host.
  [[nodiscard]] DeviceImpacts impacts(const DeviceStep& x);
  [[nodiscard]] FirstImpact first_impact(const DeviceStep& x);  ///< @copydoc impacts(const DeviceStep&)
  /// Also writes the safe positions to `positions`, GPU memory for all vertices, unless it is null.
  [[nodiscard]] SafeStep safe_step(const DeviceStep& x, Vec3* positions, const SafeStepOptions& options = {});
  /// Copies the positions to the host, which decides the candidates that the GPU finds.
  [[nodiscard]] Intersections intersections(const DevicePositions& x, const IntersectionOptions& options = {});
  /// Copies the positions to the host, which decides the candidates that the GPU finds.
  [[nodiscard]] Proximities proximities(const DevicePositions& x, double d);

  /// Begins an edit of the detector's own scene, see Scene::begin_edit. The detector must outlive the edit.
  [[nodiscard]] SceneEdit begin_edit();
  /// Makes all changes of an edit, or none, and updates the data kept between steps near the change; the next query
  /// updates the trees. Later queries take positions of all vertices after the edit; positions of removed vertices
  /// are ignored. Throws InputError as Scene::apply does, and for too many triangles. The first edit costs O(n) for
  /// its tables. The next query rebuilds everything, and the next edit its tables, after an edit of more than a
  /// quarter of the triangles, always with Method::Brute, and if memory runs out.
  void apply(const SceneEdit& edit);
  /// The detector's copy of the scene, with all edits applied. Valid as long as the detector.
  [[nodiscard]] const Scene& scene() const;

  /// Compares the data kept between steps with the data of a new detector. Returns an empty string if they agree,
  /// or if the next query rebuilds everything; otherwise one line about the first difference. Costs more than
  /// building a detector: for tests.
  [[nodiscard]] std::string validate() const;
  /// Bytes that the detector keeps between queries; the copy of the scene is not included.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Finds every impact of one step of a triangle soup, treated as one body with self-collision. Keeps nothing
/// between calls, so the triangles may differ in each call. Safe to call from several threads. Throws like
/// Scene::add_body, Detector::Detector and Detector::impacts.
[[nodiscard]] GRAZE_API Impacts find_impacts(std::span<const Triangle> triangles, std::span<const Vec3> x_t0,
                                             std::span<const Vec3> x_t1, const DetectorOptions& options = {});

}  // namespace graze
