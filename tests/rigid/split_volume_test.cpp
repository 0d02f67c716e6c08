// The decision rule of the paper's split (BOXTREE, section 4.2) against a twin that follows the printed text step
// by step: it sorts the polygons to find the seeds, keeps the subsets as lists, and computes every volume anew from
// the list in rational arithmetic. On coordinates of a coarse grid the library's doubles are exact too, so that
// ties are decided alike.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/build_boxtree.hpp"
#include "rigid/boxtree/polygon_set.hpp"

namespace graze::rigid {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

using Rational = boost::multiprecision::cpp_rational;

struct Extent {
  float lo = 0.0F;
  float hi = 0.0F;
};
using Polygon = std::array<Extent, 3>;

struct Set {
  std::string name;
  std::vector<Polygon> polygons;
  NodeBox box;
};

/// The answer of the twin.
struct Answer {
  std::set<std::uint32_t> first;  ///< polygons of the first child
  std::array<unsigned, 2> sides{};
  std::size_t which = 0;  ///< 0: a lower and an upper box, 1: two lower ones, 2: two upper ones
};

using Subset = std::vector<std::uint32_t>;

Rational tight_volume(const Set& set, const Subset& subset, const Rational& pad) {
  Rational volume = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    float lo = set.polygons[subset[0]][k].lo;
    float hi = set.polygons[subset[0]][k].hi;
    for (const std::uint32_t polygon : subset) {
      lo = std::min(lo, set.polygons[polygon][k].lo);
      hi = std::max(hi, set.polygons[polygon][k].hi);
    }
    volume *= Rational(hi) - Rational(lo) + pad;
  }
  return volume;
}

Subset joined(Subset subset, std::uint32_t polygon) {
  subset.push_back(polygon);
  return subset;
}

/// The polygons by the distance of their far end from a border, the closest first.
Subset by_distance(const Set& set, std::size_t axis, bool from_lower) {
  Subset order(set.polygons.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Extent& one = set.polygons[i][axis];
    const Extent& other = set.polygons[j][axis];
    return from_lower ? one.hi < other.hi : one.lo > other.lo;
  });
  return order;
}

std::optional<Answer> printed_split(const Set& set, bool longest) {
  std::array<Rational, 3> lengths;
  for (std::size_t k = 0; k < 3; ++k) lengths[k] = Rational(set.box.hi[k]) - Rational(set.box.lo[k]);
  const auto longest_axis =
      static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
  const Rational pad = lengths[longest_axis] / 4096;
  std::optional<Answer> best;
  Rational least = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (lengths[axis] <= 0 || (longest && axis != longest_axis)) continue;
    const Subset from_lower = by_distance(set, axis, true);
    const Subset from_upper = by_distance(set, axis, false);
    for (std::size_t which = 0; which < 3; ++which) {
      const std::uint32_t seed_a = which == 2 ? from_upper[0] : from_lower[0];
      std::uint32_t seed_b = which == 1 ? from_lower[1] : from_upper[which == 2 ? 1 : 0];
      if (which == 0 && seed_b == seed_a) seed_b = from_upper[1];
      // Seeds bound the subsets from the beginning, and are given away in their turn like all others.
      Subset grown_a{seed_a};
      Subset grown_b{seed_b};
      for (std::uint32_t polygon = 0; polygon < set.polygons.size(); ++polygon) {
        const Rational growth_a =
            tight_volume(set, joined(grown_a, polygon), pad) - tight_volume(set, grown_a, pad);
        const Rational growth_b =
            tight_volume(set, joined(grown_b, polygon), pad) - tight_volume(set, grown_b, pad);
        const bool to_a = growth_a != growth_b ? growth_a < growth_b : grown_a.size() <= grown_b.size();
        (to_a ? grown_a : grown_b).push_back(polygon);
      }
      if (grown_a.size() == 1 || grown_b.size() == 1) continue;
      // The boxes of the children: the node's box, cut at the far end of a subset.
      Rational total = 0;
      const std::array<bool, 2> upper{which == 2, which != 1};
      const std::array<const Subset*, 2> subsets{&grown_a, &grown_b};
      for (std::size_t child = 0; child < 2; ++child) {
        Rational kept = 0;
        for (const std::uint32_t polygon : *subsets[child]) {
          const Extent& extent = set.polygons[polygon][axis];
          kept = std::max(kept, upper[child] ? Rational(set.box.hi[axis]) - Rational(extent.lo)
                                             : Rational(extent.hi) - Rational(set.box.lo[axis]));
        }
        total += kept / lengths[axis];
      }
      if (best && total >= least) continue;
      least = total;
      const auto number = static_cast<unsigned>(axis);
      best = Answer{{grown_a.begin() + 1, grown_a.end()},
                    {number + (upper[0] ? BoxNode::kUpper : 0U), number + (upper[1] ? BoxNode::kUpper : 0U)},
                    which};
    }
  }
  return best;
}

