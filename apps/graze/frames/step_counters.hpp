// Counters of single methods: their keys in JSON documents and their titles in tables. Rows of steps are written,
// read back and printed from these lists.
#pragma once

#include <array>
#include <cstdint>

#include <graze/stats.hpp>

namespace graze::app {

/// Counters of normal cones and orphan sets, as --stats prints them.
struct ProofCounter {
  const char* name;
  std::uint64_t CullCounts::*value;
};
inline constexpr std::array kProofCounters = {
    ProofCounter{"cones", &CullCounts::cone_tests},
    ProofCounter{"contours", &CullCounts::contour_tests},
    ProofCounter{"free patches", &CullCounts::free_patches},
    ProofCounter{"free triangles", &CullCounts::free_triangles},
    ProofCounter{"orphans", &CullCounts::orphans},
    ProofCounter{"free orphans", &CullCounts::orphans_free},
};

/// Counters of temporal coherence (adaptive): sessions, dangling triangles, kept pairs.
struct CoherenceCounter {
  const char* name;
  std::uint64_t CoherenceCounts::*value;
};
inline constexpr std::array kCoherenceCounters = {
    CoherenceCounter{"session_frames", &CoherenceCounts::session_frames},
    CoherenceCounter{"session_step", &CoherenceCounts::session_step},
    CoherenceCounter{"dangling_vertices", &CoherenceCounts::dangling_vertices},
    CoherenceCounter{"dangling_triangles", &CoherenceCounts::dangling_triangles},
    CoherenceCounter{"violating_triangles", &CoherenceCounts::violating_triangles},
    CoherenceCounter{"pairs", &CoherenceCounts::pairs},
    CoherenceCounter{"pair_bytes", &CoherenceCounts::pair_bytes},
    CoherenceCounter{"measured", &CoherenceCounts::measured},
    CoherenceCounter{"admissible", &CoherenceCounts::admissible},
    CoherenceCounter{"remembered", &CoherenceCounts::remembered},
};

/// Counters of hash: entries of voxels, and pairs left after each level of culling.
struct HashCounter {
  const char* name;
  const char* title;
  std::uint64_t HashCounts::*value;
};
inline constexpr std::array kHashCounters = {
    HashCounter{"levels", "levels", &HashCounts::levels},
    HashCounter{"voxels", "voxels", &HashCounts::voxels},
    HashCounter{"used_voxels", "used", &HashCounts::used_voxels},
    HashCounter{"entries", "entries", &HashCounts::entries},
    HashCounter{"voxel_pairs", "voxel pairs", &HashCounts::voxel_pairs},
    HashCounter{"repeated", "repeated", &HashCounts::repeated},
    HashCounter{"box_pairs", "box pairs", &HashCounts::box_pairs},
    HashCounter{"neighbours", "neighbours", &HashCounts::neighbours},
    HashCounter{"neighbours_out", "ruled out", &HashCounts::neighbours_out},
    HashCounter{"element_pairs", "element pairs", &HashCounts::element_pairs},
};

/// Counters of auto: clusters of triangles and their pairs.
struct ClusterCounter {
  const char* name;
  const char* title;
  std::uint64_t ClusterCounts::*value;
};
inline constexpr std::array kClusterCounters = {
    ClusterCounter{"clusters", "clusters", &ClusterCounts::clusters},
    ClusterCounter{"kept", "kept", &ClusterCounts::kept},
    ClusterCounter{"pairs", "cluster pairs", &ClusterCounts::pairs},
    ClusterCounter{"feature_tests", "feature tests", &ClusterCounts::feature_tests},
    ClusterCounter{"feature_pairs", "feature pairs", &ClusterCounts::feature_pairs},
    ClusterCounter{"kept_contacts", "kept contacts", &ClusterCounts::kept_contacts},
};

}  // namespace graze::app
