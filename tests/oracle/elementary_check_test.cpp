// The checks themselves: they accept answers made from the oracle and detect each kind of wrong answer.
#include "oracle/elementary_check.hpp"

#include "oracle/continuous.hpp"
#include "oracle/discrete.hpp"
#include "oracle/hex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace graze::oracle {
namespace {

constexpr auto kVf = FeatureKind::VertexFace;
constexpr auto kEe = FeatureKind::EdgeEdge;

// A right answer, by the oracle. The template parameter Change of the function below makes it wrong.
template <FeatureKind Kind>
std::optional<ElementaryImpact> right(const PairStep& pair, const ElementaryOptions& options, TierCounts* tiers) {
  if (tiers != nullptr) ++tiers->exact;
  auto root = first_contact(Kind, pair);
  if (!root) return std::nullopt;
  root->refine_to(2 + static_cast<int>(std::ceil(-std::log2(options.tolerance))));
  const auto is_wide = [&] {
    const double lo = approximate(root->lower());
    return approximate(root->upper()) - lo > 0x1p-12 * lo;
  };
  while (!root->is_exact() && is_wide() && approximate(root->upper()) > 0x1p-990) root->refine();
  ElementaryImpact impact;
  impact.toi_lo = approximate(root->lower());
  impact.toi_hi = approximate(root->upper());
  // Very small times need more bits than a double has: rounds outward.
  while (root->compare(impact.toi_lo) < 0) impact.toi_lo = std::nextafter(impact.toi_lo, 0.0);
  while (root->compare(impact.toi_hi) > 0) impact.toi_hi = std::nextafter(impact.toi_hi, 1.0);
  impact.weights = Kind == kVf ? std::array{1.0, 0.25, 0.25, 0.5} : std::array{0.5, 0.5, 0.5, 0.5};
  impact.side = side_before(Kind, pair, *root);
  return impact;
}

template <FeatureKind Kind, auto Change>
std::optional<ElementaryImpact> wrong(const PairStep& pair, const ElementaryOptions& options, TierCounts* tiers) {
  auto impact = right<Kind>(pair, options, tiers);
  Change(impact);
  return impact;
}

template <FeatureKind Kind>
ElementaryDistance right_distance(const std::array<Vec3, 4>& points) {
  const auto weights = Kind == kVf ? std::array{1.0, 0.25, 0.25, 0.5} : std::array{0.5, 0.5, 0.5, 0.5};
  return {sqrt_up(distance2_fraction(Kind, points)), weights};
}

ElementaryFunctions right_functions() {
  return {&right<kVf>,
          &right<kEe>,
          [](const std::array<Vec3, 5>& x, TierCounts*) { return oracle::intersect_edge_face(x); },
          [](const std::array<Vec3, 6>& x, TierCounts*) { return oracle::intersect_triangle_triangle(x); },
          &right_distance<kVf>,
          &right_distance<kEe>,
          [](const std::array<Vec3, 4>& x, double d, TierCounts*) { return within(kVf, x, d); },
          [](const std::array<Vec3, 4>& x, double d, TierCounts*) { return within(kEe, x, d); }};
}

// Falls through the face at t = 1/2, from above.
const PairStep kHit{{Vec3{0.25, 0.25, 1}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}},
                    {Vec3{0.25, 0.25, -1}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}};
const PairStep kMiss{{Vec3{0.75, 0.75, 1}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}},
                     {Vec3{0.75, 0.75, -1}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}};

std::string judge(ElementaryFunctions::Impact impact, const PairStep& pair) {
  ElementaryFunctions tested = right_functions();
  tested.impact_vertex_face = impact;
  CheckCounts counts;
  return check_impact(tested, kVf, pair, 0.01, counts);
}

using Answer = std::optional<ElementaryImpact>;

TEST(ElementaryCheck, AcceptsRightAnswersInEveryFamily) {
  CheckCounts counts;
  const ElementaryFunctions tested = right_functions();
  for (const QueryFamily& family : query_families()) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      for (const FeatureKind kind : {kVf, kEe}) {
        CheckCounts one;
        const PairStep pair = make_query(family, kind, 11, i);
        EXPECT_EQ(check_impact(tested, kind, pair, 1e-6, one), "") << regression_test(family, kind, 11, i);
        EXPECT_EQ(check_intersections(tested, pair, one), "") << family.name;
        EXPECT_EQ(check_distance(tested, kind, pair.t1, std::abs(pair.t1[0].x), one), "") << family.name;
        counts += one;
      }
    }
  }
  EXPECT_EQ(counts.queries, 100 * query_families().size());
  EXPECT_GT(counts.contacts, counts.queries / 3);
  EXPECT_LT(counts.contacts, counts.queries);
}

