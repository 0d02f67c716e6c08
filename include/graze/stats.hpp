// Statistics of one query: counters of every stage (bounds, traversal, culling, elementary tests), times in
// milliseconds and memory in bytes. The tables of the papers are computed from these counters.
//
// Counters are equal in every run and for any number of threads (Method::Adaptive: only with by_work).
#pragma once

#include <cstdint>

namespace graze {

/// Number of elementary tests that each tier decided. filter + interval + exact is the number of all elementary
/// tests, including edge-face tests, which no other counter of Stats includes.
struct TierCounts {
  std::uint64_t filter = 0;    ///< decided in double precision with a proved error bound
  std::uint64_t interval = 0;  ///< decided by certified subdivision
  std::uint64_t exact = 0;     ///< decided in exact arithmetic

  /// Adds the counters of `other`.
  TierCounts& operator+=(const TierCounts& other) {
    filter += other.filter;
    interval += other.interval;
    exact += other.exact;
    return *this;
  }
};

/// Work and effect of self-collision culling by normal cones and contours, and of the orphan sets of Method::Iccd.
/// A patch is the connected triangles below a node of the tree.
struct CullCounts {
  std::uint64_t cone_tests = 0;          ///< patches whose normal cone was tested
  std::uint64_t contour_tests = 0;       ///< patches whose contour was tested
  std::uint64_t planar_tests = 0;        ///< pairs of contour edges tested in projection
  std::uint64_t exact_planar_tests = 0;  ///< planar tests that exact arithmetic decided
  std::uint64_t free_patches = 0;        ///< patches proved free of self-collision
  std::uint64_t free_triangles = 0;      ///< triangles in free patches
  std::uint64_t vertex_adjacent = 0;     ///< triangle pairs with one common vertex, left to the orphan sets
  std::uint64_t edge_adjacent = 0;       ///< triangle pairs with more common vertices, left to the orphan sets
  std::uint64_t orphans = 0;             ///< feature pairs of the orphan sets that became candidates
  std::uint64_t orphans_free = 0;  ///< feature pairs of the orphan sets that a free patch contains: not tested

  /// Adds the counters of `other`.
  CullCounts& operator+=(const CullCounts& other) {
    cone_tests += other.cone_tests;
    contour_tests += other.contour_tests;
    planar_tests += other.planar_tests;
    exact_planar_tests += other.exact_planar_tests;
    free_patches += other.free_patches;
    free_triangles += other.free_triangles;
    vertex_adjacent += other.vertex_adjacent;
    edge_adjacent += other.edge_adjacent;
    orphans += other.orphans;
    orphans_free += other.orphans_free;
    return *this;
  }
};

/// Temporal coherence of Method::Adaptive: sessions, stored pairs and remembered sides.
struct CoherenceCounts {
  std::uint64_t session_frames = 0;  ///< planned steps of the current session; 0: no session
  std::uint64_t session_step = 0;  ///< step of the session, from 1; steps after the first skip update and traversal
  std::uint64_t dangling_vertices = 0;   ///< vertices that exceed, or may exceed, their displacement bound; renewed
  std::uint64_t dangling_triangles = 0;  ///< triangles with a dangling vertex
  std::uint64_t violating_triangles = 0;  ///< triangles that are no longer in a patch proved free of self-collision
  std::uint64_t pairs = 0;                ///< stored triangle pairs (the pending list)
  std::uint64_t pair_bytes = 0;           ///< bytes of the stored pairs
  std::uint64_t measured = 0;             ///< feature pairs whose distance was measured
  std::uint64_t admissible = 0;           ///< triangle pairs that the stored distances do not rule out in this step
  std::uint64_t remembered = 0;           ///< feature pairs whose side is remembered

