// Exact tests in integers of fixed width against those in integers of any length: the same bits wherever they
// decide, and they decide the pairs that they are made for.
#include "narrow/exact/fixed_tests.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

#include "narrow/exact/exact_polynomial.hpp"
#include "narrow/exact/exact_tests.hpp"
#include "narrow/exact/fixed_pair.hpp"
#include "narrow/exact/start_contact.hpp"
#include "oracle/query_generator.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace narrow;
namespace {

constexpr auto kVf = FeatureKind::VertexFace;
constexpr auto kEe = FeatureKind::EdgeEdge;

std::optional<ExactContact> in_any_length(FeatureKind kind, const PairStep& pair, double tolerance) {
  return kind == kVf ? exact_vertex_face(pair, tolerance) : exact_edge_edge(pair, tolerance);
}
FixedResult in_fixed_width(FeatureKind kind, const PairStep& pair, double tolerance) {
  return kind == kVf ? fixed_vertex_face(pair, tolerance) : fixed_edge_edge(pair, tolerance);
}
bool starts_in_contact(FeatureKind kind, const PairStep& pair) {
  return kind == kVf ? starts_in_contact_vertex_face(pair.t0) : starts_in_contact_edge_edge(pair.t0);
}

struct Counts {
  int decided = 0;
  int all = 0;
  int starts = 0;        ///< contacts at t = 0
  int found_starts = 0;  ///< those that starts_in_contact() finds
};

void expect_equal_bits(FeatureKind kind, const PairStep& pair, double tolerance, Counts& counts) {
  const auto expected = in_any_length(kind, pair, tolerance);
  const bool starts = expected && expected->toi_hi == 0.0;
  counts.starts += static_cast<int>(starts);
  ++counts.all;
  if (starts_in_contact(kind, pair)) {
    ASSERT_TRUE(starts);
    ++counts.found_starts;
  }
  const FixedResult result = in_fixed_width(kind, pair, tolerance);
  if (!result.decided) return;
  ++counts.decided;
  ASSERT_EQ(result.contact.has_value(), expected.has_value());
  if (!expected) return;
  ASSERT_EQ(result.contact->toi_lo, expected->toi_lo);
  ASSERT_EQ(result.contact->toi_hi, expected->toi_hi);
  ASSERT_EQ(result.contact->cubic_sign_before, expected->cubic_sign_before);
}

TEST(FixedTests, HaveTheBitsOfTheGeneralTestOnEveryFamily) {
  constexpr std::uint64_t kCount = 400;
  for (const FeatureKind kind : {kVf, kEe}) {
    for (const oracle::QueryFamily& family : oracle::query_families()) {
      for (const double tolerance : {1e-6, 0x1p-40, 1.0}) {
        Counts counts;
        for (std::uint64_t i = 0; i < kCount; ++i) {
          const PairStep pair = oracle::make_query(family, kind, 7, i);
          expect_equal_bits(kind, pair, tolerance, counts);
          ASSERT_FALSE(HasFatalFailure()) << family.name << " " << i << " tolerance " << tolerance;
        }
      }
    }
  }
}

// Degenerate pairs must not end in the general test, or scenes full of them are slow.
TEST(FixedTests, DecideNearlyAllPairsOfTheFrequentDegenerateKinds) {
  constexpr std::uint64_t kCount = 1000;
  for (const FeatureKind kind : {kVf, kEe}) {
    for (const char* name :
         {"coincident", "parting", "static-feature", "early", "contact-at-end", "point-feature"}) {
      Counts counts;
      for (std::uint64_t i = 0; i < kCount; ++i) {
        const PairStep pair = oracle::make_query(*oracle::find_query_family(name), kind, 8, i);
        expect_equal_bits(kind, pair, 1e-6, counts);
        ASSERT_FALSE(HasFatalFailure()) << name << " " << i;
      }
      EXPECT_GT(counts.decided, counts.all * 3 / 4) << name << (kind == kVf ? " vf" : " ee");
      EXPECT_EQ(counts.found_starts, counts.starts) << name;
    }
  }
}

// Moving a pair along an axis by a power of two lengthens all integers of that axis, to between 60 and 120 bits.
TEST(FixedTests, UseWiderIntegersWhereExponentsDiffer) {
  Counts counts;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    for (const FeatureKind kind : {kVf, kEe}) {
      PairStep pair = oracle::make_query(*oracle::find_query_family("contact-at-end"), kind, 9, i);
      const double tiny = std::ldexp(1.0, -static_cast<int>(i % 100));
      for (Vec3& p : pair.t0) p.x += tiny;
      for (Vec3& p : pair.t1) p.x += tiny;
      expect_equal_bits(kind, pair, 1e-6, counts);
      ASSERT_FALSE(HasFatalFailure()) << i;
    }
  }
  EXPECT_GT(counts.decided, counts.all / 2);
}

