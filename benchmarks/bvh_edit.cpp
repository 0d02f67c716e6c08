// Benchmark of the editable BVH against a rebuild, on 250,000 triangles: a sheet in which holes open and close, a
// soup whose triangles are removed and added elsewhere, and a sheet cut in two. `part` is the time of an edit over
// that of a build, `work` the bound tests of a traversal after 100 edits over those of a rebuilt tree. Both trees
// must find the same leaf pairs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <set>
#include <vector>

#include "bvh/edit/edit_tree.hpp"
#include "bvh/restructure_top.hpp"
#include "bvh/traverse.hpp"
#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

/// Leaves 2c and 2c+1 are the triangles of cell c of a square sheet, or unconnected in a soup.
class Leaves final : public EditedLeaves {
 public:
  Leaves(std::uint32_t side, bool soup) : side_(side), soup_(soup), alive_(std::size_t{2} * side * side, 1) {
    for (std::uint32_t leaf = 0; leaf < alive_.size(); ++leaf) {
      boxes_.push_back(soup ? random_box() : sheet_box(leaf));
    }
  }

  [[nodiscard]] bool has(std::uint32_t leaf) const override { return alive_[leaf] != 0; }
  void neighbours(std::uint32_t leaf, std::vector<std::uint32_t>& out) const override {
    if (soup_) return;
    const std::uint32_t cell = leaf / 2;
    const std::uint32_t i = cell % side_;
    const std::uint32_t j = cell / side_;
    const auto add = [&](bool there, std::uint32_t other) {
      if (there && alive_[other] != 0) out.push_back(other);
    };
    add(true, leaf ^ 1U);
    if (leaf % 2 == 0) {  // left and below
      add(i > 0, leaf - 1);
      add(j > 0, leaf - 2 * side_ + 1);
    } else {
      add(i + 1 < side_, leaf + 1);
      add(j + 1 < side_, leaf + 2 * side_ - 1);
    }
  }
  [[nodiscard]] Aabb box(std::uint32_t leaf) const override { return boxes_[leaf]; }
  [[nodiscard]] Vec3 normal(std::uint32_t leaf) const override {
    return {std::sin(0.001 * leaf), std::cos(0.003 * leaf), 1.0};
  }
  [[nodiscard]] std::size_t size() const { return alive_.size(); }

  void toggle(std::uint32_t leaf) {
    around_.clear();
    if (alive_[leaf] != 0) neighbours(leaf, around_);
    for (const std::uint32_t other : around_) {
      if (!came_.contains(other)) lost_.push_back({leaf, other});
    }
    alive_[leaf] ^= 1U;
    if (alive_[leaf] != 0) came_.insert(leaf);
    if (alive_[leaf] != 0 && soup_) boxes_[leaf] = random_box();
    touched_.insert(leaf);
  }
  TreeEditResult edit(TwoLevelTree& tree, bool connected) {
    const std::vector<std::uint32_t> touched(touched_.begin(), touched_.end());
    TreeEditResult result = bvh_edit(tree, {touched, lost_, connected}, *this);
    touched_.clear();
    lost_.clear();
    came_.clear();
    return result;
  }
  /// Removes or restores `count` leaves, in groups of twelve.
  void disturb(std::size_t count) {
    while (touched_.size() < count) {
      const auto start = static_cast<std::uint32_t>(random_() % size());
      for (std::uint32_t k = 0; k < 12 && touched_.size() < count; ++k) {
        const std::uint32_t leaf = soup_ ? static_cast<std::uint32_t>(random_() % size()) : start + k;
        if (leaf < size() && !touched_.contains(leaf)) toggle(leaf);
      }
    }
  }