  /// Adds the counters of `other`.
  CoherenceCounts& operator+=(const CoherenceCounts& other) {
    session_frames += other.session_frames;
    session_step += other.session_step;
    dangling_vertices += other.dangling_vertices;
    dangling_triangles += other.dangling_triangles;
    violating_triangles += other.violating_triangles;
    pairs += other.pairs;
    pair_bytes += other.pair_bytes;
    measured += other.measured;
    admissible += other.admissible;
    remembered += other.remembered;
    return *this;
  }
};

/// Spatial hash of Method::Hash: cells, voxels, and the pairs after each level of culling. Stats::triangle_pairs
/// has the triangle pairs after the primitive level, Stats::vf_tests and ee_tests the feature pairs after the
/// element level. If there are static bodies, voxels, used_voxels, entries and voxel_pairs are sums over two
/// tables. For first_impact these four describe the last part of the step that was tested.
struct HashCounts {
  std::uint64_t levels = 0;          ///< number of cell sizes in use
  std::uint64_t voxels = 0;          ///< voxels of the hash table
  std::uint64_t used_voxels = 0;     ///< voxels with at least one triangle
  std::uint64_t entries = 0;         ///< entries of the table: a triangle has one for each cell that it overlaps
  std::uint64_t voxel_pairs = 0;     ///< pairs of plain hashing: sum of n (n - 1) / 2 over voxels; with
                                     ///< CellRule::Largest also moving-static pairs
  std::uint64_t repeated = 0;        ///< repeated finds, in another cell, of pairs whose boxes overlap
  std::uint64_t box_pairs = 0;       ///< pairs whose boxes overlap, each once
  std::uint64_t neighbours = 0;      ///< pairs with a common vertex that the neighbour test tested
  std::uint64_t neighbours_out = 0;  ///< pairs that the neighbour test ruled out
  std::uint64_t element_pairs = 0;   ///< feature pairs before the element level; continuous queries only

  /// Adds the counters of `other`; levels becomes the larger of both.
  HashCounts& operator+=(const HashCounts& other) {
    levels = levels < other.levels ? other.levels : levels;
    voxels += other.voxels;
    used_voxels += other.used_voxels;
    entries += other.entries;
    voxel_pairs += other.voxel_pairs;
    repeated += other.repeated;
    box_pairs += other.box_pairs;
    neighbours += other.neighbours;
    neighbours_out += other.neighbours_out;
    element_pairs += other.element_pairs;
    return *this;
  }
};

/// Clusters of triangles of Method::Auto: the pairs after each stage. The pairs after the last stage are the
/// elementary tests. Only impacts and first_impact use clusters.
struct ClusterCounts {
  std::uint64_t clusters = 0;  ///< clusters in the scene
  std::uint64_t kept = 0;      ///< clusters that are static, and unchanged since their contacts were found
  std::uint64_t pairs = 0;     ///< cluster pairs that bounds do not separate, and single clusters not proved free
  std::uint64_t feature_tests = 0;  ///< feature pairs whose bounds were compared
  std::uint64_t feature_pairs = 0;  ///< feature pairs whose bounds overlap
  std::uint64_t kept_contacts = 0;  ///< impacts among unchanged static vertices, reused from an earlier query

  /// Adds the counters of `other`.
  ClusterCounts& operator+=(const ClusterCounts& other) {
    clusters += other.clusters;
    kept += other.kept;
    pairs += other.pairs;
    feature_tests += other.feature_tests;
    feature_pairs += other.feature_pairs;
    kept_contacts += other.kept_contacts;
    return *this;
  }
};

/// Work, time and memory of one query. Counters are deterministic, times are not. Times are wall times; impact
/// queries split the time of the loop over candidates into traversal and narrow phase by the time that threads
/// spend in each, and queries at one instant count the whole loop as narrow_ms.
struct Stats {
  std::uint64_t bv_tests = 0;        ///< overlap tests of bounding volumes
  std::uint64_t triangle_pairs = 0;  ///< triangle pairs that the broad phase generates, adjacent pairs included;
                                     ///< methods without triangle pairs (brute; impacts of auto) count none
  std::uint64_t vf_tests = 0;        ///< vertex-face elementary tests
  std::uint64_t ee_tests = 0;        ///< edge-edge elementary tests
  TierCounts tiers;                  ///< elementary tests by the tier that decided them
  CullCounts culled;                 ///< normal cones, contours and orphan sets
  CoherenceCounts coherence;         ///< sessions and stored pairs of Method::Adaptive
  HashCounts hash;                   ///< cells and voxels of Method::Hash
  ClusterCounts cluster;             ///< clusters of Method::Auto
  double update_ms = 0.0;            ///< milliseconds for refitting or building bounds, and for proofs
  double traverse_ms = 0.0;          ///< milliseconds for generating candidates (broad phase)
  double narrow_ms = 0.0;            ///< milliseconds for elementary tests (narrow phase)
  double total_ms = 0.0;             ///< milliseconds for the whole query, input checks included
  std::uint64_t memory_bytes = 0;    ///< bytes of kept data and work arrays, without the scene and the results
  std::uint64_t device_bytes = 0;    ///< GPU memory among them; 0 if the query ran on the host
};

}  // namespace graze