TEST(FixedTests, LeaveDenormalsAndHugeSpreadsToTheGeneralTest) {
  PairStep pair{{Vec3{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}},
                {Vec3{0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}}};
  EXPECT_TRUE(fixed_vertex_face(pair, 1e-6).decided);
  pair.t0[1].z = 0x1p-1060;
  EXPECT_FALSE(fixed_vertex_face(pair, 1e-6).decided);
  pair.t0[1].z = 0x1p-200;
  EXPECT_FALSE(fixed_vertex_face(pair, 1e-6).decided);
  pair.t0[1].z = 0x1p-100;
  EXPECT_TRUE(fixed_vertex_face(pair, 1e-6).decided);
}

/// A polynomial of the general test from scaled Bernstein coefficients.
template <std::size_t kDegree>
exact::Polynomial to_polynomial(const std::array<exact::Integer, kDegree + 1>& s) {
  exact::Polynomial t;
  t.c[1] = 1;
  t.degree = 1;
  exact::Polynomial one;
  one.c[0] = 1;
  one.degree = 0;
  const exact::Polynomial rest = one - t;
  exact::Polynomial sum;
  for (std::size_t i = 0; i <= kDegree; ++i) {
    exact::Polynomial term;
    term.c[0] = s[i];
    term.degree = s[i].is_zero() ? -1 : 0;
    for (std::size_t k = 0; k < kDegree; ++k) term = term * (k < i ? t : rest);
    sum = sum + term;
  }
  return sum;
}

/// Random polynomials with one change of sign, coefficients of all lengths up to the limit of the width.
template <class Width, class Integer, std::size_t kDegree>
void expect_cells_of_root_finder(int coefficient_bits, int max_depth) {
  std::mt19937_64 random(static_cast<std::uint64_t>(coefficient_bits));
  int located = 0;
  constexpr int kCount = 4000;
  for (int n = 0; n < kCount; ++n) {
    std::array<exact::Integer, kDegree + 1> s;
    fixed::Bernstein<Integer, kDegree> p;
    const std::size_t change = 1 + random() % kDegree;  // the sign changes before this coefficient
    const int bits = 1 + static_cast<int>(random() % static_cast<unsigned>(coefficient_bits));
    for (std::size_t i = 0; i <= kDegree; ++i) {
      exact::Integer c = 0;
      for (int b = 0; b < coefficient_bits; b += 32) c = (c << 32U) + static_cast<std::uint32_t>(random());
      const int own = random() % 4 == 0 ? 1 + static_cast<int>(random() % static_cast<unsigned>(bits)) : bits;
      c &= (exact::Integer(1) << static_cast<unsigned>(own)) - 1;
      if (random() % 8 == 0) c = (exact::Integer(1) << static_cast<unsigned>(own)) - 1;
      if (random() % 8 == 0) c = 0;
      if (i >= change) c = -c;
      s[i] = c;
      p.s[i] = Integer(c);
    }
    const fixed::Signs signs = fixed::signs_of(p);
    if (signs.changes != 1) continue;
    const int least = random() % 2 == 0 ? 20 : static_cast<int>(random() % 41);
    int depth = 0;
    const auto cell =
        fixed::locate_root(fixed::PowerForm<Integer, kDegree>(p), signs.first, least, max_depth, depth);
    if (!cell) continue;
    ++located;
    exact::RootFinder root(to_polynomial<kDegree>(s), static_cast<unsigned>(least));
    ASSERT_TRUE(root.next());
    if (signs.at_start == 0) {
      ASSERT_TRUE(root.next());
    }
    ASSERT_EQ(cell->lo(), root.lo()) << n;
    ASSERT_EQ(cell->hi(), root.hi()) << n;
  }
  EXPECT_GT(located, kCount / 8);
}

