// The proof that a cluster is free of self-collision, against the exact tests of all its pairs: shapes that only a
// careful proof handles, and touches within rounding error. Simple shapes must be proved free.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "methods/cluster/random_disc.hpp"
#include "methods/cluster/self_proof_shapes.hpp"

namespace graze {
namespace {

using namespace cluster_samples;

TEST(SelfProof, SaysThatWhatIsFlatAndMovesGentlyIsFree) {
  const auto expect_free = [](SceneStep step) {
    EXPECT_TRUE(is_free(step)) << "at rest";
    Random random(step.triangles.size());
    for (Vec3& p : step.x_t1) {
      p = {p.x + 3.0 + 0.01 * random.symmetric(), p.y + 0.01 * random.symmetric(), p.z + random.symmetric() / 8};
    }
    std::vector<SceneStep> places = elsewhere(step);
    places.pop_back();  // sheared: four directions hardly separate its edges
    for (const SceneStep& one : places) EXPECT_TRUE(is_free(one)) << oracle::to_source(one);
    Tally tally;
    expect_sound(step, tally);
    EXPECT_EQ(tally.free, 1U);
  };
  for (std::uint32_t columns = 1; columns <= 4; ++columns) {
    for (std::uint32_t rows = 1; rows <= 4; ++rows) expect_free(grid(columns, rows));  // at most 32 faces
  }
  for (int quads = 1; quads <= 15; ++quads) {  // contours of 4 to 32 edges
    SCOPED_TRACE(quads);
    expect_free(band({.quads = quads, .degrees = 20.0 * quads}));
  }
  for (int faces = 1; faces <= 30; ++faces) {  // contours of 3 to 32 edges
    SCOPED_TRACE(faces);
    expect_free(fan(faces, 10.0 * faces, false, 2.0, 0.0, 0.0));
    if (faces >= 4) {
      expect_free(fan(faces, 360.0, true, 2.0, 0.0, 0.0));
    }
  }
}

TEST(SelfProof, IsRightForBandsThatIntersectThemselves) {
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
  // The ends of a band are tips; one passes the other in direction `way`, and touches it at `time` or misses it by
  // `off`.
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
  // Positions that floats round in any direction; the slit closes until floats cannot distinguish its edges.
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
    for (const ClusterLocalFrame& local_frame : local_frames_for(step)) {
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
      if (!ask(*shape, opened(0.1), local_frame).free) continue;
      // The narrowest slit that is proved free.
      double narrow = 0.0;
      double wide = 0.1;
      for (int i = 0; i < 40; ++i) {
        const double middle = (narrow + wide) / 2;
        (ask(*shape, opened(middle), local_frame).free ? wide : narrow) = middle;
      }
      EXPECT_GT(wide * local_frame.scale, ask(*shape, step, local_frame).error);
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
      SceneStep folded = grid(4, 4);  // folded at its middle, flat or nearly; the upper half slides
      for (std::size_t v = 0; v < folded.x_t0.size(); ++v) {
        Vec3& p = folded.x_t0[v];
        if (p.x > 2.0) p = {4.0 - p.x, p.y, lift * (p.x - 2.0)};
        folded.x_t1[v] = p;
        if (p.z > 0.0) folded.x_t1[v].y += way * p.z;
      }
      for (const SceneStep& one : elsewhere(folded)) expect_sound(one, tally);
      SceneStep folding = grid(4, 4);  // folds during the step
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
      step.x_t1[v] = {-p.x, -p.y, p.z};  // shrinks to a point at t = 1/2 and inverts
    }
    expect_sound(step, tally);
    EXPECT_FALSE(is_free(step));
    for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
      step.x_t1[v] = {-step.x_t0[v].x, step.x_t0[v].y, step.x_t0[v].z};  // shrinks to a line
    }
    expect_sound(step, tally);
    EXPECT_FALSE(is_free(step));
    // Moves one vertex part of the way, up to, or beyond the others, while they are static.
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
  // One corner is far, or very far, from the others.
  for (const double far : {1e3, 1e6, 1e9, 1e100, 1e300}) {
    step = grid(4, 4);
    step.x_t0[0] = {-far, -far, 0};
    step.x_t1[0] = step.x_t0[0];
    expect_sound(step, tally);
    step.x_t1[0] = {far, far / 2, 0};
    expect_sound(step, tally);
  }
}

}  // namespace
}  // namespace graze
