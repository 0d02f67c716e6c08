// The boxtree builder: every split rule builds a valid tree of bounded depth for any soup, the same at any number
// of threads; and the validator detects every kind of damage.
#include "rigid/boxtree/build_boxtree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/tasks.hpp"
#include "rigid/boxtree/boxtree.hpp"

namespace graze::rigid {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

struct Soup {
  std::string name;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<VertexId>(positions.size());
    positions.insert(positions.end(), {a, b, c});
    triangles.push_back({first, first + 1, first + 2});
  }
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return static_cast<double>(engine_() >> 11U) * 0x1p-52 - 1.0; }
  Vec3 point(double size = 1.0) {
    const double x = (*this)() * size;
    const double y = (*this)() * size;
    return {x, y, (*this)() * size};
  }

 private:
  std::mt19937_64 engine_;
};

Vec3 sum(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Soup random_soup(std::size_t count, double size, std::uint64_t seed = 1) {
  Soup soup{"random " + std::to_string(count), {}, {}};
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = random.point();
    soup.add(sum(at, random.point(size)), sum(at, random.point(size)), sum(at, random.point(size)));
  }
  return soup;
}

/// A sheet of side x side squares of two triangles each, at height z(x, y).
Soup sheet(std::size_t side, const std::function<double(double, double)>& z) {
  Soup soup{"sheet", {}, {}};
  for (std::size_t i = 0; i <= side; ++i) {
    for (std::size_t j = 0; j <= side; ++j) {
      const double x = static_cast<double>(i) / static_cast<double>(side);
      const double y = static_cast<double>(j) / static_cast<double>(side);
      soup.positions.push_back({x, y, z(x, y)});
    }
  }
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const auto a = static_cast<VertexId>(i * (side + 1) + j);
      const auto b = static_cast<VertexId>(a + side + 1);
      soup.triangles.push_back({a, b, b + 1});
      soup.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return soup;
}

Soup scaled(Soup soup, double factor, const Vec3& offset, const std::string& name) {
  for (Vec3& x : soup.positions) x = sum({x.x * factor, x.y * factor, x.z * factor}, offset);
  soup.name = name;
  return soup;
}

std::vector<Soup> soups() {
  std::vector<Soup> all;
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 10U, 17U, 33U, 100U}) {
    all.push_back(random_soup(count, 0.2, count));
  }
  all.push_back(random_soup(700, 1.0));
  all.push_back(random_soup(6000, 0.02));
  all.push_back(sheet(40, [](double, double) { return 0.0; }));
  all.push_back(sheet(30, [](double x, double y) { return 0.1 * std::sin(9 * x) * y; }));
  all.push_back(scaled(sheet(12, [](double x, double) { return x; }), 1.0, {1e9, 1e9, -1e9}, "far away"));
  for (const double size : {1e-300, 5e-324, 1e-30, 1e30, 1e300, 1.7e308}) {
    all.push_back(scaled(random_soup(200, 0.02), size / 1.02, {}, "size " + std::to_string(size)));
  }
  Soup point{"one point", {{3, 4, 5}}, std::vector<Triangle>(1500, Triangle{0, 0, 0})};
  all.push_back(point);
  Soup twins{"duplicates", random_soup(1, 0.5).positions, std::vector<Triangle>(1500, Triangle{0, 1, 2})};
  all.push_back(twins);
  Soup pairs = random_soup(300, 0.1);
  pairs.triangles.insert(pairs.triangles.end(), pairs.triangles.begin(), pairs.triangles.end());
  pairs.name = "each twice";
  all.push_back(pairs);
  Soup line{"a line", {}, {}};
  for (int i = 0; i < 1200; ++i) line.add({0.1 * i, 0, 0}, {0.1 * i + 0.1, 0, 0}, {0.1 * i + 0.05, 0, 0});
  all.push_back(line);
  Soup giant = random_soup(900, 0.01);
  giant.add({-50, -50, 0}, {50, -50, 0}, {0, 50, 1});
  giant.name = "one giant";
  all.push_back(giant);
  Soup nested{"nested", {}, {}};
  for (int i = 0; i < 1000; ++i) {
    const double size = std::ldexp(1.0, -i);
    nested.add({0, 0, 0}, {size, 0, 0}, {0, size, size});
  }
  all.push_back(nested);
  Soup apart{"apart by powers", {}, {}};
  for (int i = 0; i < 1000; ++i) {
    const double size = std::ldexp(1.0, -i);
    apart.add({size, 0, 0}, {size, size * 0.1, 0}, {size, 0, size * 0.1});
  }
  all.push_back(apart);
  return all;
}

