// Simultaneous traversal of two group trees (rigid/boxtree/group_tree.hpp) for the discrete queries: generates the
// pairs of triangles that are not proved to be separated. The default; rigid/boxtree/boxtree_traversal.hpp is the
// paper's descent by cuts.
//
// Each step tests one volume of one object against up to 16 of the other in SIMD lanes, by the separating axis test
// (SAT). The volumes are oriented boxes, triangles against boxes, and pairs of triangles by their planes.
// Differences from a binary traversal that descends both trees:
//  - Only the larger of two boxes is opened.
//  - A leaf group that is larger than its partner is opened into its triangles at once, and only those that are not
//    separated go on, each alone. So a floor of two triangles costs a path down the other tree, along its surface.
//  - Two leaf groups: triangles of either against the box of the other, then pairs of those left.
//  - A search for the first hit goes depth first, deepest overlap first, but after a budget of steps it moves on to
//    the most promising of all open pairs, again and again.
// Memory: triangles of leaf groups, projected when first needed, in tables of fixed size.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <graze/types.hpp>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/group_tree.hpp"
#include "rigid/boxtree/group_view.hpp"
#include "rigid/leaf_sink.hpp"

namespace graze::rigid {

struct GroupTraversalOptions {
  bool first = false;    ///< first-hit search: visit the most promising pairs first
  bool measure = false;  ///< also measure gaps
};

struct GroupTraversalCounts {
  std::uint64_t tests = 0;  ///< pairs of volumes that were tested, triangles against triangles not included
  /// With `measure`: no two triangles that were separated are closer than this, in units of the placement. If the
  /// traversal generated no candidate pairs, a lower bound of the distance of the objects.
  double gap = 0.0;
};

/// An object in a traversal.
struct GroupTraversed {
  const GroupTree& groups;
  const Boxtree& tree;
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
  const GroupView& view;  ///< this object's view of the other one
};

/// Work space of one traversal at a time, allocated at first use.
class GroupTables {
 public:
  GroupTables();
  ~GroupTables();
  GroupTables(GroupTables&&) noexcept;
  GroupTables& operator=(GroupTables&&) noexcept;

  struct Tables;
  Tables& tables();

 private:
  std::unique_ptr<Tables> tables_;
};

/// Precondition: place_groups() did not find the roots separated; nothing tests them again.
/// Puts every pair of triangles that is not proved to be separated into the sink. Flushes the sink at the end,
/// unless the sink ends the traversal.
GroupTraversalCounts traverse_groups(const GroupTraversed& a, const GroupTraversed& b,
                                     const GroupTraversalOptions& options, GroupTables& work, LeafSink& sink);

}  // namespace graze::rigid
