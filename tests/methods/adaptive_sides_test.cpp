// Remembered sides in cases made by hand: where the geometry of a step cannot say on which side a pair was, method
// adaptive says where it came from.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "support/adaptive_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

/// A static face in the plane z = 0, counter-clockwise seen from above, and a triangle whose lowest vertex, 3,
/// moves through given points above and below it: at most one vertex-face impact. Distant triangles make sessions
/// worthwhile.
class LedVertex {
 public:
  explicit LedVertex(const DetectorOptions& options) : options_(options), detector_(scene(), options) {}

  struct Sides {
    int geometric = 0;
    int remembered = 0;
    friend bool operator==(const Sides&, const Sides&) = default;
    // NOLINTNEXTLINE(readability-identifier-naming): a name of GoogleTest
    friend void PrintTo(const Sides& sides, std::ostream* out) {
      *out << "geometric " << sides.geometric << ", remembered " << sides.remembered;
    }
  };
  static constexpr Sides kNone = {9, 9};

  /// Moves vertex 3 to a point from its current position, or from that set by put().
  Sides to(const Vec3& end) {
    const Impacts impacts = detector_.impacts(positions(at_), positions(end));
    at_ = end;
    Sides sides = kNone;
    for (const Impact& impact : impacts.impacts) {
      if (impact.pair != FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}) continue;
      sides = {impact.side, impact.remembered_side};
    }
    return sides;
  }
  Sides to(double x, double y, double z) { return to(Vec3{x, y, z}); }
  void put(const Vec3& at) { at_ = at; }
  [[nodiscard]] const DetectorOptions& options() const { return options_; }
  [[nodiscard]] Detector& detector() { return detector_; }
  void grow(std::size_t count) { more_ += count; }
  [[nodiscard]] std::vector<Vec3> positions(const Vec3& tip) const {
    // The rest of the triangle is far above the tip and crosses nothing: only the tip touches the face.
    std::vector<Vec3> x = {{-4, -4, 0},
                           {4, -4, 0},
                           {0, 4, 0},
                           tip,
                           {tip.x + 0.1, tip.y, tip.z + 20},
                           {tip.x, tip.y + 0.1, tip.z + 20}};
    x.resize(x.size() + more_, Vec3{100, 100, 100});
    return x;
  }

 private:
  static Scene scene() {
    Scene scene;
    const std::vector<Triangle> one = {{0, 1, 2}};
    const std::vector<Vec3> face = {{-4, -4, 0}, {4, -4, 0}, {0, 4, 0}};
    const std::vector<Vec3> tip = {{0, 0, 1}, {0.1, 0, 21}, {0, 0.1, 21}};
    scene.add_body({.positions = face, .triangles = one, .motion = Motion::Static});
    scene.add_body({.positions = tip, .triangles = one});
    return scene;
  }

  DetectorOptions options_;
  Detector detector_;
  Vec3 at_{0, 0, 1};
  std::size_t more_ = 0;
};

using Sides = LedVertex::Sides;
constexpr Sides kNone = LedVertex::kNone;

/// Runs the same story with every choice of options.
template <typename Story>
void for_every_choice(const Story& story) {
  for (const AdaptiveChoice& choice : adaptive_choices()) {
    if (choice.options.thickness > 0.0) continue;
    SCOPED_TRACE(choice.name);
    LedVertex led(choice.options);
    story(led);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(AdaptiveSides, OfRestingContactIsWhereItCameFrom) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(led.to(0, 0, 0), (Sides{0, 1})) << i;
  });
}

TEST(AdaptiveSides, OfRestingContactFromBelowIsBelow) {
  for_every_choice([](LedVertex& led) {
    led.put({0, 0, -1});
    EXPECT_EQ(led.to(0, 0, 0), (Sides{-1, -1}));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(led.to(0, 0, 0), (Sides{0, -1})) << i;
  });
}

TEST(AdaptiveSides, WithoutHistoryIsThatOfTheGeometry) {
  for_every_choice([](LedVertex& led) {
    led.put({0, 0, 0});
    EXPECT_EQ(led.to(0, 0, 0), (Sides{0, 0}));
    EXPECT_EQ(led.to(0.25, 0, 0), (Sides{0, 0}));
  });
}

TEST(AdaptiveSides, OfSlidingInThePlaneStays) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    for (int i = 1; i < 12; ++i) EXPECT_EQ(led.to(0.0625 * i, 0.03125 * i, 0), (Sides{0, 1})) << i;
    EXPECT_EQ(led.to(0, 0, 0.5), (Sides{0, 1}));  // leaves the plane
  });
}

TEST(AdaptiveSides, OfWhatPassedThroughIsTheOldOneWhenItComesBack) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, -0.5), (Sides{1, 1}));
    EXPECT_EQ(led.to(0, 0, -0.25), kNone);
    EXPECT_EQ(led.to(0, 0, 0.5), (Sides{-1, 1}));  // from below in this step, but it belongs above
    EXPECT_EQ(led.to(0, 0, -0.5), (Sides{1, 1}));
  });
}