std::vector<std::array<unsigned char, 9>> bytes_of(const Boxtree& tree) {
  std::vector<std::array<unsigned char, 9>> bytes(tree.nodes.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), tree.nodes.data(), 9 * bytes.size());
  return bytes;
}

TEST(BuildBoxtree, MakesARightTreeOfAnySoup) {
  for (const Soup& soup : soups()) {
    for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
      const Boxtree tree = build_boxtree(soup.positions, soup.triangles, split);
      const std::size_t count = soup.triangles.size();
      EXPECT_EQ(tree.nodes.size(), count == 0 ? 0 : 2 * count - 1);
      EXPECT_EQ(validate_boxtree(tree, soup.positions, soup.triangles), "") << soup.name << ", " << name_of(split);
    }
  }
}

TEST(BuildBoxtree, IsNeverDeeperThanThreeTimesTheLogarithmAndTen) {
  for (const Soup& soup : soups()) {
    for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
      const Boxtree tree = build_boxtree(soup.positions, soup.triangles, split);
      const auto width = static_cast<std::uint32_t>(std::bit_width(soup.triangles.size()));
      EXPECT_LE(tree.depth, 3 * width + 10) << soup.name << ", " << name_of(split);
    }
  }
}

TEST(BuildBoxtree, GivesTheSameBytesForAnyNumberOfThreads) {
  const Soup soup = random_soup(20000, 0.02);
  for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
    Boxtree one;
    with_threads(1, [&] { one = build_boxtree(soup.positions, soup.triangles, split); });
    for (const unsigned threads : {2U, 7U}) {
      Boxtree many;
      with_threads(threads, [&] { many = build_boxtree(soup.positions, soup.triangles, split); });
      EXPECT_EQ(bytes_of(one), bytes_of(many)) << name_of(split) << ", " << threads << " threads";
      EXPECT_EQ(one.depth, many.depth);
      EXPECT_EQ(one.lo, many.lo);
      EXPECT_EQ(one.hi, many.hi);
    }
  }
}

TEST(BuildBoxtree, PutsAPairOfChildrenRightBeforeWhatIsBelowThem) {
  const Soup soup = random_soup(500, 0.1);
  const Boxtree tree = build_boxtree(soup.positions, soup.triangles, BoxtreeSplit::Free);
  std::size_t next = 1;
  const std::function<void(std::size_t)> visit = [&](std::size_t place) {
    const BoxNode& node = tree.nodes[place];
    if (node.leaf()) return;
    EXPECT_EQ(node.place(), next);
    next += 2;
    visit(node.place());
    visit(node.place() + 1);
  };
  visit(0);
  EXPECT_EQ(next, tree.nodes.size());
}

TEST(BuildBoxtree, ThePapersChildrenCutAlongOneAxis) {
  const Soup soup = random_soup(800, 0.05);
  for (const BoxtreeSplit split : {BoxtreeSplit::Volume, BoxtreeSplit::Longest}) {
    const Boxtree tree = build_boxtree(soup.positions, soup.triangles, split);
    for (const BoxNode& node : tree.nodes) {
      if (node.leaf()) continue;
      EXPECT_EQ(tree.nodes[node.place()].axis(), tree.nodes[node.place() + 1].axis());
    }
  }
}

TEST(BuildBoxtree, LongestCutsTheLongestSideOfTheBox) {
  const Soup soup = random_soup(800, 0.05);
  const Boxtree tree = build_boxtree(soup.positions, soup.triangles, BoxtreeSplit::Longest);
  struct Box {
    std::array<double, 3> lo;
    std::array<double, 3> hi;
  };
  std::size_t longest = 0;
  std::size_t inner = 0;
  const std::function<void(std::size_t, Box)> visit = [&](std::size_t place, Box box) {
    const BoxNode& node = tree.nodes[place];
    const double cut = static_cast<double>(node.cut());
    if (node.upper()) {
      box.lo[node.axis()] += cut;
    } else {
      box.hi[node.axis()] -= cut;
    }
    if (node.leaf()) return;
    ++inner;
    const std::size_t axis = tree.nodes[node.place()].axis();
    bool is_longest = true;
    for (std::size_t k = 0; k < 3; ++k) is_longest &= box.hi[axis] - box.lo[axis] >= box.hi[k] - box.lo[k];
    if (is_longest) ++longest;
    visit(node.place(), box);
    visit(node.place() + 1, box);
  };
  Box root{};
  for (std::size_t k = 0; k < 3; ++k) {
    root.lo[k] = static_cast<double>(tree.lo[k]);
    root.hi[k] = static_cast<double>(tree.hi[k]);
  }
  visit(0, root);
  // Where no other split is good, sets are halved along the axis chosen from the centres of their triangles.
  EXPECT_GT(longest, inner * 2 / 3);
}

