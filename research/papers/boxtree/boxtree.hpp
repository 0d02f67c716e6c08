// Shared by the sections of BOXTREE's chapter: objects in several sizes, contestants, and their times over a
// tumble.
//
// The protocol is the paper's (section 5): two copies of an object are scaled into a cube of size 2, and one makes
// a full turn about z and x at each of several distances. A contestant finds a first hit in every pose, on one
// thread. Contestants alternate, and the least time of each pose counts, which is free of interruptions; of queries
// that are long enough to be interrupted always, the processor time. All contestants must agree in every pose on
// whether there is a hit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/namespaces.hpp"
#include "research/papers/papers.hpp"
#include "rigid/boxtree/boxtree_traversal_scalar.hpp"
#include "scenes/shapes.hpp"

namespace graze::papers {

/// An object to tumble: scaled meshes of it, by ascending triangle count.
struct BoxtreeObject {
  std::string name;
  std::vector<scenes::Shape> shapes;  ///< for Figure 8
  std::size_t middle = 0;             ///< index of the mesh for everything else
  std::vector<scenes::Shape> builds;  ///< for Figure 5

  [[nodiscard]] const scenes::Shape& shape() const { return shapes[middle]; }
};

struct BoxtreePlan {
  std::vector<BoxtreeObject> objects;
  std::vector<double> distances;
  std::size_t steps = 0;
  unsigned runs = 1;
};

RigidObject make_rigid(const scenes::Shape& shape, RigidTree tree, BoxtreeSplit split = BoxtreeSplit::Free);

/// Name of the paper's split when the polygons of the mesh are in random order.
inline constexpr std::string_view kVolumeAtRandom = "volume, random order";
/// The same triangles in random order, equal on every machine. The paper's pass gives polygons away one after the
/// other, so that its splits depend on the order in which a mesh lists them.
scenes::Shape in_random_order(scenes::Shape shape);

/// A contestant: one way to find a first hit between two copies of an object. `scalar`: the traversal as the paper
/// describes it, one float at a time, without leaf groups, and one triangle pair at a time, for trees of every
/// kind; otherwise the library's collider, with SIMD lanes.
struct BoxtreeRun {
  std::string name;
  const RigidObject* object = nullptr;
  ColliderOptions collider;
  bool scalar = false;
};

struct BoxtreeTimes {
  std::string name;
  std::vector<double> us;           ///< by distance: least time of the runs at each pose, mean over the poses
  std::vector<std::uint64_t> hits;  ///< number of hits, by distance
  RigidStats stats;                 ///< counters of one run over all poses

  [[nodiscard]] double mean() const;  ///< over distances
};

/// Times in the order of `runs`. Appends a line to `wrong` for each contestant whose hits differ from those of the
/// first.
std::vector<BoxtreeTimes> tumble_times(const std::string& object, std::span<const BoxtreeRun> runs,
                                       const BoxtreePlan& plan, Progress& progress,
                                       std::vector<std::string>& wrong);
const BoxtreeTimes& times_named(const std::vector<BoxtreeTimes>& times, std::string_view name);

/// Poses of a turn for full traversals, which are long and similar.
inline constexpr std::size_t kFullTraversals = 5;

/// Floating-point operations of full traversals down to all overlapping leaf pairs, in some poses of every
/// distance.
struct BoxtreeFlops {
  std::uint64_t tests = 0;
  std::uint64_t worst = 0;  ///< operations of the most expensive test
  rigid::FlopCounts counts;

  [[nodiscard]] double average() const;
};
void count_flops(const RigidObject& object, BoxOverlap overlap, bool lift, const BoxtreePlan& plan,
                 BoxtreeFlops& sum);
/// Processor time of a node test in nanoseconds: the same traversals with plain floats and without triangle tests,
/// the least of the runs.
double ns_per_node_test(const RigidObject& object, BoxOverlap overlap, const BoxtreePlan& plan);

/// Returns the least processor time of some runs of a build on one thread, in milliseconds.
double boxtree_build_ms(const scenes::Shape& shape, BoxtreeSplit split, unsigned runs);

/// Figures 5 and 7, and section 3.3 (times.cpp).
PaperSection boxtree_figure5(const BoxtreePlan& plan, Progress& progress, Json& json);
std::vector<PaperSection> boxtree_overlaps(const BoxtreePlan& plan, Progress& progress, Json& json,
                                           std::vector<std::string>& wrong);
/// Figure 8: whole systems, and every volume over every tree shape (systems.cpp).
PaperSection boxtree_figure8(const BoxtreePlan& plan, Progress& progress, Json& json,
                             std::vector<std::string>& wrong);
PaperSection boxtree_same_shapes(const BoxtreePlan& plan, Progress& progress, Json& json,
                                 std::vector<std::string>& wrong);
/// Section 4.2: the ways to split (splits.cpp).
PaperSection boxtree_splits(const BoxtreePlan& plan, Progress& progress, Json& json,
                            std::vector<std::string>& wrong);
/// Section 3.1: the share of its parent that an AABB leaves empty (empty_space.cpp).
PaperSection boxtree_empty_space(const BoxtreePlan& plan, Json& json);

}  // namespace graze::papers
