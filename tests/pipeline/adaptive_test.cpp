// Method adaptive along whole sequences that are hard on it: at every step the impacts of r-tri, to the last bit,
// whatever the choices, the queries in between, and what was stopped or did not fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "oracle/brute_scene.hpp"
#include "oracle/scene_generator.hpp"
#include "pipeline/adaptive_check.hpp"
#include "pipeline/adaptive_sequences.hpp"
#include "pipeline/random_edits.hpp"

namespace graze::testing {
namespace {

/// Impacts of every step by a method.
std::vector<Impacts> all_impacts(const Sequence& sequence, const DetectorOptions& options) {
  const Detector detector(sequence.scene, options);
  std::vector<Impacts> all;
  for (const SequenceStep& step : sequence.steps) all.push_back(detector.impacts(step.x_t0, step.x_t1));
  return all;
}

std::size_t total(const std::vector<Impacts>& steps) {
  std::size_t count = 0;
  for (const Impacts& step : steps) count += step.impacts.size();
  return count;
}

const Sequence& sequence_named(std::string_view name) {
  static std::map<std::string_view, Sequence> made;
  for (const SequenceEntry& entry : adaptive_sequences()) {
    if (entry.name == name && !made.contains(name)) made[name] = entry.make();
  }
  return made.at(name);
}

class AdaptiveAlong : public ::testing::TestWithParam<const SequenceEntry*> {};

TEST_P(AdaptiveAlong, FindsWhatRTriFindsAtEveryStep) {
  const SequenceEntry& entry = *GetParam();
  const Sequence sequence = entry.make();
  const auto index = static_cast<std::size_t>(&entry - adaptive_sequences().data());
  const double thickness = 0.02 * sequence.scale;
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri, .threads = 1});
  const std::vector<Impacts> thick =
      all_impacts(sequence, {.method = Method::RTri, .thickness = thickness, .threads = 1});
  EXPECT_EQ(total(expected) > 0, entry.touches);

  // The core, and of the rest another part for each sequence.
  constexpr std::size_t kEach = 6;
  const std::vector<AdaptiveChoice> choices = adaptive_choices();
  std::vector<std::vector<int>> sides[2];
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i >= kCoreChoices && (i + 5 * index) % (choices.size() - kCoreChoices) >= kEach) continue;
    DetectorOptions options = choices[i].options;
    if (options.thickness > 0.0) options.thickness = thickness;
    const std::vector<Impacts> actual = all_impacts(sequence, options);
    const bool is_thick = options.thickness > 0.0;
    auto& known = sides[is_thick ? 1 : 0];
    for (std::size_t k = 0; k < actual.size(); ++k) {
      ASSERT_EQ(difference(actual[k], (is_thick ? thick : expected)[k]), "") << choices[i].name << ", step " << k;
      // What is remembered depends on the contacts alone.
      if (known.size() == k) known.push_back(remembered_sides(actual[k]));
      ASSERT_EQ(remembered_sides(actual[k]), known[k]) << choices[i].name << ", step " << k;
    }
  }
}

