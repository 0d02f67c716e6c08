// Time of build_topology and what is derived from it, on a grid in mesh order, the same grid shuffled (worst for
// caches), and a soup whose triangles all meet at one vertex. Checks Euler's number or counts, so a fast wrong
// answer fails.
#include "mesh/topology.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace graze {
namespace {

struct Soup {
  std::vector<Triangle> triangles;
  std::size_t vertex_count = 0;
};

Soup make_grid(std::size_t triangle_count, bool shuffled) {
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangle_count) / 2.0));
  Soup grid{.triangles = {}, .vertex_count = std::size_t{side + 1} * (side + 1)};
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t corner = i * (side + 1) + j;
      grid.triangles.push_back({corner, corner + 1, corner + side + 2});
      grid.triangles.push_back({corner, corner + side + 2, corner + side + 1});
    }
  }
  if (shuffled) {
    std::mt19937_64 random(1);
    std::vector<std::uint32_t> place(grid.vertex_count);
    std::iota(place.begin(), place.end(), 0U);
    std::shuffle(place.begin(), place.end(), random);
    for (Triangle& t : grid.triangles) t = {place[t[0]], place[t[1]], place[t[2]]};
    std::shuffle(grid.triangles.begin(), grid.triangles.end(), random);
  }
  return grid;
}

void build_grid(benchmark::State& state, bool shuffled) {
  const Soup grid = make_grid(static_cast<std::size_t>(state.range(0)), shuffled);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const Topology topology = build_topology(grid.triangles, grid.vertex_count);
    bytes = topology.memory_bytes();
    if (topology.features.vertices.size() + topology.features.faces.size() != topology.features.edges.size() + 1) {
      state.SkipWithError("the Euler number of a disc must be 1");
    }
  }
  const auto count = static_cast<double>(grid.triangles.size());
  state.counters["ns/triangle"] =
      benchmark::Counter(count * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes/triangle"] = static_cast<double>(bytes) / count;
}

void derive(benchmark::State& state) {
  const Soup grid = make_grid(static_cast<std::size_t>(state.range(0)), false);
  const Topology topology = build_topology(grid.triangles, grid.vertex_count);
  for (auto _ : state) {
    const std::uint64_t adjacent = count_adjacent_pairs(topology).edge;
    const std::size_t boundary = boundary_edges(topology).size();
    const std::uint32_t components = connected_components(grid.triangles, grid.vertex_count).count;
    if (adjacent != topology.features.edges.size() - boundary || components != 1) {
      state.SkipWithError("each inner edge of a grid joins one pair, and a grid is one piece");
    }
  }
}

void build_hub(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  std::vector<Triangle> fan;
  for (std::uint32_t i = 0; i < count; ++i) fan.push_back({0, 2 * i + 1, 2 * i + 2});
  for (auto _ : state) {
    const Topology topology = build_topology(fan, 2 * std::size_t{count} + 1);
    if (topology.features.edges.size() != 3 * std::size_t{count}) state.SkipWithError("no edge of a hub is shared");
  }
}

BENCHMARK_CAPTURE(build_grid, in_order, false)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_grid, shuffled, true)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(build_hub)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(derive)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace graze

BENCHMARK_MAIN();
