// Binned SAH build. See the header.
#include "rigid/trees/split_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace graze::rigid {

namespace {

constexpr std::size_t kBins = 16;
constexpr std::uint32_t kDeep = 40;

struct Box {
  Point lo{kFar, kFar, kFar};
  Point hi{-kFar, -kFar, -kFar};

  static constexpr double kFar = std::numeric_limits<double>::infinity();

  void add(const Box& box) {
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], box.lo[k]);
      hi[k] = std::max(hi[k], box.hi[k]);
    }
  }
  [[nodiscard]] double half_area() const {
    if (lo[0] > hi[0]) return 0.0;
    const double x = hi[0] - lo[0];
    const double y = hi[1] - lo[1];
    const double z = hi[2] - lo[2];
    return x * y + y * z + z * x;
  }
};

class Splitter {
 public:
  explicit Splitter(std::span<const Corners> triangles) {
    boxes_.reserve(triangles.size());
    for (const Corners& corners : triangles) {
      Box box;
      for (const Point& corner : corners) box.add({corner, corner});
      boxes_.push_back(box);
    }
    tree_.order.resize(triangles.size());
    std::iota(tree_.order.begin(), tree_.order.end(), 0U);
  }

  SplitTree run() {
    struct Task {
      std::uint32_t node;
      std::uint32_t depth;
    };
    const auto count = static_cast<std::uint32_t>(boxes_.size());
    if (count == 0) return std::move(tree_);
    tree_.nodes.reserve(2 * boxes_.size() - 1);
    tree_.nodes.push_back({0, count, 0});
    std::vector<Task> tasks{{0, 0}};
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      tree_.depth = std::max(tree_.depth, task.depth);
      const auto [first, last, unused] = tree_.nodes[task.node];
      if (last - first == 1) continue;
      const std::uint32_t middle = split(first, last, task.depth);
      const auto child = static_cast<std::uint32_t>(tree_.nodes.size());
      tree_.nodes[task.node].child = child;
      tree_.nodes.push_back({first, middle, 0});
      tree_.nodes.push_back({middle, last, 0});
      tasks.push_back({child + 1, task.depth + 1});
      tasks.push_back({child, task.depth + 1});
    }
    return std::move(tree_);
  }

 private:
  struct Bin {
    Box box;
    std::uint32_t count = 0;
  };
  struct Choice {
    double cost = std::numeric_limits<double>::infinity();
    std::size_t axis = 0;
    std::size_t below = 0;  ///< bins before this one go to the first child
  };

  /// Twice the centre of the box.
  [[nodiscard]] double middle_of(std::uint32_t triangle, std::size_t axis) const {
    return boxes_[triangle].lo[axis] + boxes_[triangle].hi[axis];
  }
  static std::size_t bin_of(double middle, double lo, double per_unit) {
    return std::min(static_cast<std::size_t>((middle - lo) * per_unit), kBins - 1);
  }

  /// Partitions the order and returns the start of the second part.
  std::uint32_t split(std::uint32_t first, std::uint32_t last, std::uint32_t depth) {
    const auto begin = tree_.order.begin() + first;
    const auto end = tree_.order.begin() + last;
    Box middles;
    for (auto it = begin; it != end; ++it) {
      const Point middle{middle_of(*it, 0), middle_of(*it, 1), middle_of(*it, 2)};
      middles.add({middle, middle});
    }
    const Choice choice = depth < kDeep ? best(first, last, middles) : Choice{};
    if (choice.below > 0) {
      const double lo = middles.lo[choice.axis];
      const double per_unit = kBins / (middles.hi[choice.axis] - lo);
      const auto cut = std::partition(begin, end, [&](std::uint32_t triangle) {
        return bin_of(middle_of(triangle, choice.axis), lo, per_unit) < choice.below;
      });
      return static_cast<std::uint32_t>(cut - tree_.order.begin());
    }
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (middles.hi[k] - middles.lo[k] > middles.hi[longest] - middles.lo[longest]) longest = k;
    }
    const auto half = begin + (end - begin) / 2;
    std::nth_element(begin, half, end, [&](std::uint32_t i, std::uint32_t j) {
      const double of_i = middle_of(i, longest);
      const double of_j = middle_of(j, longest);
      return of_i < of_j || (of_i == of_j && i < j);
    });
    return static_cast<std::uint32_t>(half - tree_.order.begin());
  }

  /// The split of least surface area times triangle count; below = 0 if no split separates the set.
  [[nodiscard]] Choice best(std::uint32_t first, std::uint32_t last, const Box& middles) const {
    Choice choice;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double lo = middles.lo[axis];
      const double extent = middles.hi[axis] - lo;
      if (!(extent > 0x1p-100)) continue;  // kBins / extent may overflow for smaller extents
      std::array<Bin, kBins> bins;
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t triangle = tree_.order[i];
        Bin& bin = bins[bin_of(middle_of(triangle, axis), lo, kBins / extent)];
        bin.box.add(boxes_[triangle]);
        ++bin.count;
      }
      std::array<double, kBins> behind{};
      Bin sum;
      for (std::size_t i = kBins - 1; i > 0; --i) {
        sum.box.add(bins[i].box);
        sum.count += bins[i].count;
        behind[i] = sum.box.half_area() * sum.count;
      }
      sum = {};
      for (std::size_t i = 1; i < kBins; ++i) {
        sum.box.add(bins[i - 1].box);
        sum.count += bins[i - 1].count;
        if (sum.count == 0 || sum.count == last - first) continue;
        const double cost = sum.box.half_area() * sum.count + behind[i];
        if (cost < choice.cost) choice = {cost, axis, i};
      }
    }
    return choice;
  }

  std::vector<Box> boxes_;
  SplitTree tree_;
};

}  // namespace

SplitTree build_split_tree(std::span<const Corners> triangles) {
  return Splitter(triangles).run();
}

}  // namespace graze::rigid
