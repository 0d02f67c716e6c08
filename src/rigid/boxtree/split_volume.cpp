// The split criterion of BOXTREE as printed (section 4.2): every polygon of the node decides. For each axis and
// each of three cases (a lower and an upper box, two lower ones, two upper ones), the two seeds are the polygons
// closest to the outer borders; then one pass, in the order of the polygons, gives each polygon to the subset whose
// volume grows least. The best of these nine candidates has the least total volume. `longest` is the paper's
// variant that tries only the longest side of the node's box. rigid/boxtree/split_volume_sampled.cpp judges by a
// sample instead.
//
// What the paper leaves open, and the choice here: the distance of a polygon from a border is that of its far end.
// Two seeds at one border are the closest and the second closest polygon, the earlier one if they are equally
// close. The order is that of the mesh at the root; partitions keep it in the first part. Subsets grow as tight
// boxes. Flat boxes have no volume, so that each side is enlarged by 2^-12 of the node's longest side. On equal
// growth a polygon goes to the subset with fewer polygons so far, or else to the first. The volumes summed are
// those of the children, the node's box minus one slab, as shares of the node's. Among equal sums the first
// candidate counts, axis by axis. A subset may be as small as one polygon: the paper assumes a bounded share for
// its linear time (section 4.3) but does not enforce it. Doubles, because the volumes of large sets grow by less
// than a float resolves. O(n) with at most 18 volumes a polygon, seven times the time of `free` for a whole tree;
// the builder bounds the depth.
#include <algorithm>
#include <limits>
#include <utility>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/polygon_set.hpp"

namespace graze::rigid {

namespace {

/// Enlargement of each side, as a share of the longest side of the node.
constexpr double kPad = 0x1p-12;
/// Shorter sides of a node's box are rounding errors of the relative coordinates.
constexpr double kFlat = 0x1p-60;

/// The cases along one axis.
enum Case : std::size_t { LowerUpper, BothLower, BothUpper };
constexpr std::size_t kCases = 3;

/// A subset that grows, with its tight box.
class Subset {
 public:
  Subset() = default;
  Subset(const PackedBox& seed, double pad) : lo_(seed.lo), minus_hi_(seed.minus_hi) { measure(pad); }

  [[nodiscard]] bool contains(const PackedBox& polygon) const {
    unsigned outside = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      outside |=
          static_cast<unsigned>(polygon.lo[k] < lo_[k]) | static_cast<unsigned>(polygon.minus_hi[k] < minus_hi_[k]);
    }
    return outside == 0;
  }
  /// The box with one more polygon.
  [[nodiscard]] Subset with(const PackedBox& polygon, double pad) const {
    Subset grown(*this);
    for (std::size_t k = 0; k < 3; ++k) {
      grown.lo_[k] = std::min(lo_[k], polygon.lo[k]);
      grown.minus_hi_[k] = std::min(minus_hi_[k], polygon.minus_hi[k]);
    }
    grown.measure(pad);
    return grown;
  }
  void count_one() { ++count_; }
  [[nodiscard]] double lo(std::size_t axis) const { return static_cast<double>(lo_[axis]); }
  [[nodiscard]] double hi(std::size_t axis) const { return -static_cast<double>(minus_hi_[axis]); }
  [[nodiscard]] double volume() const { return volume_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  void measure(double pad) { volume_ = (hi(0) - lo(0) + pad) * (hi(1) - lo(1) + pad) * (hi(2) - lo(2) + pad); }

  std::array<float, 3> lo_{};
  std::array<float, 3> minus_hi_{};
  double volume_ = 0.0;
  std::size_t count_ = 0;
};

/// One way to split the set: the two subsets as they grow from their seeds.
class Candidate {
 public:
  Candidate() = default;
  Candidate(const PackedBox& first, const PackedBox& second, double pad)
      : first_(first, pad), second_(second, pad), pad_(pad) {}

  /// Gives the polygon to one of the subsets. Returns whether that is the first one.
  bool give(const PackedBox& polygon) {
    const bool in_first = first_.contains(polygon);
    const bool in_second = second_.contains(polygon);
    bool to_first = in_first;
    if (in_first == in_second) {
      to_first = first_.count() <= second_.count();
      if (!in_first) {
        const Subset first = first_.with(polygon, pad_);
        const Subset second = second_.with(polygon, pad_);
        const double growth_first = first.volume() - first_.volume();
        const double growth_second = second.volume() - second_.volume();
        if (growth_first != growth_second) to_first = growth_first < growth_second;
        (to_first ? first_ : second_) = to_first ? first : second;
      }
    }
    (to_first ? first_ : second_).count_one();
    return to_first;
  }
  [[nodiscard]] const Subset& first() const { return first_; }
  [[nodiscard]] const Subset& second() const { return second_; }

