// The detector: answers the queries for one scene, step after step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <graze/edit.hpp>
#include <graze/error.hpp>
#include <graze/export.hpp>
#include <graze/methods.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

struct DetectorOptions {
  Method method = Method::Auto;
  ResearchOptions research = {};  ///< choices within the method, for comparisons (graze/research.hpp)
  double thickness = 0.0;         ///< a pair counts as soon as its distance is <= thickness; scene units, >= 0
  double tolerance = 1e-6;        ///< widest time-of-impact interval, in [2^-40, 1]
  unsigned threads = 0;           ///< 0: all cores, for small scenes one. The answer does not depend on it
  std::uint64_t memory_cap = 0;   ///< bytes that results and work space may take; 0: no cap. Beyond: ResourceError
  /// Called now and then with the share of the work done, in [0, 1], from one thread at a time. Returning false
  /// stops the query, which then throws Interrupted.
  std::function<bool(double)> progress = {};
};

/// Takes impacts as they are found; false stops the query.
using ImpactSink = std::function<bool(std::span<const Impact>)>;

/// Answers queries for a scene. The scene is copied. One query at a time per detector.
class GRAZE_API Detector {
 public:
  explicit Detector(const Scene& scene, const DetectorOptions& options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  /// Every impact of the step from x_t0 to x_t1 (positions of all scene vertices). Throws InputError, naming
  /// vertex and value, for a wrong count, a value that is not finite, or a static body that moves.
  [[nodiscard]] Impacts impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

  /// The same, for those who stream: calls sink with some impacts at a time, on the calling thread, in an order
  /// that does not depend on the number of threads (of Method::Adaptive only with by_work); every impact comes
  /// once. Memory stays small however many there are, except with research::kBasic and Method::Hash without
  /// representatives, which must hold them all to find duplicates, Method::Adaptive, which remembers sides, and
  /// Method::Auto for those of what stands still. A sink that returns false stops the query: it throws Interrupted.
  Stats impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const ImpactSink& sink);

  /// The earliest impact only.
  [[nodiscard]] FirstImpact first_impact(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

  /// Every edge-face pair that intersects at one instant. Thickness is not used.
  [[nodiscard]] Intersections intersections(std::span<const Vec3> x);

  /// Every vertex-face and edge-edge pair within distance d >= 0 at one instant, decided exactly.
  [[nodiscard]] Proximities proximities(std::span<const Vec3> x, double d);

  /// Begins a batch of changes of the detector's own scene.
  [[nodiscard]] SceneEdit begin_edit();
  /// Makes the changes of an edit, all or none, and brings what is kept between steps up to date: near the change
  /// at once, the trees in the next query. Positions given from then on are those of all vertices after the edit;
  /// what they are for removed vertices does not matter. Throws InputError as Scene::apply does. The first edit
  /// makes the tables that it needs, which is linear. After an edit of more than a quarter of the triangles the
  /// next query makes everything anew, and the next edit the tables.
  void apply(const SceneEdit& edit);
  [[nodiscard]] const Scene& scene() const;

  /// Compares what is kept between steps with what a new detector would make of the scene. Empty if all is right,
  /// else one line on the first difference. Takes longer than making a new detector: for tests.
  [[nodiscard]] std::string validate() const;
  /// Bytes of everything that is kept between queries.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Every impact of one step of a triangle soup that may be another in each step: nothing is made beforehand,
/// nothing is kept. As one body that may touch itself. Throws InputError as Scene and Detector do.
[[nodiscard]] GRAZE_API Impacts find_impacts(std::span<const Triangle> triangles, std::span<const Vec3> x_t0,
                                             std::span<const Vec3> x_t1, const DetectorOptions& options = {});

}  // namespace graze