std::vector<const SequenceEntry*> entries() {
  std::vector<const SequenceEntry*> all;
  for (const SequenceEntry& entry : adaptive_sequences()) all.push_back(&entry);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Sequences, AdaptiveAlong, ::testing::ValuesIn(entries()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Adaptive, SkipsUpdatesAndTraversalsWhereContactsCome) {
  // Else the tests of sequences would show nothing.
  std::size_t skipped = 0;
  std::size_t skipped_with_contact = 0;
  std::size_t dangling = 0;
  std::size_t ruled_out = 0;
  for (const std::string_view name : {"slow_crossing", "turns_back", "creeps", "one_vertex_jumps", "drifts"}) {
    for (const Impacts& step :
         all_impacts(sequence_named(name), {.method = Method::Adaptive, .adaptive = {.frames = 8, .alpha = 1.0}})) {
      const CoherenceCounts& counts = step.stats.coherence;
      if (counts.session_step > 1) {
        ++skipped;
        skipped_with_contact += step.impacts.empty() ? 0U : 1U;
        ruled_out += counts.pairs - counts.admissible;
      }
      dangling += counts.dangling_vertices;
    }
  }
  EXPECT_GT(skipped, 60U);
  EXPECT_GT(skipped_with_contact, 30U);
  EXPECT_GT(dangling, 10U);
  EXPECT_GT(ruled_out, 1000U);
}

/// Sheets of thousands of triangles: a few that leave their bounds are looked for one by one.
Sequence spikes_of_large_sheets() {
  constexpr std::uint32_t kSide = 31;
  constexpr VertexId kPerSheet = (kSide + 1) * (kSide + 1);
  Story story(wavy_sheets(0.1, true, Motion::Deforming, kSide));
  for (std::uint64_t i = 0; i < 14; ++i) {
    // One vertex in each sheet, towards each other and back, farther every time; then a neighbour, too.
    const double spike = (i % 2 == 0 ? 0.03 : -0.03) * std::pow(1.25, static_cast<double>(i % 10));
    const VertexId middle = (i < 7 ? 16 : 9) * (kSide + 1) + 16;
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      const bool spikes = v % kPerSheet == middle || (i > 4 && v == middle + 1);
      const Vec3 own = noise3(i, v, 0.0005);
      return Vec3{x.x + own.x, x.y + own.y, x.z + own.z + (spikes ? (body == 1 ? -spike : spike) : 0.0)};
    });
  }
  return story.end();
}

TEST(Adaptive, FindsWhatRTriFindsWhereAFewOfManyLeaveTheirBounds) {
  const Sequence sequence = spikes_of_large_sheets();
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  EXPECT_GT(total(expected), 50U);
  for (const AdaptiveOptions& choice :
       {AdaptiveOptions{.frames = 20}, AdaptiveOptions{.frames = 20, .alpha = 0.5, .gamma = 0.02},
        AdaptiveOptions{.skip = false}}) {
    for (const NormalCones cones : {NormalCones::None, NormalCones::Tight}) {
      const std::vector<Impacts> actual = all_impacts(
          sequence, {.method = Method::Adaptive, .hierarchy = {.cones = cones}, .adaptive = choice, .threads = 2});
      std::size_t few = 0;
      for (std::size_t k = 0; k < actual.size(); ++k) {
        ASSERT_EQ(difference(actual[k], expected[k]), "") << "step " << k;
        const std::uint64_t dangling = actual[k].stats.coherence.dangling_triangles;
        few += dangling > 0 && dangling < 20 ? 1U : 0U;
      }
      EXPECT_GE(few, choice.skip ? (choice.alpha < 0.0 ? 1U : 5U) : 0U);
    }
  }
}

/// All counters but times and memory.
std::vector<std::uint64_t> counters(const Stats& stats) {
  const CoherenceCounts& c = stats.coherence;
  return {stats.bv_tests,       stats.triangle_pairs,  stats.vf_tests,   stats.ee_tests, stats.tiers.filter,
          stats.tiers.interval, stats.tiers.exact,     c.session_frames, c.session_step, c.dangling_vertices,
          c.dangling_triangles, c.violating_triangles, c.pairs,          c.measured,     c.admissible,
          c.remembered};
}

TEST(Adaptive, CountsTheSameWithAnyNumberOfThreads) {
  for (const std::string_view name : {"slow_crossing", "more_and_more_leave", "drift_stops", "soup_shakes"}) {
    const Sequence& sequence = sequence_named(name);
    for (const AdaptiveOptions& choice : {AdaptiveOptions{.frames = 8}, AdaptiveOptions{.by_work = true},
                                          AdaptiveOptions{.skip = false, .frames = 8}}) {
      const auto by = [&](unsigned threads) {
        return all_impacts(sequence, {.method = Method::Adaptive, .adaptive = choice, .threads = threads});
      };
      const std::vector<Impacts> expected = by(1);
      for (const unsigned threads : {2U, 7U}) {
        const std::vector<Impacts> actual = by(threads);
        for (std::size_t k = 0; k < actual.size(); ++k) {
          ASSERT_EQ(counters(actual[k].stats), counters(expected[k].stats)) << name << ", step " << k;
        }
      }
    }
  }
}