 private:
  Subset first_;
  Subset second_;
  double pad_ = 0.0;
};

/// The two polygons closest to either border along one axis.
struct Seeds {
  std::array<std::size_t, 2> lower{};
  std::array<std::size_t, 2> upper{};
};

/// Keeps the two least values, and the earlier one of equal values.
struct TwoLeast {
  std::array<float, 2> value{RowBox::kEmpty, RowBox::kEmpty};
  std::array<std::size_t, 2> where{};

  void take(float next, std::size_t at) {
    if (!(next < value[1])) return;
    value[1] = next;
    where[1] = at;
    if (value[1] < value[0]) {
      std::swap(value[0], value[1]);
      std::swap(where[0], where[1]);
    }
  }
};

std::array<Seeds, 3> find_seeds(const PolygonSet& set) {
  std::array<TwoLeast, 3> lower;
  std::array<TwoLeast, 3> upper;
  for (std::size_t i = 0; i < set.count; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k].take(-set.boxes[i].minus_hi[k], i);
      upper[k].take(-set.boxes[i].lo[k], i);
    }
  }
  std::array<Seeds, 3> seeds;
  for (std::size_t k = 0; k < 3; ++k) seeds[k] = {lower[k].where, upper[k].where};
  return seeds;
}

Candidate candidate_of(const PolygonSet& set, const Seeds& seeds, std::size_t which, double pad) {
  const auto of = [&](std::size_t first, std::size_t second) {
    return Candidate(set.boxes[first], set.boxes[second], pad);
  };
  if (which == BothLower) return of(seeds.lower[0], seeds.lower[1]);
  if (which == BothUpper) return of(seeds.upper[0], seeds.upper[1]);
  // One polygon may be the closest to both borders.
  return of(seeds.lower[0], seeds.upper[0] == seeds.lower[0] ? seeds.upper[1] : seeds.upper[0]);
}

/// The cut sides of both children.
std::array<unsigned, 2> sides_of(std::size_t axis, std::size_t which) {
  const auto lower = static_cast<unsigned>(axis);
  const unsigned upper = lower + BoxNode::kUpper;
  return {which == BothUpper ? upper : lower, which == BothLower ? lower : upper};
}

/// Extent along the axis of a child that is cut at this side of the node's box.
double kept(const Subset& subset, unsigned side, const NodeBox& box) {
  const std::size_t axis = side & 3U;
  return side >= BoxNode::kUpper ? box.hi[axis] - subset.lo(axis) : subset.hi(axis) - box.lo[axis];
}

}  // namespace

VolumeSplit split_volume(const PolygonSet& set, const NodeBox& box, bool longest) {
  const std::array<double, 3> lengths{box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]};
  std::size_t longest_axis = lengths[1] > lengths[0] ? 1 : 0;
  if (lengths[2] > lengths[longest_axis]) longest_axis = 2;
  const double pad = kPad * lengths[longest_axis];
  std::array<std::size_t, 3> axes{};
  std::size_t axis_count = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if ((longest && axis != longest_axis) || !(lengths[axis] > kFlat)) continue;
    axes[axis_count++] = axis;
  }

  const std::array<Seeds, 3> seeds = find_seeds(set);
  std::array<std::array<Candidate, kCases>, 3> candidates;
  for (std::size_t i = 0; i < axis_count; ++i) {
    for (std::size_t which = 0; which < kCases; ++which)
      candidates[i][which] = candidate_of(set, seeds[axes[i]], which, pad);
  }
  for (std::size_t polygon = 0; polygon < set.count; ++polygon) {
    for (std::size_t i = 0; i < axis_count; ++i) {
      for (Candidate& candidate : candidates[i]) candidate.give(set.boxes[polygon]);
    }
  }

  double least = std::numeric_limits<double>::infinity();
  std::size_t best_axis = 3;
  std::size_t best_case = 0;
  for (std::size_t i = 0; i < axis_count; ++i) {
    for (std::size_t which = 0; which < kCases; ++which) {
      const Candidate& candidate = candidates[i][which];
      if (candidate.first().count() == 0 || candidate.second().count() == 0) continue;
      const std::array<unsigned, 2> sides = sides_of(axes[i], which);
      const double total =
          (kept(candidate.first(), sides[0], box) + kept(candidate.second(), sides[1], box)) / lengths[axes[i]];
      if (!(total < least)) continue;
      least = total;
      best_axis = axes[i];
      best_case = which;
    }
  }
  if (best_axis == 3) return {};
  // The pass is repeated for the winner, which is cheaper than to store all choices.
  Candidate winner = candidate_of(set, seeds[best_axis], best_case, pad);
  const std::size_t count =
      partition_in_place(set, [&](const PackedBox& polygon, std::size_t) { return winner.give(polygon); });
  return {count, sides_of(best_axis, best_case)};
}

}  // namespace graze::rigid