TEST(AdaptiveSides, OfWhatRestsAfterItPassedThroughIsTheOldOne) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, -0.5), (Sides{1, 1}));
    EXPECT_EQ(led.to(0, 0, 0), (Sides{-1, 1}));
    EXPECT_EQ(led.to(0, 0, 0), (Sides{0, 1}));
  });
}

TEST(AdaptiveSides, SurvivesGapsOfAFewSteps) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    EXPECT_EQ(led.to(0, 0, 0.5), (Sides{0, 1}));
    for (int i = 0; i < 7; ++i) EXPECT_EQ(led.to(0, 0, 0.5 + 0.01 * i), kNone) << i;
    led.put({0, 0, 0});
    EXPECT_EQ(led.to(0.125, 0, 0), (Sides{0, 1}));
  });
}

TEST(AdaptiveSides, IsForgottenAfterManySteps) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    EXPECT_EQ(led.to(0, 0, 0.5), (Sides{0, 1}));
    for (int i = 0; i < 12; ++i) EXPECT_EQ(led.to(0, 0, 0.5 + 0.01 * i), kNone) << i;
    led.put({0, 0, 0});
    EXPECT_EQ(led.to(0.125, 0, 0), (Sides{0, 0}));
  });
}

TEST(AdaptiveSides, OfWhatWentRoundIsTheNewOne) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    EXPECT_EQ(led.to(0, 0, 0.5), (Sides{0, 1}));
    EXPECT_EQ(led.to(9, 0, 0.5), kNone);
    EXPECT_EQ(led.to(9, 0, -0.5), kNone);
    EXPECT_EQ(led.to(0, 0, -0.5), kNone);
    EXPECT_EQ(led.to(0, 0, 0), (Sides{-1, -1}));
    EXPECT_EQ(led.to(0, 0, 0), (Sides{0, -1}));
  });
}

TEST(AdaptiveSides, OfTheFirstImpactIsTheSameAndRemembersNothing) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    for (int i = 0; i < 3; ++i) {
      const std::vector<Vec3> x = led.positions({0, 0, 0});
      const FirstImpact first = led.detector().first_impact(x, x);
      ASSERT_TRUE(first.impact.has_value());
      EXPECT_EQ(first.impact->side, 0);
      EXPECT_EQ(first.impact->remembered_side, 1);
    }
    EXPECT_EQ(led.to(0, 0, 0), (Sides{0, 1}));
  });
}

TEST(AdaptiveSides, OfEdgesThatPassedEachOtherIsTheOldOne) {
  for_every_choice([](LedVertex& led) {
    // Another scene: a static edge along x and a moving edge along y.
    Step step = crossing_edges();
    Detector detector(step.scene, led.options());
    double at = 1.0;
    const auto to = [&](double z) {
      std::vector<Vec3> x_t0 = step.x_t0;
      std::vector<Vec3> x_t1 = step.x_t0;
      for (std::size_t v = 3; v < 6; ++v) {
        x_t0[v].z += at - 1.0;
        x_t1[v].z += z - 1.0;
      }
      at = z;
      Sides sides = kNone;
      for (const Impact& impact : detector.impacts(x_t0, x_t1).impacts) {
        if (impact.pair != FeaturePair{FeatureKind::EdgeEdge, {0, 1, 3, 4}}) continue;
        sides = {impact.side, impact.remembered_side};
      }
      return sides;
    };
    EXPECT_EQ(to(-0.5), (Sides{-1, -1}));  // the first edge is below the other: x cross y points away from it
    EXPECT_EQ(to(-0.25), kNone);
    EXPECT_EQ(to(0.5), (Sides{1, -1}));
    EXPECT_EQ(to(0.0), (Sides{-1, -1}));
    EXPECT_EQ(to(0.0), (Sides{0, -1}));
    EXPECT_EQ(to(0.0), (Sides{0, -1}));
  });
}

TEST(AdaptiveSides, AreNotTouchedByAQueryThatIsStopped) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, -0.5), (Sides{1, 1}));
    // Back through the face: the first query is stopped, the second completes.
    const std::vector<Vec3> x_t0 = led.positions({0, 0, -0.5});
    const std::vector<Vec3> x_t1 = led.positions({0, 0, 0.5});
    EXPECT_THROW(led.detector().impacts(x_t0, x_t1, [](std::span<const Impact>) { return false; }), Interrupted);
    EXPECT_EQ(led.to(0, 0, 0.5), (Sides{-1, 1}));
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
  });
}

TEST(AdaptiveSides, SurvivesAnEditElsewhere) {
  for_every_choice([](LedVertex& led) {
    EXPECT_EQ(led.to(0, 0, 0), (Sides{1, 1}));
    SceneEdit edit = led.detector().begin_edit();
    const std::vector<Vec3> far(3, Vec3{100, 100, 100});
    const std::vector<Triangle> one = {{0, 1, 2}};
    static_cast<void>(edit.add_body({.positions = far, .triangles = one}));
    led.detector().apply(edit);
    led.grow(3);
    EXPECT_EQ(led.to(0, 0, 0), (Sides{0, 1}));
  });
}

}  // namespace
}  // namespace graze::testing