TEST(Adaptive, AgreesWithTheOracleAlongSmallScenesOfEveryFamily) {
#if defined(GRAZE_ASSERTS)
  constexpr std::uint64_t kScenes = 1;
#else
  constexpr std::uint64_t kScenes = 3;
#endif
  std::size_t contacts = 0;
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < kScenes; ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 11, index);
      Scene scene;
      scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
      for (const AdaptiveOptions& choice :
           {AdaptiveOptions{.frames = 8}, AdaptiveOptions{.skip = false, .frames = 8}}) {
        const Detector detector(scene, {.method = Method::Adaptive, .adaptive = choice, .threads = 1});
        // The whole step in parts, then back in one, then from its end on.
        const auto between = [&](double t) {
          std::vector<Vec3> x;
          for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
            const Vec3& a = step.x_t0[v];
            const Vec3& b = step.x_t1[v];
            x.push_back({(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z});
          }
          return x;
        };
        const std::array<std::array<double, 2>, 7> ways = {
            {{0, 0.25}, {0.25, 0.375}, {0.375, 0.375}, {0.375, 1}, {1, 0}, {0, 0.125}, {0.125, 0.25}}};
        for (const auto& [from, to] : ways) {
          const oracle::SceneStep part{.triangles = step.triangles, .x_t0 = between(from), .x_t1 = between(to)};
          const std::vector<oracle::Contact> expected = oracle::contacts(part);
          const Impacts actual = detector.impacts(part.x_t0, part.x_t1);
          ASSERT_EQ(oracle::compare_contacts(expected, actual.impacts, 1e-6, part), "")
              << family.name << ", scene " << index << ", from " << from << " to " << to;
          contacts += expected.size();
        }
      }
    }
  }
  EXPECT_GT(contacts, 500U);
}

TEST(Adaptive, AnswersAllOtherQueriesInBetween) {
  for (const std::string_view name : {"slow_crossing", "teleports", "static_stands_elsewhere", "drift_stops"}) {
    const Sequence& sequence = sequence_named(name);
    for (const double thickness : {0.0, 0.02}) {
      for (const bool skip : {true, false}) {
        const Detector detector(sequence.scene, {.method = Method::Adaptive,
                                                 .adaptive = {.skip = skip, .frames = 8},
                                                 .thickness = thickness,
                                                 .threads = 2});
        const Detector reference(sequence.scene, {.method = Method::RTri, .thickness = thickness, .threads = 1});
        for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
          SCOPED_TRACE(std::string(name) + ", step " + std::to_string(k));
          const auto& [x_t0, x_t1] = sequence.steps[k];
          if (k % 3 == 1) {
            const FirstImpact first = detector.first_impact(x_t0, x_t1);
            const FirstImpact known = reference.first_impact(x_t0, x_t1);
            ASSERT_EQ(first.toi, known.toi);
            ASSERT_EQ(first.impact.has_value(), known.impact.has_value());
            if (first.impact) {
              ASSERT_EQ(first.impact->pair, known.impact->pair);
            }
          }
          if (k % 4 == 2) {  // of another moment, and wider than any reach
            const auto& elsewhere = sequence.steps[(k * 7) % sequence.steps.size()].x_t1;
            ASSERT_EQ(detector.intersections(elsewhere).edge_face, reference.intersections(elsewhere).edge_face);
            for (const double d : {0.0, 0.05}) {
              const auto near = detector.proximities(elsewhere, d).proximities;
              const auto known = reference.proximities(elsewhere, d).proximities;
              ASSERT_EQ(near.size(), known.size());
              for (std::size_t i = 0; i < near.size(); ++i) ASSERT_EQ(near[i].pair, known[i].pair);
            }
          }
          const Impacts expected = reference.impacts(x_t0, x_t1);
          ASSERT_EQ(difference(detector.impacts(x_t0, x_t1), expected), "");
          if (k % 5 == 3) {
            ASSERT_EQ(difference(streamed(detector, x_t0, x_t1), expected), "") << "streamed";
          }
          if (k % 5 == 4) {
            ASSERT_EQ(difference(detector.impacts(x_t0, x_t1), expected), "") << "again";
          }
        }
      }
    }
  }
}

