// The volume criterion of BOXTREE (section 4.2) judged by a sample: our shortcut to rigid/boxtree/split_volume.cpp,
// which is the criterion as printed and says what its cases and seeds are. Where this differs:
//
// Sets of 64 polygons and more are judged by 32 to 64 of them, evenly spaced; the other polygons go where the
// sample's boxes grow least. Sides are enlarged by 2^-8 of the node's longest side. Candidates with less than 1/32
// of the polygons on one side are rejected, because the linear time of section 4.3 needs a bounded share. Floats,
// with the three cases of an axis in SIMD lanes. O(n) with two volumes a polygon.
#include <algorithm>
#include <limits>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/polygon_set.hpp"

namespace graze::rigid {

namespace {

constexpr std::size_t kSample = 32;
/// At least one polygon in this many goes to either side.
constexpr float kShare = 32.0F;
/// Enlargement of each side, as a share of the longest side of the node.
constexpr float kPad = 0x1p-8F;

/// The cases along one axis, by lane; the fourth lane repeats the first.
enum Case : std::size_t { LowerUpper, BothLower, BothUpper };

/// One of the two subsets, for each of the cases.
struct Subset {
  std::array<Row4, 3> lo;
  std::array<Row4, 3> minus_hi;
  Row4 volume{0.0F};
  Row4 count{0.0F};

  explicit Subset(const std::array<const PackedBox*, 3>& seeds, float pad) {
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = Row4(seeds[0]->lo[k], seeds[1]->lo[k], seeds[2]->lo[k], seeds[0]->lo[k]);
      minus_hi[k] =
          Row4(seeds[0]->minus_hi[k], seeds[1]->minus_hi[k], seeds[2]->minus_hi[k], seeds[0]->minus_hi[k]);
    }
    volume = volume_of(lo, minus_hi, Row4(pad));
  }
  static Row4 volume_of(const std::array<Row4, 3>& lo, const std::array<Row4, 3>& minus_hi, Row4 pad) {
    return (pad - (lo[0] + minus_hi[0])) * (pad - (lo[1] + minus_hi[1])) * (pad - (lo[2] + minus_hi[2]));
  }
};

/// The two polygons closest to either border along one axis.
struct Seeds {
  std::array<const PackedBox*, 2> lower{};
  std::array<const PackedBox*, 2> upper{};
};

/// Keeps the two smallest values, and the earlier one of equal values.
struct TwoLeast {
  std::array<Row4, 2> value{Row4(RowBox::kEmpty), Row4(RowBox::kEmpty)};
  std::array<Row4, 2> where{Row4(0.0F), Row4(0.0F)};

  void take(Row4 next, Row4 at) {
    const Row4 first = less(next, value[0]);
    const Row4 second = less(next, value[1]);
    value[1] = select(first, value[0], select(second, next, value[1]));
    where[1] = select(first, where[0], select(second, at, where[1]));
    value[0] = select(first, next, value[0]);
    where[0] = select(first, at, where[0]);
  }
};

std::array<Seeds, 3> find_seeds(const PolygonSet& set, std::size_t step, std::size_t sampled) {
  TwoLeast lower;
  TwoLeast upper;
  const Row4 zero(0.0F);
  for (std::size_t i = 0; i < sampled; ++i) {
    const RowBox box = RowBox::load(set.boxes[i * step]);
    const Row4 at(static_cast<float>(i));  // exact: samples are small
    lower.take(zero - box.minus_hi, at);
    upper.take(zero - box.lo, at);
  }
  std::array<Seeds, 3> seeds;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < 2; ++i) {
      seeds[axis].lower[i] = set.boxes + static_cast<std::size_t>(lower.where[i][axis]) * step;
      seeds[axis].upper[i] = set.boxes + static_cast<std::size_t>(upper.where[i][axis]) * step;
    }
  }
  return seeds;
}

using Choices = std::array<std::array<std::uint32_t, 4>, 2 * kSample>;

