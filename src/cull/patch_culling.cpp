// Self-collision culling of patches by normal cones and contours; patch_culling.hpp describes the method.
#include "cull/patch_culling.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <utility>

#include "core/tasks.hpp"
#include "cull/canonical_cone.hpp"
#include "cull/projected_area.hpp"
#include "cull/projection.hpp"

namespace graze::cull {

namespace {

/// Largest cone angle, in radians, at which a child keeps its parent's axis and thereby the cached projections. A
/// contour that is projected obliquely crosses itself sooner.
constexpr float kInheritedAngle = 1.0F;

/// Number of patches per task.
constexpr std::size_t kGrain = 8;

}  // namespace

/// Tests patches one after the other. Not thread-safe: one object per task.
class PatchCulling::Search {
 public:
  struct Found {
    CullCounts counts;
    std::vector<FreePatch> free;
  };

  Search(PatchCulling& culling, const BvhTree& tree, std::span<const VertexPath> paths, float max_angle)
      : culling_(culling), tree_(tree), paths_(paths), max_angle_(max_angle) {}

  /// Tests one patch; appends the children that must be tested to `rest`.
  void test_patch(const Item& item, Found& found, std::vector<Item>& rest) {
    CullCounts& counts = found.counts;
    const std::uint32_t block = item.block;
    const std::uint32_t leaves = culling_.contours_.leaf_counts[block];
    if (leaves < kMinPatchTriangles) return;
    ++counts.cone_tests;
    const NormalCone& cone = culling_.cones_[block];
    const auto loop = culling_.contours_.loops[block];
    Item below;
    if (item.axis && cone.angle < kInheritedAngle && projects_positively(cone, *item.axis)) {
      below.axis = item.axis;
      below.crossing = item.crossing;
    } else {
      below.axis = projection_axis(cone);
    }
    const bool still_crosses = below.crossing && ContourTest::has_both(loop, *below.crossing);
    if (below.axis && cone.angle <= max_angle_ && !loop.empty() && !still_crosses) {
      ++counts.contour_tests;
      if (test(*below.axis, loop, below, counts)) {
        found.free.push_back({block, *below.axis});
        return;
      }
    }
    for (std::size_t child = 2; child-- > 0;) {
      below.block = tree_.words[std::size_t{2} * block + child];
      if ((below.block & kLeaf) == 0) rest.push_back(below);
    }
  }

  /// Returns whether the contour of a patch stays simple along the patch's axis.
  bool is_simple(const FreePatch& patch, CullCounts& counts) {
    Item unused;
    ++counts.contour_tests;
    return test(patch.axis, culling_.contours_.loops[patch.block], unused, counts);
  }

 private:
  bool test(const ProjectionAxis& axis, std::span<const VertexId> loop, Item& below, CullCounts& counts) {
    if (!axis_ || *axis_ != axis) {
      contour_.start(paths_, axis);
      axis_ = axis;
    }
    const ContourTest::Counts before = contour_.counts();
    const ContourTest::Answer answer = contour_.test(loop);
    counts.planar_tests += contour_.counts().planar_tests - before.planar_tests;
    counts.exact_planar_tests += contour_.counts().exact_tests - before.exact_tests;
    below.crossing.reset();
    if (answer == ContourTest::Answer::Crossing) below.crossing = contour_.crossing();
    return answer == ContourTest::Answer::Simple;
  }