TEST(Adaptive, RefusesBadStepsAndGoesOn) {
  const Sequence& sequence = sequence_named("slow_crossing");
  const Detector detector(sequence.scene, {.method = Method::Adaptive, .adaptive = {.frames = 8}});
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
    SequenceStep bad = sequence.steps[k];
    bad.x_t1[5].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(detector.impacts(bad.x_t0, bad.x_t1)), InputError);
    bad = sequence.steps[k];
    bad.x_t1.back().x += 1.0;  // of a static body
    EXPECT_THROW(static_cast<void>(detector.impacts(bad.x_t0, bad.x_t1)), InputError);
    const auto& [x_t0, x_t1] = sequence.steps[k];
    ASSERT_EQ(difference(detector.impacts(x_t0, x_t1), expected[k]), "") << "step " << k;
  }
}

TEST(Adaptive, IsRightAfterAQueryThatWasStoppedAnywhere) {
  for (const std::string_view name : {"slow_crossing", "more_and_more_leave", "one_vertex_jumps"}) {
    const Sequence& sequence = sequence_named(name);
    const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
    for (const bool skip : {true, false}) {
      int allowed = std::numeric_limits<int>::max();
      std::size_t stopped = 0;
      const Detector detector(sequence.scene, {.method = Method::Adaptive,
                                               .adaptive = {.skip = skip, .frames = 8},
                                               .threads = 1,
                                               .progress = [&](double) { return allowed-- > 0; }});
      for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
        const auto& [x_t0, x_t1] = sequence.steps[k];
        // In every call of the callback that there is; every other time the step is not asked for again.
        bool is_stopped = true;
        for (int calls = 0; is_stopped && calls < 40; ++calls) {
          allowed = calls;
          is_stopped = false;
          try {
            const Impacts actual = detector.impacts(x_t0, x_t1);
            ASSERT_EQ(difference(actual, expected[k]), "") << name << ", step " << k << ", " << calls;
          } catch (const Interrupted&) {
            is_stopped = true;
            ++stopped;
          }
          if (k % 2 == 1 && calls == static_cast<int>(k % 5)) break;
        }
        allowed = std::numeric_limits<int>::max();
      }
      EXPECT_GE(stopped, sequence.steps.size()) << name;
    }
  }
}

TEST(Adaptive, IsRightAfterASinkThatStopped) {
  const Sequence& sequence = sequence_named("slow_crossing");
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  const Detector detector(sequence.scene, {.method = Method::Adaptive, .adaptive = {.frames = 8}, .threads = 2});
  std::size_t stopped = 0;
  for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
    const auto& [x_t0, x_t1] = sequence.steps[k];
    if (!expected[k].impacts.empty() && k % 2 == 0) {
      EXPECT_THROW(detector.impacts(x_t0, x_t1, [](std::span<const Impact>) { return false; }), Interrupted);
      ++stopped;
      if (k % 4 == 0) continue;
    }
    ASSERT_EQ(difference(streamed(detector, x_t0, x_t1), expected[k]), "") << "step " << k;
  }
  EXPECT_GT(stopped, 4U);
}

