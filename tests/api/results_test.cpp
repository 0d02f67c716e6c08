// Counts and hashes of results, and the names of methods.
#include <graze/results.hpp>

#include <gtest/gtest.h>

#include <string>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/research.hpp>

namespace graze {
namespace {

Impacts two_impacts() {
  Impacts impacts;
  impacts.impacts.push_back({.pair = {FeatureKind::VertexFace, {7, 1, 2, 3}}, .toi_lo = 0.25, .toi_hi = 0.5});
  impacts.impacts.push_back({.pair = {FeatureKind::EdgeEdge, {1, 2, 3, 4}}, .toi_lo = 0.0, .toi_hi = 0.125});
  return impacts;
}

TEST(Results, HashesFollowTheirDocumentedWords) {
  const Impacts impacts = two_impacts();
  EXPECT_EQ(impacts.vf_count(), 1U);
  EXPECT_EQ(impacts.ee_count(), 1U);
  EXPECT_EQ(impacts.hash(), 0xda0ebf7e9ac239e1U);
  EXPECT_EQ(impacts.toi_hash(), 0xe7043acc0a10edcbU);
}

TEST(Results, HashSeesPairsAloneAndToiHashTheIntervalsToo) {
  Impacts moved = two_impacts();
  moved.impacts[0].toi_hi = 0.50000000000000011;
  EXPECT_EQ(moved.hash(), two_impacts().hash());
  EXPECT_NE(moved.toi_hash(), two_impacts().toi_hash());
  Impacts renamed = two_impacts();
  renamed.impacts[1].pair.vertices[3] = 5;
  EXPECT_NE(renamed.hash(), two_impacts().hash());
  Impacts other_kind = two_impacts();
  other_kind.impacts[1].pair.kind = FeatureKind::VertexFace;
  EXPECT_NE(other_kind.hash(), two_impacts().hash());
  EXPECT_NE(Impacts{}.hash(), two_impacts().hash());
}

TEST(Methods, NamesGoThereAndBack) {
  ASSERT_GE(research::all_methods().size(), 2U);
  EXPECT_EQ(name_of(Method::Auto), "auto");
  EXPECT_EQ(name_of(Method::Brute), "brute");
  for (const Method method : research::all_methods()) {
    EXPECT_EQ(from_name<Method>(name_of(method)), method);
    EXPECT_FALSE(summary_of(method).empty());
  }
}

TEST(Methods, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    from_name<Method>("Brute");
    FAIL() << "names are lower case";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("method 'Brute' is unknown; there are: auto, brute"), 0U) << message;
  }
  EXPECT_THROW(name_of(static_cast<Method>(255)), InputError);
}

}  // namespace
}  // namespace graze
