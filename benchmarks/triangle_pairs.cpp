// Benchmark of the triangle tests of rigid queries, per pair, with every instruction set of this machine: the
// candidate pairs of a boxtree traversal, in batches as in the collider, and its intersecting or separated pairs
// alone. Two bunnies, one of them rotated and moved in, if the public data is present, else two spheres. Verdicts
// must be those of exact tests, so that a fast wrong answer fails.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <graze/io.hpp>
#include <graze/rigid.hpp>

#include "core/simd/targets.hpp"
#include "narrow/edge_face.hpp"
#include "narrow/kernels/triangle_pairs.hpp"
#include "narrow/triangle_contact.hpp"
#include "rigid/boxtree/boxtree_traversal.hpp"
#include "rigid/object.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

enum class Which : std::uint8_t { All, Separated, Intersecting };

struct Pairs {
  RigidObject object;
  Pose pose_a;
  Pose pose_b;
  std::vector<TrianglePair> all;
  std::vector<std::uint8_t> intersects;

  PosedTriangles a() const { return {object.positions(), object.triangles(), pose_a}; }
  PosedTriangles b() const { return {object.positions(), object.triangles(), pose_b}; }
  std::vector<TrianglePair> some(Which which) const {
    std::vector<TrianglePair> list;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (which == Which::All || (which == Which::Intersecting) == (intersects[i] != 0)) list.push_back(all[i]);
    }
    return list;
  }
};

std::array<Vec3, 3> corners(const PosedTriangles& t, TriangleId id) {
  const auto& [i, j, k] = t.triangles[id];
  return {posed(t.pose, t.positions[i]), posed(t.pose, t.positions[j]), posed(t.pose, t.positions[k])};
}

RigidObject load_object() {
  const std::filesystem::path bunny = std::filesystem::path(GRAZE_DEFAULT_DATA) / "meshes" / "bunny.ply";
  if (std::filesystem::exists(bunny)) {
    const Mesh mesh = read_mesh(bunny);
    return RigidObject(mesh.positions, mesh.triangles);
  }
  // A sphere of 2 x 64 x 128 triangles.
  constexpr std::uint32_t kRings = 65;
  constexpr std::uint32_t kAround = 128;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < kRings; ++i) {
    const Pose down = pose_from_axis_angle({0, 1, 0}, 3.14159265 * i / (kRings - 1));
    for (std::uint32_t j = 0; j < kAround; ++j) {
      const Pose about = pose_from_axis_angle({0, 0, 1}, 6.2831853 * j / kAround);
      positions.push_back(posed(about, posed(down, {0, 0, 1})));
      if (i + 1 == kRings) continue;
      const std::uint32_t next = (j + 1) % kAround;
      triangles.push_back({i * kAround + j, (i + 1) * kAround + j, (i + 1) * kAround + next});
      triangles.push_back({i * kAround + j, (i + 1) * kAround + next, i * kAround + next});
    }
  }
  return RigidObject(positions, triangles);
}