TEST(Adaptive, AnswersRightlyOrSaysThatMemoryDoesNotDo) {
  for (const std::string_view name : {"slow_crossing", "more_and_more_leave"}) {
    const Sequence& sequence = sequence_named(name);
    const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
    for (const bool skip : {true, false}) {
      std::size_t refused = 0;
      std::size_t answered = 0;
      for (std::uint64_t cap = 1'000; cap < 4'000'000; cap += 1 + cap / 8) {
        const DetectorOptions options{
            .method = Method::Adaptive, .adaptive = {.skip = skip, .frames = 8}, .threads = 1, .memory_cap = cap};
        try {
          const Detector detector(sequence.scene, options);
          for (std::size_t k = 0; k < sequence.steps.size(); k += 1) {
            const auto& [x_t0, x_t1] = sequence.steps[k];
            try {
              ASSERT_EQ(difference(detector.impacts(x_t0, x_t1), expected[k]), "") << name << ", step " << k;
              ++answered;
            } catch (const InputError&) {
              ++refused;
              if (refused % 3 != 0) break;  // each costs an update
            }
          }
        } catch (const InputError&) {
          ++refused;
        }
      }
      EXPECT_GT(refused, 10U);
      EXPECT_GT(answered, 100U);
    }
  }
}

TEST(Adaptive, GoesOnWhenItIsMoved) {
  const Sequence& sequence = sequence_named("slow_crossing");
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  Detector detector(sequence.scene, {.method = Method::Adaptive, .adaptive = {.frames = 8}});
  for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
    Detector moved = std::move(detector);
    const auto& [x_t0, x_t1] = sequence.steps[k];
    ASSERT_EQ(difference(moved.impacts(x_t0, x_t1), expected[k]), "") << "step " << k;
    detector = std::move(moved);
  }
}

TEST(Adaptive, FollowsEditsBetweenStepsOfASession) {
  Scene scene = wavy_sheets(0.1, true);
  std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());
  for (const bool skip : {true, false}) {
    Detector detector(scene, {.method = Method::Adaptive, .adaptive = {.skip = skip, .frames = 8}});
    Detector reference(scene, {.method = Method::RTri});
    std::vector<Vec3> at = x;
    std::size_t contacts = 0;
    for (std::uint64_t k = 0; k < 30; ++k) {
      if (k % 3 == 2) {
        SceneEdit edit = detector.begin_edit();
        const auto turn = static_cast<VertexId>(k / 15);
        switch (k / 3 % 5) {
          case 0:
            edit.tear_edge(7 + 7 * turn, 8 + 7 * turn);
            break;
          case 1:
            static_cast<void>(edit.split_edge(57 + 7 * turn, 58 + 7 * turn, at[57]));
            break;
          case 2:
            edit.remove_vertex(73 + turn);
            break;
          case 3:
            static_cast<void>(edit.add_triangle({0, 24, 48}));
            break;
          default: {
            const Patch patch = grid_patch(2, 0.05);
            static_cast<void>(edit.add_body({.positions = patch.points, .triangles = patch.triangles}));
          }
        }
        at = edit.carry(at);
        detector.apply(edit);
        reference.apply(edit);
      }
      std::vector<Vec3> next = at;
      const Scene& now = detector.scene();
      for (VertexId v = 0; v < next.size(); ++v) {
        if (!now.has_vertex(v)) {
          at[v].x = next[v].z = std::numeric_limits<double>::quiet_NaN();
          continue;
        }
        if (now.motion(now.body_of(v)) == Motion::Static) continue;
        const Vec3 by = noise3(k, v, 0.003);
        next[v] = {next[v].x + by.x, next[v].y + by.y, next[v].z + by.z - (now.body_of(v) == 1 ? 0.008 : 0.0)};
      }
      const Impacts expected = reference.impacts(at, next);
      contacts += expected.impacts.size();
      ASSERT_EQ(difference(detector.impacts(at, next), expected), "") << "step " << k;
      if (k % 3 == 2) {
        ASSERT_EQ(detector.validate(), "");
      }
      at = next;
    }
    EXPECT_GT(contacts, 300U);
  }
}

}  // namespace
}  // namespace graze::testing
