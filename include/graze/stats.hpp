// Counters and times of one query. Every stage counts its own work; the papers' tables come out of these.
#pragma once

#include <cstdint>

namespace graze {

/// How many elementary tests each tier decided; filter + interval + exact = all elementary tests, edge-face ones
/// included, which Stats counts nowhere else.
struct TierCounts {
  std::uint64_t filter = 0;    ///< decided in doubles, by a proved error bound
  std::uint64_t interval = 0;  ///< decided by certified subdivision
  std::uint64_t exact = 0;     ///< decided in exact arithmetic

  TierCounts& operator+=(const TierCounts& other) {
    filter += other.filter;
    interval += other.interval;
    exact += other.exact;
    return *this;
  }
};

/// What proofs of no contact and adjacency took away, and what they cost: of normal cones and of iccd.
struct CullCounts {
  std::uint64_t cone_tests = 0;          ///< patches whose cone was looked at
  std::uint64_t contour_tests = 0;       ///< patches whose contour was
  std::uint64_t planar_tests = 0;        ///< pairs of contour edges, in projection
  std::uint64_t exact_planar_tests = 0;  ///< of those, decided in exact arithmetic
  std::uint64_t free_patches = 0;        ///< patches proved to have no contact with themselves
  std::uint64_t free_triangles = 0;      ///< in those patches
  std::uint64_t vertex_adjacent = 0;     ///< triangle pairs with one common vertex, left to orphans
  std::uint64_t edge_adjacent = 0;       ///< with more
  std::uint64_t orphans = 0;             ///< feature pairs of orphan sets that were tested
  std::uint64_t orphans_free = 0;        ///< dropped, as a proved patch holds both features

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

/// What Method::Adaptive did with what earlier steps knew.
struct CoherenceCounts {
  std::uint64_t session_frames = 0;  ///< steps that the current session is planned for; 0: none
  std::uint64_t session_step = 0;    ///< which of them this was, from 1; beyond 1 update and traversal were skipped
  std::uint64_t dangling_vertices = 0;    ///< that might have left their bounds, and got new ones
  std::uint64_t dangling_triangles = 0;   ///< with such a vertex
  std::uint64_t violating_triangles = 0;  ///< taken out of sub-surfaces
  std::uint64_t pairs = 0;                ///< triangle pairs in the store (the pending list)
  std::uint64_t pair_bytes = 0;           ///< memory of the store
  std::uint64_t measured = 0;             ///< feature pairs whose distance was measured
  std::uint64_t admissible = 0;           ///< triangle pairs that the distances do not rule out in this step
  std::uint64_t remembered = 0;           ///< feature pairs whose side is remembered

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

/// What Method::Hash did: cells, voxels, and the pairs that each level of culling leaves. Triangle pairs after the
/// primitive level are Stats::triangle_pairs, feature pairs after the element level the elementary tests.
struct HashCounts {
  std::uint64_t levels = 0;          ///< sizes of cells in use
  std::uint64_t voxels = 0;          ///< of the table; of two, where there are static bodies; of first_impact, of
                                     ///< the last part of the step that was looked at, as are the next three
  std::uint64_t used_voxels = 0;     ///< with a triangle
  std::uint64_t entries = 0;         ///< triangles in cells, each as often as cells hold it
  std::uint64_t voxel_pairs = 0;     ///< sum of n (n - 1) / 2 over voxels: the pairs of plain hashing
  std::uint64_t repeated = 0;        ///< pairs whose boxes overlap that came up again in another cell
  std::uint64_t box_pairs = 0;       ///< pairs whose boxes overlap, each once
  std::uint64_t neighbours = 0;      ///< pairs with a common vertex that the neighbour test looked at
  std::uint64_t neighbours_out = 0;  ///< of those, ruled out
  std::uint64_t element_pairs = 0;   ///< feature pairs before the element level

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

/// What Method::Auto did with clusters of triangles: the pairs that each stage leaves. What its last stage leaves
/// are the elementary tests.
struct ClusterCounts {
  std::uint64_t clusters = 0;  ///< of the scene
  std::uint64_t kept = 0;      ///< of those, that stand still as in the last step: not looked at among each other
  std::uint64_t pairs = 0;     ///< pairs of clusters whose bounds meet, and clusters by themselves
  std::uint64_t feature_tests = 0;  ///< pairs of features whose bounds were compared
  std::uint64_t feature_pairs = 0;  ///< of those, whose bounds meet
  std::uint64_t kept_contacts = 0;  ///< impacts among what is kept, known from the step before

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

/// Work and time of one query. Counters are the same in every run (of Method::Adaptive with by_work), times not.
struct Stats {
  std::uint64_t bv_tests = 0;        ///< bound overlap tests
  std::uint64_t triangle_pairs = 0;  ///< triangle pairs that are brought, adjacent ones included
  std::uint64_t vf_tests = 0;        ///< elementary tests, vertex-face
  std::uint64_t ee_tests = 0;        ///< elementary tests, edge-edge
  TierCounts tiers;                  ///< who decided the elementary tests
  CullCounts culled;                 ///< what cones, contours and orphan sets did
  CoherenceCounts coherence;         ///< what sessions and kept pairs did
  HashCounts hash;                   ///< what cells and voxels held
  ClusterCounts cluster;             ///< what clusters of triangles left
  double update_ms = 0.0;            ///< bounds and topology
  double traverse_ms = 0.0;          ///< making candidates
  double narrow_ms = 0.0;            ///< elementary tests
  double total_ms = 0.0;             ///< the whole query
  std::uint64_t memory_bytes = 0;    ///< what the detector's own arrays hold at the end of the query
};

}  // namespace graze
