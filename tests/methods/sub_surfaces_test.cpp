// Low-curvature sub-surfaces over a session (ADAPTIVE): patches that are self-collision-free in its first step are
// proved again in later steps and opened where the proof fails. At every step the pairs generated so far contain
// all contacts, and no pair is generated twice.
#include <gtest/gtest.h>

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"
#include "support/cone_gallery.hpp"
#include "support/gallery_mesh.hpp"
#include "support/sub_surface_session.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

using Points = std::vector<Vec3>;

// Number of sheets; smaller in the slow builds that check contracts.
#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kSheets = 8;
#else
constexpr std::uint64_t kSheets = 60;
#endif

/// Larger than any scene here.
constexpr double kEverything = 1e6;

HierarchyChoices adaptive_choices(research::TreeBuilder builder = research::TreeBuilder::Connected) {
  return hierarchy_choices(Method::Adaptive, {.builder = builder, .cones = research::NormalCones::Tight});
}

/// Counts of what the sessions contained, to check that the tests covered it.
struct Totals {
  std::uint64_t contacts = 0;
  std::uint64_t free = 0;    ///< triangles in free patches in first steps
  std::uint64_t opened = 0;  ///< steps that opened patches
  std::uint64_t violating = 0;
};

/// Runs a session along the frames, all within the displacement bound, and checks it after each step.
void expect_sound(const std::vector<Triangle>& triangles, const std::vector<Points>& frames, Totals& totals,
                  research::TreeBuilder builder = research::TreeBuilder::Connected) {
  SubSurfaceSession session(triangles, frames.front(), adaptive_choices(builder));
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    const std::uint64_t free_before = session.free_leaves();
    if (i == 0) {
      session.begin(frames[0], frames[1], kEverything);
      totals.free += session.free_leaves();
    } else {
      session.go_on(frames[i], frames[i + 1]);
      ASSERT_EQ(session.violating(), free_before - session.free_leaves());
      totals.violating += session.violating();
      if (!session.fresh().empty()) ++totals.opened;
    }
    ASSERT_EQ(session.counts().free_triangles, session.free_leaves());
    ASSERT_EQ(session.fault(), "");
    ASSERT_EQ(session.miscounted(), "");
    ASSERT_EQ(session.missing(frames[i], frames[i + 1], totals.contacts), "");
  }
}

std::vector<Triangle> grid_triangles(int columns, int rows) {
  return grid(columns, rows, flat, flat).step.triangles;
}
Points grid_points(int columns, int rows, const GridShape& shape) {
  return grid(columns, rows, shape, shape).step.x_t0;
}

/// A sheet that rolls up along its columns until the first column passes through the last.
std::vector<Points> rolling_frames(int n, int count) {
  std::vector<Points> frames;
  for (int f = 0; f <= count; ++f) {
    const double turn = 2.2 * std::numbers::pi * f / count / n + 1e-3;  // radians per column
    frames.push_back(grid_points(n, n, [&](int i, int j) {
      return Vec3{std::sin(turn * i) / turn, 1.0 * j + 0.05 * i, (1.0 - std::cos(turn * i)) / turn};
    }));
  }
  return frames;
}

TEST(SubSurfaces, OfASheetThatRollsUpLoseNoContact) {
  Totals totals;
  expect_sound(grid_triangles(12, 12), rolling_frames(12, 10), totals);
  EXPECT_EQ(totals.free, 288U);
  EXPECT_GT(totals.contacts, 10U);
  EXPECT_EQ(totals.opened, 2U);  // when half of the sheet, then a quarter, turns by 70 degrees each way
}