TEST(BuildBoxtree, BoxesAreTightWhereTheyCut) {
  // Two clouds far apart along x: both children of the root must cut off nearly half of it.
  Soup soup = random_soup(100, 0.01);
  for (std::size_t v = 0; v < soup.positions.size(); ++v) soup.positions[v].x += v < 150 ? -50.0 : 50.0;
  for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
    const Boxtree tree = build_boxtree(soup.positions, soup.triangles, split);
    const BoxNode& first = tree.nodes[1];
    const BoxNode& second = tree.nodes[2];
    const float width = tree.hi[0] - tree.lo[0];
    EXPECT_EQ(first.axis(), 0U);
    EXPECT_EQ(second.axis(), 0U);
    EXPECT_GT(first.cut(), 0.9F * width);
    EXPECT_GT(second.cut(), 0.9F * width);
    EXPECT_NE(first.upper(), second.upper());
  }
}

TEST(BuildBoxtree, UnusedVerticesChangeNothing) {
  Soup soup = random_soup(300, 0.05);
  const Boxtree before = build_boxtree(soup.positions, soup.triangles, BoxtreeSplit::Free);
  soup.positions.push_back({1e300, -1e300, 7});
  const Boxtree after = build_boxtree(soup.positions, soup.triangles, BoxtreeSplit::Free);
  EXPECT_EQ(bytes_of(before), bytes_of(after));
  EXPECT_EQ(before.local_frame.exponent, after.local_frame.exponent);
}

class Damage : public ::testing::Test {
 protected:
  Soup soup_ = random_soup(60, 0.2);
  Boxtree tree_ = build_boxtree(soup_.positions, soup_.triangles, BoxtreeSplit::Free);

  [[nodiscard]] std::string wrong() const { return validate_boxtree(tree_, soup_.positions, soup_.triangles); }
  /// Overwrites a node with another cut, place or flags.
  void set(std::size_t place, float cut, std::uint32_t child, unsigned flags) {
    std::array<unsigned char, 9> bytes;
    std::memcpy(bytes.data(), &cut, 4);
    std::memcpy(bytes.data() + 4, &child, 4);
    bytes[8] = static_cast<unsigned char>(flags);
    std::memcpy(static_cast<void*>(&tree_.nodes[place]), bytes.data(), 9);
  }
  [[nodiscard]] unsigned flags(std::size_t place) const {
    std::array<unsigned char, 9> bytes;
    std::memcpy(bytes.data(), &tree_.nodes[place], 9);
    return bytes[8];
  }
  [[nodiscard]] std::size_t a_leaf(std::size_t from = 0) const {
    while (!tree_.nodes[from].leaf()) ++from;
    return from;
  }
};