  PatchCulling& culling_;
  const BvhTree& tree_;
  std::span<const VertexPath> paths_;
  float max_angle_;
  ContourTest contour_;
  std::optional<ProjectionAxis> axis_;
};

PatchCulling::PatchCulling(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves)
    : first_block_(first_block),
      contours_(make_patch_contours(tree, first_block, leaves)),
      cones_(tree.block_count()),
      free_(tree.block_count(), 0) {}

void PatchCulling::follow(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves,
                          std::size_t vertex_count, std::span<const std::uint32_t> old_block,
                          std::span<const std::uint32_t> turned) {
  first_block_ = first_block;
  update_patch_contours(contours_, tree, first_block, leaves, vertex_count, old_block, turned);
  cones_.resize(tree.block_count());
  free_.assign(tree.block_count(), 0);
  patches_.clear();
}

void PatchCulling::forget() {
  free_.assign(free_.size(), 0);
  patches_.clear();
}

void PatchCulling::set_free(const FreePatch& patch, CullCounts& counts) {
  free_[patch.block] = 1;
  patches_.push_back(patch);
  ++counts.free_patches;
  counts.free_triangles += contours_.leaf_counts[patch.block];
}

/// Refits the normal cones of the blocks in the ranges. Precondition: the ranges are whole patches, ascending and
/// disjoint.
void PatchCulling::refit_cones(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                               research::NormalCones kind, std::span<const Range> ranges) {
  const auto cone_of = [&](std::uint32_t word) {
    if ((word & kLeaf) == 0) return cones_[word];
    const Triangle face = leaves[word & ~kLeaf].oriented();
    const VertexPath& a = paths[face[0]];
    const VertexPath& b = paths[face[1]];
    const VertexPath& c = paths[face[2]];
    return kind == research::NormalCones::Canonical ? canonical_cone(a, b, c) : triangle_cone(a, b, c);
  };
  const auto make = [&](std::uint32_t block) {
    cones_[block] =
        merge(cone_of(tree.words[std::size_t{2} * block]), cone_of(tree.words[std::size_t{2} * block + 1]));
  };
  const auto first_behind = [&](std::uint32_t block) {
    return std::partition_point(ranges.begin(), ranges.end(), [&](const Range& r) { return r.end <= block; });
  };
  // Same order as for_blocks_bottom_up(), but each piece of the tree visits only the ranges. All patches lie in the
  // lower level.
  parallel_for(0, tree.pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const Range piece = tree.pieces[p];
      for (auto range = first_behind(piece.begin); range != ranges.end() && range->begin < piece.end; ++range) {
        const std::uint32_t begin = std::max(range->begin, piece.begin);
        for (std::uint32_t b = std::min(range->end, piece.end); b-- > begin;) make(b);
      }
    }
  });
  for (std::size_t i = tree.top.size(); i-- > 0 && tree.top[i] >= first_block_;) {
    const auto range = first_behind(tree.top[i]);
    if (range != ranges.end() && range->begin <= tree.top[i]) make(tree.top[i]);
  }
}

void PatchCulling::prove(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                         const ConeRule& rule, CullCounts& counts) {
  forget();
  if (rule.kind == research::NormalCones::None) return;
  const Range all{first_block_, static_cast<std::uint32_t>(tree.block_count())};
  refit_cones(tree, leaves, paths, rule.kind, std::span(&all, 1));
  std::vector<Item> roots;
  for (std::uint32_t b = first_block_; b < tree.block_count(); ++b) {
    if (tree.parent[b] != kNoNode && tree.parent[b] / 2 < first_block_) roots.push_back({b, {}, {}});
  }
  search(tree, paths, rule.max_angle, std::move(roots), counts);
}

PatchCulling::Opened PatchCulling::prove_again(const BvhTree& tree, std::span<const Leaf> leaves,
                                               std::span<const VertexPath> paths, const ConeRule& rule,
                                               CullCounts& counts) {
  const std::vector<FreePatch> before = std::exchange(patches_, {});
  forget();
  const std::vector<std::uint8_t> holds = still_free(tree, leaves, paths, before, counts);
  Opened opened;
  CullCounts found;
  std::vector<Range> ranges;
  std::vector<Item> failed;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::uint32_t block = before[i].block;
    opened.triangles += contours_.leaf_counts[block];
    if (holds[i] != 0) {
      set_free(before[i], found);
    } else {
      ranges.push_back(range_of(block));
      failed.push_back({block, {}, {}});
    }
  }
  if (!failed.empty()) {
    refit_cones(tree, leaves, paths, rule.kind, ranges);
    search(tree, paths, rule.max_angle, std::move(failed), found);
  }
  for (const Range& range : ranges) {
    if (free_[range.begin] == 0) opened.blocks.push_back(range.begin);
  }
  opened.triangles -= found.free_triangles;
  counts += found;
  return opened;
}