TEST(SubSurfaces, AreOpenedOnlyWhereTheSheetFolds) {
  // One corner of the sheet turns over; the other end stays as it is.
  constexpr int kSide = 24;
  const auto shape = [](double angle) {
    return [angle](int i, int j) {
      const double beyond = std::max(0.0, i + j - 40.0) / std::numbers::sqrt2;
      const double back = beyond * (1.0 - std::cos(angle)) / std::numbers::sqrt2;
      return Vec3{i - back, j - back, beyond * std::sin(angle)};
    };
  };
  const Points before = grid_points(kSide, kSide, shape(0.0));
  const Points after = grid_points(kSide, kSide, shape(3.0));
  SubSurfaceSession session(grid_triangles(kSide, kSide), before, adaptive_choices());
  session.begin(before, before, kEverything);
  ASSERT_EQ(session.free_leaves(), session.leaf_count());
  EXPECT_TRUE(session.fresh().empty());
  session.go_on(before, before);
  EXPECT_EQ(session.violating(), 0U);
  EXPECT_EQ(session.counts().free_patches, 1U);
  EXPECT_EQ(session.counts().cone_tests, 0U);
  EXPECT_EQ(session.counts().contour_tests, 1U);
  EXPECT_TRUE(session.fresh().empty());
  session.go_on(after, after);
  EXPECT_GT(session.violating(), 0U);
  EXPECT_GT(session.free_leaves(), 3 * session.leaf_count() / 4);
  EXPECT_EQ(session.miscounted(), "");
  // Opened patches stay open when the sheet is flat again, and their pairs are not generated again.
  const std::uint64_t kept = session.free_leaves();
  session.go_on(before, before);
  EXPECT_EQ(session.free_leaves(), kept);
  EXPECT_EQ(session.violating(), 0U);
  EXPECT_TRUE(session.fresh().empty());
}

TEST(SubSurfaces, TrianglesThatDoNotViolateMayIntersectBesideOneThatDoes) {
  // Seen from the side: the sheet runs to the right along z = 0 to column 4, back and up to column 5 (the part that
  // shows its lower side), then right again and down through itself. Keeping the proof for all but the middle part
  // would lose the contact x.
  //        5
  //       / '-.
  //      /     '-.
  //   --x---------4
  //    /
  //   6-----7---8
  constexpr std::array<double, 9> kX = {0, 1, 2, 3, 4, 2, 3, 5, 6};
  constexpr std::array<double, 9> kZ = {0, 0, 0, 0, 0, 1, -0.25, -0.25, -0.25};
  const Points flat_sheet = grid_points(8, 6, flat);
  const Points folded = grid_points(8, 6, [&](int i, int j) {
    const auto k = static_cast<std::size_t>(i);
    return Vec3{kX[k], 1.0 * j, kZ[k]};
  });
  SubSurfaceSession session(grid_triangles(8, 6), flat_sheet, adaptive_choices());
  session.begin(flat_sheet, flat_sheet, kEverything);
  ASSERT_EQ(session.free_leaves(), session.leaf_count());
  session.go_on(folded, folded);
  const std::vector<LeafPair> contacts = session.contacts(folded, folded);
  ASSERT_FALSE(contacts.empty());
  const auto violates = [&](std::uint32_t leaf) {
    const Triangle t = session.hierarchy().leaf(leaf).oriented();
    const auto normal = [&](const Points& x) { return cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]).z; };
    return normal(flat_sheet) * normal(folded) <= 0.0;
  };
  std::uint64_t violating = 0;
  for (std::uint32_t leaf = 0; leaf < session.leaf_count(); ++leaf) violating += violates(leaf) ? 1U : 0U;
  EXPECT_EQ(violating, 12U);
  for (const auto& [a, b] : contacts) EXPECT_FALSE(violates(a) || violates(b)) << a << ", " << b;
  std::uint64_t count = 0;
  EXPECT_EQ(session.missing(folded, folded, count), "");
  EXPECT_EQ(session.miscounted(), "");
}