/// Second pass: assigns the polygons for three cases at once. `choices` marks the polygons of the second subset.
void share_out(const PolygonSet& set, std::size_t step, std::size_t sampled, float padding, Subset& first,
               Subset& second, Choices& choices) {
  const Row4 pad(padding);
  const Row4 one(1.0F);
  Subset a = first;
  Subset b = second;
  for (std::size_t i = 0; i < sampled; ++i) {
    const PackedBox& box = set.boxes[i * step];
    std::array<Row4, 3> lo_a;
    std::array<Row4, 3> lo_b;
    std::array<Row4, 3> minus_hi_a;
    std::array<Row4, 3> minus_hi_b;
    for (std::size_t k = 0; k < 3; ++k) {
      const Row4 lo(box.lo[k]);
      const Row4 minus_hi(box.minus_hi[k]);
      lo_a[k] = min(a.lo[k], lo);
      lo_b[k] = min(b.lo[k], lo);
      minus_hi_a[k] = min(a.minus_hi[k], minus_hi);
      minus_hi_b[k] = min(b.minus_hi[k], minus_hi);
    }
    const Row4 volume_a = Subset::volume_of(lo_a, minus_hi_a, pad);
    const Row4 volume_b = Subset::volume_of(lo_b, minus_hi_b, pad);
    const Row4 growth_a = volume_a - a.volume;
    const Row4 growth_b = volume_b - b.volume;
    const Row4 to_b = less(growth_b, growth_a) | (equal(growth_b, growth_a) & less(b.count, a.count));
    for (std::size_t k = 0; k < 3; ++k) {
      a.lo[k] = select(to_b, a.lo[k], lo_a[k]);
      b.lo[k] = select(to_b, lo_b[k], b.lo[k]);
      a.minus_hi[k] = select(to_b, a.minus_hi[k], minus_hi_a[k]);
      b.minus_hi[k] = select(to_b, minus_hi_b[k], b.minus_hi[k]);
    }
    a.volume = select(to_b, a.volume, volume_a);
    b.volume = select(to_b, volume_b, b.volume);
    b.count = b.count + (to_b & one);
    a.count = a.count + (one - (to_b & one));
    to_b.store(choices[i].data());
  }
  first = a;
  second = b;
}

struct Best {
  float volume = std::numeric_limits<float>::max();
  std::size_t axis = 3;
  std::size_t lane = 0;
  std::array<RowBox, 2> boxes;
};

RowBox lane_of(const Subset& subset, std::size_t lane) {
  return {Row4(subset.lo[0][lane], subset.lo[1][lane], subset.lo[2][lane], 0.0F),
          Row4(subset.minus_hi[0][lane], subset.minus_hi[1][lane], subset.minus_hi[2][lane], 0.0F)};
}

/// The cut sides of both children.
std::array<unsigned, 2> sides_of(std::size_t axis, std::size_t lane) {
  const auto lower = static_cast<unsigned>(axis);
  const unsigned upper = lower + BoxNode::kUpper;
  return {lane == BothUpper ? upper : lower, lane == BothLower ? lower : upper};
}

/// For each case, the sum of both children's extents along the axis.
Row4 kept(const Subset& first, const Subset& second, std::size_t axis, const NodeBox& box) {
  const Row4 zero(0.0F);
  const Row4 lo(static_cast<float>(box.lo[axis]));
  const Row4 hi(static_cast<float>(box.hi[axis]));
  const Row4 first_is_upper = less(zero, Row4(0.0F, 0.0F, 1.0F, 0.0F));
  const Row4 second_is_upper = less(zero, Row4(1.0F, 0.0F, 1.0F, 1.0F));
  return select(first_is_upper, hi - first.lo[axis], zero - first.minus_hi[axis] - lo) +
         select(second_is_upper, hi - second.lo[axis], zero - second.minus_hi[axis] - lo);
}

