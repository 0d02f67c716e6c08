// Batches of candidates against one elementary test after the other: the same impacts, bit for bit, for all batch
// sizes.
#include "query/impact_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "oracle/query_generator.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace cull;
using namespace query;
namespace {

struct Candidates {
  std::vector<VertexPath> paths;
  std::vector<PairVertices> pairs;
};

Candidates all_families(FeatureKind kind, std::uint64_t count) {
  Candidates all;
  for (std::uint64_t i = 0; i < count; ++i) {
    for (const oracle::QueryFamily& family : oracle::query_families()) {
      const PairStep pair = oracle::make_query(family, kind, 9, i);
      const auto first = static_cast<VertexId>(all.paths.size());
      all.pairs.push_back({first, first + 1, first + 2, first + 3});
      for (std::size_t k = 0; k < 4; ++k) all.paths.push_back({.t0 = pair.t0[k], .t1 = pair.t1[k]});
    }
  }
  return all;
}

std::map<FeaturePair, Impact> run(FeatureKind kind, const Candidates& all, std::size_t each,
                                  const ElementaryOptions& options, bool already_filtered, Stats& stats) {
  ImpactBatch batch(kind, {all.paths, options, already_filtered});
  std::map<FeaturePair, Impact> found;
  const auto sink = [&](std::span<const Impact> some) {
    EXPECT_FALSE(some.empty());
    for (const Impact& impact : some) EXPECT_TRUE(found.emplace(impact.pair, impact).second) << "twice";
  };
  std::size_t pushed = 0;
  for (const PairVertices& pair : all.pairs) {
    batch.push({0, 1, 2, 3}, false);  // not kept
    batch.push(pair, true);
    if (batch.full() || ++pushed % each == 0) batch.flush(stats, sink);
  }
  batch.finish(stats, sink);
  EXPECT_TRUE(batch.empty());
  return found;
}

void expect_same(FeatureKind kind, const Candidates& all, const std::map<FeaturePair, Impact>& found,
                 const ElementaryOptions& options, TierCounts& tiers) {
  std::size_t contacts = 0;
  for (const PairVertices& vertices : all.pairs) {
    const PairStep pair = pair_step(all.paths, vertices);
    const auto expected = kind == FeatureKind::VertexFace ? impact_vertex_face(pair, options, &tiers)
                                                          : impact_edge_edge(pair, options, &tiers);
    const auto at = found.find({kind, vertices});
    ASSERT_EQ(expected.has_value(), at != found.end());
    if (!expected) continue;
    ++contacts;
    const Impact& impact = at->second;
    EXPECT_EQ(impact.toi_lo, expected->toi_lo);
    EXPECT_EQ(impact.toi_hi, expected->toi_hi);
    EXPECT_EQ(impact.weights, expected->weights);
    EXPECT_EQ(impact.normal, expected->normal);
    EXPECT_EQ(impact.side, expected->side);
    EXPECT_EQ(impact.remembered_side, expected->side);
  }
  EXPECT_EQ(contacts, found.size());
  EXPECT_GT(contacts, all.pairs.size() / 10);
}

TEST(ImpactBatch, gives_the_bits_and_the_tiers_of_single_tests_whatever_its_size) {
  for (const FeatureKind kind : {FeatureKind::VertexFace, FeatureKind::EdgeEdge}) {
    const Candidates all = all_families(kind, 40);
    const ElementaryOptions options{.tolerance = 1e-6};
    for (const std::size_t each : {3U, 100U, 1000U}) {
      Stats stats;
      TierCounts tiers;
      expect_same(kind, all, run(kind, all, each, options, false, stats), options, tiers);
      EXPECT_EQ(stats.vf_tests + stats.ee_tests, all.pairs.size());
      EXPECT_EQ(stats.tiers.filter, tiers.filter);
      EXPECT_EQ(stats.tiers.interval, tiers.interval);
      EXPECT_EQ(stats.tiers.exact, tiers.exact);
    }
  }
}

TEST(ImpactBatch, gives_the_same_with_a_thickness_and_for_candidates_that_were_sifted) {
  for (const FeatureKind kind : {FeatureKind::VertexFace, FeatureKind::EdgeEdge}) {
    const Candidates all = all_families(kind, 30);
    for (const double thickness : {0.0, 0.01}) {
      const ElementaryOptions options{.tolerance = 1e-6, .thickness = thickness};
      for (const bool already_filtered : {false, true}) {
        Stats stats;
        TierCounts tiers;
        expect_same(kind, all, run(kind, all, 100, options, already_filtered, stats), options, tiers);
        EXPECT_EQ(stats.vf_tests + stats.ee_tests, all.pairs.size());
        EXPECT_EQ(stats.tiers.filter + stats.tiers.interval + stats.tiers.exact, all.pairs.size());
        if (thickness == 0.0) {
          EXPECT_EQ(stats.tiers.exact, tiers.exact);
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze
