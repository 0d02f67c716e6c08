// Reference positions, displacement bounds and displacements (ADAPTIVE): reported displacements are never less than
// those of rational arithmetic, at any scale; reference positions and displacement bounds are those of the formula.
#include "methods/adaptive/reference_positions.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "geometry/vec.hpp"
#include "oracle/random.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

using boost::multiprecision::cpp_rational;
using oracle::Random;

struct Step {
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
};

Vec3 any(Random& random, double scale) {
  const double x = random.symmetric();
  const double y = random.symmetric();
  return {scale * x, scale * y, scale * random.symmetric()};
}

/// Vertices of two moving bodies with different edge lengths; every fifth vertex is static.
struct MovingVertices {
  std::vector<std::uint32_t> groups;
  std::vector<double> edge_lengths;
  std::vector<Vec3> x;

  MovingVertices(std::size_t count, double scale, Random& random) : edge_lengths{0.1 * scale, 0.3 * scale} {
    for (std::size_t v = 0; v < count; ++v) {
      groups.push_back(v % 5 == 4 ? ReferencePositions::kStatic : v < count / 2 ? 0 : 1);
      x.push_back(any(random, scale));
    }
  }

  [[nodiscard]] ReferencePositions::Mesh mesh() const { return {groups, edge_lengths}; }

  /// Moves all vertices that are not static by `displacement` plus a random vector of size `own` each.
  Step go(const Vec3& displacement, double own, Random& random) {
    Step step{x, x};
    for (std::size_t v = 0; v < x.size(); ++v) {
      if (groups[v] != ReferencePositions::kStatic) step.x_t1[v] = x[v] + (displacement + any(random, own));
    }
    x = step.x_t1;
    return step;
  }
};

using Exact = std::array<cpp_rational, 3>;

Exact exact(const Vec3& p) {
  return {cpp_rational(p.x), cpp_rational(p.y), cpp_rational(p.z)};
}

cpp_rational squared(const Exact& a) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

Exact minus(const Exact& a, const Exact& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Whether |offset| <= a + b, in rational arithmetic; infinity covers every offset.
bool covers(float a, float b, const Exact& offset) {
  if (std::isinf(a) || std::isinf(b)) return true;
  const cpp_rational sum = cpp_rational(static_cast<double>(a)) + cpp_rational(static_cast<double>(b));
  return squared(offset) <= sum * sum;
}

/// Relative to static bodies a vertex is displaced by at most its displacement plus the drift; relative to another
/// moving vertex, by at most the sum of both displacements.
void expect_upper_bounds(const ReferencePositions& reference_points, const MovingVertices& vertices,
                         const Step& step) {
  const auto points = reference_points.points();
  for (const std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    VertexId before = 0;
    Exact offset_before = {};
    bool has_before = false;
    for (VertexId v = 0; v < points.size(); ++v) {
      if (vertices.groups[v] == ReferencePositions::kStatic) {
        ASSERT_EQ(points[v].x, (*x)[v]);
        ASSERT_EQ(reference_points.displacement(v), 0.0F);
        ASSERT_EQ(points[v].displacement_bound, 0.0F);
        continue;
      }
      const Exact offset = minus(exact((*x)[v]), exact(points[v].x));
      ASSERT_TRUE(covers(reference_points.displacement(v), reference_points.drift(), offset)) << "vertex " << v;
      if (has_before) {
        ASSERT_TRUE(covers(reference_points.displacement(v), reference_points.displacement(before),
                           minus(offset, offset_before)))
            << "vertices " << before << " and " << v;
      }
      before = v;
      offset_before = offset;
      has_before = true;
    }
  }
}

bool any_dangles(const ReferencePositions& reference_points) {
  for (VertexId v = 0; v < reference_points.points().size(); ++v) {
    if (reference_points.is_dangling(v)) return true;
  }
  return false;
}

constexpr std::array kScales = {1.0, 1e-20, 1e-12, 1e-3, 1e7, 1e20, 0.9e30};

TEST(ReferencePositions, BoundTheDisplacementsOfVertices) {
  Random random(1);
  for (const double scale : kScales) {
    for (const double drift : {0.0, 1e-9, 0.01, 3.0}) {
      MovingVertices vertices(40, 0.2 * scale, random);
      const Vec3 displacement = any(random, 0.05 * drift * scale);
      // Without slack the displacement bounds equal the displacements, to the last bit.
      const double spare = drift == 0.01 ? 0.0 : 0.1;
      const ReferencePositions::Plan plan{.alpha = 3.0, .beta = spare, .gamma = spare};
      ReferencePositions reference_points;
      Step step = vertices.go(displacement, 1e-3 * scale, random);
      ASSERT_TRUE(reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(), plan));
      EXPECT_FALSE(any_dangles(reference_points));
      expect_upper_bounds(reference_points, vertices, step);
      for (int i = 0; i < 5; ++i) {
        step = vertices.go(displacement, (i == 3 ? 0.3 : 1e-3) * scale, random);
        EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
        expect_upper_bounds(reference_points, vertices, step);
        reference_points.renew_references(step.x_t0, step.x_t1, vertices.mesh(), plan);
        EXPECT_FALSE(any_dangles(reference_points)) << scale << ", " << i;
        expect_upper_bounds(reference_points, vertices, step);
      }
    }
  }
}

