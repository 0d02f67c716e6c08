// The SIMD searches for times of impact, without and with thickness, against their scalar twins, bit for bit: with
// every instruction set that this machine supports, every family of adversarial queries, at any position of a batch
// and beside any other pairs.
#include "narrow/kernels/pair_roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "narrow/kernels/pair_thickness.hpp"
#include "narrow/kernels/roots_scalar.hpp"
#include "narrow/kernels/thick_scalar.hpp"
#include "oracle/query_generator.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

constexpr std::array kKinds = {FeatureKind::VertexFace, FeatureKind::EdgeEdge};

/// Pairs that share no vertices: pair n has 4n to 4n + 3.
struct Batch {
  std::vector<PairStep> pairs;
  std::vector<VertexPath> paths;
  std::vector<PairVertices> vertices;

  void add(const PairStep& pair) {
    const auto first = static_cast<VertexId>(paths.size());
    vertices.push_back({first, first + 1, first + 2, first + 3});
    for (std::size_t i = 0; i < 4; ++i) paths.push_back({.t0 = pair.t0[i], .t1 = pair.t1[i]});
    pairs.push_back(pair);
  }
};

/// Queries of all families in turn, so that neighbouring lanes take different branches.
Batch all_families(FeatureKind kind, std::uint64_t seed, std::uint64_t count) {
  Batch batch;
  for (std::uint64_t i = 0; i < count; ++i) {
    for (const oracle::QueryFamily& family : oracle::query_families()) {
      batch.add(oracle::make_query(family, kind, seed, i));
    }
  }
  return batch;
}

/// All numbers of an answer; empty if the pair is separated.
using Answer = std::vector<std::uint64_t>;
constexpr std::uint64_t kUndecided = 1;

Answer words(const ElementaryImpact& impact) {
  const std::array numbers = {impact.toi_lo,     impact.toi_hi,      impact.weights[0], impact.weights[1],
                              impact.weights[2], impact.weights[3],  impact.normal.x,   impact.normal.y,
                              impact.normal.z,   double(impact.side)};
  Answer answer;
  for (const double number : numbers) answer.push_back(std::bit_cast<std::uint64_t>(number));
  return answer;
}

narrow::QuickResult quick(FeatureKind kind, const PairStep& pair, const ElementaryOptions& options) {
  const bool vertex_face = kind == FeatureKind::VertexFace;
  if (options.thickness > 0.0) {
    return vertex_face ? narrow::quick_thickness_vertex_face(pair, options)
                       : narrow::quick_thickness_edge_edge(pair, options);
  }
  return vertex_face ? narrow::quick_root_vertex_face(pair, options.tolerance)
                     : narrow::quick_root_edge_edge(pair, options.tolerance);
}

Answer twin(FeatureKind kind, const PairStep& pair, const ElementaryOptions& options) {
  const narrow::QuickResult result = quick(kind, pair, options);
  if (result.outcome == narrow::IntervalOutcome::Contact) return words(result.impact);
  return result.outcome == narrow::IntervalOutcome::Apart ? Answer{} : Answer{kUndecided};
}

std::vector<Answer> twins(FeatureKind kind, const Batch& batch, const ElementaryOptions& options) {
  std::vector<Answer> answers;
  for (const PairStep& pair : batch.pairs) answers.push_back(twin(kind, pair, options));
  return answers;
}

/// The answers of a run over the pairs [begin, begin + size).
std::vector<Answer> run(FeatureKind kind, const Batch& batch, std::size_t begin, std::size_t size,
                        const ElementaryOptions& options) {
  const auto pairs = std::span(batch.vertices).subspan(begin, size);
  std::vector<Impact> impacts(size);
  std::vector<std::uint16_t> undecided(size);
  const RootCounts counts =
      options.thickness > 0.0
          ? find_thick_roots(kind, batch.paths, pairs, options, impacts.data(), undecided.data())
          : find_roots(kind, batch.paths, pairs, options.tolerance, impacts.data(), undecided.data());
  std::vector<Answer> answers(size);
  std::size_t last = 0;
  for (std::size_t i = 0; i < counts.impacts; ++i) {
    const Impact& impact = impacts[i];
    const std::size_t place = impact.pair.vertices[0] / 4 - begin;
    EXPECT_TRUE(i == 0 || place > last) << "impacts are in the order of the pairs";
    last = place;
    EXPECT_EQ(impact.pair, (FeaturePair{kind, pairs[place]}));
    EXPECT_EQ(impact.remembered_side, impact.side);
    answers[place] = words({impact.toi_lo, impact.toi_hi, impact.weights, impact.normal, impact.side});
  }
  EXPECT_TRUE(std::is_sorted(undecided.begin(), undecided.begin() + static_cast<std::ptrdiff_t>(counts.undecided)));
  for (std::size_t i = 0; i < counts.undecided; ++i) {
    EXPECT_TRUE(answers[undecided[i]].empty()) << "decided and undecided";
    answers[undecided[i]] = {kUndecided};
  }
  return answers;
}

class PairRoots : public ::testing::Test {
 protected:
  void TearDown() override { use_simd_target(""); }
};

TEST_F(PairRoots, give_the_bits_of_their_scalar_twin_on_every_target) {
  for (const FeatureKind kind : kKinds) {
    const Batch batch = all_families(kind, 1, 250);
    for (const ElementaryOptions& options :
         {ElementaryOptions{1e-6, 0.0}, ElementaryOptions{0x1p-40, 0.0}, ElementaryOptions{1.0, 0.0},
          ElementaryOptions{1e-6, 1e-3}, ElementaryOptions{1e-6, 0.25}, ElementaryOptions{0x1p-40, 0.01},
          ElementaryOptions{1.0, 0.1}}) {
      const std::vector<Answer> expected = twins(kind, batch, options);
      std::size_t contacts = 0;
      std::size_t apart = 0;
      for (const Answer& answer : expected) {
        contacts += answer.size() > 1 ? 1U : 0U;
        apart += answer.empty() ? 1U : 0U;
      }
      // All outcomes are frequent, else the comparison proves nothing.
      EXPECT_GT(contacts, expected.size() / 40);
      EXPECT_GT(apart, expected.size() / 25);
      EXPECT_LT(contacts + apart, expected.size() - expected.size() / 25);
      for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        EXPECT_EQ(run(kind, batch, 0, batch.pairs.size(), options), expected) << target;
      }
    }
  }
}

TEST_F(PairRoots, do_not_depend_on_the_place_in_a_batch_nor_on_its_size) {
  for (const auto& [kind, thickness] : {std::pair(kKinds[0], 0.0), std::pair(kKinds[1], 0.0),
                                        std::pair(kKinds[0], 0.1), std::pair(kKinds[1], 0.1)}) {
    const Batch batch = all_families(kind, 2, 4);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      const ElementaryOptions options{.tolerance = 1e-6, .thickness = thickness};
      const std::vector<Answer> expected = twins(kind, batch, options);
      for (std::size_t size = 0; size <= 19; ++size) {
        for (std::size_t begin = 0; begin + size <= batch.pairs.size();
             begin += std::max<std::size_t>(1, size / 2)) {
          const std::vector<Answer> some(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                         expected.begin() + static_cast<std::ptrdiff_t>(begin + size));
          ASSERT_EQ(run(kind, batch, begin, size, options), some) << target << ", " << begin << " + " << size;
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze
