// Sixteen batches of 256 pairs (786 KB, about a second-level cache) are filtered repeatedly, as in a query, which
// filters a batch while it is in cache (filter_speed.hpp). Filling the batches is not measured.
#include "research/filter_speed.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "core/simd/targets.hpp"
#include "geometry/vec.hpp"
#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/kernels/pair_filter.hpp"

namespace graze::papers {
namespace {

constexpr std::size_t kBatches = 16;
constexpr std::size_t kBatchPairs = 256;

// xorshift64*: small, and the same numbers on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769U + 88172645463325252U) {}
  double uniform(double low, double high) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const std::uint64_t bits = state_ * 2685821657736338717U;
    return low + (high - low) * static_cast<double>(bits >> 11) * 0x1p-53;
  }
  Vec3 in_cube(double r) { return {uniform(-r, r), uniform(-r, r), uniform(-r, r)}; }

 private:
  std::uint64_t state_;
};

Vec3 unit(Random& random) {
  for (;;) {
    const Vec3 v = random.in_cube(1.0);
    const double l = length(v);
    if (l > 0.1 && l <= 1.0) return (1.0 / l) * v;
  }
}

// Two features of edge length about 1, on sheets a fraction of an edge apart, at a random place in a scene of size
// 100. Both move by about an edge length, and a little relative to each other.
PairStep near_pair(FeatureKind kind, Random& random) {
  const Vec3 centre = random.in_cube(50.0);
  const Vec3 n = unit(random);
  const Vec3 u0 = unit(random);
  const Vec3 u = (1.0 / length(cross(n, u0))) * cross(n, u0);
  const Vec3 w = cross(n, u);
  const Vec3 common = random.in_cube(1.0);
  const Vec3 shift = random.uniform(-1.0, 1.0) * u + random.uniform(-1.0, 1.0) * w + random.uniform(0.0, 0.8) * n;
  const Vec3 relative = random.in_cube(0.15);
  const auto corner = [&](double angle, double r) {
    const double a = angle * std::numbers::pi / 180.0;
    return centre + (r * std::cos(a)) * u + (r * std::sin(a)) * w + random.in_cube(0.08);
  };
  PairStep pair;
  const double turn = random.uniform(0.0, 360.0);
  const std::size_t split = kind == FeatureKind::VertexFace ? 1 : 2;
  for (std::size_t i = 0; i < 4; ++i) {
    const double angle = turn + 120.0 * static_cast<double>(i) + (i < split ? random.uniform(0.0, 120.0) : 0.0);
    const bool first = i < split;
    const double radius = first && kind == FeatureKind::VertexFace ? 0.0 : 0.58;
    pair.t0[i] = corner(angle, radius) + (first ? shift : Vec3{});
    pair.t1[i] = pair.t0[i] + common + random.in_cube(0.05) + (first ? relative : Vec3{});
  }
  return pair;
}

bool boxes_overlap(FeatureKind kind, const PairStep& pair) {
  const std::size_t split = kind == FeatureKind::VertexFace ? 1 : 2;
  const auto axis_overlaps = [&](double Vec3::*axis) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double lo[2] = {kInfinity, kInfinity};
    double hi[2] = {-kInfinity, -kInfinity};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t f = i < split ? 0 : 1;
      lo[f] = std::min({lo[f], pair.t0[i].*axis, pair.t1[i].*axis});
      hi[f] = std::max({hi[f], pair.t0[i].*axis, pair.t1[i].*axis});
    }
    return lo[0] <= hi[1] && lo[1] <= hi[0];
  };
  return axis_overlaps(&Vec3::x) && axis_overlaps(&Vec3::y) && axis_overlaps(&Vec3::z);
}

bool only_coplanarity_rejects(FeatureKind kind, const PairStep& pair) {
  const auto p = scalar::to_points(pair);
  if (kind == FeatureKind::VertexFace ? scalar::separated_on_axis_vf(p, 0.0) : scalar::separated_on_axis_ee(p, 0.0))
    return false;
  const auto a = scalar::difference(p, 1, 0);
  const auto b = scalar::difference(p, 2, 0);
  const auto c = scalar::difference(p, 3, 0);
  const double scale = scalar::magnitude(a) * scalar::magnitude(b) * scalar::magnitude(c);
  return scalar::never_coplanar(scalar::dot(a, scalar::cross(b, c)), scale, true);
}

/// A batch of pairs that share no vertices.
struct Batch {
  std::vector<VertexPath> paths;
  std::vector<PairVertices> pairs;
};

std::vector<Batch> make_batches(PairMix mix, FeatureKind kind, std::uint64_t seed) {
  std::vector<Batch> batches(kBatches);
  Random random(seed);
  for (Batch& batch : batches) {
    while (batch.pairs.size() < kBatchPairs) {
      const PairStep pair = near_pair(kind, random);
      if (!boxes_overlap(kind, pair)) continue;
      if (mix == PairMix::Coplanarity && !only_coplanarity_rejects(kind, pair)) continue;
      PairVertices vertices;
      for (std::size_t i = 0; i < 4; ++i) {
        vertices[i] = static_cast<VertexId>(batch.paths.size());
        batch.paths.push_back({pair.t0[i], pair.t1[i]});
      }
      batch.pairs.push_back(vertices);
    }
  }
  return batches;
}

std::size_t filter_scalar(FeatureKind kind, const Batch& batch, std::uint16_t* survivors) {
  std::size_t kept = 0;
  for (std::size_t n = 0; n < batch.pairs.size(); ++n) {
    const auto p = scalar::to_points(pair_step(batch.paths, batch.pairs[n]));
    const bool apart = kind == FeatureKind::VertexFace ? scalar::never_touch_vf<bool>(p, 0.0, false)
                                                       : scalar::never_touch_ee<bool>(p, 0.0, false);
    if (!apart) survivors[kept++] = static_cast<std::uint16_t>(n);
  }
  return kept;
}

template <class Filter>
FilterSpeed measure(const std::vector<Batch>& batches, std::uint64_t pairs, const Filter& filter) {
  FilterSpeed row;
  const std::uint64_t rounds = (pairs + kBatchPairs - 1) / kBatchPairs;
  std::array<std::uint16_t, kBatchPairs> survivors{};
  for (int run = 0; run < 3; ++run) {
    row.survivors = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < rounds; ++i) row.survivors += filter(batches[i % kBatches], survivors.data());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    row.pairs = rounds * kBatchPairs;
    row.pairs_per_second = std::max(row.pairs_per_second, static_cast<double>(row.pairs) / seconds.count());
  }
  return row;
}

}  // namespace

std::vector<FilterSpeed> measure_filter_speed(std::uint64_t pairs, std::uint64_t seed) {
  std::vector<FilterSpeed> rows;
  for (const PairMix mix : {PairMix::Near, PairMix::Coplanarity}) {
    for (const FeatureKind kind : {FeatureKind::VertexFace, FeatureKind::EdgeEdge}) {
      const auto batches = make_batches(mix, kind, seed);
      const auto add = [&](const std::string& target, FilterSpeed row) {
        row.mix = mix;
        row.kind = kind;
        row.target = target;
        rows.push_back(row);
      };
      add("scalar", measure(batches, pairs, [&](const Batch& batch, std::uint16_t* survivors) {
            return filter_scalar(kind, batch, survivors);
          }));
      const std::uint64_t expected = rows.back().survivors;
      for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        add(target, measure(batches, pairs, [&](const Batch& batch, std::uint16_t* survivors) {
              return filter_pairs(kind, batch.paths, batch.pairs, 0.0, survivors);
            }));
        if (rows.back().survivors != expected) {
          use_simd_target("");
          throw std::logic_error("SIMD target " + target + " disagrees with the scalar filter");
        }
      }
      use_simd_target("");
    }
  }
  return rows;
}

std::string best_simd_target() {
  const std::vector<std::string> targets = simd_targets();
  return targets.empty() ? "scalar" : targets.front();
}

}  // namespace graze::papers
