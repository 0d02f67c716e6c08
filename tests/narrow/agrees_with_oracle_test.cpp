// The elementary tests against the oracle on a few thousand adversarial queries of each kind, the quick form of
// fuzz_elementary. Regressions found by the fuzzer go to the end of this file.
#include "oracle/elementary_library.hpp"

#include <gtest/gtest.h>

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
