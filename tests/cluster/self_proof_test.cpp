// The proof that a cluster is free of itself, against the exact tests of all its pairs: shapes that all but a
// careful proof takes for free, touches by a hair, and random discs. And that it does say free where that is easy.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "cluster/random_disc.hpp"
#include "cluster/self_proof_check.hpp"
#include "pipeline/cone_gallery.hpp"
#include "simd/targets.hpp"

namespace graze {
namespace {

using namespace cluster_samples;

/// How often the proof said free, and how often something touched.
struct Tally {
  std::size_t free = 0;
  std::size_t in_contact = 0;
};

/// The proof is right in many frames; where it says nothing, candidates have all that touches.
void expect_sound(const SceneStep& step, Tally& tally) {
  const std::optional<Cluster> shape = one_cluster(step.triangles);
  ASSERT_TRUE(shape.has_value());
  const std::vector<FeaturePair> expected = touching(step, true);
  tally.in_contact += expected.empty() ? 0U : 1U;
  bool first = true;
  for (const ClusterFrame& frame : frames_for(step)) {
    const SelfAnswer answer = ask(*shape, step, frame);
    ASSERT_FALSE(answer.free && !expected.empty())
        << "said to be free, but " << oracle::to_string(expected.front()) << " touch\n"
        << oracle::to_source(step);
    ASSERT_TRUE(missing(expected, answer.candidates).empty()) << oracle::to_source(step);
    tally.free += first && answer.free ? 1U : 0U;
    first = false;
  }
}

bool is_free(const SceneStep& step) {
  return ask(one_cluster(step.triangles).value(), step, frame_of(middle_of(step.x_t0))).free;
}

/// A multiple of 2^-10: sums and differences of such are exact, and so are touches.
double snapped(double x) {
  return std::ldexp(std::round(std::ldexp(x, 10)), -10);
}

Vec3 polar(double radius, double degrees, double z) {
  const double angle = degrees * std::numbers::pi / 180.0;
  return {snapped(radius * std::cos(angle)), snapped(radius * std::sin(angle)), z};
}

SceneStep grid(std::uint32_t columns, std::uint32_t rows) {
  SceneStep step;
  for (std::uint32_t j = 0; j <= rows; ++j) {
    for (std::uint32_t i = 0; i <= columns; ++i) step.x_t0.push_back({double(i), double(j), 0.0});
  }
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      const VertexId a = j * (columns + 1) + i;
      const VertexId c = a + columns + 1;
      step.triangles.push_back({a, a + 1, c});
      step.triangles.push_back({a + 1, c + 1, c});
    }
  }
  step.x_t1 = step.x_t0;
  return step;
}

/// A band of quads round the origin, from 0 to `degrees`; its radius grows, and it rises, by so much a turn.
struct Spiral {
  int quads = 15;
  double degrees = 300.0;
  double inner = 2.0;
  double width = 0.5;
  double growth = 0.0;
  double rise = 0.0;
};

SceneStep band(const Spiral& spiral) {
  SceneStep step;
  for (int i = 0; i <= spiral.quads; ++i) {
    const double degrees = spiral.degrees * i / spiral.quads;
    const double inner = spiral.inner + spiral.growth * degrees / 360.0;
    const double z = snapped(spiral.rise * degrees / 360.0);
    step.x_t0.push_back(polar(inner, degrees, z));
    step.x_t0.push_back(polar(inner + spiral.width, degrees, z));
  }
  for (VertexId v = 0; v < 2 * static_cast<VertexId>(spiral.quads); v += 2) {
    step.triangles.push_back({v, v + 1, v + 3});
    step.triangles.push_back({v, v + 3, v + 2});
  }
  step.x_t1 = step.x_t0;
  return step;
}

