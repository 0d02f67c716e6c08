// Detectors in use under ten thousand and more random edits: after every edit each detector has the state that a
// new detector would build for the scene, and the answers of a new detector and of the exact oracle. Every method
// and option, on scenes from empty ones to closed meshes and soups.
//
// GRAZE_EDIT_ROUNDS=k runs k times as many scripts; GRAZE_EDIT_SEED=s starts with seed s, to repeat one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "environment.hpp"
#include "support/edit_positions.hpp"
#include "support/edit_replay.hpp"
#include "support/random_edits.hpp"

namespace graze::testing {

namespace {

// Number of scripts and edits; smaller in the slow builds that check contracts.
#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kScripts = 2;
constexpr std::size_t kEdits = 12;
#else
constexpr std::uint64_t kScripts = 8;
constexpr std::size_t kEdits = 24;
#endif
constexpr std::size_t kDetectors = 3;

class EditedDetector : public ::testing::TestWithParam<const EditStart*> {};

TEST_P(EditedDetector, IsWhatANewOneIs) {
  const EditStart& start = *GetParam();
  // Different seeds for each start, so that the scripts differ.
  const auto index = static_cast<std::uint64_t>(&start - edit_starts().data());
  const std::uint64_t first = from_environment("GRAZE_EDIT_SEED", 1'000'000 * index + 1);
  const std::uint64_t scripts = kScripts * from_environment("GRAZE_EDIT_ROUNDS", 1);
  ReplayCounts counts;
  std::size_t edits = 0;
  for (std::uint64_t seed = first; seed < first + scripts; ++seed) {
    const Scene scene = make_start(start, seed);
    // Every eighth script is longer: most ids are then of removed elements, and slots have been reused many times.
    const std::size_t length = seed % 8 == 0 ? 3 * kEdits : kEdits;
    const EditScript script = random_script(scene, seed, length, start.most_triangles);
    edits += length * kDetectors;
    ASSERT_EQ(report(scene, script, some_detectors(seed, kDetectors), seed, counts), "") << "start " << start.name;
  }
  EXPECT_EQ(counts.edits, edits);
  EXPECT_GT(counts.queries, counts.edits / 2);
  EXPECT_GT(counts.contacts, counts.edits);
  if (scripts >= 8) {
    EXPECT_GT(counts.refused, counts.edits / 40);
  }
}

std::vector<const EditStart*> starts() {
  std::vector<const EditStart*> all;
  for (const EditStart& start : edit_starts()) all.push_back(&start);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Starts, EditedDetector, ::testing::ValuesIn(starts()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(EditedDetectors, OfASheetOfThousandsAgreeWithEachOther) {
#if defined(GRAZE_ASSERTS)
  constexpr std::size_t kSheetEdits = 15;
#else
  constexpr std::size_t kSheetEdits = 150;
#endif
  const Patch sheet = grid_patch(39, 0.0);
  Scene scene;
  scene.add_body({.positions = sheet.points, .triangles = sheet.triangles});
  const EditScript script = random_script(scene, 77, kSheetEdits, 3500);
  Detector by_triangles(scene, {.method = Method::RTri});
  Detector by_patches(scene, {.method = Method::Iccd});
  std::size_t contacts = 0;
  for (const EditRound& round : script) {
    SceneEdit edit = scene.begin_edit();
    for (const EditOp& op : round.ops) perform(edit, op);
    scene.apply(edit);
    by_triangles.apply(edit);
    by_patches.apply(edit);
    const EditStep step = edit_step(scene, 77, round.round, 0);
    const Impacts impacts = by_triangles.impacts(step.x_t0, step.x_t1);
    contacts += impacts.impacts.size();
    ASSERT_EQ(by_patches.impacts(step.x_t0, step.x_t1).toi_hash(), impacts.toi_hash()) << "edit " << round.round;
    if (round.round % (kSheetEdits / 5) != kSheetEdits / 5 - 1) continue;
    ASSERT_EQ(by_triangles.validate(), "") << "edit " << round.round;
    ASSERT_EQ(by_patches.validate(), "") << "edit " << round.round;
    ASSERT_EQ(Detector(scene, {.method = Method::RTri}).impacts(step.x_t0, step.x_t1).toi_hash(),
              impacts.toi_hash())
        << "edit " << round.round;
  }
  EXPECT_GT(existing_triangles(scene), 2000U);
  EXPECT_GT(contacts, 50 * kSheetEdits);
}

/// Hashes and counts of everything that a query returns.
std::vector<std::uint64_t> fingerprint(Detector& detector, const EditStep& step) {
  const Impacts impacts = detector.impacts(step.x_t0, step.x_t1);
  return {impacts.hash(), impacts.toi_hash(), detector.intersections(step.x_t0).triangle_pairs.size(),
          detector.proximities(step.x_t0, 0.05).proximities.size(), detector.scene().revision()};
}
std::vector<std::uint64_t> fingerprint(Detector&& detector, const EditStep& step) {
  return fingerprint(detector, step);
}

/// Sheets above each other exchange places, each displaced a little to the side.
EditStep passing_layers(const Scene& scene) {
  EditStep step;
  for (VertexId v = 0; v < scene.vertex_count(); ++v) {
    const Vec3& p = scene.positions()[v];
    const VertexId layer = v / 25;
    const double aside = 0.03 * layer + 0.001 * v;
    step.x_t0.push_back({p.x + aside, p.y + 0.5 * aside, p.z});
    step.x_t1.push_back({p.x + aside, p.y + 0.4 * aside, 0.1 - p.z});
  }
  return step;
}

TEST(EditedDetectors, AreAsTheyWereAfterWhatIsRefused) {
  for (const Method method : research::all_methods()) {
    SCOPED_TRACE(name_of(method));
    Scene scene = make_start(edit_starts()[1], 3);
    Detector detector(scene, {.method = method});
    SceneEdit first = detector.begin_edit();
    first.remove_vertex(6);
    detector.apply(first);
    scene.apply(first);
    const EditStep step = passing_layers(scene);
    const std::vector<std::uint64_t> before = fingerprint(detector, step);
    ASSERT_GT(before[3], 0U);
    ASSERT_NE(before[0], Impacts{}.hash());

    EXPECT_THROW(detector.apply(first), InputError);  // made for the previous revision
    SceneEdit stale = detector.begin_edit();
    stale.remove_triangle(20);
    Scene other = make_start(edit_starts()[0], 3);
    SceneEdit foreign = other.begin_edit();
    foreign.remove_triangle(20);
    EXPECT_THROW(detector.apply(foreign), InputError);
    EXPECT_THROW(stale.remove_vertex(6), InputError);
    EXPECT_THROW(static_cast<void>(stale.add_triangle({0, 1, 6})), InputError);
    EXPECT_EQ(fingerprint(detector, step), before);
    EXPECT_EQ(detector.validate(), "");

    EditStep wrong = step;
    wrong.x_t1[7].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(detector.impacts(wrong.x_t0, wrong.x_t1)), InputError);
    wrong.x_t1.pop_back();
    EXPECT_THROW(static_cast<void>(detector.impacts(wrong.x_t0, wrong.x_t1)), InputError);
    EXPECT_EQ(fingerprint(detector, step), before);

    detector.apply(stale);  // no edit came in between: not stale yet
    EXPECT_THROW(detector.apply(stale), InputError);
    // A refused query between an edit and the first valid one.
    wrong = step;
    wrong.x_t0[7].x = std::numeric_limits<double>::infinity();
    EXPECT_THROW(static_cast<void>(detector.impacts(wrong.x_t0, wrong.x_t1)), InputError);
    scene = detector.scene();
    EXPECT_EQ(fingerprint(detector, step), fingerprint(Detector(scene, {.method = method}), step));
    EXPECT_EQ(detector.validate(), "");
  }
}

/// A sheet of 9 rows of cells whose left four columns face up and right four columns down, with a gap of one
/// column.
Scene two_facings() {
  Patch patch = grid_patch(9, 0.0);
  std::vector<Triangle> triangles;
  for (std::uint32_t t = 0; t < patch.triangles.size(); ++t) {
    const std::uint32_t column = t / 2 % 9;
    const Triangle& ids = patch.triangles[t];
    if (column < 4) triangles.push_back(ids);
    if (column > 4) triangles.push_back({ids[1], ids[0], ids[2]});
  }
  Scene scene;
  scene.add_body({.positions = patch.points, .triangles = triangles});
  return scene;
}

TEST(EditedDetectors, AgreeOnOneFacingWherePiecesAreJoined) {
  for (const research::NormalCones cones : {research::NormalCones::Tight, research::NormalCones::Canonical}) {
    Scene scene = two_facings();
    const DetectorOptions options{.method = Method::Iccd,
                                  .research = research::Options{.hierarchy = {.cones = cones}}};
    Detector detector(scene, options);
    const auto ask = [&](std::uint32_t round) {
      // Winds the sheet over itself, so that there are contacts that cones and contours could miss.
      EditStep step;
      for (const Vec3& p : scene.positions()) {
        const double angle = 2.2 * std::atan2(p.y, p.x);
        const double radius = std::sqrt(p.x * p.x + p.y * p.y);
        step.x_t0.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.01 * angle});
        step.x_t1.push_back({step.x_t0.back().x + 0.01 * round, step.x_t0.back().y, -0.01 * angle});
      }
      const Impacts impacts = detector.impacts(step.x_t0, step.x_t1);
      EXPECT_FALSE(impacts.impacts.empty());
      EXPECT_EQ(impacts.toi_hash(),
                Detector(scene, {.method = Method::Brute}).impacts(step.x_t0, step.x_t1).toi_hash());
      EXPECT_EQ(detector.validate(), "");
    };
    ask(1);
    // Fills the gap cell by cell: the first cell joins the two parts, which reverses the orientation of one of
    // them. The last edit detaches the parts and joins them again.
    for (std::uint32_t row = 0; row < 9; ++row) {
      SceneEdit edit = scene.begin_edit();
      const VertexId corner = row * 10 + 4;
      static_cast<void>(edit.add_triangle({corner, corner + 1, corner + 10}));
      static_cast<void>(edit.add_triangle({corner + 1, corner + 11, corner + 10}));
      scene.apply(edit);
      detector.apply(edit);
      ask(row + 2);
    }
    SceneEdit removal = scene.begin_edit();
    for (TriangleId t = 144; t < 162; ++t) removal.remove_triangle(t);
    static_cast<void>(removal.add_triangle({4, 14, 5}));
    static_cast<void>(removal.add_triangle({5, 4, 15}));
    scene.apply(removal);
    detector.apply(removal);
    ask(20);
  }
}

TEST(EditedDetectors, GoOnAfterAQueryThatIsStopped) {
  for (const Method method : {Method::RTri, Method::Iccd}) {
    Scene scene = make_start(edit_starts()[1], 3);
    int allowed = 1'000'000;
    Detector detector(scene, {.method = method, .threads = 1, .progress = [&](double) { return --allowed > 0; }});
    const EditScript script = random_script(scene, 9, 30, 100);
    for (const EditRound& round : script) {
      SceneEdit edit = scene.begin_edit();
      for (const EditOp& op : round.ops) perform(edit, op);
      scene.apply(edit);
      detector.apply(edit);
      const EditStep step = edit_step(scene, 9, round.round, 0);
      allowed = static_cast<int>(round.round % 3);
      try {
        static_cast<void>(detector.impacts(step.x_t0, step.x_t1));
      } catch (const Interrupted&) {
      }
      allowed = 1'000'000;
      const EditStep next = edit_step(scene, 9, round.round, 1);
      ASSERT_EQ(fingerprint(detector, next), fingerprint(Detector(scene, {.method = method}), next))
          << name_of(method) << ", edit " << round.round;
    }
  }
}

TEST(EditedDetectors, SayWhatDoesNotFitTheMemoryCapAndFitAgainWithoutIt) {
  for (const Method method : {Method::RTri, Method::Iccd}) {
    SCOPED_TRACE(name_of(method));
    Scene scene = make_start(edit_starts()[1], 3);
    EditStep step = passing_layers(scene);
    const Patch large = grid_patch(60, 0.7);
    const auto bytes_of = [&](const Scene& of) {
      const EditStep at = passing_layers(of);
      return Detector(of, {.method = method}).impacts(at.x_t0, at.x_t1).stats.memory_bytes;
    };
    // A cap that is enough for the ids of added and removed elements, but not for their data.
    Scene grown = scene;
    const BodyId body = grown.add_body({.positions = large.points, .triangles = large.triangles});
    Scene shrunk = grown;
    SceneEdit emptying = shrunk.begin_edit();
    emptying.remove_body(body);
    shrunk.apply(emptying);
    ASSERT_LT(2 * bytes_of(shrunk), bytes_of(grown));
    Detector detector(scene, {.method = method, .memory_cap = (bytes_of(shrunk) + bytes_of(grown)) / 2});
    static_cast<void>(detector.impacts(step.x_t0, step.x_t1));
    SceneEdit growth = detector.begin_edit();
    ASSERT_EQ(growth.add_body({.positions = large.points, .triangles = large.triangles}), body);
    bool applied = false;
    std::string message;
    try {
      detector.apply(growth);
      applied = true;
      step = passing_layers(detector.scene());
      static_cast<void>(detector.impacts(step.x_t0, step.x_t1));
    } catch (const ResourceError& error) {
      message = error.what();
    }
    EXPECT_NE(message, "");
    printf("applied %d: %s\n", applied, message.c_str());
    EXPECT_EQ(detector.scene().has_body(body), applied);
    EXPECT_EQ(detector.validate(), "");
    if (applied) {
      SceneEdit removal = detector.begin_edit();
      removal.remove_body(body);
      detector.apply(removal);
    }
    scene = detector.scene();
    step = passing_layers(scene);
    EXPECT_EQ(fingerprint(detector, step), fingerprint(Detector(scene, {.method = method}), step));
    EXPECT_EQ(detector.validate(), "");
  }
}

TEST(RandomEditScripts, UseEveryOperationAndAreRefusedSome) {
  std::array<std::size_t, kOpKinds> taken{};
  std::array<std::size_t, kOpKinds> refused{};
  std::size_t most_at_vertex = 0;
  std::size_t emptied = 0;
  // Several seeds: compilers draw the arguments of a call in different orders, and so other scripts.
  for (const std::uint64_t seed : {5U, 6U, 7U, 8U}) {
    for (const EditStart& start : edit_starts()) {
      Scene scene = make_start(start, seed);
      for (const EditRound& round : random_script(scene, seed, 40, start.most_triangles)) {
        SceneEdit edit = scene.begin_edit();
        for (const EditOp& op : round.ops)
          ++(perform(edit, op) ? taken : refused)[static_cast<std::size_t>(op.kind)];
        scene.apply(edit);
        std::vector<std::size_t> fans(scene.vertex_count());
        for (const Triangle& t : scene.triangles()) {
          if (t[0] != kNoVertex) most_at_vertex = std::max(most_at_vertex, ++fans[t[0]]);
        }
        emptied += !round.ops.empty() && existing_triangles(scene) == 0 ? 1U : 0U;
      }
    }
  }
  std::size_t all_refused = 0;
  for (std::size_t kind = 0; kind < kOpKinds; ++kind) {
    EXPECT_GT(taken[kind], 20U) << "operation " << kind;
    all_refused += refused[kind];
  }
  EXPECT_GT(all_refused, 50U);
  EXPECT_GT(most_at_vertex, 24U);
  EXPECT_GT(emptied, 2U);
}

TEST(ShrunkScript, KeepsWhatFailsAndLittleElse) {
  const Scene scene = make_start(edit_starts()[0], 1);
  const EditScript script = random_script(scene, 1, 20, 160);
  // "Fails" if an edge is split after one was torn.
  const auto fails = [](const EditScript& candidate) {
    bool torn = false;
    for (const EditRound& round : candidate) {
      for (const EditOp& op : round.ops) {
        torn = torn || op.kind == OpKind::TearEdge;
        if (torn && op.kind == OpKind::SplitEdge) return true;
      }
    }
    return false;
  };
  ASSERT_TRUE(fails(script));
  const EditScript smallest = shrink(script, fails, 1000);
  EXPECT_TRUE(fails(smallest));
  std::size_t ops = 0;
  for (const EditRound& round : smallest) ops += round.ops.size();
  EXPECT_EQ(ops, 2U);
  EXPECT_LE(smallest.size(), 2U);
}

}  // namespace
}  // namespace graze::testing
