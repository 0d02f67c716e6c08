// The continuous oracle against hand-made cases, the public ground truth, and an independent proof by distances.
#include "oracle/continuous.hpp"

#include "oracle/query_generator.hpp"
#include "oracle/step_distance.hpp"
#include "public_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace graze::oracle {
namespace {

constexpr auto kVf = FeatureKind::VertexFace;
constexpr auto kEe = FeatureKind::EdgeEdge;
using Points = std::array<Vec3, 4>;

PairStep still(const Points& x) {
  return {x, x};
}

void expect_contact_at(FeatureKind kind, const PairStep& pair, const Rational& t) {
  const auto root = first_contact(kind, pair);
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->compare(t), 0) << "first contact near " << root->approximate_value();
}
void expect_none(FeatureKind kind, const PairStep& pair) {
  const auto root = first_contact(kind, pair);
  EXPECT_FALSE(root.has_value()) << "contact near " << root->approximate_value();
}

const Vec3 kO{0, 0, 0};
const Vec3 kX{1, 0, 0};
const Vec3 kY{0, 1, 0};

PairStep vertex_path(const Vec3& from, const Vec3& to, const Vec3& a = kO, const Vec3& b = kX, const Vec3& c = kY) {
  return {{from, a, b, c}, {to, a, b, c}};
}
PairStep edge_path(const Vec3& from0, const Vec3& from1, const Vec3& to0, const Vec3& to1, const Vec3& b0,
                   const Vec3& b1) {
  return {{from0, from1, b0, b1}, {to0, to1, b0, b1}};
}

TEST(OracleVertexFace, CrossingTheInteriorOrTheOutside) {
  expect_contact_at(kVf, vertex_path({0.25, 0.25, 1}, {0.25, 0.25, -2}), Rational(1, 3));
  expect_none(kVf, vertex_path({0.75, 0.75, 1}, {0.75, 0.75, -2}));
  expect_none(kVf, vertex_path({0.25, 0.25, 3}, {0.25, 0.25, 1}));
}

TEST(OracleVertexFace, EdgesAndCornersBelongToTheFace) {
  expect_contact_at(kVf, vertex_path({0.5, 0.5, 1}, {0.5, 0.5, -1}), Rational(1, 2));
  expect_contact_at(kVf, vertex_path({1, 0, 1}, {1, 0, -1}), Rational(1, 2));
  const double beyond = std::nextafter(0.5, 1.0);
  expect_none(kVf, vertex_path({0.5, beyond, 1}, {0.5, beyond, -1}));
}

TEST(OracleVertexFace, ContactAtTheEndsCounts) {
  expect_contact_at(kVf, vertex_path({0.25, 0.25, 0}, {0.25, 0.25, 1}), 0);
  expect_contact_at(kVf, vertex_path({0.25, 0.25, 1}, {0.25, 0.25, 0}), 1);
  expect_none(kVf, vertex_path({0.25, 0.25, 1}, {0.25, 0.25, std::nextafter(0.0, 1.0)}));
}

TEST(OracleVertexFace, CoplanarForTheWholeStep) {
  expect_contact_at(kVf, vertex_path({-1, 0.25, 0}, {2, 0.25, 0}), Rational(1, 3));
  expect_contact_at(kVf, vertex_path({-1, 2, 0}, {1, 0, 0}), Rational(1, 2));  // along the hypotenuse's line
  expect_contact_at(kVf, vertex_path({-1, 1, 0}, {1, 1, 0}), Rational(1, 2));  // a corner only
  expect_none(kVf, vertex_path({-1, 1.25, 0}, {1, 1.25, 0}));
  expect_contact_at(kVf, vertex_path({0.25, 0.25, 0}, {5, 5, 0}), 0);
}

TEST(OracleVertexFace, ZeroAreaFacesAreSegmentsAndPoints) {
  const Vec3 end{2, 0, 0};
  expect_contact_at(kVf, vertex_path({1.5, 0, 1}, {1.5, 0, -1}, kO, kX, end), Rational(1, 2));
  expect_none(kVf, vertex_path({2.5, 0, 1}, {2.5, 0, -1}, kO, kX, end));
  expect_none(kVf, vertex_path({1.5, 1, 1}, {1.5, 1, -1}, kO, kX, end));
  expect_contact_at(kVf, vertex_path({-1, 0, 0}, {3, 0, 0}, kX, kX, end), Rational(1, 2));
  expect_contact_at(kVf, vertex_path({0, 0, 1}, {2, 0, -1}, kX, kX, kX), Rational(1, 2));
  expect_none(kVf, vertex_path({0, 0, 1}, {2.5, 0, -1}, kX, kX, kX));
}

