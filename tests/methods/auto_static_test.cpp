// Temporal coherence of method auto: contacts of static features are kept and not searched again until a vertex has
// moved, the scene was edited, or a query did not complete.
//
// Small scenes on a lattice, so that static features touch exactly; every order of some kinds of steps and queries.
// Every answer is that of brute or r-tri, to the last bit. Cost: thousands of steps of a few triangles.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <graze/graze.hpp>

#include "support/adaptive_check.hpp"
#include "support/hash_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

/// A step between two of the placements.
struct Move {
  std::string_view name;
  int from;
  int to;
};

/// Placements of three triangles: a floor in the plane z = 0, a tip on it or above it, and one across the floor's
/// edge. Placement 2 is placement 0 with zeros of the other sign.
std::vector<Vec3> placed(int place) {
  std::vector<Vec3> x = {{0, 0, 0}, {4, 0, 0},  {0, 4, 0},  {1, 1, 0}, {1, 2, 2},
                         {2, 1, 2}, {1, -1, 0}, {2, -1, 0}, {1, 1, 0}};
  if (place == 1) {
    for (std::size_t v = 3; v < 6; ++v) x[v].z += 1.0;
  }
  if (place == 2) {
    for (Vec3& p : x) p = {p.x == 0.0 ? -0.0 : p.x, p.y == 0.0 ? -0.0 : p.y, p.z == 0.0 ? -0.0 : p.z};
  }
  return x;
}

constexpr std::array<Move, 6> kMoves = {{{"is static", 0, 0},
                                         {"is static above", 1, 1},
                                         {"rises", 0, 1},
                                         {"falls", 1, 0},
                                         {"is static at -0", 2, 2},
                                         {"goes from 0 to -0", 0, 2}}};

enum class Question : std::uint8_t { Impacts, First, Stopped, Streamed };
constexpr std::array kQuestions = {"impacts", "first", "stopped", "streamed"};

class StaticScene {
 public:
  StaticScene() {
    scene_.add_body({.positions = placed(0), .triangles = std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}});
    for (std::size_t p = 0; p < places_.size(); ++p) places_[p] = placed(static_cast<int>(p));
    Detector brute(scene_, {.method = Method::Brute, .threads = 1});
    for (const Move& move : kMoves) {
      impacts_.push_back(brute.impacts(at(move.from), at(move.to)));
      first_.push_back(brute.first_impact(at(move.from), at(move.to)));
    }
  }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const std::vector<Impacts>& known() const { return impacts_; }

  /// Empty if the answer was right.
  [[nodiscard]] std::string ask(Detector& detector, std::size_t m, Question question) const {
    const Move& move = kMoves[m];
    const std::vector<Vec3>& x_t0 = at(move.from);
    const std::vector<Vec3>& x_t1 = at(move.to);
    if (question == Question::First) {
      const FirstImpact first = detector.first_impact(x_t0, x_t1);
      if (first.toi != first_[m].toi || first.impact.has_value() != first_[m].impact.has_value()) return "first";
      return first.impact && first.impact->pair != first_[m].impact->pair ? "another first impact" : "";
    }
    if (question == Question::Stopped) {
      try {
        detector.impacts(x_t0, x_t1, [](std::span<const Impact>) { return false; });
      } catch (const Interrupted&) {
        return {};
      }
      return impacts_[m].impacts.empty() ? "" : "not stopped";
    }
    const Impacts actual =
        question == Question::Streamed ? streamed(detector, x_t0, x_t1) : detector.impacts(x_t0, x_t1);
    return difference(actual, impacts_[m]);
  }

 private:
  [[nodiscard]] const std::vector<Vec3>& at(int place) const { return places_[static_cast<std::size_t>(place)]; }

  Scene scene_;
  std::array<std::vector<Vec3>, 3> places_;
  std::vector<Impacts> impacts_;
  std::vector<FirstImpact> first_;
};