  [[nodiscard]] TwoLevelTree build(bool connected) const {
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> place(size());
    for (std::uint32_t leaf = 0; leaf < size(); ++leaf) {
      place[leaf] = static_cast<std::uint32_t>(numbers.size());
      if (has(leaf)) numbers.push_back(leaf);
    }
    std::vector<Aabb> boxes;
    std::vector<Vec3> normals;
    std::vector<LeafLink> links;
    std::vector<std::uint32_t> around;
    for (const std::uint32_t leaf : numbers) {
      boxes.push_back(boxes_[leaf]);
      if (!connected) continue;
      normals.push_back(normal(leaf));
      around.clear();
      neighbours(leaf, around);
      for (const std::uint32_t other : around) {
        if (leaf < other) links.push_back({place[leaf], place[other]});
      }
    }
    TwoLevelTree tree;
    if (connected) {
      tree = bvh_build_two_level(boxes, normals, links);
    } else {
      tree.tree = bvh_build(boxes);
    }
    bvh_renumber(tree, numbers);
    return tree;
  }

 private:
  [[nodiscard]] Vec3 at(std::uint32_t i, std::uint32_t j) const {
    const double s = 6.0 * i / side_;
    const double x = std::abs(s - 2.0 * std::floor(0.5 * s + 0.5));
    const double y = 6.0 * j / side_;
    return {x, y, 0.02 * s + 0.01 * std::sin(3.0 * y) * std::cos(5.0 * x)};
  }
  [[nodiscard]] Aabb sheet_box(std::uint32_t leaf) const {
    const std::uint32_t i = leaf / 2 % side_;
    const std::uint32_t j = leaf / 2 / side_;
    Aabb box;
    const Vec3 middle = leaf % 2 == 0 ? at(i, j) : at(i + 1, j + 1);
    for (const Vec3& x : {at(i + 1, j), at(i, j + 1), middle}) {
      const std::array<float, 3> p = {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
      box.include(Aabb(p, p));
    }
    return box;
  }
  Aabb random_box() {
    std::array<float, 3> lo;
    std::array<float, 3> hi;
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = static_cast<float>(random_() % 1'000'000) * 1e-6F;
      hi[k] = lo[k] + static_cast<float>(random_() % 1000) * 1e-5F;
    }
    return {lo, hi};
  }

  std::uint32_t side_;
  bool soup_;
  std::mt19937_64 random_{1};
  std::vector<std::uint8_t> alive_;
  std::vector<Aabb> boxes_;
  std::set<std::uint32_t> touched_;
  std::set<std::uint32_t> came_;
  std::vector<LeafLink> lost_;
  std::vector<std::uint32_t> around_;
};

/// Processor time of this process in milliseconds, which excludes other load on the machine.
double now() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Work {
  std::uint64_t tests = 0;
  std::uint64_t pairs = 0;
};

Work work(TwoLevelTree& tree, const Leaves& leaves, bool connected) {
  BvhVolumes<Aabb> volumes;
  volumes.refit(tree.tree, [&](std::uint32_t leaf) { return leaves.box(leaf); });
  if (connected) bvh_restructure_top(tree, volumes);
  const BvhTraversal traversal(bvh_view(tree.tree, volumes));
  std::vector<std::uint64_t> pairs(traversal.group_count());
  Work result;
  result.tests = traversal.run([&](std::size_t g, std::span<const LeafPair> found) { pairs[g] += found.size(); });
  for (const std::uint64_t count : pairs) result.pairs += count;
  return result;
}

constexpr std::uint32_t kSide = 354;

void edit(benchmark::State& state) {
  const bool soup = state.range(0) != 0;
  const bool connected = state.range(1) != 0;
  const auto touched = static_cast<std::size_t>(state.range(2));
  with_threads(1, [&] {
    Leaves leaves(kSide, soup);
    TwoLevelTree tree = leaves.build(connected);
    double spent = 0.0;
    std::size_t edits = 0;
    std::size_t rebuilt = 0;
    for (auto _ : state) {
      state.PauseTiming();
      leaves.disturb(touched);
      state.ResumeTiming();
      const double start = now();
      rebuilt += leaves.edit(tree, connected).rebuilt_leaves;
      spent += now() - start;
      ++edits;
    }
    double build = 1e30;
    TwoLevelTree anew;
    for (int k = 0; k < 3; ++k) {
      const double start = now();
      anew = leaves.build(connected);
      build = std::min(build, now() - start);
    }
    state.counters["build_ms"] = build;
    state.counters["part"] = spent / static_cast<double>(edits) / build;
    state.counters["rebuilt"] = static_cast<double>(rebuilt) / static_cast<double>(edits);
    state.counters["depth"] = tree.tree.depth;
    const Work edited = work(tree, leaves, connected);
    const Work fresh = work(anew, leaves, connected);
    state.counters["work"] = static_cast<double>(edited.tests) / static_cast<double>(fresh.tests);
    if (edited.pairs != fresh.pairs) state.SkipWithError("the edited tree finds other pairs");
  });
}