TEST(OracleVertexFace, NoMotionIsDecidedAtTimeZero) {
  expect_contact_at(kVf, still({Vec3{0.5, 0.25, 0}, kO, kX, kY}), 0);
  expect_none(kVf, still({Vec3{0.75, 0.5, 0}, kO, kX, kY}));
  expect_contact_at(kVf, still({kX, kX, kX, kX}), 0);
  expect_none(kVf, still({kO, kX, kX, kX}));
}

TEST(OracleVertexFace, AFaceThatVanishesInPassingIsHitAtThatInstantOnly) {
  // The face shrinks to the origin at t = 1/2 and opens again mirrored, within its plane z = 0.
  const Points t0{Vec3{-1, -1, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{-1, -1, 0}};
  const Points t1{Vec3{1, 1, -1}, Vec3{-1, 0, 0}, Vec3{0, -1, 0}, Vec3{1, 1, 0}};
  expect_contact_at(kVf, {t0, t1}, Rational(1, 2));
  Points beside0 = t0;
  Points beside1 = t1;
  beside0[0].x += 0x1p-40;
  beside1[0].x += 0x1p-40;
  expect_none(kVf, {beside0, beside1});
}

TEST(OracleVertexFace, DoubleRootTouchesOnceFromOneSide) {
  // Corner c sinks from 4 to 0 while the vertex moves from edge ab to the side of c: the plane's height at the
  // vertex is 4t(1 - t), which touches height 1 at t = 1/2 and decreases again.
  const Points t0{Vec3{0, -1, 1}, Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 4}};
  const Points t1{Vec3{0, 1, 1}, Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 0}};
  expect_contact_at(kVf, {t0, t1}, Rational(1, 2));
  PairStep above{t0, t1};
  above.t0[0].z = above.t1[0].z = std::nextafter(1.0, 2.0);
  expect_none(kVf, above);
  PairStep below{t0, t1};
  below.t0[0].z = below.t1[0].z = 0.75;  // 4t(1 - t) = 3/4 at 1/4 and 3/4
  expect_contact_at(kVf, below, Rational(1, 4));
}

TEST(OracleVertexFace, TheFirstOfSeveralContactsIsReturned) {
  // The vertex is static, and the rising face passes through it at t = 1/4.
  expect_contact_at(kVf, {{kO, {-1, -1, -1}, {2, -1, -1}, {-1, 2, -1}}, {kO, {-1, -1, 3}, {2, -1, 3}, {-1, 2, 3}}},
                    Rational(1, 4));
}

TEST(OracleVertexFace, ExtremeMagnitudesAreDecidedExactly) {
  for (const double s : {0x1p-1000, 0x1p-1070, 1.0, 0x1p1000}) {
    expect_contact_at(kVf, vertex_path({s, s, 4 * s}, {s, s, -8 * s}, kO, {4 * s, 0, 0}, {0, 4 * s, 0}),
                      Rational(1, 3));
    expect_none(kVf, vertex_path({4 * s, s, 4 * s}, {4 * s, s, -8 * s}, kO, {4 * s, 0, 0}, {0, 4 * s, 0}));
  }
  expect_contact_at(kVf, vertex_path({1e-300, 1e-300, 1e300}, {1e-300, 1e-300, -1e300}), Rational(1, 2));
  expect_none(kVf, vertex_path({-1e-300, 1e-300, 1e300}, {-1e-300, 1e-300, -1e300}));
}

TEST(OracleEdgeEdge, CrossingAndPassingBeside) {
  expect_contact_at(kEe, edge_path({-1, 0, 1}, {1, 0, 1}, {-1, 0, -2}, {1, 0, -2}, {0, -1, 0}, {0, 1, 0}),
                    Rational(1, 3));
  expect_none(kEe, edge_path({0.5, 0, 1}, {1, 0, 1}, {0.5, 0, -2}, {1, 0, -2}, {0, -1, 0}, {0, 1, 0}));
  // Endpoint touches endpoint.
  expect_contact_at(kEe, edge_path({0, 1, 1}, {1, 1, 1}, {0, 1, -1}, {1, 1, -1}, {0, -1, 0}, {0, 1, 0}),
                    Rational(1, 2));
}