/// Faces round the origin, over `degrees`: an open fan, or a closed one that winds round it as often as that is.
SceneStep fan(int faces, double degrees, bool closed, double radius, double growth, double rise) {
  SceneStep step;
  step.x_t0.push_back({0, 0, 0});
  for (int i = 0; i < faces + (closed ? 0 : 1); ++i) {
    const double part = degrees * i / faces;
    step.x_t0.push_back(polar(radius + growth * part / 360.0, part, snapped(rise * part / 360.0)));
  }
  for (int i = 0; i < faces; ++i) {
    const auto v = static_cast<VertexId>(i + 1);
    step.triangles.push_back({0, v, closed && i + 1 == faces ? 1 : v + 1});
  }
  step.x_t1 = step.x_t0;
  return step;
}

/// A grid of 4 x 4 that is slit from its right side to its middle along y = 2; vertices 13 and 14 are the lower
/// lip, 25 and 26 the upper.
SceneStep slit_grid() {
  SceneStep step = grid(4, 4);
  for (Triangle& t : step.triangles) {
    const bool above = step.x_t0[t[0]].y + step.x_t0[t[1]].y + step.x_t0[t[2]].y > 6.0;
    for (VertexId& v : t) v = above && v == 13 ? 25 : above && v == 14 ? 26 : v;
  }
  for (const VertexId v : {13U, 14U}) {
    step.x_t0.push_back(step.x_t0[v]);
    step.x_t1.push_back(step.x_t1[v]);
  }
  return step;
}

template <typename Change>
SceneStep changed(SceneStep step, const Change& change) {
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (Vec3& p : *x) p = change(p);
  }
  return step;
}