/// The library's answer, with the twin's number of the case.
std::optional<Answer> library_split(const Set& set, bool longest) {
  std::vector<PackedBox> boxes(set.polygons.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      boxes[i].lo[k] = set.polygons[i][k].lo;
      boxes[i].minus_hi[k] = -set.polygons[i][k].hi;
    }
    boxes[i].first = static_cast<std::uint32_t>(i);
    boxes[i].second = 0;
  }
  const VolumeSplit split = split_volume(PolygonSet(boxes.data(), boxes.size()), set.box, longest);
  if (split.first == 0) return std::nullopt;
  Answer answer;
  for (std::size_t i = 0; i < split.first; ++i) answer.first.insert(boxes[i].first);
  answer.sides = split.sides;
  const bool upper_first = split.sides[0] >= BoxNode::kUpper;
  const bool upper_second = split.sides[1] >= BoxNode::kUpper;
  answer.which = upper_first ? 2 : upper_second ? 0 : 1;
  return answer;
}

/// Moves the sides of the node's box outward: a restricted box is not tight.
void set_box(Set& set, const std::array<float, 6>& looser) {
  for (std::size_t k = 0; k < 3; ++k) {
    set.box.lo[k] = 1.0;
    set.box.hi[k] = -1.0;
    for (const Polygon& polygon : set.polygons) {
      set.box.lo[k] = std::min(set.box.lo[k], static_cast<double>(polygon[k].lo));
      set.box.hi[k] = std::max(set.box.hi[k], static_cast<double>(polygon[k].hi));
    }
    set.box.lo[k] -= static_cast<double>(looser[k]);
    set.box.hi[k] += static_cast<double>(looser[3 + k]);
  }
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() >> 11U) % count; }
  /// In [-1, 1): a multiple of 1/8, or any float.
  float coordinate(bool grid) {
    return grid ? static_cast<float>(below(16)) / 8.0F - 1.0F
                : static_cast<float>(static_cast<std::int64_t>(below(1U << 24U)) - (1 << 23)) * 0x1p-23F;
  }

 private:
  std::mt19937_64 engine_;
};

Set random_set(std::uint64_t seed) {
  Random random(seed);
  const bool grid = seed % 2 == 0;
  Set set{"random " + std::to_string(seed), std::vector<Polygon>(2 + random.below(20)), {}};
  const bool flat = seed % 5 == 0;
  const float size = seed % 3 == 0 ? 0.25F : 1.0F;
  for (Polygon& polygon : set.polygons) {
    for (std::size_t k = 0; k < 3; ++k) {
      const float at = random.coordinate(grid);
      const float wide = (random.coordinate(grid) + 1.0F) * size;
      polygon[k] = {at, std::min(at + wide, 1.0F)};
      if (flat && k == seed % 7 % 3) polygon[k] = {0.5F, 0.5F};
    }
  }
  std::array<float, 6> looser{};
  for (float& side : looser) side = random.below(2) == 0 ? 0.0F : 0.125F * static_cast<float>(random.below(8));
  set_box(set, looser);
  return set;
}

std::vector<Set> degenerate_sets() {
  std::vector<Set> sets;
  const auto add = [&](const std::string& name, std::size_t count, auto at) {
    Set set{name, {}, {}};
    for (std::size_t i = 0; i < count; ++i) set.polygons.push_back(at(static_cast<float>(i)));
    set_box(set, {});
    sets.push_back(set);
  };
  add("two equal boxes", 2, [](float) { return Polygon{Extent{-1, 1}, Extent{-1, 1}, Extent{-1, 1}}; });
  add("nine equal boxes", 9, [](float) { return Polygon{Extent{-1, 0}, Extent{0, 1}, Extent{-1, 1}}; });
  add("equal flat boxes", 7, [](float) { return Polygon{Extent{-1, 0}, Extent{0, 0}, Extent{-1, 1}}; });
  add("points on a line", 11, [](float i) {
    const float at = i / 8.0F - 1.0F;
    return Polygon{Extent{0, 0}, Extent{at, at}, Extent{0, 0}};
  });
  add("points on a diagonal, backwards", 11, [](float i) {
    const float at = 1.0F - i / 8.0F;
    return Polygon{Extent{at, at}, Extent{at, at}, Extent{at, at}};
  });
  add("nested boxes", 8, [](float i) {
    const float at = 1.0F - i / 8.0F;
    return Polygon{Extent{-at, at}, Extent{-at, at}, Extent{-at, at}};
  });
  add("squares of a sheet", 16, [](float i) {
    const float row = static_cast<float>(static_cast<int>(i) / 4);
    const float column = i - 4.0F * row;
    return Polygon{Extent{row / 4, row / 4 + 0.25F}, Extent{column / 4, column / 4 + 0.25F}, Extent{0, 0}};
  });
  add("one around all others", 9, [](float i) {
    if (i == 4.0F) return Polygon{Extent{-1, 1}, Extent{-1, 1}, Extent{-1, 1}};
    const float at = i / 8.0F - 1.0F;
    return Polygon{Extent{at, at + 0.125F}, Extent{0, 0.125F}, Extent{0, 0}};
  });
  return sets;
}

