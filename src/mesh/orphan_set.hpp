// Orphan sets (ICCD, Tang et al. 2009, sections V-D and V-E): the feature pairs that no two non-near leaves cover,
// so that they must be tested separately.
//
// A pair of features without a common vertex is an orphan if all leaves of one feature are near all leaves of the
// other (mesh/near_faces.hpp: they share a vertex that is not a hub). With procedural representatives for all other
// pairs, each pair is tested exactly once. The soup is arbitrary. Hubs keep the set linear: a vertex is in at most
// 3 * kMaxFan orphans with a face, an edge in at most 9 * kMaxFan with an edge. Cost: O(leaves) for bounded fans
// below the hub limit, in parallel; an update costs O(change) and one pass over the lists.
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
  std::uint32_t leaf = 0;  ///< leaf of the face

  friend auto operator<=>(const OrphanVertexFace&, const OrphanVertexFace&) = default;
};

/// A pair of edge ids with a < b.
struct OrphanEdgeEdge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const OrphanEdgeEdge&, const OrphanEdgeEdge&) = default;
};

/// Orphans of both kinds; each list is sorted without duplicates.
struct OrphanPairs {
  std::vector<OrphanVertexFace> vertex_face;
  std::vector<OrphanEdgeEdge> edge_edge;

  [[nodiscard]] std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;
  friend bool operator==(const OrphanPairs&, const OrphanPairs&) = default;
};

/// Finds all orphans. The result is the same with any number of threads.
OrphanPairs find_orphans(const LeafMesh& mesh);

/// Orphans by location (section V-D.1): boundary if one of the features has a vertex of an edge with one leaf, else
/// interior. A closed mesh has interior orphans only where a ring of three edges encloses something.
struct OrphanClasses {
  std::uint64_t boundary = 0;
  std::uint64_t interior = 0;

  friend bool operator==(const OrphanClasses&, const OrphanClasses&) = default;
};
OrphanClasses classify_orphans(const OrphanPairs& orphans, const LeafMesh& mesh);

/// Features touched by an edit: those of every leaf that it removed (as before the edit) or added (as after it). A
/// leaf whose face, number or edge ids changed counts as both; a duplicate that takes over a leaf with all of these
/// counts as neither. Duplicate entries are allowed.
struct TouchedFeatures {
  std::vector<VertexId> vertices;
  std::vector<std::uint32_t> edges;
  std::vector<VertexId> hubs;  ///< vertices that became hubs or ceased to be hubs: the result of NearFaces::update

  void add(const Representatives::Entry& leaf);
};

/// Updates the orphans after an edit (section V-E.1); the result equals find_orphans(after). Precondition:
/// untouched leaves keep their numbers and remaining edges their ids; freed ones may be reused. Examines only
/// features of triangles at a touched vertex.
void update_orphans(OrphanPairs& orphans, const LeafMesh& after, const TouchedFeatures& touched);

}  // namespace graze::mesh
