// SAH cost of a tree (quality.hpp). Sums over runs of fixed length are added in order, so that the result does not
// depend on the number of threads.
#include "bvh/quality.hpp"

#include <algorithm>
#include <cmath>

namespace graze::bvh {

namespace {

struct Areas {
  double inner = 0.0;
  double leaves = 0.0;
};

template <typename Volume>
double half_area(const Volume& volume) {
  std::array<double, 3> extent;
  for (std::size_t k = 0; k < 3; ++k) {
    extent[k] = static_cast<double>(volume.hi[k]) - static_cast<double>(volume.lo[k]);
  }
  return extent[0] * (extent[1] + extent[2]) + extent[1] * extent[2];
}

}  // namespace

template <typename Volume>
double bvh_cost(const BvhTree& tree, const BvhVolumes<Volume>& volumes) {
  GRAZE_ASSERT(volumes.block_count() == tree.block_count());
  if (tree.leaf_count == 0) return 1.0;
  constexpr std::size_t kRun = 4096;
  std::vector<Areas> sums((tree.words.size() + kRun - 1) / kRun);
  parallel_for(0, sums.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      for (std::size_t i = s * kRun; i < std::min((s + 1) * kRun, tree.words.size()); ++i) {
        if (tree.words[i] == kNoNode) continue;
        ((tree.words[i] & kLeaf) != 0 ? sums[s].leaves : sums[s].inner) += half_area(volumes.node(i));
      }
    }
  });
  Areas total;
  for (const Areas& sum : sums) {
    total.inner += sum.inner;
    total.leaves += sum.leaves;
  }
  const double cost = total.inner / (total.leaves + half_area(volumes.node(0)));
  return std::isfinite(cost) ? cost : 1.0;
}

template double bvh_cost(const BvhTree&, const BvhVolumes<Aabb>&);
template double bvh_cost(const BvhTree&, const BvhVolumes<Dop18>&);
template double bvh_cost(const BvhTree&, const BvhVolumes<Dop26>&);

}  // namespace graze::bvh
