// The elementary tests against the oracle on a few thousand adversarial queries of each kind, the quick form of
// fuzz_elementary. Regressions found by the fuzzer go to the end of this file.
#include "oracle/elementary_check.hpp"
#include "oracle/elementary_library.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace graze {
namespace {

constexpr std::uint64_t kSeed = 20240;
constexpr std::uint64_t kCount = 300;

struct Case {
  const oracle::QueryFamily* family;
  FeatureKind kind;
};

// NOLINTNEXTLINE(readability-identifier-naming): a name of GoogleTest
void PrintTo(const Case& c, std::ostream* stream) {
  *stream << c.family->name;
}  // NOLINT: GoogleTest's name

class AgreesWithOracle : public ::testing::TestWithParam<Case> {};

TEST_P(AgreesWithOracle, OnEveryQueryOfTheFamily) {
  const auto [family, kind] = GetParam();
  oracle::CheckCounts counts;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::string text = oracle::check_query(oracle::library(), *family, kind, kSeed, i, counts);
    ASSERT_EQ(text, "") << oracle::regression_test(*family, kind, kSeed, i);
  }
  EXPECT_EQ(counts.queries, kCount);
}

// Thicknesses of all sizes: small ones relative to the pair are hard on the quick search.
TEST_P(AgreesWithOracle, OnEveryQueryOfTheFamilyWithThickness) {
  const auto [family, kind] = GetParam();
  oracle::CheckCounts counts;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    oracle::Random random(kSeed, i);
    const double thickness = std::ldexp(0.5 + random.unit(), -random.between(0, 24));
    const double tolerance = random.below(3) != 0 ? 1e-6 : std::ldexp(1.0, -random.between(0, 40));
    const PairStep pair = oracle::make_query(*family, kind, kSeed, i);
    const std::string text = oracle::check_thick_impact(oracle::library(), kind, pair,
                                                        {.tolerance = tolerance, .thickness = thickness}, counts);
    ASSERT_EQ(text, "") << "query " << i << ", thickness " << thickness << ", tolerance " << tolerance;
  }
  EXPECT_EQ(counts.thick, kCount);
}

// Pairs for which the direction between the closest points does not separate all vertices at the start of a step of
// the quick search, though it does at its end.
TEST(ThicknessRegression, ADirectionThatDoesNotSeparateNowProvesNothing) {
  struct Query {
    const char* family;
    FeatureKind kind;
    std::uint64_t index;
    double thickness;
    double tolerance;
  };
  constexpr auto kVf = FeatureKind::VertexFace;
  constexpr auto kEe = FeatureKind::EdgeEdge;
  for (const Query& query : {Query{"floats", kEe, 585, 0x1.b0def8040d81dp-25, 1e-6},
                             Query{"aimed", kVf, 678, 0x1.c4655ee5424ccp-23, 1e-6},
                             Query{"aimed", kEe, 940, 0x1.6d9e1b24d1ddbp-25, 1e-6},
                             Query{"constructed", kVf, 1119, 0x1.50c6513f4407ap-22, 0x1p-13}}) {
    for (const oracle::QueryFamily& family : oracle::query_families()) {
      if (family.name != query.family) continue;
      oracle::CheckCounts counts;
      const PairStep pair = oracle::make_query(family, query.kind, 11, query.index);
      EXPECT_EQ(oracle::check_thick_impact(oracle::library(), query.kind, pair,
                                           {.tolerance = query.tolerance, .thickness = query.thickness}, counts),
                "");
    }
  }
}

// Several roots of the coplanarity cubic before the smallest double: the upper end of the interval must not become
// 0, or any other number before the contact.
TEST(ElementaryRegression, AContactBeforeTheSmallestDoubleIsInItsInterval) {
  constexpr double kLeast = 0x0.0000000000001p-1022;
  const PairStep close{
      {Vec3{0.0, 0.0, 0.0}, Vec3{1.0, -kLeast, 0.0}, Vec3{0.0, -kLeast, kLeast}, Vec3{kLeast, 0.0, -kLeast}},
      {Vec3{0.0, -1.0, 0.0}, Vec3{1.0, 1.0, 0.0}, Vec3{1.0, 0.0, -1.0}, Vec3{-1.0, -1.0, 1.0}}};
  const PairStep far{{Vec3{0x1.fcd67c9f7e1dep-745, -0x1.5919205f737e4p-639, 0x1.6390a7ef6bbb8p-644},
                      Vec3{-0x1.133ee7eb92028p-815, 0x1.d21e62fc0918p-368, 0x1.80d58927642e8p-185},
                      Vec3{0x1.cf0fdade456d8p-348, 0x1.c02ace814c84p-757, -0x1.18deeeabe529p-531},
                      Vec3{-0x1.076bf72b26208p+808, 0x1.ab857623bd5cp+239, -0x1.7f1421991d0bap+497}},
                     {Vec3{0x1.b61789029a1fap+641, -0x1.857885cd2a5f8p+249, 0x1.82db311129b84p-636},
                      Vec3{0x1.6e8dde085b6c8p-431, -0x1.e16a5562df0acp-271, -0x1.9edbb0fb6f91cp+942},
                      Vec3{0x1.e47e78d7d9d88p+150, -0x1.0b37701717692p+593, -0x1.070aa74c2ab3cp-68},
                      Vec3{0x1.44b22eb84dddep-506, -0x1.26814226def2cp-917, -0x1.4f523706ff82ap+218}}};
  for (const PairStep& pair : {close, far}) {
    EXPECT_EQ(oracle::disagreement(FeatureKind::VertexFace, pair, {.tolerance = 1e-6}), "");
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const oracle::QueryFamily& family : oracle::query_families()) {
    cases.push_back({&family, FeatureKind::VertexFace});
    cases.push_back({&family, FeatureKind::EdgeEdge});
  }
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.kind == FeatureKind::VertexFace ? "VertexFace_" : "EdgeEdge_";
  for (const char c : info.param.family->name) name += c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Families, AgreesWithOracle, ::testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace graze