std::string described(const std::optional<Answer>& answer) {
  if (!answer) return "no split";
  std::string text =
      "sides " + std::to_string(answer->sides[0]) + ' ' + std::to_string(answer->sides[1]) + ", first";
  for (const std::uint32_t polygon : answer->first) text += ' ' + std::to_string(polygon);
  return text;
}

TEST(SplitVolume, ChoosesTheCutOfThePrintedCriterion) {
  std::set<std::pair<std::size_t, std::size_t>> seen;  // axis and case
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Set set = random_set(seed);
    for (const bool longest : {false, true}) {
      const std::optional<Answer> expected = printed_split(set, longest);
      EXPECT_EQ(described(library_split(set, longest)), described(expected)) << set.name << ", longest " << longest;
      if (expected && !longest) seen.insert({expected->sides[0] % BoxNode::kUpper, expected->which});
    }
  }
  EXPECT_EQ(seen.size(), 9U) << "each case along each axis is the best one of some set";
}

TEST(SplitVolume, ChoosesTheCutOfThePrintedCriterionForDegenerateSets) {
  for (const Set& set : degenerate_sets()) {
    for (const bool longest : {false, true}) {
      const std::optional<Answer> expected = printed_split(set, longest);
      EXPECT_TRUE(expected) << set.name;
      EXPECT_EQ(described(library_split(set, longest)), described(expected)) << set.name << ", longest " << longest;
    }
  }
}

TEST(SplitVolume, FindsNoSplitOfASetWithoutExtent) {
  Set set{"points", std::vector<Polygon>(5, Polygon{Extent{0.5F, 0.5F}, Extent{0, 0}, Extent{-1, -1}}), {}};
  set_box(set, {});
  EXPECT_FALSE(printed_split(set, false));
  EXPECT_FALSE(library_split(set, false));
}

/// Triangles below a node.
std::set<std::uint32_t> triangles_below(const Boxtree& tree, std::size_t place) {
  const BoxNode& node = tree.nodes[place];
  if (node.leaf()) return {node.place()};
  std::set<std::uint32_t> all = triangles_below(tree, node.place());
  all.merge(triangles_below(tree, node.place() + 1));
  return all;
}

TEST(SplitVolume, AllPolygonsDecideAtTheRootOfATree) {
  // Enough polygons for a sample to be taken where one is. Coordinates are relative ones already: the local frame
  // of a cube from -1 to 1 is the identity.
  Random random(5);
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<VertexId>(positions.size());
    positions.insert(positions.end(), {a, b, c});
    triangles.push_back({first, first + 1, first + 2});
  };
  add({-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1});
  add({1, 1, 1}, {1, 1, 1}, {1, 1, 1});
  for (int i = 0; i < 98; ++i) {
    const auto x = [&] { return 0.875 * static_cast<double>(random.coordinate(true)); };
    const Vec3 at{x(), x(), x()};
    add(at, {at.x + 0.125, at.y, at.z}, {at.x, at.y + 0.125, at.z + 0.0625});
  }
  const Boxtree tree = build_boxtree(positions, triangles, BoxtreeSplit::Volume);
  Set set{"root", {}, {}};
  for (const Triangle& triangle : triangles) {
    Polygon polygon;
    for (std::size_t k = 0; k < 3; ++k) polygon[k] = {2.0F, -2.0F};
    for (const VertexId vertex : triangle) {
      const std::array<double, 3> u = tree.local_frame.relative(positions[vertex]);
      for (std::size_t k = 0; k < 3; ++k) {
        polygon[k].lo = std::min(polygon[k].lo, static_cast<float>(u[k]));
        polygon[k].hi = std::max(polygon[k].hi, static_cast<float>(u[k]));
      }
    }
    set.polygons.push_back(polygon);
  }
  set_box(set, {});
  const std::optional<Answer> expected = printed_split(set, false);
  ASSERT_TRUE(expected);
  EXPECT_EQ(triangles_below(tree, 1), expected->first);
  EXPECT_EQ(tree.nodes[1].side(), expected->sides[0]);
  EXPECT_EQ(tree.nodes[2].side(), expected->sides[1]);
  const Boxtree sampled = build_boxtree(positions, triangles, BoxtreeSplit::VolumeSampled);
  EXPECT_NE(triangles_below(sampled, 1), expected->first) << "a sample that decides like all shows nothing here";
}

}  // namespace
}  // namespace graze::rigid
