// What the parts of BOXTREE's chapter share: objects in several sizes, contestants, and their times over a tumble.
//
// The protocol is the paper's (section 5): two copies scaled into a cube of size 2, one of which makes a full turn
// about z and x at each of some distances. A contestant is asked for a first hit in every pose, on one thread;
// contestants take turns, and of each pose the least time counts, which is without interruptions. Whether there is
// one is compared between all of them in every pose.
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
#include "research/papers.hpp"
#include "rigid/boxtree/boxtree_traversal_scalar.hpp"
#include "scenes/shapes.hpp"

namespace graze::research {

/// An object that tumbles: scaled, by ascending size.
struct BoxtreeObject {
  std::string name;
  std::vector<scenes::Shape> shapes;  ///< for Figure 8
  std::size_t middle = 0;             ///< the one for all else
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

/// One way to look for a first hit between two copies of an object. `scalar`: of boxtrees, as the paper words it,
/// a float at a time; else the library's collider.
struct BoxtreeRun {
  std::string name;
  const RigidObject* object = nullptr;
  ColliderOptions collider;
  bool scalar = false;
};

struct BoxtreeTimes {
  std::string name;
  std::vector<double> us;           ///< by distance: mean over poses of the least of runs
  std::vector<std::uint64_t> hits;  ///< by distance
  RigidStats stats;                 ///< of all poses once

  [[nodiscard]] double mean() const;  ///< over distances
};

/// In the order of runs. A line is added to `wrong` for a contestant that does not hit in the same poses as the
/// first one.
std::vector<BoxtreeTimes> tumble_times(const std::string& object, std::span<const BoxtreeRun> runs,
                                       const BoxtreePlan& plan, Progress& progress,
                                       std::vector<std::string>& wrong);
const BoxtreeTimes& times_named(const std::vector<BoxtreeTimes>& times, std::string_view name);

/// Floating-point operations of descents to all pairs of leaves, at some poses of every distance.
struct BoxtreeFlops {
  std::uint64_t tests = 0;
  std::uint64_t worst = 0;  ///< of one test
  rigid::FlopCounts counts;

  [[nodiscard]] double average() const;
};
void count_flops(const RigidObject& object, BoxOverlap overlap, bool lift, const BoxtreePlan& plan,
                 BoxtreeFlops& sum);

/// Figures 5, 7 and 8, splits and section 3.3 (boxtree_times.cpp).
PaperSection boxtree_figure5(const BoxtreePlan& plan, Progress& progress, Json& json);
std::vector<PaperSection> boxtree_overlaps(const BoxtreePlan& plan, Progress& progress, Json& json,
                                           std::vector<std::string>& wrong);
PaperSection boxtree_figure8(const BoxtreePlan& plan, Progress& progress, Json& json,
                             std::vector<std::string>& wrong);
PaperSection boxtree_splits(const BoxtreePlan& plan, Progress& progress, Json& json,
                            std::vector<std::string>& wrong);
/// Section 3.1: how much of its parent an AABB leaves empty (boxtree_empty.cpp).
PaperSection boxtree_empty_space(const BoxtreePlan& plan, Json& json);

}  // namespace graze::research