TEST(ReferencePositions, SayNoLessFarFromTheOriginAndForWaysTooSmallForFloats) {
  Random random(2);
  for (const double far : {1.0, 1e8, 1e15}) {
    for (const double own : {1e-300, 1e-60, 1e-40, 1e-9, 1e-3}) {
      MovingVertices vertices(20, far, random);
      ReferencePositions reference_points;
      Step step = vertices.go({}, own, random);
      ASSERT_TRUE(
          reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(), {.alpha = 7.0, .beta = 0.0, .gamma = 0.0}));
      expect_upper_bounds(reference_points, vertices, step);
      for (int i = 0; i < 3; ++i) {
        step = vertices.go({own, 0, 0}, own, random);
        EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
        expect_upper_bounds(reference_points, vertices, step);
      }
    }
  }
}

TEST(ReferencePositions, SayNoLessWhereSquaresVanish) {
  Random random(7);
  for (const double size : {1e-30, 1e-100, 1e-170, 1e-300}) {
    MovingVertices vertices(20, size, random);
    vertices.x[4] = {1, 1, 1};  // static; gives the scene an ordinary size
    ReferencePositions reference_points;
    Step step = vertices.go({}, size, random);
    ASSERT_TRUE(
        reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(), {.alpha = 1.0, .beta = 0.0, .gamma = 0.0}));
    expect_upper_bounds(reference_points, vertices, step);
    step = vertices.go({}, size, random);
    EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
    expect_upper_bounds(reference_points, vertices, step);
  }
}

TEST(ReferencePositions, SayNoLessWhereADifferenceIsRounded) {
  Random random(8);
  MovingVertices vertices(5, 1.0, random);
  vertices.x = {{-0x1p-60, 0, 0}, {0, -0x1p-70, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
  ReferencePositions reference_points;
  ASSERT_TRUE(reference_points.begin(vertices.x, vertices.x, vertices.mesh(), {}));
  Step step{vertices.x, vertices.x};
  step.x_t1[0].x = 1.0;  // 1 + 2^-60 from its reference, not a double
  step.x_t1[1].y = 2.0;
  EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
  expect_upper_bounds(reference_points, vertices, step);
}

TEST(ReferencePositions, LieInTheMiddleOfTheWayThatIsForeseen) {
  // The displacements cancel, so that there is no drift.
  const std::vector<std::uint32_t> groups = {0, 0, 0, 0};
  const std::vector<double> edges = {2.0};
  const Step step{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                  {{0.5, 0, 0}, {0.5, 0, 0}, {0, 1.25, 0}, {0, -0.25, 1}}};
  ReferencePositions reference_points;
  ASSERT_TRUE(
      reference_points.begin(step.x_t0, step.x_t1, {groups, edges}, {.alpha = 4.0, .beta = 0.25, .gamma = 0.5}));
  EXPECT_EQ(reference_points.drift(), 0.0F);
  EXPECT_EQ(reference_points.points()[0].x, (Vec3{0.5 + 1.5 * 0.5, 0, 0}));
  EXPECT_EQ(reference_points.points()[1].x, (Vec3{0.5 - 1.5 * 0.5, 0, 0}));
  EXPECT_EQ(reference_points.points()[2].x, (Vec3{0, 1.25 + 1.5 * 0.25, 0}));
  const float slack = 0.25F * 0.375F + 0.5F * 2.0F;  // the mean displacement is 3/8
  EXPECT_NEAR(reference_points.points()[0].displacement_bound, 2.5F * 0.5F + slack, 1e-5F);
  EXPECT_NEAR(reference_points.points()[2].displacement_bound, 2.5F * 0.25F + slack, 1e-5F);
  EXPECT_NEAR(reference_points.displacement(0), 2.5F * 0.5F, 1e-5F);
}

TEST(ReferencePositions, HoldAVertexAsLongAsItGoesOnAsForeseen) {
  const std::vector<std::uint32_t> groups = {0, 0};
  const std::vector<double> edges = {1.0};
  constexpr int kAhead = 6;
  const ReferencePositions::Plan plan{.alpha = kAhead, .beta = 0.0, .gamma = 0.0};
  std::vector<Vec3> x = {{0, 0, 0}, {5, 0, 0}};
  ReferencePositions reference_points;
  for (int i = 0; i < kAhead + 3; ++i) {
    Step step{x, x};
    step.x_t1[0].x += 0.1;
    step.x_t1[1].x -= 0.1;
    x = step.x_t1;
    if (i == 0) {
      ASSERT_TRUE(reference_points.begin(step.x_t0, step.x_t1, {groups, edges}, plan));
    } else {
      EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, groups));
    }
    if (i != kAhead) {  // the result depends on rounding at i = kAhead
      EXPECT_EQ(any_dangles(reference_points), i > kAhead) << i;
    }
  }
  // Back at the start: a displacement bound is not used up.
  const std::vector<Vec3> start = {{0.2, 0, 0}, {4.8, 0, 0}};
  EXPECT_TRUE(reference_points.measure_displacements(start, start, groups));
  EXPECT_FALSE(any_dangles(reference_points));
}