TEST(AutoStatic, AnyOrderOfStepsAndQueriesHasTheAnswersOfBrute) {
  const StaticScene scene;
  std::size_t with_contacts = 0;
  for (const Impacts& known : scene.known()) with_contacts += known.impacts.empty() ? 0U : 1U;
  ASSERT_EQ(with_contacts, kMoves.size());
  ASSERT_NE(scene.known()[0].hash(), scene.known()[1].hash());
  constexpr std::size_t kKinds =
      kMoves.size() * 3;  // stopped, first, impacts; every 7th order covers all pairs of steps
  constexpr std::size_t kBefore = kIsSlow ? 2 : 3;  // steps
  std::size_t orders = 1;
  for (std::size_t k = 0; k < kBefore; ++k) orders *= kKinds;
  for (std::size_t order = 0; order < orders; order += kIsSlow ? 3 : 7) {
    Detector detector(scene.scene(), {.threads = 1});
    std::string story;
    std::size_t rest = order;
    for (std::size_t k = 0; k < kBefore; ++k, rest /= kKinds) {
      const std::size_t m = rest % kMoves.size();
      const auto question = static_cast<Question>(rest / kMoves.size() % 3);
      const std::string text = scene.ask(detector, m, question);
      story += fmt::format("{} ({}), ", kMoves[m].name, kQuestions[static_cast<std::size_t>(question)]);
      ASSERT_EQ(text, "") << story;
    }
    // A last step, which depends on the order.
    const std::size_t last = order % 7 % kMoves.size();
    const std::string text = scene.ask(detector, last, order % 2 == 0 ? Question::Impacts : Question::Streamed);
    ASSERT_EQ(text, "") << story << kMoves[last].name;
  }
}

TEST(AutoStatic, KeepsContactsOfStaticClustersAndTestsNothingElse) {
  const StaticScene scene;
  Detector detector(scene.scene(), {.threads = 1});
  const std::vector<Vec3> x = placed(0);
  const Impacts first = detector.impacts(x, x);
  const Impacts second = detector.impacts(x, x);
  EXPECT_EQ(difference(second, first), "");
  EXPECT_GT(first.stats.vf_tests, 0U);
  EXPECT_EQ(second.stats.vf_tests + second.stats.ee_tests, 0U);
  EXPECT_EQ(second.stats.cluster.kept, second.stats.cluster.clusters);
}

TEST(AutoStatic, TheFirstImpactKeepsThemToo) {
  const StaticScene scene;
  Detector detector(scene.scene(), {.threads = 1});
  const std::vector<Vec3> x = placed(0);
  const FirstImpact first = detector.first_impact(x, x);
  const FirstImpact second = detector.first_impact(x, x);
  EXPECT_EQ(first.toi, 0.0);
  EXPECT_EQ(second.toi, 0.0);
  ASSERT_TRUE(first.impact && second.impact);
  EXPECT_EQ(first.impact->pair, second.impact->pair);
  EXPECT_GT(first.stats.vf_tests, 0U);
  EXPECT_EQ(second.stats.vf_tests + second.stats.ee_tests, 0U);
  Detector fresh(scene.scene(), {.threads = 1});
  const Impacts all = detector.impacts(x, x);
  EXPECT_EQ(difference(all, fresh.impacts(x, x)), "");
  EXPECT_EQ(all.stats.vf_tests + all.stats.ee_tests, 0U);
}

