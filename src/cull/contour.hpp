// The continuous contour test: is a closed loop of moving vertices, projected along a fixed axis, a simple polygon
// at all times of the step? ICCD (Tang et al.), section IV-C.
//
// Simple means: no two edges touch, but neighbours in their common vertex alone. The paper's accelerations: bounds
// (8-DOPs in the plane, as edges apart in space may meet in projection; over a balanced tree of runs of consecutive
// edges), projections kept from loop to loop, inherited failures (has_both). Ours: a run whose edges all advance
// along one of 8 directions is simple, neighbours included, and is not descended into; and bounds are kept for both
// ends of the step, not for the sweep, so that common motion is no extent.
// Smooth loops cost O(n), about one projection and three DOPs an edge; others what their near misses cost, up to a
// budget linear in n.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "cull/planar_pair.hpp"
#include "cull/projection.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Two edges of a loop, each by its vertices in the order of the loop.
struct CrossingEdges {
  std::array<VertexId, 2> a{};
  std::array<VertexId, 2> b{};

  friend bool operator==(const CrossingEdges&, const CrossingEdges&) = default;
};

/// Keeps its scratch, so that the steady state allocates nothing (exact arithmetic aside). One a thread.
class ContourTest {
 public:
  /// Simple and Crossing are certain. Unknown: the budget is spent, or a projection is not a number below 2^1000.
  enum class Answer : std::uint8_t { Simple, Crossing, Unknown };

  /// Totals since the object was made.
  struct Counts {
    std::uint64_t loops = 0;
    std::uint64_t edges = 0;
    std::uint64_t projected = 0;     ///< vertices
    std::uint64_t reused = 0;        ///< vertices whose projection was kept from a loop before
    std::uint64_t bound_tests = 0;   ///< pairs of runs
    std::uint64_t planar_tests = 0;  ///< pairs of edges
    std::uint64_t exact_tests = 0;   ///< pairs of edges that needed exact arithmetic
  };

  /// Begins a frame: forgets the projections, in O(1). `paths` must outlive the tests that follow.
  void start(std::span<const VertexPath> paths, const ProjectionAxis& axis);

  /// Tests the closed polygon over these vertices, in this order. Preconditions: started; at least 3 vertices, all
  /// distinct, all in the paths. The answer does not depend on loops tested before.
  Answer test(std::span<const VertexId> loop);

  /// After Crossing: the edges that touch.
  [[nodiscard]] const CrossingEdges& crossing() const { return crossing_; }

  /// Whether both edges, in either direction, are edges of the loop: it then fails as the loop did in which they
  /// were found, if the axis is the same. O(n).
  static bool has_both(std::span<const VertexId> loop, const CrossingEdges& edges);

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  /// Least values along x, y, x + y, x - y and the four opposite directions.
  using Dop = std::array<double, 8>;
  struct alignas(64) Run {
    Dop place_t0;  // of the points of the run, less the errors
    Dop place_t1;
    Dop advance;  // of its edge vectors at both ends, less the errors
  };
  struct Kept {
    PlanarPath path;
    VertexId vertex;
  };
  struct Slot {
    std::uint32_t stamp = 0;
    VertexId vertex = 0;
    std::uint32_t place = 0;
  };

  static bool advances(const Run& a, const Run& b);
  static bool apart(const Run& a, const Run& b);

  [[nodiscard]] std::size_t slot_of(VertexId vertex) const;
  void grow_table();
  void next_stamp();
  const PlanarPath* projection(VertexId vertex);
  bool place_points();
  void build_runs();
  bool run_is_simple(std::size_t level, std::size_t i);
  bool runs_are_separated(std::size_t level, std::size_t i, std::size_t j);
  bool edges_are_separated(std::size_t i, std::size_t j);
  [[nodiscard]] std::size_t run_count(std::size_t level) const { return first_[level + 1] - first_[level]; }
  [[nodiscard]] const Run& run(std::size_t level, std::size_t i) const { return runs_[first_[level] + i]; }

  std::span<const VertexPath> paths_;
  ProjectionAxis axis_;

  // The projections of the frame, and an open-addressing table of their places. A slot with an old stamp is free.
  std::vector<Kept> kept_;
  std::vector<Slot> slots_;
  std::size_t slot_bits_ = 0;  // 2^slot_bits_ slots are in use: a small loop stays in a few lines of a large table
  std::uint32_t stamp_ = 0;

  // The loop under test. Level k of the runs: 2^k edges each, the last one what is left.
  std::span<const VertexId> loop_;
  std::vector<PlanarPath> points_;
  std::vector<Run> runs_;
  std::array<std::size_t, 34> first_{};  // of each level in runs_
  std::size_t levels_ = 0;
  std::uint64_t bound_budget_ = 0;
  std::uint64_t planar_budget_ = 0;
  Answer answer_ = Answer::Unknown;
  CrossingEdges crossing_;
  Counts counts_;
};

}  // namespace graze::cull
