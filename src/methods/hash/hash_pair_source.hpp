// Generates pairs of leaves from the voxels of a spatial hash, culled inside the voxels (HASH, section 4.3,
// primitive level): first by the overlap of boxes in a voxel, then by 26-DOPs, then, for leaves that share a
// vertex, by the neighbour test.
//
// Has the interface of LeafPairSource (query/leaf/leaf_pair_source.hpp): blocks of pairs that depend on the tables
// alone. Cost: linear in the pairs whose boxes overlap.
#pragma once

#include <cstddef>

#include <cstdint>
#include <graze/research.hpp>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "cull/kdop_slab_pairs.hpp"
#include "mesh/features.hpp"
#include "methods/hash/hashed_leaves.hpp"
#include "query/leaf/leaf_pair_source.hpp"

namespace graze::methods {

class HashPairSource {
 public:
  HashPairSource(const HashedLeaves& leaves, LeafBounds::Scope scope, PairTests tests)
      : leaves_(&leaves), tests_(tests), neighbours_(leaves.neighbours()), pairs_(leaves.leaf_pairs(scope)) {
    for (std::size_t t = 0; t < pairs_.size(); ++t) {
      for (std::size_t g = 0; g < pairs_[t].group_count(); ++g) groups_.push_back({t, g});
    }
  }

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const {
    return std::vector<std::uint64_t>(groups_.size(), LeafPairSource::kWeight);
  }
  [[nodiscard]] bool counted() const { return false; }

  template <typename Visit>
  void run(std::size_t block, Stats& stats, const Visit& visit) const {
    std::vector<LeafPair> kept;
    const VoxelPairCounts counts =
        pairs_[groups_[block].table].run_group(groups_[block].number, [&](std::span<const LeafPair> pairs) {
          kept.assign(pairs.begin(), pairs.end());
          if (leaves_->choices().hash.representatives) keep_compatible(kept);
          keep_overlapping(kept, stats);
          if (neighbours_.test != research::NeighbourTest::None) drop_neighbours(kept, stats.hash);
          if (!kept.empty()) visit(std::span<LeafPair>(kept));
        });
    stats.bv_tests += counts.box_tests;
    stats.hash.box_pairs += counts.pairs;
    stats.hash.repeated += counts.repeated;
  }

 private:
  /// Keeps the pairs for which keep(pair) returns true, in order; branch-free.
  template <typename Keep>
  static void keep_if(std::vector<LeafPair>& pairs, const Keep& keep) {
    std::size_t count = 0;
    for (const LeafPair pair : pairs) {
      pairs[count] = pair;
      count += static_cast<std::size_t>(keep(pair));
    }
    pairs.resize(count);
  }

  /// Keeps the pairs that have an elementary test to dispatch.
  void keep_compatible(std::vector<LeafPair>& pairs) const {
    const auto id = [&](std::uint32_t leaf) { return leaves_->leaf(leaf).id; };
    if (tests_ == PairTests::Continuous) {
      keep_if(pairs, [&](const LeafPair& pair) { return has_compatible(id(pair.a), id(pair.b)); });
    } else {
      keep_if(pairs, [&](const LeafPair& pair) { return has_compatible_edge_face(id(pair.a), id(pair.b)); });
    }
  }
  void keep_overlapping(std::vector<LeafPair>& pairs, Stats& stats) const {
    const auto by = [&](const auto& rows) {
      stats.bv_tests += pairs.size();
      pairs.resize(keep_overlapping_leaves(std::span(rows.leaves), std::span(pairs)));
    };
    const auto& slabs = leaves_->slabs();
    if (const auto* rows = std::get_if<KdopSlabRows<6>>(&slabs)) by(*rows);
    if (const auto* rows = std::get_if<KdopSlabRows<10>>(&slabs)) by(*rows);
  }
  void drop_neighbours(std::vector<LeafPair>& pairs, HashCounts& counts) const {
    std::erase_if(pairs, [&](const LeafPair& pair) {
      const Leaf& a = leaves_->leaf(pair.a);
      const Leaf& b = leaves_->leaf(pair.b);
      if (!share_vertex(a.vertices, b.vertices)) return false;
      ++counts.neighbours;
      const bool out = neighbours_.rules_out(a, b);
      counts.neighbours_out += out ? 1 : 0;
      return out;
    });
  }

  const HashedLeaves* leaves_;
  PairTests tests_;
  NeighbourFilter neighbours_;
  struct Group {
    std::size_t table = 0;
    std::size_t number = 0;
  };
  std::vector<VoxelPairs> pairs_;
  std::vector<Group> groups_;
};

}  // namespace graze::methods