/// Scaled by powers of two and moved by exact amounts; in other planes.
std::vector<SceneStep> elsewhere(const SceneStep& step) {
  std::vector<SceneStep> all{step};
  for (const int exponent : {-900, -40, 40, 900}) {
    all.push_back(changed(step, [&](const Vec3& p) {
      return Vec3{std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
    }));
  }
  all.push_back(changed(step, [](const Vec3& p) { return Vec3{p.x + 0x1p20, p.y - 0x1p24, p.z + 4097.0}; }));
  all.push_back(changed(step, [](const Vec3& p) { return Vec3{p.z, p.x, p.y}; }));
  all.push_back(changed(step, [](const Vec3& p) { return Vec3{p.x, p.y, p.z + p.x - 2 * p.y}; }));
  return all;
}

TEST(SelfProof, SaysThatWhatIsFlatAndMovesGentlyIsFree) {
  const auto expect_free = [](SceneStep step) {
    EXPECT_TRUE(is_free(step)) << "at rest";
    Random random(step.triangles.size());
    for (Vec3& p : step.x_t1) {
      p = {p.x + 3.0 + 0.01 * random.symmetric(), p.y + 0.01 * random.symmetric(), p.z + random.symmetric() / 8};
    }
    std::vector<SceneStep> places = elsewhere(step);
    places.pop_back();  // slanted: four directions hardly tell its edges apart
    for (const SceneStep& one : places) EXPECT_TRUE(is_free(one)) << oracle::to_source(one);
    Tally tally;
    expect_sound(step, tally);
    EXPECT_EQ(tally.free, 1U);
  };
  for (std::uint32_t columns = 1; columns <= 4; ++columns) {
    for (std::uint32_t rows = 1; rows <= 4; ++rows) expect_free(grid(columns, rows));  // 32 faces at most
  }
  for (int quads = 1; quads <= 15; ++quads) {  // contours of 4 to 32
    SCOPED_TRACE(quads);
    expect_free(band({.quads = quads, .degrees = 20.0 * quads}));
  }
  for (int faces = 1; faces <= 30; ++faces) {  // contours of 3 to 32
    SCOPED_TRACE(faces);
    expect_free(fan(faces, 10.0 * faces, false, 2.0, 0.0, 0.0));
    if (faces >= 4) {
      expect_free(fan(faces, 360.0, true, 2.0, 0.0, 0.0));
    }
  }
}

TEST(SelfProof, IsRightOfBandsThatMeetThemselves) {
  Tally tally;
  for (const double degrees : {200.0, 300.0, 350.0, 360.0, 365.0, 400.0, 540.0, 600.0, 715.0}) {
    for (const double growth : {-0.75, -0.25, 0.0, 0.25, 0.5, 0.75}) {
      for (const double rise : {0.0, 0.25, 1.0}) {
        for (const int quads : {9, 14, 15}) {
          SCOPED_TRACE(std::to_string(degrees) + " degrees, growth " + std::to_string(growth));
          expect_sound(band({.quads = quads, .degrees = degrees, .growth = growth, .rise = rise}), tally);
          ASSERT_FALSE(HasFatalFailure());
        }
      }
    }
  }
  EXPECT_GT(tally.free, 100U);
  EXPECT_GT(tally.in_contact, 50U);
}

TEST(SelfProof, IsRightOfFansOfMoreThanATurn) {
  Tally tally;
  for (int faces = 3; faces <= 30; faces += 3) {
    for (const double degrees : {170.0, 350.0, 359.0, 360.0, 361.0, 380.0, 500.0, 720.0, 1080.0}) {
      if (degrees / faces >= 179.0) continue;
      for (const double growth : {-0.5, 0.0, 0.5}) {
        for (const double rise : {0.0, 0.5}) {
          SCOPED_TRACE(std::to_string(faces) + " faces, " + std::to_string(degrees) + " degrees");
          expect_sound(fan(faces, degrees, false, 2.0, growth, rise), tally);
          expect_sound(fan(faces, degrees, true, 2.0, growth, rise), tally);
          ASSERT_FALSE(HasFatalFailure());
        }
      }
    }
  }
  EXPECT_GT(tally.free, 50U);
  EXPECT_GT(tally.in_contact, 50U);
}

TEST(SelfProof, IsRightOfBandsWhoseTipsTouchAtAnyTimeOrMissByAHair) {
  // The ends of a band are tips; one passes the other in direction `way`, and is there at `time`, or `off` aside.
  Tally tally;
  constexpr double kUlp = std::numeric_limits<double>::epsilon();
  for (const double time : {0.0, 0.25, 0.5, 1.0}) {
    for (const Vec3& way : {Vec3{0.25, 0, 0}, Vec3{0, 0.25, 0}, Vec3{0, -0.25, 0}, Vec3{0.125, 0.25, 0},
                            Vec3{-0.25, 0.25, 0}, Vec3{0, 0, 0.5}, Vec3{0.125, 0, 0.5}, Vec3{0, 0, 0}}) {
      for (const double off : {0.0, kUlp, -kUlp, 0x1p-24, -0x1p-24, 0x1p-20, 0x1p-18, -0x1p-16, 0x1p-8}) {
        SceneStep step = band({.quads = 13, .degrees = 330.0});
        const auto first = static_cast<VertexId>(step.x_t0.size());
        const VertexId last = first - 1;
        const Vec3 tip = polar(2.25, 345.0, 0.0);
        step.x_t0.push_back(tip);
        step.x_t1.push_back(tip);
        step.triangles.push_back({0, first, 1});
        const auto at = [&](double t) {
          return Vec3{tip.x + t * way.x, tip.y + t * way.y + 4.0 * off, tip.z + t * way.z};
        };
        step.x_t0.push_back(at(-time));
        step.x_t1.push_back(at(1.0 - time));
        step.triangles.push_back({last - 1, last, first + 1});
        for (const SceneStep& one : elsewhere(step)) expect_sound(one, tally);
        ASSERT_FALSE(HasFatalFailure()) << "time " << time << ", off " << off;
        if (off == 0.0) {
          EXPECT_FALSE(is_free(step));
        }
      }
    }
  }
  EXPECT_GT(tally.free, 100U);
  EXPECT_GT(tally.in_contact, 500U);
}

TEST(SelfProof, IsRightOfSlitsThatCloseAtEitherEndOrOpenByAHair) {
  Tally tally;
  const std::array<double, 9> openings = {0.0, 0x1p-51, -0x1p-51, 0x1p-25, 0x1p-23, 0x1p-20, 0x1p-17, 0x1p-10, 0.5};
  for (const double at_t0 : openings) {
    for (const double at_t1 : openings) {
      const double way = at_t0 > at_t1 ? 0.25 : 0.0;
      SceneStep step = slit_grid();
      for (const VertexId v : {25U, 26U}) {
        step.x_t0[v].y += at_t0;
        step.x_t1[v].y += at_t1;
        step.x_t1[v].x += way;
      }
      for (const SceneStep& one : elsewhere(step)) expect_sound(one, tally);
      ASSERT_FALSE(HasFatalFailure()) << at_t0 << " " << at_t1;
      EXPECT_FALSE(is_free(step) && (at_t0 <= 0.0 || at_t1 <= 0.0));
      EXPECT_TRUE(is_free(step) || way > 0.0 || at_t0 < 0x1p-11) << at_t0 << " " << at_t1;
    }
  }
}

TEST(SelfProof, IsRightOfSlitsAboutAsWideAsTheErrorOfFloats) {
  // Positions that floats round this way and that; the lips are pulled together until floats do not tell.
  std::size_t close = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    Random random(1, index);
    SceneStep step = slit_grid();
    const auto turn = random_turn(random);
    const double far = random.coin() ? 0.0 : 100.0 * random.unit();
    step = changed(step, [&](const Vec3& p) { return turned(turn, {p.x / 3 + far, p.y / 3, p.z / 3}); });
    const std::optional<Cluster> shape = one_cluster(step.triangles);
    ASSERT_TRUE(shape.has_value());
    const Vec3 up = turned(turn, {0, 1, 0});
    for (const ClusterFrame& frame : frames_for(step)) {
      const auto opened = [&](double by) {
        SceneStep open = step;
        for (const VertexId v : {25U, 26U}) {
          for (std::vector<Vec3>* x : {&open.x_t0, &open.x_t1}) {
            Vec3& p = (*x)[v];
            p = {p.x + by * up.x, p.y + by * up.y, p.z + by * up.z};
          }
        }
        return open;
      };
      if (!ask(*shape, opened(0.1), frame).free) continue;
      // The narrowest that is said to be free.
      double narrow = 0.0;
      double wide = 0.1;
      for (int i = 0; i < 40; ++i) {
        const double middle = (narrow + wide) / 2;
        (ask(*shape, opened(middle), frame).free ? wide : narrow) = middle;
      }
      EXPECT_GT(wide * frame.scale, ask(*shape, step, frame).error);
      ASSERT_TRUE(touching(opened(wide), false).empty()) << index;
      ++close;
    }
  }
  EXPECT_GT(close, 800U);
}