TEST(SubSurfaces, OfRandomSheetsLoseNoContactWhateverTheTree) {
  for (const research::TreeBuilder builder : {research::TreeBuilder::Connected, research::TreeBuilder::Sah}) {
    Totals totals;
    for (std::uint64_t index = 0; index < kSheets; ++index) {
      SCOPED_TRACE(index);
      constexpr int kSide = 7;
      const oracle::SceneStep step = random_sheet(71, index, kSide);
      const oracle::SceneStep next = random_sheet(72, index, kSide);
      const Points rest = grid_points(kSide, kSide, flat);
      expect_sound(step.triangles, {rest, rest, step.x_t0, step.x_t1, step.x_t1, next.x_t0, next.x_t1, rest},
                   totals, builder);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(totals.contacts, 1000 * kSheets / 10) << name_of(builder);
    EXPECT_GT(totals.free, 20 * kSheets) << name_of(builder);
    EXPECT_GT(totals.opened, kSheets / 4) << name_of(builder);
  }
}

/// Smooth displacements of all vertices, small at first.
std::vector<Points> stirred(const Points& x, int count, double size, std::uint64_t seed) {
  oracle::Random random(seed);
  const auto draw = [&] { return Vec3{random.symmetric(), random.symmetric(), random.symmetric()}; };
  const std::array<Vec3, 3> waves = {draw(), draw(), draw()};
  const std::array<Vec3, 3> moves = {draw(), draw(), draw()};
  std::vector<Points> frames;
  for (int f = 0; f <= count; ++f) {
    Points moved = x;
    for (Vec3& p : moved) {
      const Vec3 at = p;
      for (std::size_t k = 0; k < 3; ++k) p = p + (size * f * f * std::sin(2.0 * dot(waves[k], at))) * moves[k];
    }
    frames.push_back(std::move(moved));
  }
  return frames;
}

TEST(SubSurfaces, OfMoebiusStripsAndClosedMeshesLoseNoContact) {
  constexpr int kAround = 48;
  // A Moebius strip, three quads wide.
  std::vector<Triangle> strip;
  Points on_strip;
  for (int i = 0; i < kAround; ++i) {
    const double turn = std::numbers::pi * i / kAround;
    for (int j = 0; j < 4; ++j) {
      const double side = 0.5 * j - 0.75;
      on_strip.push_back(polar(3.0 + side * std::cos(turn), 360.0 * i / kAround, side * std::sin(turn)));
      if (j == 3) continue;
      const bool last = i + 1 == kAround;
      const auto id = [](int column, int row) { return static_cast<VertexId>(4 * column + row); };
      const VertexId c = last ? id(0, 3 - j) : id(i + 1, j);
      const VertexId d = last ? id(0, 2 - j) : id(i + 1, j + 1);
      strip.push_back({id(i, j), id(i, j + 1), c});
      strip.push_back({id(i, j + 1), d, c});
    }
  }
  Totals totals;
  for (std::uint64_t seed = 0; seed < 4; ++seed) expect_sound(strip, stirred(on_strip, 6, 0.03, seed), totals);
  EXPECT_GT(totals.free, 100U);  // few: sides that disagree run along most of the strip
  EXPECT_GT(totals.contacts, 0U);
  EXPECT_GT(totals.opened, 0U);

  // A ball that is pressed flat and then turned inside out.
  const auto gallery = cone_gallery();
  const auto ball = std::find_if(gallery.begin(), gallery.end(),
                                 [](const GalleryCase& item) { return item.name == "closed_ball"; });
  ASSERT_NE(ball, gallery.end());
  const oracle::SceneStep fine = refined(refined(ball->step));
  std::vector<Points> frames;
  for (const double height : {32.0, 32.0, 24.0, 12.0, 1.0, -8.0, -16.0}) {
    Points x = fine.x_t0;
    for (std::size_t v = 0; v < x.size(); ++v) x[v].z *= v % 3 == 0 ? height : 32.0;
    frames.push_back(std::move(x));
  }
  Totals of_ball;
  expect_sound(fine.triangles, frames, of_ball);
  EXPECT_GT(of_ball.free, fine.triangles.size() / 2);
  EXPECT_GT(of_ball.contacts, 100U);
  EXPECT_GT(of_ball.opened, 0U);
}

TEST(SubSurfaces, OfSoupsWithARepeatedIndexATwinAndAFinLoseNoContact) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    oracle::Random random(seed);
    std::vector<Triangle> triangles = grid_triangles(6, 6);
    Points x = grid_points(6, 6, flat);
    const auto base = static_cast<VertexId>(x.size());
    triangles.push_back(triangles[20]);
    triangles.push_back({3, 3, 12});
    x.push_back({3.5, 3.0, 1.0});
    triangles.push_back({24, 25, base});  // a third triangle at an edge
    for (int i = 0; i < 12; ++i) {
      const Vec3 centre{6.0 * random.unit(), 6.0 * random.unit(), 1.0 + random.unit()};
      const auto first = static_cast<VertexId>(x.size());
      for (int k = 0; k < 3; ++k) {
        x.push_back(centre + 0.5 * Vec3{random.symmetric(), random.symmetric(), random.symmetric()});
      }
      triangles.push_back({first, first + 1, first + 2});
    }
    expect_sound(triangles, stirred(x, 5, 0.05, seed), totals);
  }
  EXPECT_GT(totals.free, 100U);
  EXPECT_GT(totals.contacts, 100U);
  EXPECT_GT(totals.opened, 0U);
}

