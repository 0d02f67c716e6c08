// Orphan sets (ICCD, Tang et al. 2009, sections V-D and V-E): the feature pairs that no two leaves apart from each
// other cover, so that they must be tested on their own.
//
// A pair of features without a common vertex is an orphan when all leaves of one are near all leaves of the other
// (mesh/near_faces.hpp: a common vertex that is no hub). With procedural representatives for the rest, every pair
// is then tested exactly once. Nothing is assumed of the soup. Hubs are what keeps the set linear: a vertex is in
// at most 3 * kMostFan orphans with a face, an edge in 9 * kMostFan with an edge. Cost: O(leaves) for bounded fans
// below the hubs, in parallel; an update costs O(change), and one pass over the lists.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/procedural_representatives.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

struct OrphanVertexFace {
  VertexId v = 0;
  std::uint32_t leaf = 0;  ///< whose face it is

  friend auto operator<=>(const OrphanVertexFace&, const OrphanVertexFace&) = default;
};

/// Edge ids, a < b.
struct OrphanEdgeEdge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const OrphanEdgeEdge&, const OrphanEdgeEdge&) = default;
};

/// Both sorted, each pair once.
struct OrphanPairs {
  std::vector<OrphanVertexFace> vertex_face;
  std::vector<OrphanEdgeEdge> edge_edge;

  [[nodiscard]] std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;
  friend bool operator==(const OrphanPairs&, const OrphanPairs&) = default;
};

/// All orphans. The same on any number of threads.
OrphanPairs find_orphans(const LeafMesh& mesh);

/// Orphans by where they are (section V-D.1): at the boundary if one of their features has a vertex of an edge with
/// one leaf, else in the interior, which a closed mesh has only where a ring of three edges goes round something.
struct OrphanClasses {
  std::uint64_t boundary = 0;
  std::uint64_t interior = 0;

  friend bool operator==(const OrphanClasses&, const OrphanClasses&) = default;
};
OrphanClasses classify_orphans(const OrphanPairs& orphans, const LeafMesh& mesh);

/// What an edit touched: the features of every leaf that it removed (as it was before) or added (as it is after); a
/// leaf whose face, number or edge ids changed is both. A duplicate that takes over a leaf with all of these is
/// neither. Repeats do no harm.
struct TouchedFeatures {
  std::vector<VertexId> vertices;
  std::vector<std::uint32_t> edges;
  std::vector<VertexId> hubs;  ///< vertices that became hubs or ceased to be: what NearFaces::update returns

  void add(const Representatives::Entry& leaf);
};

/// Brings orphans up to date after an edit (section V-E.1): equal to find_orphans(after). Leaves that were not
/// touched keep their number, edges that stay keep their id; freed ones may name others now. Looks at the features
/// of triangles at a touched vertex only.
void update_orphans(OrphanPairs& orphans, const LeafMesh& after, const TouchedFeatures& touched);

}  // namespace graze::mesh