TEST_F(Damage, ARightTreeIsRight) {
  EXPECT_EQ(wrong(), "");
}
TEST_F(Damage, NodesThatAreMissingOrTooManyAreSeen) {
  tree_.nodes.pop_back();
  EXPECT_NE(wrong(), "");
  tree_.nodes.resize(tree_.nodes.size() + 2);
  EXPECT_NE(wrong(), "");
  tree_.nodes.clear();
  EXPECT_NE(wrong(), "");
}
TEST_F(Damage, CutsThatAreNoWidthAreSeen) {
  const std::size_t leaf = a_leaf();
  const BoxNode before = tree_.nodes[leaf];
  for (const float cut :
       {-1e-3F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    set(leaf, cut, before.place(), flags(leaf));
    EXPECT_NE(wrong(), "") << cut;
  }
}
TEST_F(Damage, CutsThatAreTooWideAreSeen) {
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const BoxNode before = tree_.nodes[i];
    set(i, before.cut() + 1e-4F, before.place(), flags(i));
    // Cuts are tight: a wider cut would cut off a triangle.
    EXPECT_NE(wrong(), "") << i;
    tree_.nodes[i] = before;
  }
}
TEST_F(Damage, ChildrenOutOfRangeSharedOrInACircleAreSeen) {
  const BoxNode root = tree_.nodes[0];
  for (const std::uint32_t child : {0U, 2U, 3U, 118U, 119U, 0xFFFFFFFFU, 0x80000000U}) {
    set(0, 0.0F, child, flags(0));
    EXPECT_NE(wrong(), "") << child;
  }
  tree_.nodes[0] = root;
  std::size_t inner = 1;
  while (tree_.nodes[inner].leaf()) ++inner;
  for (const std::uint32_t child : {0U, 1U, static_cast<std::uint32_t>(inner)}) {
    set(inner, 0.0F, child, flags(inner));
    EXPECT_NE(wrong(), "") << child;
  }
}
TEST_F(Damage, TrianglesTwiceMissingOrOutOfRangeAreSeen) {
  const std::size_t leaf = a_leaf();
  const std::size_t other = a_leaf(leaf + 1);
  const BoxNode before = tree_.nodes[leaf];
  for (const std::uint32_t triangle : {tree_.nodes[other].place(), 60U, 0xFFFFFFFFU}) {
    set(leaf, before.cut(), triangle, flags(leaf));
    EXPECT_NE(wrong(), "") << triangle;
  }
}
TEST_F(Damage, SwappedTrianglesAreSeen) {
  const std::size_t leaf = a_leaf();
  const std::size_t other = tree_.nodes.size() - 1;
  ASSERT_TRUE(tree_.nodes[other].leaf());
  const BoxNode a = tree_.nodes[leaf];
  const BoxNode b = tree_.nodes[other];
  set(leaf, a.cut(), b.place(), flags(leaf));
  set(other, b.cut(), a.place(), flags(other));
  EXPECT_NE(wrong(), "");
}
TEST_F(Damage, FlagsThatMeanNothingAreSeen) {
  const BoxNode before = tree_.nodes[5];
  for (const unsigned bits : {3U, 32U, 64U, 128U}) {
    set(5, before.cut(), before.place(), flags(5) | bits);
    EXPECT_NE(wrong(), "") << bits;
    tree_.nodes[5] = before;
  }
}
TEST_F(Damage, AWrongHeaderIsSeen) {
  const Boxtree right = tree_;
  const auto expect_seen = [&](const auto& change) {
    change(tree_);
    EXPECT_NE(wrong(), "");
    tree_ = right;
  };
  expect_seen([](Boxtree& tree) { ++tree.depth; });
  expect_seen([](Boxtree& tree) { --tree.depth; });
  expect_seen([](Boxtree& tree) { tree.depth = 1000; });
  expect_seen([](Boxtree& tree) { tree.lo[1] = std::nextafter(tree.lo[1], 2.0F) + 1e-6F; });
  expect_seen([](Boxtree& tree) { tree.hi[2] = std::numeric_limits<float>::quiet_NaN(); });
  expect_seen([](Boxtree& tree) { tree.lo[0] = -1.5F; });
  expect_seen([](Boxtree& tree) { tree.local_frame.scale *= 2; });
  expect_seen([](Boxtree& tree) {
    tree.local_frame = local_frame_at(tree.local_frame.origin, tree.local_frame.exponent - 1);
  });
  expect_seen([](Boxtree& tree) { tree.local_frame.exponent = 5000; });
  expect_seen([](Boxtree& tree) { tree.local_frame.origin.y = std::numeric_limits<double>::infinity(); });
  expect_seen([](Boxtree& tree) { tree.local_frame.origin.x += 0.5; });
  soup_.triangles[7][1] = 180;
  EXPECT_NE(wrong(), "");
}
TEST_F(Damage, AnyBytesAreSafe) {
  std::mt19937_64 random(3);
  const Boxtree right = tree_;
  std::size_t seen = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t changes = 1 + random() % 3;
    for (std::size_t k = 0; k < changes; ++k) {
      auto* bytes = reinterpret_cast<unsigned char*>(tree_.nodes.data());
      bytes[random() % (9 * tree_.nodes.size())] = static_cast<unsigned char>(random());
    }
    if (!wrong().empty()) ++seen;
    tree_ = right;
  }
  // Some damage still gives a valid tree: slightly smaller cuts, or cuts of a side with free space.
  EXPECT_GT(seen, 15000U);
}

}  // namespace
}  // namespace graze::rigid
