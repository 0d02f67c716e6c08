// Boxes as primitives: close pairs against all pairs in exact arithmetic, for all cell sizes, voxel counts and
// thread counts; boxes of lattices; refused input.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/boxes.hpp>
#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/research.hpp>

#include "oracle/exact.hpp"
#include "oracle/random.hpp"

namespace graze {
namespace {

using oracle::Dyadic;
using oracle::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Dyadic gap(double lo, double hi) {
  return lo > hi ? oracle::dyadic_from(lo) + oracle::dyadic_from(-hi) : Dyadic{};
}

Dyadic squared_distance(const Box& a, const Box& b) {
  Dyadic sum;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    const Dyadic length = gap(a.lo.*axis, b.hi.*axis) + gap(b.lo.*axis, a.hi.*axis);
    sum = sum + length * length;
  }
  return sum;
}

/// (p + q)^2, which is four times the square of the midpoint of p and q. Compare it with four times a squared
/// distance.
Dyadic four_squares_of_middle(double p, double q) {
  const Dyadic twice = oracle::dyadic_from(p) + oracle::dyadic_from(q);
  return twice * twice;
}

/// Whether no double is nearer than r to the square root of `square`.
bool is_nearest(double r, const Dyadic& square) {
  const Dyadic four = Dyadic{4, 0} * square;
  if (r > 0.0 && oracle::compare(four_squares_of_middle(std::nextafter(r, 0.0), r), four) > 0) return false;
  const double next = std::nextafter(r, kInfinity);
  return next == kInfinity || oracle::compare(four, four_squares_of_middle(r, next)) <= 0;
}

std::vector<std::array<std::uint32_t, 2>> ids(const std::vector<BoxPair>& pairs) {
  std::vector<std::array<std::uint32_t, 2>> all;
  all.reserve(pairs.size());
  for (const BoxPair& pair : pairs) all.push_back({pair.a, pair.b});
  return all;
}

/// Options that must not change the answer.
std::vector<BoxOptions> all_options() {
  std::vector<BoxOptions> all;
  for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
    for (const double voxels : {0.0, 0.01, 1.0, 10.0}) {
      BoxOptions options;
      options.research->hash.cells = rule;
      options.research->hash.voxels = voxels;
      options.threads = all.size() % 3 == 0 ? 1 : all.size() % 3 == 1 ? 2 : 7;
      all.push_back(options);
    }
  }
  return all;
}

/// Compares close_boxes with all pairs in exact arithmetic and returns the number of pairs.
std::size_t expect_exact(const std::vector<Box>& boxes, const std::vector<std::uint32_t>& groups, double d) {
  const Dyadic limit = oracle::dyadic_from(d) * oracle::dyadic_from(d);
  std::vector<std::array<std::uint32_t, 2>> truth;
  std::vector<Dyadic> squares;
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
      if (!groups.empty() && groups[a] == groups[b]) continue;
      const Dyadic square = squared_distance(boxes[a], boxes[b]);
      if (oracle::compare(square, limit) > 0) continue;
      truth.push_back({a, b});
      squares.push_back(square);
    }
  }
  const BoxPairs first = close_boxes(boxes, groups, d);
  EXPECT_EQ(ids(first.pairs), truth) << "d = " << d;
  if (first.pairs.size() == squares.size()) {
    for (std::size_t i = 0; i < squares.size(); ++i) {
      EXPECT_TRUE(is_nearest(first.pairs[i].distance, squares[i])) << "pair " << i << ", d = " << d;
    }
  }
  for (const BoxOptions& options : all_options()) {
    EXPECT_EQ(close_boxes(boxes, groups, d, options).pairs, first.pairs)
        << name_of(options.research->hash.cells) << ", voxels " << options.research->hash.voxels << ", threads "
        << options.threads;
  }
  return truth.size();
}

double power_of_ten(Random& random, double least, double most) {
  return std::pow(10.0, least + (most - least) * random.unit());
}

/// Random boxes in the cube of half side `room` about the origin, with sides of 10^least to 10^most; some are flat,
/// segments or points.
std::vector<Box> random_boxes(Random& random, std::size_t count, double room, double least, double most) {
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    Box box;
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      const double lo = room * random.symmetric();
      box.lo.*axis = lo;
      box.hi.*axis = random.below(4) == 0 ? lo : lo + power_of_ten(random, least, most);
    }
    boxes.push_back(box);
  }
  return boxes;
}

TEST(CloseBoxes, AreThoseOfExactArithmeticForMixedSizes) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Random random(seed);
    const std::vector<Box> boxes = random_boxes(random, 120, 100.0, -3.0, 3.0);
    std::size_t found = 0;
    for (const double d : {0.0, 1e-3, 1.0, 100.0}) found += expect_exact(boxes, {}, d);
    EXPECT_GT(found, 1000U);
    EXPECT_LT(found, 4U * 120U * 119U / 2U);
  }
}

