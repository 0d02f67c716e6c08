// The continuous contour test of self-collision culling (ICCD, Tang et al. 2009, section IV-C): decides whether a
// closed loop of moving vertices, projected along a fixed axis, is a simple polygon at all times of the step.
//
// Simple means that no two edges touch, except neighbours at their common vertex. From the paper: bounds (8-DOPs in
// the plane, because edges that are separated in space may overlap in projection; over a balanced tree of runs of
// consecutive edges), projections cached from loop to loop, and inherited failures (has_both()). Different here: a
// run whose edges all advance along one of 8 directions is simple, neighbours included, and is not descended into;
// and bounds are linear in time, stored at both ends of the step instead of swept, so that common motion does not
// enlarge them. Cost: O(n) for smooth loops, about one projection and three DOPs per edge; other loops also pay for
// edge pairs that nearly touch, up to a budget linear in n.
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

/// Two edges of a loop, each with its vertices in loop order.
struct CrossingEdges {
  std::array<VertexId, 2> a{};
  std::array<VertexId, 2> b{};

  friend bool operator==(const CrossingEdges&, const CrossingEdges&) = default;
};

/// Runs contour tests. Reuses its scratch memory, so that the steady state allocates nothing (except exact
/// arithmetic). Not thread-safe: use one object per thread.
class ContourTest {
 public:
  /// Simple and Crossing are certain. Unknown: the budget is spent, or a projection is not a number below 2^1000.
  enum class Answer : std::uint8_t { Simple, Crossing, Unknown };

  /// Totals since construction.
  struct Counts {
    std::uint64_t loops = 0;
    std::uint64_t edges = 0;
    std::uint64_t projected = 0;     ///< vertices projected
    std::uint64_t reused = 0;        ///< vertices whose projection was cached by an earlier loop
    std::uint64_t bound_tests = 0;   ///< pairs of runs tested
    std::uint64_t planar_tests = 0;  ///< pairs of edges tested
    std::uint64_t exact_tests = 0;   ///< pairs of edges that needed exact arithmetic
  };

  /// Sets paths and axis for the tests that follow, and drops all cached projections, in O(1). `paths` must outlive
  /// the tests.
  void start(std::span<const VertexPath> paths, const ProjectionAxis& axis);

  /// Tests the closed polygon over these vertices, in this order. Preconditions: start() was called; at least 3
  /// vertices, all distinct, all in the paths. The answer does not depend on earlier loops.
  Answer test(std::span<const VertexId> loop);

  /// Returns the edges that touch. Precondition: the last answer was Crossing.
  [[nodiscard]] const CrossingEdges& crossing() const { return crossing_; }

  /// Returns whether both edges, in either direction, belong to the loop: along the same axis the loop then fails
  /// as well, without a test. O(n).
  static bool has_both(std::span<const VertexId> loop, const CrossingEdges& edges);

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  /// Minima along x, y, x + y, x - y and the four opposite directions: an 8-DOP.
  using Dop = std::array<double, 8>;
  struct alignas(64) Run {
    Dop place_t0;  // minima of the points of the run at t0, less the error margins
    Dop place_t1;
    Dop advance;  // minima of the edge vectors at both ends of the step, less the error margins
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
  static bool separated(const Run& a, const Run& b);

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

  // Projections cached since start(), and an open-addressing hash table of their indices. A slot with an old stamp
  // is free.
  std::vector<Kept> kept_;
  std::vector<Slot> slots_;
  // 2^slot_bits_ slots are in use, so that a small loop touches few cache lines of a large table.
  std::size_t slot_bits_ = 0;
  std::uint32_t stamp_ = 0;

  // The loop under test. Level k of the tree consists of runs of 2^k edges; the last run of a level holds the
  // remaining edges.
  std::span<const VertexId> loop_;
  std::vector<PlanarPath> points_;
  std::vector<Run> runs_;
  std::array<std::size_t, 34> first_{};  // index of each level's first run in runs_
  std::size_t levels_ = 0;
  std::uint64_t bound_budget_ = 0;
  std::uint64_t planar_budget_ = 0;
  Answer answer_ = Answer::Unknown;
  CrossingEdges crossing_;
  Counts counts_;
};

}  // namespace graze::cull