const Pairs& pairs_of_traversal() {
  static const Pairs kMade = [] {
    Pairs pairs{load_object(), {}, {}, {}, {}};
    Vec3 lo = pairs.object.positions().front();
    Vec3 hi = lo;
    for (const Vec3& p : pairs.object.positions()) {
      lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
      hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
    pairs.pose_a = pose_from_axis_angle({1, 1, 3}, 0.2, {0.1, 0.2, 0.3});
    pairs.pose_b = pose_from_axis_angle({1, 2, 3}, 1.0, {0.1 + 0.2 * (hi.x - lo.x), 0.2, 0.3});
    const rigid::ObjectState& state = rigid::ObjectAccess::state(pairs.object);
    const auto placed = [&](const Pose& pose) {
      return rigid::Placed{state.boxtree.local_frame, pose, state.max_coordinate,
                           rigid::boxtree_slack(state.boxtree), static_cast<double>(state.boxtree.depth)};
    };
    const auto keep = [&](std::span<const TrianglePair> batch) {
      pairs.all.insert(pairs.all.end(), batch.begin(), batch.end());
      return false;
    };
    rigid::LeafSink sink(keep, rigid::LeafSink::kMaxPairs);
    const rigid::TraversedTree tree{state.boxtree, state.positions, state.triangles};
    rigid::LeafGroupTables work;
    rigid::traverse_boxtrees(tree, tree, rigid::place(placed(pairs.pose_a), placed(pairs.pose_b)), {}, work, sink);
    for (const TrianglePair& pair : pairs.all) {
      bool exact = false;
      const bool intersects =
          narrow::triangles_intersect(corners(pairs.a(), pair.a), corners(pairs.b(), pair.b), exact);
      pairs.intersects.push_back(static_cast<std::uint8_t>(intersects));
    }
    return pairs;
  }();
  return kMade;
}

void per_pair(benchmark::State& state, std::size_t count) {
  state.counters["pairs"] = static_cast<double>(count);
  state.counters["a_pair"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Arguments: target, batch.
void judge(benchmark::State& state, Which which) {
  const std::string target = simd_targets()[static_cast<std::size_t>(state.range(0))];
  const auto size = static_cast<std::size_t>(state.range(1));
  state.SetLabel(target);
  const Pairs& made = pairs_of_traversal();
  const std::vector<TrianglePair> pairs = made.some(which);
  std::vector<PairVerdict> verdicts(pairs.size());
  const PosedTriangles a = made.a();
  const PosedTriangles b = made.b();
  use_simd_target(target);
  while (state.KeepRunning()) {
    for (std::size_t at = 0; at < pairs.size(); at += size) {
      const std::size_t count = std::min(size, pairs.size() - at);
      test_triangle_pairs(a, b, std::span(pairs).subspan(at, count), std::span(verdicts).subspan(at, count), false);
    }
    benchmark::ClobberMemory();
  }
  use_simd_target("");
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    bool exact = false;
    const bool intersects = narrow::triangles_intersect(corners(a, pairs[i].a), corners(b, pairs[i].b), exact);
    if (verdicts[i] == PairVerdict::Unknown) {
      ++unknown;
    } else if ((verdicts[i] == PairVerdict::Intersect) != intersects) {
      state.SkipWithError("a wrong verdict");
    }
  }
  state.counters["unknown"] = static_cast<double>(unknown);
  per_pair(state, pairs.size());
}

void contacts(benchmark::State& state) {
  const Pairs& made = pairs_of_traversal();
  std::vector<std::array<std::array<Vec3, 3>, 2>> triangles;
  for (const TrianglePair& pair : made.some(Which::Intersecting))
    triangles.push_back({corners(made.a(), pair.a), corners(made.b(), pair.b)});
  std::size_t exact_count = 0;
  while (state.KeepRunning()) {
    exact_count = 0;
    for (const auto& [a, b] : triangles) {
      bool exact = false;
      benchmark::DoNotOptimize(narrow::triangle_contact(a, b, exact));
      exact_count += static_cast<std::size_t>(exact);
    }
  }
  state.counters["exact"] = static_cast<double>(exact_count);
  per_pair(state, triangles.size());
}

void every_target(benchmark::internal::Benchmark* benchmark) {
  for (int target = 0; target < static_cast<int>(simd_targets().size()); ++target) benchmark->Args({target, 256});
  for (const int batch : {4, 8, 32}) benchmark->Args({0, batch});
}

BENCHMARK_CAPTURE(judge, all, Which::All)->Apply(every_target);
BENCHMARK_CAPTURE(judge, separated, Which::Separated)->Apply(every_target);
BENCHMARK_CAPTURE(judge, intersecting, Which::Intersecting)->Apply(every_target);
BENCHMARK(contacts);

}  // namespace
}  // namespace graze

BENCHMARK_MAIN();