TEST(ReferencePositions, HaveSidesThatVerticesLeaveBeforeTheirReach) {
  const std::vector<std::uint32_t> groups = {0, 0};
  const std::vector<double> edges = {1.0};
  Step step{{{0, 0, 0}, {5, 0, 0}}, {{1, 0, 0}, {4, 0, 0}}};
  ReferencePositions reference_points;
  ASSERT_TRUE(
      reference_points.begin(step.x_t0, step.x_t1, {groups, edges}, {.alpha = 3.0, .beta = 0.0, .gamma = 0.25}));
  const ReferencePoint& reference = reference_points.points()[0];
  EXPECT_NEAR(reference.displacement_bound, 2.25F, 1e-5F);
  EXPECT_NEAR(reference.side(0), 2.25, 0.02);
  EXPECT_NEAR(reference.side(1), 0.25, 0.02);
  EXPECT_NEAR(reference.side(2), 0.25, 0.02);
  // A displacement of 1 along x is within sides and bound; along y it is within the displacement bound only.
  step.x_t0[0] = step.x_t1[0] = {reference.x.x + 1.0, 0, 0};
  EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, groups));
  EXPECT_FALSE(any_dangles(reference_points));
  step.x_t1[0] = {reference.x.x, 1.0, 0};
  EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, groups));
  EXPECT_TRUE(reference_points.is_dangling(0));
  EXPECT_FALSE(reference_points.is_dangling(1));
  std::swap(step.x_t0, step.x_t1);  // at either end
  EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, groups));
  EXPECT_TRUE(reference_points.is_dangling(0));
  EXPECT_EQ(reference_points.renew_references(step.x_t0, step.x_t1, {groups, edges},
                                              {.alpha = 3.0, .beta = 0.0, .gamma = 0.25}),
            1U);
  EXPECT_FALSE(any_dangles(reference_points));
}

TEST(ReferencePositions, DetectThatAStaticVertexHasMoved) {
  const std::vector<std::uint32_t> groups = {0, ReferencePositions::kStatic, ReferencePositions::kRemoved};
  const std::vector<double> edges = {1.0};
  std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  ReferencePositions reference_points;
  ASSERT_TRUE(reference_points.begin(x, x, {groups, edges}, {}));
  x[2] = {7, 0, 0};  // removed: may be anywhere
  EXPECT_TRUE(reference_points.measure_displacements(x, x, groups));
  x[1].y = 0x1p-40;
  EXPECT_FALSE(reference_points.measure_displacements(x, x, groups));
}