TEST(CloseBoxes, AreThoseOfExactArithmeticForSmallBoxesFarFromEachOther) {
  Random random(11);
  const std::vector<Box> boxes = random_boxes(random, 300, 3.0, -3.0, 0.0);
  EXPECT_GT(expect_exact(boxes, {}, 1.0), 100U);
  EXPECT_GT(expect_exact(boxes, {}, 0.1), 10U);
}

TEST(CloseBoxes, AreThoseOfExactArithmeticFrom1e_300To1e300) {
  Random random(3);
  std::vector<Box> boxes;
  for (int i = 0; i < 80; ++i) {
    Box box;
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      const double p = (random.coin() ? 1.0 : -1.0) * power_of_ten(random, -300.0, 300.0);
      const double q =
          random.below(3) == 0 ? p : (random.coin() ? 1.0 : -1.0) * power_of_ten(random, -300.0, 300.0);
      box.lo.*axis = std::min(p, q);
      box.hi.*axis = std::max(p, q);
    }
    boxes.push_back(box);
  }
  const double greatest = std::numeric_limits<double>::max();
  boxes.push_back({{-greatest, -greatest, -greatest}, {-greatest, -greatest, greatest}});
  boxes.push_back({{greatest, greatest, greatest}, {greatest, greatest, greatest}});
  const double least = std::numeric_limits<double>::denorm_min();
  boxes.push_back({{least, least, least}, {least, least, least}});
  boxes.push_back({{-least, -2 * least, 0.0}, {-least, -least, 0.0}});
  boxes.push_back({{5 * least, 5 * least, 5 * least}, {6 * least, 6 * least, 6 * least}});
  for (const double d : {0.0, least, 3 * least, 7 * least, 1e-310, 1e-200, 1e-20, 1.0, 1e30, 1e200, greatest}) {
    expect_exact(boxes, {}, d);
  }
}

TEST(CloseBoxes, ThatTouchOrOverlapHaveDistanceZero) {
  const std::vector<Box> boxes = {{{0, 0, 0}, {1, 1, 1}},                 // 0
                                  {{1, 1, 1}, {2, 2, 2}},                 // touches 0 in a corner
                                  {{0.25, 0.25, 0.25}, {0.5, 0.5, 0.5}},  // inside 0
                                  {{0, 0, 0}, {1, 1, 1}},                 // equal to 0
                                  {{0, 0, 1}, {1, 1, 1}},                 // a face of 0
                                  {{2, 2, 2}, {2, 2, 2}},                 // a corner of 1
                                  {{std::nextafter(2.0, 3.0), 2, 2}, {3, 3, 3}}};
  const std::vector<std::array<std::uint32_t, 2>> expected = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 3},
                                                              {1, 4}, {1, 5}, {2, 3}, {3, 4}};
  const BoxPairs result = close_boxes(boxes, {}, 0.0);
  EXPECT_EQ(ids(result.pairs), expected);
  for (const BoxPair& pair : result.pairs) EXPECT_EQ(pair.distance, 0.0);
  EXPECT_EQ(expect_exact(boxes, {}, 0.0), 9U);
}

TEST(CloseBoxes, AtExactlyTheDistanceCountAndAnUlpBeyondDoNot) {
  // The gaps are 3 along one axis; 3 and 4 along two; 2, 3 and 6 along three.
  const std::vector<Box> boxes = {
      {{0, 0, 0}, {1, 1, 1}}, {{4, 0, 0}, {5, 1, 1}}, {{-4, -9, 0}, {-3, -4, 1}}, {{3, 4, 7}, {9, 9, 9}}};
  const auto has = [&](std::uint32_t a, std::uint32_t b, double d) {
    const std::vector<BoxPair> pairs = close_boxes(boxes, {}, d).pairs;
    return std::any_of(pairs.begin(), pairs.end(), [&](const BoxPair& p) { return p.a == a && p.b == b; });
  };
  for (const auto& [b, d] : {std::pair(1U, 3.0), std::pair(2U, 5.0), std::pair(3U, 7.0)}) {
    EXPECT_TRUE(has(0, b, d));
    EXPECT_FALSE(has(0, b, std::nextafter(d, 0.0)));
    EXPECT_TRUE(has(0, b, std::nextafter(d, 9.0)));
  }
  const BoxPairs within = close_boxes(boxes, {}, 7.0);
  EXPECT_EQ(within.pairs[0], (BoxPair{0, 1, 3.0}));
  EXPECT_EQ(within.pairs[1], (BoxPair{0, 2, 5.0}));
  EXPECT_EQ(within.pairs[2], (BoxPair{0, 3, 7.0}));
  EXPECT_GT(within.stats.tiers.exact, 0U) << "the last of them is as far as the distance";
}