TEST(SelfProof, IsRightOfFoldsAndOfWhatTurnsOverInTheStep) {
  Tally tally;
  for (const double lift : {0.0, 0x1p-30, 0x1p-20, 0.25, 1.0}) {
    for (const double way : {0.0, 0x1p-20, 0.5, 2.0, 4.0}) {
      SceneStep folded = grid(4, 4);  // along its middle, flat or nearly; the upper half glides
      for (std::size_t v = 0; v < folded.x_t0.size(); ++v) {
        Vec3& p = folded.x_t0[v];
        if (p.x > 2.0) p = {4.0 - p.x, p.y, lift * (p.x - 2.0)};
        folded.x_t1[v] = p;
        if (p.z > 0.0) folded.x_t1[v].y += way * p.z;
      }
      for (const SceneStep& one : elsewhere(folded)) expect_sound(one, tally);
      SceneStep folding = grid(4, 4);  // from flat to there
      folding.x_t1 = folded.x_t0;
      for (const SceneStep& one : elsewhere(folding)) expect_sound(one, tally);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
  EXPECT_GT(tally.in_contact, 50U);
  for (const SceneStep& shape : {grid(4, 4), band({}), fan(9, 360.0, true, 2.0, 0.0, 0.0), grid(1, 1)}) {
    SceneStep step = shape;
    for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
      const Vec3& p = step.x_t0[v];
      step.x_t1[v] = {-p.x, -p.y, p.z};  // to a point in the middle of the step, and beyond
    }
    expect_sound(step, tally);
    EXPECT_FALSE(is_free(step));
    for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
      step.x_t1[v] = {-step.x_t0[v].x, step.x_t0[v].y, step.x_t0[v].z};  // to a line
    }
    expect_sound(step, tally);
    EXPECT_FALSE(is_free(step));
    // One vertex across the rest, there, or not quite; by itself or with the rest in motion.
    for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
      for (const double by : {0.25, 1.0, 3.0}) {
        step.x_t1 = step.x_t0;
        step.x_t1[v] = {step.x_t0[v].x + by, step.x_t0[v].y - by / 2, step.x_t0[v].z};
        expect_sound(step, tally);
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(SelfProof, IsRightOfWhatHasNoSizeOrNoPlane) {
  Tally tally;
  SceneStep step = grid(4, 4);
  for (const Vec3& factor : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 0x1p-30, 0}, Vec3{1, 0x1p-60, 0},
                             Vec3{0x1p-500, 1, 0}, Vec3{0x1p-1070, 0x1p-1070, 0}, Vec3{0x1p1020, 0x1p1020, 0}}) {
    const SceneStep thin = changed(step, [&](const Vec3& p) {
      return Vec3{p.x * factor.x, p.y * factor.y, p.x * p.y * factor.z};
    });
    expect_sound(thin, tally);
    expect_sound(changed(thin, [](const Vec3& p) { return Vec3{p.z, p.y, p.x}; }), tally);
  }
  // One corner far, or very far, from all the rest.
  for (const double far : {1e3, 1e6, 1e9, 1e100, 1e300}) {
    step = grid(4, 4);
    step.x_t0[0] = {-far, -far, 0};
    step.x_t1[0] = step.x_t0[0];
    expect_sound(step, tally);
    step.x_t1[0] = {far, far / 2, 0};
    expect_sound(step, tally);
  }
}

/// Faces that hang together, up to 32, from one on.
std::optional<SceneStep> part_of(const SceneStep& step, std::size_t from) {
  SceneStep part{{}, step.x_t0, step.x_t1};
  std::vector<bool> in(step.triangles.size());
  std::queue<std::size_t> next;
  next.push(from);
  in[from] = true;
  while (!next.empty() && part.triangles.size() < kClusterFaces) {
    const Triangle t = step.triangles[next.front()];
    next.pop();
    part.triangles.push_back(t);
    if (!one_cluster(part.triangles)) {
      part.triangles.pop_back();
      break;
    }
    for (std::size_t f = 0; f < step.triangles.size(); ++f) {
      const auto& u = step.triangles[f];
      const auto common =
          std::count_if(u.begin(), u.end(), [&](VertexId v) { return std::count(t.begin(), t.end(), v) > 0; });
      if (in[f] || common < 2) continue;
      in[f] = true;
      next.push(f);
    }
  }
  if (part.triangles.empty()) return std::nullopt;
  return part;
}

TEST(SelfProof, IsRightOfTheGalleryOfConesWholeAndInParts) {
  std::size_t whole = 0;
  std::size_t free = 0;
  std::size_t in_contact = 0;
  for (const testing::GalleryCase& item : testing::cone_gallery()) {
    SCOPED_TRACE(item.name);
    const SceneStep& step = item.step;
    if (one_cluster(step.triangles)) {
      ++whole;
      const std::vector<oracle::Contact> contacts = oracle::contacts(step);
      const SelfAnswer answer = ask(*one_cluster(step.triangles), step, frame_of(middle_of(step.x_t0)));
      EXPECT_FALSE(answer.free && !contacts.empty());
      EXPECT_TRUE(missing(oracle::pairs_of(contacts), answer.candidates).empty());
      Tally tally;
      for (const SceneStep& one : elsewhere(step)) expect_sound(one, tally);
    }
    const std::size_t stride = step.triangles.size() > 100 ? 16 : 2;
    for (std::size_t from = 0; from < step.triangles.size(); from += stride) {
      const std::optional<SceneStep> part = part_of(step, from);
      ASSERT_TRUE(part.has_value());
      const bool touches = !touching(*part, false).empty();
      const bool said_free = is_free(*part);
      ASSERT_FALSE(said_free && touches) << oracle::to_source(*part);
      free += said_free ? 1U : 0U;
      in_contact += touches ? 1U : 0U;
    }
  }
  EXPECT_GT(whole, 3U);
  EXPECT_GT(free, 50U);
  EXPECT_GT(in_contact, 50U);
}

TEST(SelfProof, IsRightOfRandomDiscs) {
  std::size_t free = 0;
  std::size_t discs = 0;
  for (std::uint64_t index = 0; index < 6000; ++index) {
    Random random(2, index);
    const SceneStep step = random_disc(random);
    const std::optional<Cluster> shape = one_cluster(step.triangles);
    ASSERT_TRUE(shape.has_value());
    ASSERT_GT(shape->contour_count, 0) << "grown as a disc";
    ++discs;
    bool any = false;
    for (const ClusterFrame& frame : frames_for(step)) any = any || ask(*shape, step, frame).free;
    if (!any) continue;
    ++free;
    ASSERT_TRUE(touching(step, false).empty()) << index << "\n" << oracle::to_source(step);
  }
  EXPECT_GT(free, discs / 5);
  EXPECT_LT(free, discs);
}

TEST(SelfProof, IsRightOfRandomDiscsThatMoveAsFarAsItSaysFree) {
  std::size_t limits = 0;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    Random random(3, index);
    const SceneStep step = random_disc(random);
    const Cluster shape = one_cluster(step.triangles).value();
    const ClusterFrame frame = frame_of(middle_of(step.x_t0));
    Random ways(4, index);
    std::vector<Vec3> way;
    for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
      way.push_back({ways.symmetric(), ways.symmetric(), ways.symmetric()});
    }
    const auto moved = [&](double by) {
      SceneStep result = step;
      for (std::size_t v = 0; v < way.size(); ++v) {
        const Vec3& p = step.x_t0[v];
        result.x_t1[v] = {p.x + by * way[v].x, p.y + by * way[v].y, p.z + by * way[v].z};
      }
      return result;
    };
    double some = 0.0;
    double most = 16.0;
    if (!ask(shape, moved(some), frame).free || ask(shape, moved(most), frame).free) continue;
    for (int i = 0; i < 40; ++i) {
      const double middle = (some + most) / 2;
      (ask(shape, moved(middle), frame).free ? some : most) = middle;
    }
    ++limits;
    ASSERT_TRUE(touching(moved(some), false).empty()) << index << "\n" << oracle::to_source(moved(some));
  }
  EXPECT_GT(limits, 300U);
}