/// Embeds a mesh whose boundary is one loop in the plane without overlaps (Tutte 1963); other meshes keep their
/// positions.
Points laid_out(const std::vector<Triangle>& triangles, const Points& x) {
  std::map<std::array<VertexId, 2>, int> uses;
  std::map<VertexId, std::set<VertexId>> neighbours;
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      ++uses[{t[k], t[(k + 1) % 3]}];
      neighbours[t[k]].insert({t[(k + 1) % 3], t[(k + 2) % 3]});
    }
  }
  std::map<VertexId, VertexId> next;
  std::size_t boundary = 0;
  for (const auto& [edge, count] : uses) {
    const bool inner = uses.contains({edge[1], edge[0]});
    if (count != 1) return x;
    if (!inner) {
      next[edge[0]] = edge[1];
      ++boundary;
    }
  }
  std::vector<VertexId> loop;
  if (next.empty() || next.size() != boundary) return x;
  for (VertexId v = next.begin()->first; loop.size() < boundary; v = next.at(v)) {
    if (!loop.empty() && v == loop.front()) return x;
    if (!next.contains(v)) return x;
    loop.push_back(v);
  }
  Points plane(x.size());
  for (std::size_t i = 0; i < loop.size(); ++i) {
    plane[loop[i]] = polar(4.0, 360.0 * static_cast<double>(i) / static_cast<double>(loop.size()), 0.0);
  }
  for (int round = 0; round < 500; ++round) {
    for (const auto& [v, around] : neighbours) {
      if (next.contains(v)) continue;
      Vec3 sum{};
      for (const VertexId other : around) sum = sum + plane[other];
      plane[v] = (1.0 / static_cast<double>(around.size())) * sum;
    }
  }
  return plane;
}

TEST(SubSurfaces, ThatBecomeAGalleryCaseLoseNoContact) {
  Totals totals;
  std::uint64_t laid_free = 0;
  for (const GalleryCase& item : cone_gallery()) {
    SCOPED_TRACE(item.name);
    const oracle::SceneStep& step = item.step;
    const Points rest = laid_out(step.triangles, step.x_t0);
    Totals one;
    expect_sound(step.triangles, {rest, rest, step.x_t0, step.x_t1, step.x_t0, rest}, one);
    if (HasFatalFailure()) return;
    EXPECT_GT(one.contacts, 0U);
    if (one.free == step.triangles.size()) ++laid_free;
    totals.opened += one.opened;
  }
  // About half of the cases are discs, and most of these are free as a whole when embedded in the plane.
  EXPECT_GT(laid_free, 15U);
  EXPECT_GT(totals.opened, 15U);
}