TEST(CloseBoxes, AreDecidedExactlyWhereADistanceIsThatOfAPair) {
  // The query distance is the rounded distance of a pair: whether the pair counts depends on the direction of
  // rounding.
  Random random(5);
  const std::vector<Box> boxes = random_boxes(random, 40, 10.0, -3.0, 0.0);
  const std::vector<BoxPair> all = close_boxes(boxes, {}, 100.0).pairs;
  ASSERT_EQ(all.size(), 40U * 39U / 2U);
  std::size_t counts = 0;
  for (std::size_t i = 0; i < all.size(); i += 40) {
    expect_exact(boxes, {}, all[i].distance);
    const std::vector<BoxPair> within = close_boxes(boxes, {}, all[i].distance).pairs;
    counts += std::count(within.begin(), within.end(), all[i]) > 0 ? 1U : 0U;
  }
  EXPECT_GT(counts, 2U);
  EXPECT_LT(counts, 18U);
}

TEST(CloseBoxes, OfOneGroupAreNotLookedAt) {
  Random random(7);
  const std::vector<Box> boxes = random_boxes(random, 100, 5.0, -2.0, 1.0);
  std::vector<std::uint32_t> groups;
  for (std::size_t i = 0; i < boxes.size(); ++i) groups.push_back(random.below(5) * 1000);
  const std::size_t between = expect_exact(boxes, groups, 1.0);
  EXPECT_GT(between, 100U);
  EXPECT_LT(between, expect_exact(boxes, {}, 1.0));
  EXPECT_TRUE(close_boxes(boxes, std::vector<std::uint32_t>(100, 3), 1.0).pairs.empty());
}

TEST(CloseBoxes, OfNoBoxOrOneAreNone) {
  EXPECT_EQ(expect_exact({}, {}, 1.0), 0U);
  EXPECT_EQ(expect_exact({{{0, 0, 0}, {1, 1, 1}}}, {}, 1.0), 0U);
}

TEST(CloseBoxes, AreAllPairsOfIdenticalBoxes) {
  const std::vector<Box> boxes(70, Box{{1, 2, 3}, {2, 3, 3}});
  EXPECT_EQ(expect_exact(boxes, {}, 0.0), 70U * 69U / 2U);
  EXPECT_EQ(expect_exact(std::vector<Box>(70, Box{{1, 2, 3}, {1, 2, 3}}), {}, 0.0), 70U * 69U / 2U);
}

TEST(CloseBoxes, CountWhatTheTableHeld) {
  Random random(9);
  const std::vector<Box> boxes = random_boxes(random, 500, 10.0, -1.0, 0.0);
  BoxOptions options;
  options.threads = 1;
  const Stats one = close_boxes(boxes, {}, 0.1, options).stats;
  options.threads = 7;
  const BoxPairs result = close_boxes(boxes, {}, 0.1, options);
  const HashCounts& counts = result.stats.hash;
  EXPECT_EQ(counts.entries, one.hash.entries);
  EXPECT_EQ(counts.voxel_pairs, one.hash.voxel_pairs);
  EXPECT_EQ(counts.repeated, one.hash.repeated);
  EXPECT_EQ(result.stats.bv_tests, one.bv_tests);
  EXPECT_GE(counts.levels, 1U);
  EXPECT_GE(counts.entries, 500U);
  EXPECT_LE(counts.used_voxels, counts.voxels);
  EXPECT_GE(counts.box_pairs, result.pairs.size());
  const TierCounts& tiers = result.stats.tiers;
  EXPECT_EQ(tiers.filter + tiers.interval + tiers.exact, counts.box_pairs) << "each pair is decided once";
  EXPECT_LT(result.stats.bv_tests, 500U * 499U / 2U);
  EXPECT_GT(result.stats.memory_bytes, 500U * 32U);
}

TEST(CloseBoxes, KeepToTheMemoryCapOrSaySo) {
  const std::vector<Box> boxes(1000, Box{{0, 0, 0}, {1, 1, 1}});
  BoxOptions options;
  for (const std::uint64_t cap : {std::uint64_t{1000}, std::uint64_t{1000000}}) {
    options.memory_cap = cap;
    EXPECT_THROW((void)close_boxes(boxes, {}, 0.0, options), ResourceError) << cap;
  }
  options.memory_cap = 100'000'000;
  EXPECT_EQ(close_boxes(boxes, {}, 0.0, options).pairs.size(), 1000U * 999U / 2U);
}