TEST(ElementaryCheck, CatchesEachWrongClauseOfAnImpact) {
  EXPECT_EQ(judge(&right<kVf>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a.reset(); }>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a.emplace(); }>, kMiss), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->toi_lo = std::nextafter(0.5, 1.0); }>, kHit), "");
  EXPECT_NE((judge(&wrong<kVf, [](Answer& a) { a->toi_lo = a->toi_hi = 0.4999999999; }>, kHit)), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->toi_lo = 0.4; }>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->side = -1; }>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->side = 2; }>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->weights[1] = 0.5; }>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->weights[1] = std::nan(""); }>, kHit), "");
  EXPECT_NE(judge(&wrong<kVf, [](Answer& a) { a->normal = {0, 0, 2}; }>, kHit), "");
  EXPECT_NE(
      judge([](const PairStep&, const ElementaryOptions&, TierCounts*) -> Answer { throw std::runtime_error("x"); },
            kMiss),
      "");
  EXPECT_NE(judge([](const PairStep&, const ElementaryOptions&, TierCounts*) -> Answer { return {}; }, kMiss), "")
      << "no tier counted";
}

// With thickness 1/4 the first time is t = 3/8.
template <int Lo, int Hi>
Answer thick(const PairStep& /*pair*/, const ElementaryOptions& /*options*/, TierCounts* /*tiers*/) {
  ElementaryImpact impact;
  impact.toi_lo = Lo / 16384.0;
  impact.toi_hi = Hi / 16384.0;
  impact.weights = {1.0, 0.5, 0.25, 0.25};
  return impact;
}

std::string judge_thick(ElementaryFunctions::Impact impact, const PairStep& pair) {
  ElementaryFunctions tested = right_functions();
  tested.impact_vertex_face = impact;
  CheckCounts counts;
  std::string text = check_thick_impact(tested, kVf, pair, {.tolerance = 0x1p-6, .thickness = 0.25}, counts);
  EXPECT_EQ(counts.undecided, 0U);
  return text;
}

TEST(ElementaryCheck, CatchesEachWrongClauseOfAThickImpact) {
  EXPECT_EQ(judge_thick(&thick<6144, 6144>, kHit), "");
  EXPECT_EQ(judge_thick(&thick<6143, 6145>, kHit), "");
  EXPECT_NE(judge_thick(&thick<6240, 6241>, kHit), "");  // too late
  EXPECT_NE(judge_thick(&thick<5998, 6000>, kHit), "");  // too far apart at toi_hi
  EXPECT_NE(judge_thick(&thick<5760, 6160>, kHit), "");  // too wide
  EXPECT_NE(judge_thick(&thick<6134, 6150>, kHit), "");  // too wide for its end
  const auto none = [](const PairStep&, const ElementaryOptions&, TierCounts*) -> Answer { return std::nullopt; };
  EXPECT_NE(judge_thick(none, kHit), "");
  // kMiss passes the hypotenuse at distance sqrt(1/8) > 1/4.
  EXPECT_EQ(judge_thick(none, kMiss), "");
  EXPECT_NE(judge_thick(&thick<8192, 8192>, kMiss), "");
}

TEST(ElementaryCheck, CatchesWrongIntersectionsAndDistances) {
  CheckCounts counts;
  ElementaryFunctions tested = right_functions();
  EXPECT_EQ(check_intersections(tested, kHit, counts), "");
  EXPECT_EQ(check_distance(tested, kVf, kHit.t0, 1.0, counts), "");
  tested.intersect_edge_face = [](const std::array<Vec3, 5>&, TierCounts*) { return false; };
  EXPECT_NE(check_intersections(tested, kHit, counts), "");
  tested = right_functions();
  tested.intersect_triangle_triangle = [](const std::array<Vec3, 6>&, TierCounts*) { return false; };
  EXPECT_NE(check_intersections(tested, kHit, counts), "");
  tested = right_functions();
  tested.within_vertex_face = [](const std::array<Vec3, 4>&, double, TierCounts*) { return false; };
  EXPECT_NE(check_distance(tested, kVf, kHit.t0, 1.0, counts), "");
  tested = right_functions();
  tested.distance_vertex_face = [](const std::array<Vec3, 4>&) {
    return ElementaryDistance{1.0 + 1e-14, {1.0, 0.5, 0.25, 0.25}};
  };
  EXPECT_NE(check_distance(tested, kVf, kHit.t0, 1.0, counts), "");
}

TEST(ElementaryCheck, QueriesCanBeMadeAgainBySeedAndIndex) {
  for (const QueryFamily& family : query_families()) {
    const PairStep a = make_query(family, kVf, 1, 12345);
    const PairStep b = make_query(family, kVf, 1, 12345);
    EXPECT_EQ(a.t0, b.t0);
    EXPECT_EQ(a.t1, b.t1);
    for (const auto* points : {&a.t0, &a.t1}) {
      for (const Vec3& p : *points) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    }
  }
}

TEST(ElementaryCheck, ARegressionTestHoldsTheQueryAsHexFloats) {
  const std::string text = regression_test(*find_query_family("all-meet"), kEe, 4, 5);
  EXPECT_NE(text.find("TEST(ElementaryRegression, EdgeEdgeAllMeetSeed4Index5)"), std::string::npos) << text;
  EXPECT_NE(text.find("PairStep{{Vec3{"), std::string::npos) << text;
  EXPECT_EQ(to_source(0.1), "0x1.999999999999ap-4");
}

}  // namespace
}  // namespace graze::oracle