/// Removes a column of cells: two components with half of the sheet each.
void cut_in_two(benchmark::State& state) {
  with_threads(1, [&] {
    const Leaves whole(kSide, false);
    const TwoLevelTree before = whole.build(true);
    for (auto _ : state) {
      state.PauseTiming();
      Leaves leaves = whole;
      TwoLevelTree tree = before;
      for (std::uint32_t j = 0; j < kSide; ++j) {
        leaves.toggle(2 * (j * kSide + kSide / 2));
        leaves.toggle(2 * (j * kSide + kSide / 2) + 1);
      }
      state.ResumeTiming();
      const TreeEditResult result = leaves.edit(tree, true);
      state.PauseTiming();
      state.counters["rebuilt"] = static_cast<double>(result.rebuilt_leaves);
      TwoLevelTree anew = leaves.build(true);
      const Work edited = work(tree, leaves, true);
      const Work fresh = work(anew, leaves, true);
      state.counters["work"] = static_cast<double>(edited.tests) / static_cast<double>(fresh.tests);
      if (tree.components.size() != 2 || edited.pairs != fresh.pairs) state.SkipWithError("not two halves");
      state.ResumeTiming();
    }
  });
}

/// The halves of a sheet drift apart along the cut: selective restructuring of the whole tree, with every leaf as a
/// component, against a rebuild.
void drift(benchmark::State& state) {
  with_threads(1, [&] {
    const Leaves sheet(kSide, false);
    std::vector<Aabb> boxes;
    for (std::uint32_t leaf = 0; leaf < sheet.size(); ++leaf) boxes.push_back(sheet.box(leaf));
    const TwoLevelTree before = bvh_build_two_level(boxes, {}, {});
    const auto distance = 0.01F * static_cast<float>(state.range(0));
    for (std::uint32_t leaf = 0; leaf < sheet.size(); ++leaf) {
      if (leaf / 2 % kSide > kSide * 11 / 20) {
        boxes[leaf].lo[1] += distance;
        boxes[leaf].hi[1] += distance;
      }
    }
    BvhVolumes<Aabb> volumes;
    const auto tests = [&](const TwoLevelTree& tree) {
      volumes.refit(tree.tree, [&](std::uint32_t leaf) { return boxes[leaf]; });
      return static_cast<double>(
          BvhTraversal(bvh_view(tree.tree, volumes)).run([](std::size_t, std::span<const LeafPair>) {}));
    };
    double build = now();
    TwoLevelTree anew;
    anew.tree = bvh_build(boxes);
    build = now() - build;
    const double least = tests(anew);
    state.counters["work_before"] = tests(before) / least;
    double spent = 0.0;
    std::size_t edits = 0;
    for (auto _ : state) {
      state.PauseTiming();
      TwoLevelTree tree = before;
      volumes.refit(tree.tree, [&](std::uint32_t leaf) { return boxes[leaf]; });
      state.ResumeTiming();
      const double start = now();
      state.counters["regrouped"] = static_cast<double>(bvh_restructure_top(tree, volumes));
      spent += now() - start;
      ++edits;
      state.PauseTiming();
      state.counters["work"] = tests(tree) / least;
      state.ResumeTiming();
    }
    state.counters["build_ms"] = build;
    state.counters["part"] = spent / static_cast<double>(edits) / build;
  });
}

BENCHMARK(edit)
    ->ArgNames({"soup", "connected", "touched"})
    ->ArgsProduct({{0, 1}, {0, 1}, {100, 2500}})
    ->Iterations(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(drift)->ArgName("distance")->Arg(1)->Arg(10)->Arg(100)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(cut_in_two)->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace graze