TEST(SelfProof, LeavesRoomForTheBlur) {
  // Lips that are pulled together by the blur, each, touch when it is half the opening.
  SceneStep slit = slit_grid();
  const std::optional<Cluster> shape = one_cluster(slit.triangles);
  ASSERT_TRUE(shape.has_value());
  for (const double opening : {0x1p-12, 0x1p-6, 0.25}) {
    SceneStep step = slit;
    for (const VertexId v : {25U, 26U}) {
      step.x_t0[v].y += opening;
      step.x_t1[v].y += opening;
    }
    const ClusterFrame frame = frame_of(middle_of(step.x_t0));
    const auto said_free = [&](double blur) {
      const float b = frame.length_up(blur);
      return ask(*shape, step, frame, {.gap = b, .blur = b}).free;
    };
    EXPECT_TRUE(said_free(opening / 32));
    EXPECT_FALSE(said_free(opening / 2));
    for (const double huge : {1.0, 1e10, 1e30, 1e300}) EXPECT_FALSE(said_free(huge));
  }
  // Random discs, as blurred as may be, shaken by as much.
  std::size_t shaken = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    Random random(5, index);
    const SceneStep step = random_disc(random);
    const Cluster disc = one_cluster(step.triangles).value();
    const ClusterFrame frame = frame_of(middle_of(step.x_t0));
    const auto said_free = [&](double blur) {
      const float b = frame.length_up(blur);
      return ask(disc, step, frame, {.gap = b, .blur = b}).free;
    };
    if (!said_free(0.0)) continue;
    double some = 0.0;
    double most = 16.0;
    for (int i = 0; i < 40; ++i) (said_free((some + most) / 2) ? some : most) = (some + most) / 2;
    for (int i = 0; i < 4; ++i) {
      SceneStep off = step;
      const auto by = [&] { return random.coin() ? some : -some; };
      for (std::vector<Vec3>* x : {&off.x_t0, &off.x_t1}) {
        for (Vec3& p : *x) p = {p.x + by(), p.y + by(), p.z + by()};
      }
      ASSERT_TRUE(touching(off, false).empty()) << index;
      ++shaken;
    }
  }
  EXPECT_GT(shaken, 200U);
}

