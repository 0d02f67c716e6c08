// Benchmark of the certified pair distances, per pair, with every instruction set of this machine: neighbouring
// pairs of two sheets above each other, as a session measures them, in batches. The sum of the bounds must be that
// of the scalar twin, so that a fast wrong answer fails.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "narrow/kernels/distance_scalar.hpp"
#include "narrow/kernels/pair_distance.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

constexpr std::uint32_t kSide = 300;
constexpr std::size_t kBatch = 1024;

struct Sheets {
  std::vector<ReferencePoint> reference_points;
  std::vector<PairVertices> pairs;
};

Sheets make_sheets(FeatureKind kind) {
  Sheets sheets;
  for (std::uint32_t layer = 0; layer < 2; ++layer) {
    for (std::uint32_t i = 0; i < kSide; ++i) {
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const double z = 1.5 * layer + std::sin(0.3 * i + layer) * std::cos(0.2 * j);
        sheets.reference_points.push_back(
            {.x = {i + 0.25 * layer, j + 0.125 * layer, z}, .displacement_bound = 0.0F});
      }
    }
  }
  const std::uint32_t layer = kSide * kSide;
  for (std::uint32_t i = 0; i + 3 < kSide; ++i) {
    for (std::uint32_t j = 0; j + 3 < kSide; ++j) {
      const std::uint32_t below = i * kSide + j;
      for (const std::uint32_t shift : {0U, 1U, kSide, kSide + 1, 2 * kSide + 2}) {
        const std::uint32_t above = layer + below + shift;
        if (kind == FeatureKind::VertexFace) {
          sheets.pairs.push_back({below, above, above + 1, above + kSide});
        } else {
          sheets.pairs.push_back({below, below + 1, above, above + kSide});
        }
      }
    }
  }
  return sheets;
}

double sum_of(const std::vector<float>& bounds) {
  double sum = 0.0;
  for (const float b : bounds) sum += static_cast<double>(b);
  return sum;
}

void pair_distance(benchmark::State& state, FeatureKind kind) {
  const std::string target = simd_targets()[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(target);
  const Sheets sheets = make_sheets(kind);
  std::vector<float> bounds(sheets.pairs.size());
  use_simd_target(target);
  while (state.KeepRunning()) {
    for (std::size_t at = 0; at < sheets.pairs.size(); at += kBatch) {
      const std::size_t count = std::min(kBatch, sheets.pairs.size() - at);
      pair_distances(kind, sheets.reference_points, std::span(sheets.pairs).subspan(at, count), &bounds[at]);
    }
    benchmark::ClobberMemory();
  }
  use_simd_target("");
  double expected = 0.0;
  for (const PairVertices& v : sheets.pairs) {
    const auto at = [&](std::size_t i) { return sheets.reference_points[v[i]].x; };
    expected += static_cast<double>(scalar::distance_bound(kind, {at(0), at(1), at(2), at(3)}));
  }
  if (sum_of(bounds) != expected) state.SkipWithError("other bounds than the scalar twin's");
  state.counters["a_pair"] =
      benchmark::Counter(static_cast<double>(sheets.pairs.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void every_target(benchmark::internal::Benchmark* benchmark) {
  benchmark->DenseRange(0, static_cast<int>(simd_targets().size()) - 1);
}

BENCHMARK_CAPTURE(pair_distance, vertex_face, FeatureKind::VertexFace)->Apply(every_target);
BENCHMARK_CAPTURE(pair_distance, edge_edge, FeatureKind::EdgeEdge)->Apply(every_target);

}  // namespace
}  // namespace graze

BENCHMARK_MAIN();