TEST(FixedPolynomial, LocatesRootsInTheCellsOfTheRootFinder) {
  using fixed::MachineWidth;
  using fixed::WideWidth;
  const auto cubic = [](int v) { return 3 * v + 8; };
  const auto quadratic = [](int v) { return 2 * v + 6; };
  constexpr int kMachine = MachineWidth::kCoordinateBits;
  constexpr int kWide = WideWidth::kCoordinateBits;
  expect_cells_of_root_finder<MachineWidth, MachineWidth::Long, 3>(cubic(kMachine), MachineWidth::kMaxDepth);
  expect_cells_of_root_finder<MachineWidth, MachineWidth::Deep, 3>(cubic(kMachine), MachineWidth::kMaxDeepDepth);
  expect_cells_of_root_finder<MachineWidth, MachineWidth::Long, 2>(quadratic(kMachine), MachineWidth::kMaxDepth);
  expect_cells_of_root_finder<WideWidth, WideWidth::Long, 3>(cubic(kWide), WideWidth::kMaxDepth);
  expect_cells_of_root_finder<WideWidth, WideWidth::Deep, 3>(cubic(kWide), WideWidth::kMaxDeepDepth);
  expect_cells_of_root_finder<WideWidth, WideWidth::Deep, 2>(quadratic(kWide), WideWidth::kMaxDeepDepth);
}

TEST(FixedPolynomial, SignsCountRootsByDescartes) {
  using Cubic = fixed::Bernstein<Int128, 3>;
  const auto changes = [](Int128 a, Int128 b, Int128 c, Int128 d) { return signs_of(Cubic{{a, b, c, d}}).changes; };
  EXPECT_EQ(changes(1, 2, 3, 4), 0);
  EXPECT_EQ(changes(0, 0, 0, 0), 0);
  EXPECT_EQ(changes(1, 0, 0, -1), 1);
  EXPECT_EQ(changes(1, -1, 0, 1), 2);
  EXPECT_EQ(changes(1, -1, 1, -1), 3);
  const fixed::Signs signs = signs_of(Cubic{{0, -2, 5, 0}});
  EXPECT_EQ(signs.at_start, 0);
  EXPECT_EQ(signs.first, -1);
  EXPECT_EQ(signs.last, 1);
  EXPECT_EQ(signs.at_end, 0);
  EXPECT_FALSE(signs.vanishes());
}

TEST(StartContact, EqualPointsTouchWhateverTheirMagnitude) {
  for (const double size : {0.0, 5e-324, 1e-300, 1.0 / 3.0, 1e300}) {
    const Vec3 p{size, -size, size};
    EXPECT_TRUE(starts_in_contact_vertex_face({p, Vec3{1, 2, 3}, p, Vec3{3, 1, 2}}));
    EXPECT_TRUE(starts_in_contact_edge_edge({Vec3{1, 2, 3}, p, Vec3{3, 1, 2}, p}));
    EXPECT_FALSE(starts_in_contact_edge_edge({p, p, Vec3{3, 1, 2}, Vec3{3, 1, 2}}));
  }
}

}  // namespace
}  // namespace graze
