// Method adaptive along whole sequences that are difficult for temporal coherence: at every step the impacts are
// those of r-tri, to the last bit, for all options.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "oracle/brute_scene.hpp"
#include "oracle/scene_generator.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"

namespace graze::testing {

namespace {

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

  // The core options, and a different part of the other options for each sequence.
#if defined(GRAZE_ASSERTS)  // slow builds
  constexpr std::size_t kEach = 1;
  constexpr std::size_t kCoreStride = 3;
#else
  constexpr std::size_t kEach = 6;
  constexpr std::size_t kCoreStride = 1;
#endif
  const std::vector<AdaptiveChoice> choices = adaptive_choices();
  std::vector<std::vector<int>> sides[2];
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i < kCoreChoices && (i + index) % kCoreStride != 0) continue;
    if (i >= kCoreChoices && (i + 5 * index) % (choices.size() - kCoreChoices) >= kEach) continue;
    DetectorOptions options = choices[i].options;
    if (options.thickness > 0.0) options.thickness = thickness;
    const std::vector<Impacts> actual = all_impacts(sequence, options);
    const bool is_thick = options.thickness > 0.0;
    auto& known = sides[is_thick ? 1 : 0];
    for (std::size_t k = 0; k < actual.size(); ++k) {
      ASSERT_EQ(difference(actual[k], (is_thick ? thick : expected)[k]), "") << choices[i].name << ", step " << k;
      // The remembered sides depend only on the contacts.
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
  // The sequences must exercise skipped updates, else their tests prove nothing.
  std::size_t skipped = 0;
  std::size_t skipped_with_contact = 0;
  std::size_t dangling = 0;
  std::size_t ruled_out = 0;
  for (const std::string_view name : {"slow_crossing", "turns_back", "creeps", "one_vertex_jumps", "drifts"}) {
    for (const Impacts& step : all_impacts(
             sequence_named(name), {.method = Method::Adaptive,
                                   .research = research::Options{.adaptive = {.frames = 8, .alpha = 1.0}}})) {
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

/// Sheets of thousands of triangles: the few vertices that leave their displacement bounds are handled one by one.
Sequence spikes_of_large_sheets() {
  constexpr std::uint32_t kSide = 31;
  constexpr VertexId kPerSheet = (kSide + 1) * (kSide + 1);
  Story story(wavy_sheets(0.1, true, Motion::Deforming, kSide));
  for (std::uint64_t i = 0; i < 14; ++i) {
    // One vertex of each sheet moves towards the other and back, farther every time; later also a neighbour.
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
  for (const research::AdaptiveOptions& choice :
       {research::AdaptiveOptions{.frames = 20},
        research::AdaptiveOptions{.frames = 20, .alpha = 0.5, .gamma = 0.02},
        research::AdaptiveOptions{.skip = false}}) {
    for (const research::NormalCones cones : {research::NormalCones::None, research::NormalCones::Tight}) {
      const std::vector<Impacts> actual =
          all_impacts(sequence, {.method = Method::Adaptive,
                                 .research = research::Options{.hierarchy = {.cones = cones}, .adaptive = choice},
                                 .threads = 2});
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

TEST(Adaptive, LooksAThicknessFartherThanVerticesReach) {
  const Sequence& sequence = sequence_named("as_far_as_foreseen");
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri, .thickness = 0.02});
  for (unsigned frames = 2; frames < 12; ++frames) {
    const std::vector<Impacts> actual = all_impacts(
        sequence, {.method = Method::Adaptive,
                   .research = research::Options{.adaptive = {.frames = frames, .beta = 0.0, .gamma = 0.0}},
                   .thickness = 0.02});
    for (std::size_t k = 0; k < actual.size(); ++k) {
      ASSERT_EQ(difference(actual[k], expected[k]), "") << frames << " frames, step " << k;
    }
  }
}

TEST(Adaptive, LosesNothingOfSubSurfacesThatFold) {
  std::size_t violating = 0;
  std::size_t free = 0;
  for (const std::string_view name : {"rolls_up", "winds_over_itself", "creeps", "one_vertex_jumps"}) {
    const Sequence& sequence = sequence_named(name);
    const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
    for (const research::NormalCones cones : {research::NormalCones::Tight, research::NormalCones::Canonical}) {
      for (const research::TreeBuilder builder : {research::TreeBuilder::Sah, research::TreeBuilder::Connected}) {
        for (const research::AdaptiveOptions& choice :
             {research::AdaptiveOptions{.frames = 8}, research::AdaptiveOptions{.frames = 50, .alpha = 7.0},
              research::AdaptiveOptions{.frames = 50, .alpha = 1.0, .gamma = 1.0, .low_curvature = 20.0}}) {
          const std::vector<Impacts> actual = all_impacts(
              sequence,
              {.method = Method::Adaptive,
               .research = research::Options{.hierarchy = {.builder = builder, .cones = cones}, .adaptive = choice},
               .threads = 1});
          for (std::size_t k = 0; k < actual.size(); ++k) {
            ASSERT_EQ(difference(actual[k], expected[k]), "") << name << ", step " << k;
            violating += actual[k].stats.coherence.violating_triangles;
            free += actual[k].stats.culled.free_triangles;
          }
        }
      }
    }
  }
  EXPECT_GT(violating, 100U);
  EXPECT_GT(free, 1000U);
}

/// All counters except times and memory.
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
    for (const research::AdaptiveOptions& choice :
         {research::AdaptiveOptions{.frames = 8}, research::AdaptiveOptions{.by_work = true},
          research::AdaptiveOptions{.skip = false, .frames = 8}}) {
      const auto by = [&](unsigned threads) {
        return all_impacts(
            sequence,
            {.method = Method::Adaptive, .research = research::Options{.adaptive = choice}, .threads = threads});
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
      for (const research::AdaptiveOptions& choice :
           {research::AdaptiveOptions{.frames = 8}, research::AdaptiveOptions{.skip = false, .frames = 8}}) {
        Detector detector(
            scene, {.method = Method::Adaptive, .research = research::Options{.adaptive = choice}, .threads = 1});
        // The step in parts, then back in one step, then forwards again.
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

}  // namespace
}  // namespace graze::testing
