// Benchmark of BVH build, refit and self-collision traversal: the cloth-ball frames (92,230 triangles) if the
// public data is present, and a wavy sheet that folds over itself. Every builder must lead to the same leaf pairs,
// so that a fast wrong answer fails.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <graze/io.hpp>
#include <graze/research.hpp>

#include "bvh/build.hpp"
#include "bvh/quality.hpp"
#include "bvh/traverse.hpp"
#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

struct Step {
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  std::vector<Triangle> triangles;
};

Step make_sheet(std::uint32_t side) {
  Step step;
  for (std::uint32_t i = 0; i <= side; ++i) {
    for (std::uint32_t j = 0; j <= side; ++j) {
      // Folded six times along x, with layers a few cells apart.
      const double s = 6.0 * i / side;
      const double x = std::abs(s - 2.0 * std::floor(0.5 * s + 0.5));
      const double y = 6.0 * j / side;
      const double z = 0.02 * s + 0.01 * std::sin(3.0 * y) * std::cos(5.0 * x);
      step.x_t0.push_back({x, y, z});
      step.x_t1.push_back({x + 0.003 * std::sin(y), y, 0.7 * z});
    }
  }
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t corner = i * (side + 1) + j;
      step.triangles.push_back({corner, corner + 1, corner + side + 2});
      step.triangles.push_back({corner, corner + side + 2, corner + side + 1});
    }
  }
  return step;
}

/// Empty if the data is absent.
Step read_cloth_ball() {
  const char* data = std::getenv("GRAZE_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(data != nullptr ? data : GRAZE_DEFAULT_DATA) / "frames" / "cloth-ball";
  if (!std::filesystem::exists(folder)) return {};
  Mesh start = read_mesh(folder / "cloth_ball92.ply");
  Mesh end = read_mesh(folder / "cloth_ball93.ply");
  return {std::move(start.positions), std::move(end.positions), std::move(start.triangles)};
}

enum Which : int { ClothBall, Sheet100k, Sheet1m };

const Step& step_of(benchmark::State& state) {
  static const std::array<Step, 3> kSteps = {read_cloth_ball(), make_sheet(224), make_sheet(707)};
  const auto which = static_cast<std::size_t>(state.range(0));
  if (kSteps[which].triangles.empty()) state.SkipWithError("public data not found; set GRAZE_DATA");
  return kSteps[which];
}

std::vector<Aabb> boxes_of(const Step& step) {
  std::vector<Aabb> vertices;
  make_vertex_volumes<Aabb>(step.x_t0, step.x_t1, 0.0, vertices);
  return triangle_boxes(vertices, step.triangles);
}

/// Runs fn on the number of threads given by the benchmark's second argument.
template <typename Fn>
void timed(benchmark::State& state, const Fn& fn) {
  with_threads(static_cast<unsigned>(state.range(1)), [&] {
    for (auto _ : state) fn();
  });
}

template <research::TreeBuilder kBuilder>
void build(benchmark::State& state) {
  const Step& step = step_of(state);
  const std::vector<Aabb> boxes = boxes_of(step);
  BvhTree tree;
  timed(state, [&] { tree = bvh_build(boxes, {.builder = kBuilder}); });
  state.counters["depth"] = tree.depth;
  if (tree.leaf_count != step.triangles.size()) state.SkipWithError("one leaf a triangle");
}

template <typename Volume>
void refit(benchmark::State& state) {
  const Step& step = step_of(state);
  const BvhTree tree = bvh_build(boxes_of(step));
  std::vector<Volume> vertices;
  BvhVolumes<Volume> volumes;
  timed(state, [&] {
    make_vertex_volumes<Volume>(step.x_t0, step.x_t1, 0.0, vertices);
    bvh_refit<Volume>(tree, vertices, step.triangles, volumes);
  });
  state.counters["bytes/triangle"] = bvh_bytes_per_triangle(tree, volumes);
  state.counters["cost"] = bvh_cost(tree, volumes);
}

template <typename Volume, research::TreeBuilder kBuilder>
void self_traverse(benchmark::State& state) {
  const Step& step = step_of(state);
  const BvhTree tree = bvh_build(boxes_of(step), {.builder = kBuilder});
  std::vector<Volume> vertices;
  BvhVolumes<Volume> volumes;
  make_vertex_volumes<Volume>(step.x_t0, step.x_t1, 0.0, vertices);
  bvh_refit<Volume>(tree, vertices, step.triangles, volumes);
  std::uint64_t tests = 0;
  std::uint64_t pairs = 0;
  std::uint64_t checksum = 0;
  timed(state, [&] {
    const BvhTraversal traversal(bvh_view(tree, volumes));
    std::vector<std::array<std::uint64_t, 2>> sums(traversal.group_count());
    tests = traversal.run([&](std::size_t group, std::span<const LeafPair> found) {
      for (const LeafPair& pair : found) {
        sums[group][1] += std::uint64_t{std::min(pair.a, pair.b)} * 0x9e3779b97f4a7c15U ^ std::max(pair.a, pair.b);
      }
      sums[group][0] += found.size();
    });
    pairs = checksum = 0;
    for (const auto& [count, sum] : sums) {
      pairs += count;
      checksum += sum;
    }
  });
  state.counters["bv_tests"] = static_cast<double>(tests);
  state.counters["pairs"] = static_cast<double>(pairs);
  static std::map<std::int64_t, std::uint64_t> expected;
  const auto known =
      expected.emplace(state.range(0) * 16 + static_cast<std::int64_t>(Volume::kRows), checksum).first;
  static_assert(Volume::kRows < 16);
  if (known->second != checksum) state.SkipWithError("leaf pairs differ from those of another run");
}

void arguments(benchmark::internal::Benchmark* b) {
  for (const int which : {ClothBall, Sheet100k, Sheet1m}) {
    for (const int threads : {1, 2}) b->Args({which, threads});
  }
  b->ArgNames({"step", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_TEMPLATE(build, research::TreeBuilder::Midpoint)->Apply(arguments);
BENCHMARK_TEMPLATE(build, research::TreeBuilder::Sah)->Apply(arguments);
BENCHMARK_TEMPLATE(build, research::TreeBuilder::Lbvh)->Apply(arguments);
BENCHMARK_TEMPLATE(refit, Aabb)->Apply(arguments);
BENCHMARK_TEMPLATE(refit, Dop18)->Apply(arguments);
BENCHMARK_TEMPLATE(refit, Dop26)->Apply(arguments);
BENCHMARK_TEMPLATE(self_traverse, Aabb, research::TreeBuilder::Midpoint)->Apply(arguments);
BENCHMARK_TEMPLATE(self_traverse, Aabb, research::TreeBuilder::Sah)->Apply(arguments);
BENCHMARK_TEMPLATE(self_traverse, Aabb, research::TreeBuilder::Lbvh)->Apply(arguments);
BENCHMARK_TEMPLATE(self_traverse, Dop18, research::TreeBuilder::Sah)->Apply(arguments);
BENCHMARK_TEMPLATE(self_traverse, Dop26, research::TreeBuilder::Sah)->Apply(arguments);

}  // namespace
}  // namespace graze

BENCHMARK_MAIN();