TEST(SubSurfaces, WithBoundsOfTheSessionGenerateWhatTheBoundsHold) {
  // The displacement bound is the motion of the session, not the whole scene: two features may approach each other
  // by the sum of both displacements.
  const std::vector<Points> frames = rolling_frames(16, 24);
  SubSurfaceSession session(grid_triangles(16, 16), frames[0], adaptive_choices());
  std::uint64_t contacts = 0;
  std::uint64_t opened = 0;
  for (std::size_t first = 0; first + 6 < frames.size(); first += 6) {
    double displacement_bound = 0.0;
    for (std::size_t f = first; f <= first + 6; ++f) {
      for (std::size_t v = 0; v < frames[f].size(); ++v) {
        displacement_bound = std::max(displacement_bound, length(frames[f][v] - frames[first][v]));
      }
    }
    session.begin(frames[first], frames[first], 2.01 * displacement_bound);
    for (std::size_t f = first; f < first + 6; ++f) {
      session.go_on(frames[f], frames[f + 1]);
      ASSERT_EQ(session.fault(), "");
      ASSERT_EQ(session.missing(frames[f], frames[f + 1], contacts), "");
      opened += session.fresh().size();
    }
  }
  EXPECT_GT(contacts, 10U);
  EXPECT_GT(opened, 100U);
}

TEST(SubSurfaces, AreTheSameOnAnyNumberOfThreads) {
  constexpr int kSide = 28;
  const Points rest = grid_points(kSide, kSide, flat);
  const auto run = [&](unsigned threads) {
    std::vector<LeafPair> pairs;
    with_threads(threads, [&] {
      for (std::uint64_t index = 0; index < 4; ++index) {
        const oracle::SceneStep step = random_sheet(43, index, kSide);
        SubSurfaceSession session(step.triangles, rest, adaptive_choices());
        session.begin(rest, rest, 4.0);
        for (const Points* x : {&step.x_t0, &step.x_t1, &rest}) {
          session.go_on(*x, *x);
          pairs.insert(pairs.end(), session.fresh().begin(), session.fresh().end());
          pairs.push_back({static_cast<std::uint32_t>(session.violating()),
                           static_cast<std::uint32_t>(session.counts().planar_tests)});
        }
      }
    });
    return pairs;
  };
  const std::vector<LeafPair> expected = run(1);
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(run(2), expected);
  EXPECT_EQ(run(7), expected);
}

TEST(SubSurfaces, AreNoWiderThanAsked) {
  // A quarter of a cylinder turns by 45 degrees from its middle: one patch with a limit of 70 degrees, several with
  // 20.
  const Points bent = grid_points(16, 8, [](int i, int j) {
    const double angle = std::numbers::pi / 2.0 * i / 16.0;
    return Vec3{8.0 * std::sin(angle), 1.0 * j, 8.0 * std::cos(angle)};
  });
  const auto patch_count = [&](double degrees) {
    const research::HierarchyOptions options{.builder = research::TreeBuilder::Connected,
                                             .cones = research::NormalCones::Tight};
    SubSurfaceSession session(grid_triangles(16, 8), bent,
                              hierarchy_choices(Method::Adaptive, options, {.low_curvature = degrees}));
    session.begin(bent, bent, 0.0);
    const auto limit = static_cast<float>(degrees * std::numbers::pi / 180.0);
    for (const std::uint32_t patch : session.patches()) {
      if (patch != kNoNode) {
        EXPECT_LE(session.hierarchy().moving_part().patches()->cones()[patch].angle, limit);
      }
    }
    return session.counts().free_patches;
  };
  EXPECT_EQ(patch_count(70.0), 1U);
  EXPECT_GT(patch_count(20.0), 1U);
}

TEST(SubSurfaces, WithoutProofsThereIsNothingToOpen) {
  const Points rest = grid_points(8, 8, flat);
  const std::vector<Points> frames = rolling_frames(8, 4);
  SubSurfaceSession session(grid_triangles(8, 8), rest, adaptive_choices());
  session.begin(rest, rest, kEverything);
  ASSERT_EQ(session.free_leaves(), 128U);
  session.hierarchy().disable_culling();  // as for a thickness
  session.go_on(frames[3], frames[4]);
  EXPECT_TRUE(session.fresh().empty());
  EXPECT_EQ(session.violating(), 0U);
  EXPECT_EQ(session.counts().cone_tests, 0U);
}

}  // namespace
}  // namespace graze::testing