TEST(AutoStatic, ContactsAreKeptForTheNextQueryOnlyWhereThereIsMemory) {
  // Overlapping triangles in one plane: far more contacts than triangles, while the first impact needs only one.
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;
  constexpr VertexId kTriangles = 100;
  for (VertexId t = 0; t < kTriangles; ++t) {
    const double at = 0.01 * t;
    x.insert(x.end(), {{at, 0.0, 0.0}, {2.0 + at, 0.0, 0.0}, {at, 2.0, 0.0}});
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  const Impacts all = Detector(scene, {.threads = 1}).impacts(x, x);
  ASSERT_GT(all.impacts.size(), 5'000U);
  const std::uint64_t without = Detector(scene, {.threads = 1}).first_impact(x, x).stats.memory_bytes;
  Detector capped(scene, {.threads = 1, .memory_cap = without + 100'000});
  for (int k = 0; k < 2; ++k) {
    const FirstImpact first = capped.first_impact(x, x);
    EXPECT_EQ(first.toi, 0.0);
    ASSERT_TRUE(first.impact);
    EXPECT_EQ(first.impact->pair, all.impacts.front().pair);
    EXPECT_GT(first.stats.vf_tests, 0U);  // nothing was kept
  }
}

/// A floor of squares on a lattice, and tips that touch it or hang above it.
struct Floor {
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;

  Floor(std::uint32_t side, std::uint32_t tips) {
    for (std::uint32_t i = 0; i <= side; ++i) {
      for (std::uint32_t j = 0; j <= side; ++j) x.push_back({double(i), double(j), 0.0});
    }
    for (std::uint32_t i = 0; i < side; ++i) {
      for (std::uint32_t j = 0; j < side; ++j) {
        const VertexId v = i * (side + 1) + j;
        triangles.push_back({v, v + 1, v + side + 2});
        triangles.push_back({v, v + side + 2, v + side + 1});
      }
    }
    for (std::uint32_t t = 0; t < tips; ++t) {
      const double at = 0.5 + static_cast<double>(t % (side * side));
      add_tip(std::fmod(at, side), std::floor(at / side) + 0.25, t % 2 == 0 ? 0.0 : 0.125);
    }
  }
  void add_tip(double px, double py, double pz) {
    const auto v = static_cast<VertexId>(x.size());
    x.push_back({px, py, pz});
    x.push_back({px + 0.25, py, pz + 1.0});
    x.push_back({px, py + 0.25, pz + 1.0});
    triangles.push_back({v, v + 1, v + 2});
  }
  [[nodiscard]] Scene scene() const {
    Scene all;
    all.add_body({.positions = x, .triangles = triangles});
    return all;
  }
};

/// A detector of auto and one of r-tri that apply the same edits.
class EditedPair {
 public:
  explicit EditedPair(const Floor& floor)
      : tested(floor.scene(), {.threads = 1}),
        reference(floor.scene(), {.method = Method::RTri, .threads = 1}),
        x(floor.x) {}

  template <typename Change>
  void edit(const Change& change) {
    SceneEdit edit = tested.begin_edit();
    change(edit);
    x = edit.carry(x);
    tested.apply(edit);
    reference.apply(edit);
  }
  /// Adds a separate triangle, which becomes a cluster; it is too small to make other clusters worse.
  void add_lone() {
    constexpr double kSize = 0x1p-10;
    const double at = 2.0 * kSize * lone_++;
    edit([&](SceneEdit& edit) {
      const VertexId a = edit.add_vertex(0, {at, -1.0, 0.0});
      edit.add_triangle({a, edit.add_vertex(0, {at, -1.0, kSize}), edit.add_vertex(0, {at, kSize - 1.0, 0.0})});
    });
  }

  Detector tested;
  Detector reference;
  std::vector<Vec3> x;

 private:
  double lone_ = 0.0;
};

TEST(AutoStatic, AnEditOfAStaticBodyIsTested) {
  // Each round adds separate triangles and a face on static vertices, with or without a query in between.
  constexpr std::uint32_t kSide = 3;
  constexpr std::uint32_t kFloor = (kSide + 1) * (kSide + 1);
  constexpr std::uint32_t kTips = 6;
  std::size_t contacts = 0;
  for (std::uint32_t between = 0; between < 6; ++between) {
    EditedPair pair(Floor(kSide, kTips));
    std::vector<TriangleId> bridges;
    for (std::uint32_t round = 0; round < 40; ++round) {
      SCOPED_TRACE(fmt::format("round {}, {}", round, between));
      for (std::uint32_t k = 0; k < between / 2; ++k) {
        pair.add_lone();
        (void)pair.tested.impacts(pair.x, pair.x);
      }
      pair.add_lone();
      if (round % 2 == between % 2) (void)pair.tested.first_impact(pair.x, pair.x);
      pair.edit([&](SceneEdit& edit) {
        if (round % 3 == 2) {
          edit.remove_triangle(bridges.back());
          bridges.pop_back();
        } else {
          bridges.push_back(
              edit.add_triangle({kFloor + 3 * (round % kTips), round % kFloor, (round * 5 + 9) % kFloor}));
        }
      });
      const Impacts expected = pair.reference.impacts(pair.x, pair.x);
      ASSERT_EQ(difference(pair.tested.impacts(pair.x, pair.x), expected), "");
      contacts += expected.impacts.size();
      if (round % 8 == 7) {
        ASSERT_EQ(pair.tested.validate(), "");
      }
    }
  }
  EXPECT_GT(contacts, 5'000U);
}

TEST(AutoStatic, TwoEditsWithoutAQueryBetweenAreLookedAtHoweverManyPiecesThereAre) {
  // At some number of small clusters all clusters are rebuilt; the edit after that must not be lost.
  std::size_t contacts = 0;
  for (std::uint32_t pieces = 0; pieces < 32; ++pieces) {
    SCOPED_TRACE(pieces);
    EditedPair pair(Floor(3, 6));
    (void)pair.tested.impacts(pair.x, pair.x);
    for (std::uint32_t k = 0; k < pieces; ++k) {
      pair.add_lone();
      (void)pair.tested.impacts(pair.x, pair.x);
    }
    pair.add_lone();
    TriangleId bridge = 0;
    pair.edit([&](SceneEdit& edit) { bridge = edit.add_triangle({16, 15, 3}); });
    const Impacts expected = pair.reference.impacts(pair.x, pair.x);
    ASSERT_EQ(difference(pair.tested.impacts(pair.x, pair.x), expected), "");
    contacts += expected.impacts.size();
    pair.add_lone();
    pair.edit([&](SceneEdit& edit) { edit.remove_triangle(bridge); });
    ASSERT_EQ(difference(pair.tested.impacts(pair.x, pair.x), pair.reference.impacts(pair.x, pair.x)), "");
  }
  EXPECT_GT(contacts, 500U);
}

TEST(AutoStatic, ABodyThatBeginsToMoveIsTestedAgainstStaticOnes) {
  // Everything is static; then one tip after another rises, stays in the air, falls, and rests again.
  const Floor floor(8, 48);
  for (const double thickness : {0.0, 0.0625}) {
    Detector detector(floor.scene(), {.thickness = thickness, .threads = 1});
    Detector reference(floor.scene(), {.method = Method::RTri, .thickness = thickness, .threads = 1});
    const auto expect_same = [&](const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
      const Impacts expected = reference.impacts(from, to);
      ASSERT_FALSE(expected.impacts.empty());
      ASSERT_EQ(difference(detector.impacts(from, to), expected), "");
      const FirstImpact first = detector.first_impact(from, to);
      const FirstImpact known = reference.first_impact(from, to);
      ASSERT_EQ(first.toi, known.toi);
      ASSERT_EQ(first.impact->pair, known.impact->pair);
    };
    std::vector<Vec3> x = floor.x;
    std::size_t kept = 0;
    for (std::uint32_t tip = 0; tip < 10; ++tip) {
      SCOPED_TRACE(tip);
      std::vector<Vec3> up = x;
      for (VertexId v = 81 + 3 * tip; v < 84 + 3 * tip; ++v) up[v].z += 0.5;
      for (const auto& [from, to] : {std::pair(&x, &x), std::pair(&x, &up), std::pair(&up, &up), std::pair(&up, &x),
                                     std::pair(&x, &x), std::pair(&up, &up)}) {
        expect_same(*from, *to);
        if (HasFatalFailure()) return;
      }
      kept += detector.impacts(up, up).stats.cluster.kept;
      if (tip % 3 == 0) x = up;
    }
    EXPECT_GT(kept, 10U);
  }
}

TEST(AutoStatic, StaticBodiesThatAreElsewhereAreTestedAgain) {
  const Floor floor(4, 8);
  Scene scene;
  scene.add_body({.positions = floor.x, .triangles = floor.triangles, .motion = Motion::Static});
  scene.add_body({.positions = floor.x, .triangles = floor.triangles, .motion = Motion::Static});
  scene.add_body({.positions = floor.x, .triangles = floor.triangles});
  Detector detector(scene, {.threads = 1});
  Detector reference(scene, {.method = Method::RTri, .threads = 1});
  std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());
  const std::size_t n = floor.x.size();
  std::size_t contacts = 0;
  for (std::uint32_t step = 0; step < 24; ++step) {
    SCOPED_TRACE(step);
    const std::array<double, 4> shifts = {0.0, 0.5, 0.125, 0.5};
    for (std::size_t v = n; v < 2 * n; ++v) x[v].z = floor.x[v - n].z + shifts[step / 2 % 4];
    std::vector<Vec3> to = x;
    if (step % 3 == 1) {
      for (std::size_t v = 2 * n; v < 3 * n; ++v) to[v].z += 0.125;
    }
    const Impacts expected = reference.impacts(x, to);
    ASSERT_EQ(difference(step % 5 == 4 ? streamed(detector, x, to) : detector.impacts(x, to), expected), "");
    contacts += expected.impacts.size();
    if (step % 4 == 2) {
      ASSERT_EQ(detector.intersections(x).edge_face, reference.intersections(x).edge_face);
    }
    x = to;
  }
  EXPECT_GT(contacts, 1000U);
}

}  // namespace
}  // namespace graze::testing
