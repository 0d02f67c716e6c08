// See patch_culling.hpp.
#include "pipeline/patch_culling.hpp"

#include <algorithm>
#include <utility>

#include "core/tasks.hpp"
#include "cull/canonical_cone.hpp"
#include "cull/projection.hpp"

namespace graze {

namespace {

/// A child keeps its parent's axis, and so its projections, while its cone stays this far within a half-space about
/// it: a contour seen at a slant crosses itself sooner.
constexpr float kInheritedAngle = 1.0F;

}  // namespace

/// Looks at patches one after the other; one a thread.
class PatchCulling::Search {
 public:
  Search(PatchCulling& culling, const BvhTree& tree, std::span<const VertexPath> paths, float most_angle)
      : culling_(culling), tree_(tree), paths_(paths), most_angle_(most_angle) {}

  /// Decides one patch; the children that must be looked at are appended to `rest`.
  void look(const Item& item, CullCounts& counts, std::vector<Item>& rest) {
    const std::uint32_t block = item.block;
    const std::uint32_t leaves = culling_.contours_.leaf_counts[block];
    if (leaves < kLeastPatch) return;
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
    if (below.axis && cone.angle <= most_angle_ && !loop.empty() && !still_crosses) {
      ++counts.contour_tests;
      if (test(*below.axis, loop, below, counts)) {
        culling_.free_[block] = 1;
        ++counts.free_patches;
        counts.free_triangles += leaves;
        return;
      }
    }
    for (std::size_t child = 2; child-- > 0;) {
      below.block = tree_.words[std::size_t{2} * block + child];
      if ((below.block & kLeaf) == 0) rest.push_back(below);
    }
  }

 private:
  bool test(const ProjectionAxis& axis, std::span<const VertexId> loop, Item& below, CullCounts& counts) {
    if (!frame_ || *frame_ != axis) {
      contour_.start(paths_, axis);
      frame_ = axis;
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
  float most_angle_;
  ContourTest contour_;
  std::optional<ProjectionAxis> frame_;
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
}

void PatchCulling::forget() {
  free_.assign(free_.size(), 0);
}

/// Cones of the blocks in the ranges, which are whole patches, in ascending order and apart.
void PatchCulling::refit_cones(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                               NormalCones kind, std::span<const Range> ranges) {
  const auto cone_of = [&](std::uint32_t word) {
    if ((word & kLeaf) == 0) return cones_[word];
    const Triangle face = leaves[word & ~kLeaf].oriented();
    const VertexPath& a = paths[face[0]];
    const VertexPath& b = paths[face[1]];
    const VertexPath& c = paths[face[2]];
    return kind == NormalCones::Canonical ? canonical_cone(a, b, c) : triangle_cone(a, b, c);
  };
  const auto make = [&](std::uint32_t block) {
    cones_[block] =
        merge(cone_of(tree.words[std::size_t{2} * block]), cone_of(tree.words[std::size_t{2} * block + 1]));
  };
  const auto first_behind = [&](std::uint32_t block) {
    return std::partition_point(ranges.begin(), ranges.end(), [&](const Range& r) { return r.end <= block; });
  };
  // As for_blocks_bottom_up, but a piece goes from range to range. Patches are all in the lower level.
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
  if (rule.kind == NormalCones::None) return;
  const Range all{first_block_, static_cast<std::uint32_t>(tree.block_count())};
  refit_cones(tree, leaves, paths, rule.kind, std::span(&all, 1));
  std::vector<Item> roots;
  for (std::uint32_t b = first_block_; b < tree.block_count(); ++b) {
    if (tree.parent[b] != kNoNode && tree.parent[b] / 2 < first_block_) roots.push_back({b, {}, {}});
  }
  search(tree, paths, rule.most_angle, std::move(roots), counts);
}

PatchCulling::Opened PatchCulling::prove_again(const BvhTree& tree, std::span<const Leaf> leaves,
                                               std::span<const VertexPath> paths, const ConeRule& rule,
                                               CullCounts& counts) {
  Opened opened;
  std::vector<Range> ranges;
  std::vector<Item> patches;
  for (std::uint32_t b = first_block_; b < tree.block_count(); ++b) {
    if (free_[b] == 0) continue;
    ranges.push_back(range_of(b));
    patches.push_back({b, {}, {}});
    opened.triangles += contours_.leaf_counts[b];
  }
  forget();
  if (rule.kind != NormalCones::None) {
    CullCounts found;
    refit_cones(tree, leaves, paths, rule.kind, ranges);
    search(tree, paths, rule.most_angle, std::move(patches), found);
    opened.triangles -= found.free_triangles;
    counts += found;
  }
  for (const Range& range : ranges) {
    if (free_[range.begin] == 0) opened.blocks.push_back(range.begin);
  }
  return opened;
}

void PatchCulling::search(const BvhTree& tree, std::span<const VertexPath> paths, float most_angle,
                          std::vector<Item> front, CullCounts& counts) {
  // Level by level while there are few patches, so that the rest can be shared between threads; each then all the
  // way down on one, which keeps projections. How it is cut does not depend on the number of threads.
  constexpr std::size_t kEnough = 256;
  constexpr std::size_t kGrain = 8;
  const auto run = [&](bool one_level) {
    const std::size_t tasks = (front.size() + kGrain - 1) / kGrain;
    std::vector<CullCounts> found(tasks);
    std::vector<std::vector<Item>> next(tasks);
    parallel_for(0, tasks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        Search search(*this, tree, paths, most_angle);
        std::vector<Item> todo;
        for (std::size_t i = t * kGrain; i < std::min((t + 1) * kGrain, front.size()); ++i) {
          search.look(front[i], found[t], todo);
          while (!one_level && !todo.empty()) {
            const Item item = todo.back();
            todo.pop_back();
            search.look(item, found[t], todo);
          }
        }
        next[t] = std::move(todo);
      }
    });
    front.clear();
    for (std::size_t t = 0; t < tasks; ++t) {
      counts += found[t];
      front.insert(front.end(), next[t].begin(), next[t].end());
    }
  };
  while (!front.empty() && front.size() < kEnough) run(true);
  run(false);
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
  return contours_.memory_bytes() + cones_.capacity() * sizeof(NormalCone) + free_.capacity();
}

std::size_t PatchCulling::planned_bytes(std::size_t leaf_count) {
  return leaf_count * (2 * sizeof(std::uint32_t) + sizeof(NormalCone) + 1);
}

std::uint32_t lowest_common_block(const BvhTree& tree, std::uint32_t a, std::uint32_t b) {
  while (a != b) {  // parents come before their children
    std::uint32_t& lower = a > b ? a : b;
    lower = tree.parent[lower] / 2;
  }
  return a;
}

}  // namespace graze