TEST(SelfProof, LeavesNothingOutWithinAThickness) {
  // Lips of a slit that are near, and never touch.
  SceneStep step = slit_grid();
  for (const VertexId v : {25U, 26U}) step.x_t0[v].y = step.x_t1[v].y = step.x_t0[v].y + 0.125;
  ASSERT_TRUE(is_free(step));
  const ClusterFrame frame = frame_of(middle_of(step.x_t0));
  const SelfAnswer answer =
      ask(one_cluster(step.triangles).value(), step, frame, {.gap = frame.length_up(0.25), .touching = false});
  EXPECT_FALSE(answer.free);
  const ElementaryOptions options{.thickness = 0.25};
  std::size_t near = 0;
  for (const FeaturePair& pair : oracle::non_incident_pairs(oracle::features_of(step.triangles))) {
    const PairStep points = oracle::points_of(pair, step);
    const auto impact = pair.kind == FeatureKind::VertexFace ? impact_vertex_face(points, options)
                                                             : impact_edge_edge(points, options);
    if (!impact) continue;
    ++near;
    EXPECT_TRUE(missing({pair}, answer.candidates).empty()) << oracle::to_string(pair);
  }
  EXPECT_GT(near, 5U);
}

TEST(SelfProof, IsTheSameOnEveryInstructionSet) {
  std::vector<SceneStep> steps;
  for (std::uint64_t index = 0; index < 600; ++index) {
    Random random(6, index);
    steps.push_back(random_disc(random));
  }
  for (int quads = 1; quads <= 15; ++quads) steps.push_back(band({.quads = quads, .degrees = 24.0 * quads}));
  for (int faces = 3; faces <= 30; ++faces) steps.push_back(fan(faces, 360.0, true, 2.0, 0.0, 0.0));
  for (int faces = 1; faces <= 30; ++faces) steps.push_back(fan(faces, 12.5 * faces, false, 2.0, 0.0, 0.0));
  const auto answers = [&] {
    std::vector<SelfAnswer> all;
    for (const SceneStep& step : steps) {
      for (const ClusterFrame& frame : frames_for(step)) {
        all.push_back(ask(one_cluster(step.triangles).value(), step, frame));
      }
    }
    return all;
  };
  const std::vector<SelfAnswer> best = answers();
  ASSERT_FALSE(simd_targets().empty());
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const std::vector<SelfAnswer> others = answers();
    for (std::size_t i = 0; i < best.size(); ++i) {
      ASSERT_EQ(others[i].free, best[i].free) << target << ", " << i;
      ASSERT_EQ(others[i].candidates.vertex_faces, best[i].candidates.vertex_faces) << target << ", " << i;
      ASSERT_EQ(others[i].candidates.edge_edges, best[i].candidates.edge_edges) << target << ", " << i;
    }
  }
  use_simd_target("");
}

}  // namespace
}  // namespace graze