/// Returns, by patch, 1 if the proof along its axis also holds in this step.
std::vector<std::uint8_t> PatchCulling::still_free(const BvhTree& tree, std::span<const Leaf> leaves,
                                                   std::span<const VertexPath> paths,
                                                   std::span<const FreePatch> patches, CullCounts& counts) {
  // Returns which sides the triangles of some blocks have up, as bits: 1 positive, 2 negative, 4 unknown.
  const auto sides = [&](const ProjectionAxis& axis, const Range& blocks) {
    constexpr unsigned kUnknown = 4;
    unsigned seen = 0;
    for (std::size_t slot = std::size_t{2} * blocks.begin; slot < std::size_t{2} * blocks.end; ++slot) {
      const std::uint32_t word = tree.words[slot];
      if ((word & kLeaf) == 0) continue;
      const Triangle face = leaves[word & ~kLeaf].oriented();
      const int side = projected_side(axis, paths[face[0]], paths[face[1]], paths[face[2]]);
      if (side == 0) return kUnknown;
      seen |= side > 0 ? 1U : 2U;
    }
    return seen;
  };
  // Chunks of up to kChunk blocks let several threads share one large patch.
  struct Chunk {
    std::size_t patch = 0;
    Range blocks;
    unsigned sides = 0;
  };
  constexpr std::uint32_t kChunk = 2048;
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Range range = range_of(patches[i].block);
    for (std::uint32_t b = range.begin; b < range.end; b += std::min(kChunk, range.end - b)) {
      chunks.push_back({i, {b, b + std::min(kChunk, range.end - b)}});
    }
  }
  parallel_for(0, chunks.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      chunks[i].sides = sides(patches[chunks[i].patch].axis, chunks[i].blocks);
    }
  });
  std::vector<unsigned> seen(patches.size());
  for (const Chunk& chunk : chunks) seen[chunk.patch] |= chunk.sides;

  std::vector<std::uint8_t> holds(patches.size());
  const std::size_t tasks = (patches.size() + kGrain - 1) / kGrain;
  std::vector<CullCounts> found(tasks);
  parallel_for(0, tasks, 1, [&](std::size_t first, std::size_t last) {
    Search search(*this, tree, paths, ConeRule::kAnyAngle);
    for (std::size_t t = first; t < last; ++t) {
      for (std::size_t i = t * kGrain; i < std::min((t + 1) * kGrain, patches.size()); ++i) {
        const bool one_side = seen[i] == 1 || seen[i] == 2;
        if (one_side && search.is_simple(patches[i], found[t])) holds[i] = 1;
      }
    }
  });
  for (const CullCounts& part : found) counts += part;
  return holds;
}

void PatchCulling::search(const BvhTree& tree, std::span<const VertexPath> paths, float max_angle,
                          std::vector<Item> front, CullCounts& counts) {
  // Goes level by level while there are few patches, so that the rest can be distributed over threads; then one
  // thread tests each subtree to the bottom, which reuses cached projections. The division into tasks does not
  // depend on the number of threads.
  constexpr std::size_t kMinPatchesForThreads = 256;
  const auto run = [&](bool one_level) {
    const std::size_t tasks = (front.size() + kGrain - 1) / kGrain;
    std::vector<Search::Found> found(tasks);
    std::vector<std::vector<Item>> next(tasks);
    parallel_for(0, tasks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        Search search(*this, tree, paths, max_angle);
        std::vector<Item> todo;
        for (std::size_t i = t * kGrain; i < std::min((t + 1) * kGrain, front.size()); ++i) {
          search.test_patch(front[i], found[t], todo);
          while (!one_level && !todo.empty()) {
            const Item item = todo.back();
            todo.pop_back();
            search.test_patch(item, found[t], todo);
          }
        }
        next[t] = std::move(todo);
      }
    });
    front.clear();
    for (std::size_t t = 0; t < tasks; ++t) {
      counts += found[t].counts;
      for (const FreePatch& patch : found[t].free) set_free(patch, counts);
      front.insert(front.end(), next[t].begin(), next[t].end());
    }
  };
  while (!front.empty() && front.size() < kMinPatchesForThreads) run(true);
  run(false);
  std::sort(patches_.begin(), patches_.end(),
            [](const FreePatch& a, const FreePatch& b) { return a.block < b.block; });
}

std::uint32_t PatchCulling::free_patch(const BvhTree& tree, std::uint32_t block) const {
  while (block >= first_block_) {
    if (free_[block] != 0) return block;
    if (tree.parent[block] == kNoNode) return kNoNode;
    block = tree.parent[block] / 2;
  }
  return kNoNode;
}

std::size_t PatchCulling::memory_bytes() const {
  return contours_.memory_bytes() + cones_.capacity() * sizeof(NormalCone) + free_.capacity() +
         patches_.capacity() * sizeof(FreePatch);
}

std::size_t PatchCulling::planned_bytes(std::size_t leaf_count) {
  return leaf_count * (2 * sizeof(std::uint32_t) + sizeof(NormalCone) + 1);
}

std::uint32_t lowest_common_block(const BvhTree& tree, std::uint32_t a, std::uint32_t b) {
  while (a != b) {  // parents have lower numbers than their children
    std::uint32_t& lower = a > b ? a : b;
    lower = tree.parent[lower] / 2;
  }
  return a;
}

}  // namespace graze::cull