TEST(OracleEdgeEdge, ParallelEdgesTouchWhereTheyBecomeCollinear) {
  expect_contact_at(kEe, edge_path({0, 1, 0}, {1, 1, 0}, {0, -1, 0}, {1, -1, 0}, {0.5, 0, 0}, {3, 0, 0}),
                    Rational(1, 2));
  expect_contact_at(kEe, edge_path({0, 1, 0}, {1, 1, 0}, {0, -1, 0}, {1, -1, 0}, {1, 0, 0}, {3, 0, 0}),
                    Rational(1, 2));
  expect_none(kEe, edge_path({0, 1, 0}, {1, 1, 0}, {0, -1, 0}, {1, -1, 0}, {1.5, 0, 0}, {3, 0, 0}));
}

TEST(OracleEdgeEdge, CollinearEdgesSlideIntoEachOther) {
  expect_contact_at(kEe, edge_path({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {4, 4, 4}, {2, 2, 2}, {9, 9, 9}),
                    Rational(1, 3));
  expect_none(kEe, edge_path({0, 0, 0}, {1, 1, 1}, {-3, -3, -3}, {-2, -2, -2}, {2, 2, 2}, {9, 9, 9}));
}

TEST(OracleEdgeEdge, CoplanarEdgesTouchInTheirPlane) {
  expect_contact_at(kEe, edge_path({-2, -1, 0}, {-2, 1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 0, 0}, {9, 0, 0}),
                    Rational(1, 2));
  expect_none(kEe, edge_path({-2, 1, 0}, {-2, 2, 0}, {2, 1, 0}, {2, 2, 0}, {0, 0, 0}, {9, 0, 0}));
}

TEST(OracleEdgeEdge, ZeroLengthEdgesArePoints) {
  expect_contact_at(kEe, edge_path({0, 0, 1}, {0, 0, 1}, {0, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}),
                    Rational(1, 2));
  expect_none(kEe, edge_path({0, 1, 1}, {0, 1, 1}, {0, 1, -1}, {0, 1, -1}, {-1, 0, 0}, {1, 0, 0}));
  expect_contact_at(kEe, edge_path({0, 0, 1}, {0, 0, 1}, {0, 0, -1}, {0, 0, -1}, kO, kO), Rational(1, 2));
  expect_none(kEe, edge_path({0, 0, 1}, {0, 0, 1}, {1, 0, -1}, {1, 0, -1}, kO, kO));
  expect_contact_at(kEe, still({kO, kO, kO, kO}), 0);
  expect_none(kEe, still({kO, kO, kX, kX}));
}

TEST(OracleEdgeEdge, AnEdgeThatVanishesInPassing) {
  // Edge a shrinks to the origin at t = 1/2; edge b is static and passes through the origin or just beside it.
  const Points t0{Vec3{-1, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, -1}, Vec3{0, 0, 1}};
  const Points t1{Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, -1}, Vec3{0, 0, 1}};
  expect_contact_at(kEe, {t0, t1}, 0);
  PairStep beside{t0, t1};
  beside.t0[0].y = beside.t0[1].y = 1;
  beside.t1[0].y = beside.t1[1].y = -1;
  expect_contact_at(kEe, beside, Rational(1, 2));
  for (Points* x : {&beside.t0, &beside.t1}) (*x)[2].x = (*x)[3].x = 0x1p-30;
  expect_none(kEe, beside);
}

TEST(OracleContinuous, AxisSeparationNeverChangesAnAnswer) {
  int rejected = 0;
  for (const QueryFamily& family : query_families()) {
    for (std::uint64_t i = 0; i < 120; ++i) {
      const FeatureKind kind = i % 2 == 0 ? kVf : kEe;
      const PairStep pair = make_query(family, kind, 77, i);
      if (!separated_along_an_axis(kind, pair)) continue;
      ++rejected;
      EXPECT_FALSE(first_contact_without_shortcut(kind, pair).has_value()) << family.name << " " << i;
    }
  }
  EXPECT_GT(rejected, 100);
}