TEST(ReferencePositions, TakeACommonDriftOff) {
  Random random(3);
  MovingVertices vertices(500, 1.0, random);
  const Vec3 displacement{0.3, 0.1, -0.2};
  Step step = vertices.go(displacement, 1e-4, random);
  ReferencePositions reference_points;
  ASSERT_TRUE(
      reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(), {.alpha = 5.0, .beta = 0.2, .gamma = 0.1}));
  for (int i = 0; i < 4; ++i) {
    EXPECT_LE(reference_points.drift(), reference_points.drift_bound());
    float max_relevant_distance = 0.0F;
    for (VertexId v = 0; v < reference_points.points().size(); ++v)
      max_relevant_distance = std::max(max_relevant_distance, reference_points.displacement(v));
    EXPECT_LT(max_relevant_distance, 0.01F) << i;
    step = vertices.go(displacement, 1e-4, random);
    EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
    expect_upper_bounds(reference_points, vertices, step);
  }
  // A vertex that leaves its displacement bound gets a reference position near it, drift included.
  step = vertices.go(displacement, 1e-4, random);
  step.x_t1[3].y += 0.5;
  vertices.x = step.x_t1;
  EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
  EXPECT_EQ(reference_points.renew_references(step.x_t0, step.x_t1, vertices.mesh(),
                                              {.alpha = 1.0, .beta = 0.2, .gamma = 0.0}),
            1U);
  EXPECT_FALSE(reference_points.is_dangling(3));
  EXPECT_LT(reference_points.displacement(3), 0.51F);
  EXPECT_GT(reference_points.displacement(3), 0.24F);
  expect_upper_bounds(reference_points, vertices, step);
  // The drift stops, reverses and grows: displacements relative to static bodies are still bounded.
  for (const double speed : {0.0, -5.0, 40.0}) {
    step = vertices.go(speed * displacement, 1e-4, random);
    EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
    expect_upper_bounds(reference_points, vertices, step);
  }
  EXPECT_GT(reference_points.drift(), reference_points.drift_bound());
}

TEST(ReferencePositions, TakeNoDriftOffWhereThereIsNone) {
  Random random(4);
  MovingVertices vertices(100, 1.0, random);
  const Step step = vertices.go({0.001, 0, 0}, 0.1, random);
  ReferencePositions reference_points;
  ASSERT_TRUE(reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(), {}));
  EXPECT_EQ(reference_points.drift(), 0.0F);
  EXPECT_EQ(reference_points.drift_bound(), 0.0F);
}

TEST(ReferencePositions, AreNotMadeForSizesThatFloatsCannotTell) {
  const std::vector<std::uint32_t> groups = {0, 0};
  const std::vector<double> edges = {1.0};
  for (const double size : {0.0, 1e-300, 1e-26, 1e31, 1e300}) {
    const std::vector<Vec3> x = {{size, 0, 0}, {0, size, 0}};
    EXPECT_FALSE(ReferencePositions().begin(x, x, {groups, edges}, {})) << size;
  }
  for (const double size : {1e-24, 1.0, 1e29}) {
    const std::vector<Vec3> x = {{size, 0, 0}, {0, size, 0}};
    EXPECT_TRUE(ReferencePositions().begin(x, x, {groups, edges}, {})) << size;
  }
}

TEST(ReferencePositions, AreFiniteForVerticesThatLeaveAllSizes) {
  Random random(5);
  for (const double far : {1e20, 1e31, 1e39, 1e155, 1e300, 1.7e308}) {
    for (const double drift : {0.0, 0.1}) {
      MovingVertices vertices(60, 1.0, random);
      Step step = vertices.go({drift, 0, 0}, 1e-3, random);
      ReferencePositions reference_points;
      ASSERT_TRUE(reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(), {.alpha = 7.0}));
      step = vertices.go({drift, 0, 0}, 1e-3, random);
      step.x_t1[7] = {far, -far, far};
      EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
      EXPECT_TRUE(reference_points.is_dangling(7));
      expect_upper_bounds(reference_points, vertices, step);
      EXPECT_GE(reference_points.renew_references(step.x_t0, step.x_t1, vertices.mesh(), {.alpha = 7.0}), 1U);
      EXPECT_FALSE(any_dangles(reference_points));
      expect_upper_bounds(reference_points, vertices, step);
      for (const ReferencePoint& point : reference_points.points()) EXPECT_TRUE(is_finite(point.x)) << far;
    }
  }
}

TEST(ReferencePositions, WithoutBoundsHoldEverything) {
  Random random(6);
  MovingVertices vertices(30, 1.0, random);
  Step step = vertices.go({}, 1e-3, random);
  ReferencePositions reference_points;
  ASSERT_TRUE(reference_points.begin(step.x_t0, step.x_t1, vertices.mesh(),
                                     {.alpha = 1.0, .beta = 0.0, .gamma = 0.0, .bounded = false}));
  for (const double own : {1.0, 1e10, 1e200}) {
    step = vertices.go({}, own, random);
    EXPECT_TRUE(reference_points.measure_displacements(step.x_t0, step.x_t1, vertices.groups));
    EXPECT_FALSE(any_dangles(reference_points));
    expect_upper_bounds(reference_points, vertices, step);
  }
}

}  // namespace
}  // namespace graze