float volume_with(const RowBox& box, const RowBox& other, float pad) {
  const Row4 sides = Row4(pad) - (min(box.lo, other.lo) + min(box.minus_hi, other.minus_hi));
  return sides[0] * sides[1] * sides[2];
}

}  // namespace

VolumeSplit split_volume_sampled(const PolygonSet& set, const NodeBox& box) {
  const std::array<double, 3> lengths{box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]};
  std::size_t longest_axis = lengths[1] > lengths[0] ? 1 : 0;
  if (lengths[2] > lengths[longest_axis]) longest_axis = 2;
  const auto size = static_cast<float>(lengths[longest_axis]);
  if (!(size > 0x1p-40F)) return {};  // volumes would underflow
  const float pad = kPad * size;
  const std::size_t step = set.count < 2 * kSample ? 1 : set.count / kSample;
  const std::size_t sampled = (set.count - 1) / step + 1;

  const std::array<Seeds, 3> seeds = find_seeds(set, step, sampled);
  std::array<Choices, 3> choices;
  Best best;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(lengths[axis] > 0x1p-60)) continue;
    const Seeds& at = seeds[axis];
    // One polygon may be the closest to both borders.
    const PackedBox* const upper = at.upper[0] == at.lower[0] ? at.upper[1] : at.upper[0];
    const std::array<const PackedBox*, 3> firsts{at.lower[0], at.lower[0], at.upper[0]};
    const std::array<const PackedBox*, 3> seconds{upper, at.lower[1], at.upper[1]};
    Subset first(firsts, pad);
    Subset second(seconds, pad);
    if (set.count == 2) {
      // About every other set has two polygons: both are the seeds.
      first.count = second.count = Row4(1.0F);
      for (std::size_t lane = 0; lane < 3; ++lane) {
        choices[axis][0][lane] = seconds[lane] == set.boxes ? 1 : 0;
        choices[axis][1][lane] = seconds[lane] == set.boxes ? 0 : 1;
      }
    } else {
      share_out(set, step, sampled, pad, first, second, choices[axis]);
    }
    const Row4 volumes = kept(first, second, axis, box) * Row4(1.0F / static_cast<float>(lengths[axis]));
    const Row4 fewer = min(first.count, second.count) * Row4(kShare);
    for (std::size_t lane = 0; lane < 3; ++lane) {
      if (!(fewer[lane] >= static_cast<float>(sampled) && volumes[lane] < best.volume)) continue;
      best = {volumes[lane], axis, lane, {lane_of(first, lane), lane_of(second, lane)}};
    }
  }
  if (best.axis == 3) return {};

  std::size_t count = 0;
  if (step == 1) {
    const Choices& chosen = choices[best.axis];
    count = partition_in_place(set, [&](const PackedBox&, std::size_t i) { return chosen[i][best.lane] == 0; });
  } else {
    const float volume_a = volume_with(best.boxes[0], best.boxes[0], pad);
    const float volume_b = volume_with(best.boxes[1], best.boxes[1], pad);
    const std::size_t axis = best.axis;
    const float middle = best.boxes[0].middle()[axis] + best.boxes[1].middle()[axis];
    const bool first_is_low = best.boxes[0].middle()[axis] <= best.boxes[1].middle()[axis];
    count = partition_in_place(set, [&](const PackedBox& one, std::size_t) {
      const RowBox rows = RowBox::load(one);
      const float growth_a = volume_with(best.boxes[0], rows, pad) - volume_a;
      const float growth_b = volume_with(best.boxes[1], rows, pad) - volume_b;
      const bool is_low = 2.0F * (one.lo[axis] - one.minus_hi[axis]) < middle;
      return growth_a < growth_b || (growth_a == growth_b && is_low == first_is_low);
    });
  }
  // The sample may not represent the whole set.
  if (std::min(count, set.count - count) * 2 * static_cast<std::size_t>(kShare) < set.count) return {};
  return {count, sides_of(best.axis, best.lane)};
}

}  // namespace graze::rigid
