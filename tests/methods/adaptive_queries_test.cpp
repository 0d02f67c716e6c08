// Method adaptive between other queries, after queries that were stopped, were refused or exceeded the memory cap,
// and through edits: every answer is that of r-tri.
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/random_edits.hpp"

namespace graze::testing {

namespace {

TEST(AdaptiveQueries, AnswersAllOtherQueriesInBetween) {
  for (const std::string_view name : {"teleports", "static_body_is_elsewhere", "drift_stops"}) {
    const Sequence& sequence = sequence_named(name);
    for (const double thickness : {0.0, 0.02}) {
      for (const bool skip : {true, false}) {
        Detector detector(sequence.scene, {.method = Method::Adaptive,
                                           .research = research::Options{.adaptive = {.skip = skip, .frames = 8}},
                                           .thickness = thickness,
                                           .threads = 2});
        Detector reference(sequence.scene, {.method = Method::RTri, .thickness = thickness, .threads = 1});
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
          if (k % 4 == 2) {  // another instant, and distances beyond every displacement bound
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

TEST(AdaptiveQueries, NoticeThatAStaticBodyIsElsewhereInAnyKindOfQuery) {
  const Scene scene = wavy_sheets(0.1, true);
  for (const bool skip : {true, false}) {
    for (int kind = 0; kind < 5; ++kind) {
      SCOPED_TRACE((skip ? "kind " : "no skip, kind ") + std::to_string(kind));
      bool goes_on = true;
      Detector detector(scene, {.method = Method::Adaptive,
                                .research = research::Options{.adaptive = {.skip = skip, .frames = 30}},
                                .thickness = 0.01,
                                .threads = 1,
                                .progress = [&](double) { return goes_on; }});
      Detector reference(scene, {.method = Method::RTri, .thickness = 0.01});
      std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());
      std::size_t contacts = 0;
      for (std::uint64_t step = 0; step < 12; ++step) {
        if (step % 4 == 3) {  // up to the sheets and down again
          const double by = step % 8 == 3 ? 0.1 : -0.1;
          for (VertexId v = scene.vertices(2).first; v < scene.vertices(2).last; ++v) x[v].z += by;
          goes_on = kind != 1;
          try {
            if (kind <= 1) static_cast<void>(detector.first_impact(x, x));
            if (kind == 2) static_cast<void>(detector.intersections(x));
            if (kind >= 3) static_cast<void>(detector.proximities(x, 0.01));
            if (kind == 4) static_cast<void>(detector.first_impact(x, x));
          } catch (const Interrupted&) {
          }
          goes_on = true;
        }
        std::vector<Vec3> next = x;
        for (VertexId v = 0; v < scene.vertices(1).last; ++v) next[v].z += 0.001 * noise(step, v);
        const Impacts expected = reference.impacts(x, next);
        contacts += expected.impacts.size();
        ASSERT_EQ(difference(detector.impacts(x, next), expected), "") << "step " << step;
        x = next;
      }
      EXPECT_GT(contacts, 100U);
    }
  }
}

TEST(AdaptiveQueries, RefusesBadStepsAndGoesOn) {
  const Sequence& sequence = sequence_named("slow_crossing");
  Detector detector(sequence.scene,
                    {.method = Method::Adaptive, .research = research::Options{.adaptive = {.frames = 8}}});
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
    SequenceStep bad = sequence.steps[k];
    bad.x_t1[5].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(detector.impacts(bad.x_t0, bad.x_t1)), InputError);
    bad = sequence.steps[k];
    bad.x_t1.back().x += 1.0;  // moves a static body
    EXPECT_THROW(static_cast<void>(detector.impacts(bad.x_t0, bad.x_t1)), InputError);
    const auto& [x_t0, x_t1] = sequence.steps[k];
    ASSERT_EQ(difference(detector.impacts(x_t0, x_t1), expected[k]), "") << "step " << k;
  }
}

TEST(AdaptiveQueries, IsRightAfterAQueryThatWasStoppedAnywhere) {
  for (const std::string_view name : {"slow_crossing", "more_and_more_leave", "one_vertex_jumps"}) {
    const Sequence& sequence = sequence_named(name);
    const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
    for (const bool skip : {true, false}) {
      int allowed = std::numeric_limits<int>::max();
      std::size_t stopped = 0;
      Detector detector(sequence.scene, {.method = Method::Adaptive,
                                         .research = research::Options{.adaptive = {.skip = skip, .frames = 8}},
                                         .threads = 1,
                                         .progress = [&](double) { return allowed-- > 0; }});
      for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
        const auto& [x_t0, x_t1] = sequence.steps[k];
        // Stops at each call of the callback in turn; at every other step the query is then not repeated.
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

TEST(AdaptiveQueries, IsRightAfterASinkThatStopped) {
  const Sequence& sequence = sequence_named("slow_crossing");
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  Detector detector(
      sequence.scene,
      {.method = Method::Adaptive, .research = research::Options{.adaptive = {.frames = 8}}, .threads = 2});
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

TEST(AdaptiveQueries, AnswersRightlyOrSaysThatMemoryDoesNotDo) {
  for (const std::string_view name : {"slow_crossing", "more_and_more_leave"}) {
    const Sequence& sequence = sequence_named(name);
    const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
    for (const bool skip : {true, false}) {
      std::size_t refused = 0;
      std::size_t answered = 0;
      for (std::uint64_t cap = 1'000; cap < 4'000'000; cap += 1 + cap / 8) {
        const DetectorOptions options{.method = Method::Adaptive,
                                      .research = research::Options{.adaptive = {.skip = skip, .frames = 8}},
                                      .threads = 1,
                                      .memory_cap = cap};
        try {
          Detector detector(sequence.scene, options);
          for (std::size_t k = 0; k < sequence.steps.size(); k += 1) {
            const auto& [x_t0, x_t1] = sequence.steps[k];
            try {
              ASSERT_EQ(difference(detector.impacts(x_t0, x_t1), expected[k]), "") << name << ", step " << k;
              ++answered;
            } catch (const ResourceError&) {
              ++refused;
              if (refused % 3 != 0) break;  // each refused query costs an update
            }
          }
        } catch (const ResourceError&) {
          ++refused;
        }
      }
      EXPECT_GT(refused, 10U);
      EXPECT_GT(answered, 100U);
    }
  }
}

TEST(AdaptiveQueries, AnswersAtEveryStepWhereThereIsRoomForPlainOnes) {
  const Sequence& sequence = sequence_named("slow_crossing");
  const auto answers = [&](const DetectorOptions& options) {
    std::size_t count = 0;
    Detector detector(sequence.scene, options);
    for (const auto& [x_t0, x_t1] : sequence.steps) {
      try {
        (void)detector.impacts(x_t0, x_t1);
        ++count;
      } catch (const ResourceError&) {
      }
    }
    return count;
  };
  // The smallest cap that suffices for r-tri; results and kept pairs share the rest.
  std::uint64_t cap = 1'000;
  const auto is_enough = [&] {
    try {
      return answers({.method = Method::RTri, .threads = 1, .memory_cap = cap}) == sequence.steps.size();
    } catch (const ResourceError&) {
      return false;
    }
  };
  while (!is_enough()) cap += cap / 16;
  for (std::uint64_t more = 2 * cap; more < 8 * cap; more += more / 8) {
    for (const bool skip : {true, false}) {
      EXPECT_EQ(answers({.method = Method::Adaptive,
                         .research = research::Options{.adaptive = {.skip = skip, .frames = 8}},
                         .threads = 1,
                         .memory_cap = more}),
                sequence.steps.size())
          << more << (skip ? "" : ", no skip");
    }
  }
}

TEST(AdaptiveQueries, ReportsProgressThatNeverFalls) {
  for (const std::string_view name : {"slow_crossing", "more_and_more_leave", "winds_over_itself"}) {
    const Sequence& sequence = sequence_named(name);
    for (const research::NormalCones cones : {research::NormalCones::None, research::NormalCones::Tight}) {
      double last = 0.0;
      Detector detector(sequence.scene,
                        {.method = Method::Adaptive,
                         .research = research::Options{.hierarchy = {.cones = cones}, .adaptive = {.frames = 8}},
                         .progress = [&](double share) {
                           EXPECT_GE(share, last);
                           EXPECT_LE(share, 1.0);
                           last = share;
                           return true;
                         }});
      for (const auto& [x_t0, x_t1] : sequence.steps) {
        last = 0.0;
        (void)detector.impacts(x_t0, x_t1);
        EXPECT_EQ(last, 1.0);
      }
    }
  }
}

TEST(AdaptiveQueries, KeepNoMoreThanSomePairsATriangleWhenEverythingJumps) {
  const Sequence& calm = sequence_named("slow_crossing");
  const std::vector<Vec3>& x = calm.steps.front().x_t0;
  std::vector<Vec3> far = x;
  for (std::size_t v = 0; v < far.size() / 2; ++v) far[v].x += 3.0;
  Detector detector(
      calm.scene,
      {.method = Method::Adaptive, .research = research::Options{.adaptive = {.frames = 1000}}, .threads = 2});
  Detector reference(calm.scene, {.method = Method::RTri});
  for (int k = 0; k < 4; ++k) {
    const Impacts actual = detector.impacts(k % 2 == 0 ? x : far, k % 2 == 0 ? far : x);
    const Impacts expected = reference.impacts(k % 2 == 0 ? x : far, k % 2 == 0 ? far : x);
    ASSERT_EQ(difference(actual, expected), "");
    EXPECT_LE(actual.stats.coherence.pairs, 64 * calm.scene.triangle_count());
  }
}

TEST(AdaptiveQueries, GoesOnWhenItIsMoved) {
  const Sequence& sequence = sequence_named("slow_crossing");
  const std::vector<Impacts> expected = all_impacts(sequence, {.method = Method::RTri});
  Detector detector(sequence.scene,
                    {.method = Method::Adaptive, .research = research::Options{.adaptive = {.frames = 8}}});
  for (std::size_t k = 0; k < sequence.steps.size(); ++k) {
    Detector moved = std::move(detector);
    const auto& [x_t0, x_t1] = sequence.steps[k];
    ASSERT_EQ(difference(moved.impacts(x_t0, x_t1), expected[k]), "") << "step " << k;
    detector = std::move(moved);
  }
}

TEST(AdaptiveQueries, FollowsEditsBetweenStepsOfASession) {
  Scene scene = wavy_sheets(0.1, true);
  std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());
  for (const bool skip : {true, false}) {
    Detector detector(scene, {.method = Method::Adaptive,
                              .research = research::Options{.adaptive = {.skip = skip, .frames = 8}}});
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
