// A new dynamic tree of all leaves, top-down with the binned surface area heuristic (Wald, "On fast construction of
// SAH-based bounding volume hierarchies", 2007): 16 bins along the longest side of the box of the centres. Sets
// that no bin boundary splits, and sets deeper than 48 levels, are halved. O(n log n).
//
// A binary tree of the same leaves has the same number of inner nodes, so the nodes of the old tree suffice.
#include <algorithm>
#include <limits>

#include "rigid/world/dynamic_tree.hpp"

namespace graze::rigid {

namespace {

constexpr std::size_t kBins = 16;
constexpr std::int32_t kMaxSplitDepth = 48;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr WorldBox kNothing{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

struct Bin {
  std::size_t count = 0;
  WorldBox box = kNothing;
};

/// The first bin of the upper part of the best split, or 0 if all items are in one bin.
std::size_t best_split(const std::array<Bin, kBins>& bins) {
  std::array<double, kBins> below{};  // cost of the part below bin k
  Bin part;
  for (std::size_t k = 0; k + 1 < kBins; ++k) {
    part.count += bins[k].count;
    part.box = part.box.united(bins[k].box);
    below[k + 1] = part.count == 0 ? kInfinity : part.box.half_area() * static_cast<double>(part.count);
  }
  part = {};
  std::size_t best = 0;
  double best_cost = kInfinity;
  for (std::size_t k = kBins - 1; k > 0; --k) {
    part.count += bins[k].count;
    part.box = part.box.united(bins[k].box);
    const double cost =
        part.count == 0 ? kInfinity : below[k] + part.box.half_area() * static_cast<double>(part.count);
    if (cost < best_cost) {
      best_cost = cost;
      best = k;
    }
  }
  return best;
}

}  // namespace

std::size_t DynamicTree::Rebuild::split(const DynamicTree& tree, const Task& task) {
  const auto place = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
  WorldBox centres = kNothing;
  for (std::size_t i = task.first; i < task.last; ++i) centres = centres.united({items[i].centre, items[i].centre});
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (centres.hi[k] - centres.lo[k] > centres.hi[axis] - centres.lo[axis]) axis = k;
  }
  const auto halve = [&] {
    const std::size_t half = task.first + (task.last - task.first) / 2;
    std::nth_element(place(task.first), place(half), place(task.last), [&](const Item& a, const Item& b) {
      return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis]
                                              : tree.at(a.leaf).right < tree.at(b.leaf).right;
    });
    return half;
  };
  const double scale = static_cast<double>(kBins) / (centres.hi[axis] - centres.lo[axis]);
  if (task.depth >= kMaxSplitDepth || task.last - task.first <= 2 || !(scale > 0.0 && scale < kInfinity))
    return halve();
  const auto bin_of = [&](const Item& item) {
    const double at_bin = (item.centre[axis] - centres.lo[axis]) * scale;
    return at_bin < static_cast<double>(kBins - 1) ? static_cast<std::size_t>(at_bin) : kBins - 1;
  };
  std::array<Bin, kBins> bins;
  for (std::size_t i = task.first; i < task.last; ++i) {
    Bin& bin = bins[bin_of(items[i])];
    ++bin.count;
    bin.box = bin.box.united(tree.at(items[i].leaf).box);
  }
  const std::size_t best = best_split(bins);
  if (best == 0) return halve();
  const auto middle =
      std::partition(place(task.first), place(task.last), [&](const Item& item) { return bin_of(item) < best; });
  return static_cast<std::size_t>(middle - items.begin());
}

void DynamicTree::rebuild(Rebuild& work) {
  work.items.clear();
  work.open.clear();
  work.made.clear();
  if (leaves_ < 2) return;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& here = nodes_[i];
    if (here.height != 0) continue;
    Rebuild::Item item{static_cast<Index>(i), {}};
    // Halves are summed, because sums of large coordinates overflow.
    for (std::size_t k = 0; k < 3; ++k) item.centre[k] = 0.5 * here.box.lo[k] + 0.5 * here.box.hi[k];
    work.items.push_back(item);
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (nodes_[i].height > 0) free_node(static_cast<Index>(i));
  }
  work.open.push_back({0, work.items.size(), kNone, false, 0});
  while (!work.open.empty()) {
    const Rebuild::Task task = work.open.back();
    work.open.pop_back();
    const bool leaf = task.last - task.first == 1;
    const Index index = leaf ? work.items[task.first].leaf : take_node();
    node(index).parent = task.parent;
    if (task.parent == kNone) {
      root_ = index;
    } else {
      (task.left ? node(task.parent).left : node(task.parent).right) = index;
    }
    if (leaf) continue;
    work.made.push_back(index);
    const std::size_t middle = work.split(*this, task);
    work.open.push_back({middle, task.last, index, false, task.depth + 1});
    work.open.push_back({task.first, middle, index, true, task.depth + 1});
  }
  for (std::size_t i = work.made.size(); i-- > 0;) fit(work.made[i]);
}

}  // namespace graze::rigid
