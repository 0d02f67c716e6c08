// The kernels that host and GPU share: the same bits from both, for adversarial pairs with and without thickness,
// for random floats of all sizes in the proofs, and for bounds of clusters.
#include "cuda/kernel_twins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cuda/effort.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "narrow/interval.hpp"
#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/kernels/thick_lane.hpp"
#include "narrow/kernels/thick_scalar.hpp"
#include "oracle/query_generator.hpp"
#include "oracle/random.hpp"

namespace graze::testing {

namespace {

using narrow::IntervalOutcome;
using oracle::Random;

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

bool same(const narrow::QuickResult& a, const narrow::QuickResult& b) {
  if (a.outcome != b.outcome) return false;
  if (a.outcome != IntervalOutcome::Contact) return true;
  return same_bits(a.impact.toi_lo, b.impact.toi_lo) && same_bits(a.impact.toi_hi, b.impact.toi_hi) &&
         same_bits(a.impact.weights, b.impact.weights) && same_bits(a.impact.normal, b.impact.normal) &&
         a.impact.side == b.impact.side;
}

template <bool kVertexFace>
PairAnswer answer_on_host(const PairStep& pair, const ElementaryOptions& options) {
  namespace s = narrow::scalar;
  const s::Points<double> points = s::to_points(pair);
  const double gap = narrow::filter_gap(options.thickness);
  const bool thick = options.thickness > 0.0;
  PairAnswer answer;
  answer.filtered =
      kVertexFace ? s::never_touch_vf<bool>(points, gap, thick) : s::never_touch_ee<bool>(points, gap, thick);
  if (thick) {
    answer.quickly_apart =
        s::quickly_apart<kVertexFace, bool>(points, options.thickness, narrow::quick_slack(options));
    answer.found = kVertexFace ? narrow::quick_thickness_vertex_face(pair, options)
                               : narrow::quick_thickness_edge_edge(pair, options);
  } else {
    answer.found = kVertexFace ? narrow::quick_root_vertex_face(pair, options.tolerance)
                               : narrow::quick_root_edge_edge(pair, options.tolerance);
  }
  return answer;
}

struct Outcomes {
  std::size_t apart = 0;
  std::size_t contact = 0;
  std::size_t undecided = 0;
};

void expect_same_answers(FeatureKind kind, double thickness, std::size_t per_family, Outcomes& outcomes) {
  std::vector<PairStep> pairs;
  std::vector<std::string> names;
  for (const oracle::QueryFamily& family : oracle::query_families()) {
    for (std::uint64_t i = 0; i < per_family; ++i) {
      pairs.push_back(oracle::make_query(family, kind, 23, i));
      names.push_back(fmt::format("{} {}", family.name, i));
    }
  }
  const ElementaryOptions options{.tolerance = 1e-6, .thickness = thickness};
  const std::vector<PairAnswer> actual = answers_on_gpu(kind, pairs, options);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const PairAnswer expected = kind == FeatureKind::VertexFace ? answer_on_host<true>(pairs[i], options)
                                                                : answer_on_host<false>(pairs[i], options);
    outcomes.apart += expected.found.outcome == IntervalOutcome::Apart ? 1 : 0;
    outcomes.contact += expected.found.outcome == IntervalOutcome::Contact ? 1 : 0;
    outcomes.undecided += expected.found.outcome == IntervalOutcome::Undecided ? 1 : 0;
    if (actual[i].filtered == expected.filtered && actual[i].quickly_apart == expected.quickly_apart &&
        same(actual[i].found, expected.found)) {
      continue;
    }
    ADD_FAILURE() << names[i] << (kind == FeatureKind::VertexFace ? ", vertex-face" : ", edge-edge")
                  << ", thickness " << thickness;
    if (++wrong == 10) return;
  }
}

TEST(CudaKernels, ElementaryTestsHaveTheBitsOfTheHost) {
  GRAZE_SKIP_WITHOUT_GPU();
  const std::size_t per_family = with_effort(2'000);
  Outcomes outcomes;
  for (const FeatureKind kind : {FeatureKind::VertexFace, FeatureKind::EdgeEdge}) {
    for (const double thickness : {0.0, 1e-3, 0.1, 3.0}) expect_same_answers(kind, thickness, per_family, outcomes);
  }
  EXPECT_GT(outcomes.apart, with_effort(1'000));
  EXPECT_GT(outcomes.contact, with_effort(1'000));
  EXPECT_GT(outcomes.undecided, with_effort(100));
}

/// A float of any sign; most are near 1, some are of another size, zero, or too large.
float random_float(Random& random, double size) {
  if (random.below(16) == 0) return 0.0F;
  if (random.below(64) == 0)
    return static_cast<float>(std::ldexp(random.symmetric(), static_cast<int>(random.below(200)) - 100));
  return static_cast<float>(size * random.symmetric());
}

TEST(CudaKernels, ProofsInFloatsHaveTheBitsOfTheHost) {
  GRAZE_SKIP_WITHOUT_GPU();
  Random random(5, 1);
  std::vector<ProofInput> inputs(with_effort(200'000));
  for (ProofInput& input : inputs) {
    const double motion = std::ldexp(1.0, -static_cast<int>(random.below(12)));
    for (int point = 0; point < 4; ++point) {
      const float away = point < 2 && random.coin() ? 1.0F : 0.0F;
      for (int k = 0; k < 3; ++k) {
        input.points.x[0][point][k] = random_float(random, 1.0) + away;
        input.points.x[1][point][k] = input.points.x[0][point][k] + random_float(random, motion);
      }
    }
    input.delta = static_cast<float>(std::ldexp(random.unit(), -static_cast<int>(random.below(24))));
    input.gap = random.coin() ? 0.0F : static_cast<float>(0.3 * random.unit());
  }
  const std::vector<ProofAnswer> actual = proofs_on_gpu(inputs);
  std::array<std::size_t, 9> yes{};
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ProofAnswer expected = prove(inputs[i]);
    for (unsigned bit = 0; bit < yes.size(); ++bit) yes[bit] += expected.bits >> bit & 1U;
    if (actual[i].bits == expected.bits && same_bits(actual[i].numbers, expected.numbers)) continue;
    ADD_FAILURE() << "input " << i << ": bits " << actual[i].bits << " instead of " << expected.bits;
    if (++wrong == 10) return;
  }
  for (unsigned bit = 0; bit < yes.size(); ++bit) {
    EXPECT_GT(yes[bit], 100U) << "proof " << bit;
    EXPECT_LT(yes[bit], inputs.size() - 100U) << "proof " << bit;
  }
}

TEST(CudaKernels, BoundsOfClustersHaveTheBitsOfTheHost) {
  GRAZE_SKIP_WITHOUT_GPU();
  Random random(6, 1);
  std::vector<BoundsInput> inputs(with_effort(50'000));
  for (BoundsInput& input : inputs) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(160)) - 80);
    const auto position = [&] { return scale * 8.0 * random.symmetric(); };
    input.frame =
        methods::own_frame({position(), position(), position()}, {position(), position(), position()}, scale);
    input.error = static_cast<float>(std::ldexp(random.unit(), -20));
    for (std::size_t k = 0; k < 6; ++k) {
      const float a = random_float(random, 1.0);
      const float b = random_float(random, 1.0);
      input.box.lo[k] = std::min(a, b);
      input.box.hi[k] = std::max(a, b);
    }
    for (auto& normal : input.normals) {
      for (float& x : normal) x = random_float(random, 1.0);
    }
  }
  const std::vector<BoundsAnswer> actual = bounds_on_gpu(inputs);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const BoundsAnswer expected = bound(inputs[i]);
    if (same_bits(actual[i].box, expected.box) && same_bits(actual[i].normal, expected.normal)) continue;
    ADD_FAILURE() << "input " << i;
    if (++wrong == 10) return;
  }
}

}  // namespace
}  // namespace graze::testing