// Ground truth by a method that shares only the integers: exact distances at times, and certified lower bounds in
// between.
TEST(OracleContinuous, AgreesWithExactDistancesInEveryFamily) {
  int proved_apart = 0;
  int touched = 0;
  for (const QueryFamily& family : query_families()) {
    for (std::uint64_t i = 0; i < 60; ++i) {
      const FeatureKind kind = i % 2 == 0 ? kVf : kEe;
      const PairStep pair = make_query(family, kind, 5, i);
      const auto root = first_contact(kind, pair);
      const StepDistance distance(kind, pair);
      const std::string where = std::string(family.name) + " " + std::to_string(i);
      for (int k = 0; k <= 16; ++k) {
        const Dyadic t{k, -4};
        const bool touching = distance.distance2_at(t).numerator.is_zero();
        if (touching) {
          ASSERT_TRUE(root.has_value() && root->compare(t) <= 0) << where;
        }
      }
      if (root && root->is_exact()) {
        EXPECT_TRUE(distance.distance2_at(root->lower()).numerator.is_zero()) << where;
        ++touched;
        // The features do not touch before the root: just before it, the pair is separated.
        if (root->compare(0.0) > 0) {
          const Dyadic before = root->lower() + Dyadic{-1, root->lower().exponent - 20};
          EXPECT_FALSE(distance.distance2_at(before).numerator.is_zero()) << where;
        }
      }
      if (!root) {
        using Reach = StepDistance::Reach;
        const Reach reach = distance.reach({0, 0}, {0, 0}, {1, 0}, 200);
        EXPECT_TRUE(reach == Reach::None || reach == Reach::Unknown) << where;
        proved_apart += reach == Reach::None ? 1 : 0;
      }
    }
  }
  EXPECT_GT(proved_apart, 300);
  EXPECT_GT(touched, 300);
}

TEST(OracleContinuous, ConstructedContactsAreFound) {
  for (const char* name : {"constructed", "boundary-touch", "contact-at-end", "grazing", "all-meet"}) {
    const QueryFamily* family = find_query_family(name);
    ASSERT_NE(family, nullptr) << name;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const FeatureKind kind = i % 2 == 0 ? kVf : kEe;
      EXPECT_TRUE(first_contact(kind, make_query(*family, kind, 9, i)).has_value()) << name << " " << i;
    }
  }
}

TEST(OracleContinuous, SidesAreThoseJustBeforeTheContact) {
  EXPECT_EQ(side_before(kVf, vertex_path({0.25, 0.25, 1}, {0.25, 0.25, -2}), Root::exactly(0, 0)), 0);
  const auto side = [](FeatureKind kind, const PairStep& pair) {
    return side_before(kind, pair, *first_contact(kind, pair));
  };
  EXPECT_EQ(side(kVf, vertex_path({0.25, 0.25, 1}, {0.25, 0.25, -2})), 1);
  EXPECT_EQ(side(kVf, vertex_path({0.25, 0.25, -1}, {0.25, 0.25, 1})), -1);
  EXPECT_EQ(side(kVf, vertex_path({-1, 0.25, 0}, {2, 0.25, 0})), 0);  // coplanar for the whole step
  // (1,0,0) x (0,1,0) points up; edge a comes from above.
  EXPECT_EQ(side(kEe, edge_path({-1, 0, 1}, {1, 0, 1}, {-1, 0, -2}, {1, 0, -2}, {0, -1, 0}, {0, 1, 0})), 1);
}

struct Query {
  PairStep pair;
  bool truth = false;
};

// The coordinates are rationals; the reader checks that all of them are exactly doubles.
std::vector<Query> read_queries(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Query> queries;
  std::string line;
  for (std::size_t row = 0; std::getline(file, line); ++row) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (cells.size() != 7) throw std::runtime_error("a row of " + path.string() + " has not 7 columns");
    if (row % 8 == 0) queries.emplace_back();
    Vec3& point = row % 8 < 4 ? queries.back().pair.t0[row % 4] : queries.back().pair.t1[row % 4];
    std::size_t column = 0;
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      using boost::multiprecision::cpp_int;
      const Rational value{cpp_int(cells[column]), cpp_int(cells[column + 1])};
      point.*axis = static_cast<double>(value);
      if (to_rational(point.*axis) != value) throw std::runtime_error("not a double: " + line);
      column += 2;
    }
    queries.back().truth = cells[6][0] == '1';
  }
  return queries;
}

TEST(OracleContinuous, AgreesWithAllPublicTruths) {
  GRAZE_SKIP_WITHOUT_DATA();
  std::size_t count = 0;
  std::size_t positives = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::public_data() / "queries")) {
    if (entry.path().extension() != ".csv") continue;
    const FeatureKind kind = entry.path().parent_path().filename() == "vertex-face" ? kVf : kEe;
    for (const Query& query : read_queries(entry.path())) {
      EXPECT_EQ(first_contact(kind, query.pair).has_value(), query.truth) << entry.path() << " query " << count;
      EXPECT_EQ(first_contact_without_shortcut(kind, query.pair).has_value(), query.truth) << entry.path();
      ++count;
      positives += query.truth ? 1 : 0;
    }
  }
  EXPECT_EQ(count, 2429U);
  EXPECT_GT(positives, 0U);
}

}  // namespace
}  // namespace graze::oracle