TEST(CloseBoxes, ReportTheirProgressAndStopWhenTold) {
  const std::vector<Box> boxes(100, Box{{0, 0, 0}, {1, 1, 1}});
  BoxOptions options;
  std::vector<double> shares;
  options.progress = [&](double share) {
    shares.push_back(share);
    return true;
  };
  (void)close_boxes(boxes, {}, 0.0, options);
  ASSERT_GE(shares.size(), 2U);
  EXPECT_EQ(shares.front(), 0.0);
  EXPECT_EQ(shares.back(), 1.0);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  options.progress = [](double) { return false; };
  EXPECT_THROW((void)close_boxes(boxes, {}, 0.0, options), Interrupted);
}

/// The message of the InputError that fn throws.
template <typename Fn>
std::string refusal(const Fn& fn) {
  try {
    fn();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(CloseBoxes, RefuseBadInputByName) {
  const Box good{{0, 0, 0}, {1, 1, 1}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [&](const std::vector<Box>& boxes, const std::vector<std::uint32_t>& groups, double d,
                        const BoxOptions& options = {}) {
    return refusal([&] { (void)close_boxes(boxes, groups, d, options); });
  };
  EXPECT_EQ(with({good, {{0, nan, 0}, {1, 1, 1}}}, {}, 0.0), "box 1: lo.y is nan, not a finite number");
  EXPECT_EQ(with({{{0, 0, 0}, {1, 1, kInfinity}}}, {}, 0.0), "box 0: hi.z is inf, not a finite number");
  EXPECT_EQ(with({good, good, {{0, 0, 2}, {1, 1, 1}}}, {}, 0.0), "box 2: lo.z is 2, above hi.z, which is 1");
  EXPECT_EQ(with({good, good}, {1}, 0.0), "groups has 1 numbers, there are 2 boxes");
  EXPECT_EQ(with({good}, {}, -0.5), "distance is -0.5; it must be finite and not negative");
  EXPECT_EQ(with({good}, {}, nan), "distance is nan; it must be finite and not negative");
  EXPECT_EQ(with({good}, {}, kInfinity), "distance is inf; it must be finite and not negative");
  BoxOptions options;
  options.research->hash.voxels = -1.0;
  EXPECT_EQ(with({good}, {}, 0.0, options), "hash.voxels is -1; it must lie in [0, 1024]");
}

TEST(LatticeBoxes, HoldTheCornersOnTheirWholeWay) {
  // Two cells side by side. The far corners of the second cell move.
  std::vector<Vec3> x_t0;
  for (const double x : {0.0, 1.0, 2.0}) {
    for (const double y : {0.0, 1.0}) {
      for (const double z : {0.0, 1.0}) x_t0.push_back({x, y, z});
    }
  }
  std::vector<Vec3> x_t1 = x_t0;
  for (std::size_t v = 8; v < 12; ++v) {
    x_t1[v].x += 0.5;
    x_t1[v].y -= 3.0;
  }
  const std::vector<LatticeCell> cells = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 8, 9, 10, 11}};
  const std::vector<Box> boxes = lattice_boxes(cells, x_t0, x_t1);
  ASSERT_EQ(boxes.size(), 2U);
  EXPECT_EQ(boxes[0].lo, (Vec3{0, 0, 0}));
  EXPECT_EQ(boxes[0].hi, (Vec3{1, 1, 1}));
  EXPECT_EQ(boxes[1].lo, (Vec3{1, -3, 0}));
  EXPECT_EQ(boxes[1].hi, (Vec3{2.5, 1, 1}));
  // Exchanging t0 and t1 gives the same boxes.
  EXPECT_EQ(lattice_boxes(cells, x_t1, x_t0)[1].lo, boxes[1].lo);
  EXPECT_EQ(lattice_boxes(cells, x_t1, x_t0)[1].hi, boxes[1].hi);
  EXPECT_TRUE(lattice_boxes({}, x_t0, x_t1).empty());
}

TEST(LatticeBoxes, RefuseBadInputByName) {
  const std::vector<Vec3> x(8);
  std::vector<Vec3> bad = x;
  bad[3].y = kInfinity;
  const std::vector<LatticeCell> cells = {{0, 1, 2, 3, 4, 5, 6, 7}};
  const std::vector<LatticeCell> beyond = {cells[0], {0, 1, 2, 3, 4, 5, 6, 8}};
  EXPECT_EQ(refusal([&] { (void)lattice_boxes(cells, x, std::vector<Vec3>(7)); }),
            "x_t0 has 8 positions, x_t1 has 7");
  EXPECT_EQ(refusal([&] { (void)lattice_boxes(beyond, x, x); }),
            "cell 1: vertex id 8 is out of range, there are 8 positions");
  EXPECT_EQ(refusal([&] { (void)lattice_boxes(cells, x, bad); }), "x_t1: vertex 3: y is inf, not a finite number");
}

}  // namespace
}  // namespace graze
