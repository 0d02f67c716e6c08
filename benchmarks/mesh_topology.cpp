// Benchmark of build_topology and derived data, on a grid in mesh order, the same grid shuffled (worst for caches),
// and a soup whose triangles all share one vertex; and of edits against a rebuild. Checks Euler's number or counts,
// so that a fast wrong answer fails.
#include "mesh/topology.hpp"
#include "research/mesh_counts.hpp"

#include "cull/patch_mesh.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_editor.hpp"
#include "mesh/representatives.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
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
  for ([[maybe_unused]] auto _ : state) {
    const Topology topology = build_topology(grid.triangles, grid.vertex_count);
    bytes = topology.memory_bytes();
    if (topology.features.vertices.size() + topology.features.faces.size() != topology.features.edges.size() + 1) {
      state.SkipWithError("the Euler number of a disc must be 1");
    }
  }
  const auto count = static_cast<double>(grid.triangles.size());
  state.counters["time/triangle"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes/triangle"] = static_cast<double>(bytes) / count;
}

void derive(benchmark::State& state) {
  const Soup grid = make_grid(static_cast<std::size_t>(state.range(0)), false);
  const Topology topology = build_topology(grid.triangles, grid.vertex_count);
  for ([[maybe_unused]] auto _ : state) {
    const std::uint64_t adjacent = papers::count_adjacent_pairs(topology).edge;
    const std::size_t boundary = papers::boundary_edges(topology).size();
    const std::uint32_t components = papers::connected_components(grid.triangles, grid.vertex_count).count;
    if (adjacent != topology.features.edges.size() - boundary || components != 1) {
      state.SkipWithError("each inner edge of a grid joins one pair, and a grid is one piece");
    }
  }
}

void build_hub(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  std::vector<Triangle> fan;
  for (std::uint32_t i = 0; i < count; ++i) fan.push_back({0, 2 * i + 1, 2 * i + 2});
  for ([[maybe_unused]] auto _ : state) {
    const Topology topology = build_topology(fan, 2 * std::size_t{count} + 1);
    if (topology.features.edges.size() != 3 * std::size_t{count}) state.SkipWithError("no edge of a hub is shared");
  }
}

/// A mesh with all data that edits update.
struct Edited {
  std::vector<Triangle> triangles;
  std::size_t vertex_count;
  MeshEditor editor;
  std::vector<Leaf> leaves;
  PatchMesh mesh;

  explicit Edited(Soup soup)
      : triangles(std::move(soup.triangles)), vertex_count(soup.vertex_count), editor(make_editor()) {
    leaves.resize(triangles.size());
    for (std::uint32_t l = 0; l < leaves.size(); ++l) copy_leaf(l);
    mesh = make_patch_mesh(triangles, editor.representatives(), leaves, vertex_count, true);
  }
  void apply(const MeshChange& change) {
    for (const TriangleChange& t : change.triangles) triangles[t.triangle] = t.after;
    const LeafChanges changes = editor.apply(change);
    leaves.resize(editor.leaf_triangles().size());
    for (const auto* list : {&changes.removed, &changes.added, &changes.touched}) {
      for (const std::uint32_t l : *list) copy_leaf(l);
    }
    update_patch_mesh(mesh, editor, changes, leaves, triangles, true);
  }

 private:
  [[nodiscard]] MeshEditor make_editor() const {
    std::vector<std::uint32_t> leaf_triangles(triangles.size());
    std::iota(leaf_triangles.begin(), leaf_triangles.end(), 0U);
    return {make_representatives(triangles, build_topology(triangles, vertex_count)), triangles, leaf_triangles,
            vertex_count};
  }
  void copy_leaf(std::uint32_t l) {
    if (editor.leaf_triangles()[l] == kNoLeaf) {
      leaves[l] = {};
      return;
    }
    leaves[l].vertices = editor.entry(l).vertices;
    leaves[l].edges = editor.entry(l).edges;
    leaves[l].id = editor.id(l);
  }
};

void make_edited(benchmark::State& state) {
  const Soup grid = make_grid(static_cast<std::size_t>(state.range(0)), false);
  for ([[maybe_unused]] auto _ : state) {
    const Edited edited(grid);
    if (edited.mesh.orphans.size() == 0) state.SkipWithError("a grid has orphans at its boundary");
  }
}

/// Removes a square of range(1) triangles from the middle of a grid and adds it again.
void edit(benchmark::State& state) {
  Edited edited(make_grid(static_cast<std::size_t>(state.range(0)), false));
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(edited.triangles.size()) / 2.0));
  const auto hole = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(state.range(1)) / 2.0));
  MeshChange out{.triangles = {}, .vertex_count = edited.vertex_count, .triangle_count = edited.triangles.size()};
  for (std::uint32_t i = 0; i < hole; ++i) {
    for (std::uint32_t j = 0; j < 2 * hole; ++j) {
      const std::uint32_t t = 2 * ((side / 2 + i) * side + side / 2) + j;
      out.triangles.push_back({t, edited.triangles[t], kRemovedTriangle});
    }
  }
  MeshChange back = out;
  for (TriangleChange& t : back.triangles) std::swap(t.before, t.after);
  const std::size_t orphan_count = edited.mesh.orphans.size();
  for ([[maybe_unused]] auto _ : state) {
    edited.apply(out);
    edited.apply(back);
    if (edited.mesh.orphans.size() != orphan_count) state.SkipWithError("what is put back has no orphans");
  }
  state.counters["changed"] = static_cast<double>(2 * out.triangles.size());
}

BENCHMARK(make_edited)->Arg(250'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(edit)
    ->Args({250'000, 8})
    ->Args({250'000, 200})
    ->Args({250'000, 2'500})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(build_grid, in_order, false)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(build_grid, shuffled, true)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(build_hub)->Arg(10'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(derive)->Arg(10'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace graze

BENCHMARK_MAIN();
