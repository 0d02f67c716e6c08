// Method adaptive through random sequences: calm and violent steps, drifts that start and stop, spikes, teleports,
// edits, all queries in any order, and stopped queries. Every answer is that of r-tri, to the last bit.
//
// GRAZE_ADAPTIVE_ROUNDS=k runs k times as many sequences; GRAZE_ADAPTIVE_SEED=s starts with seed s, to repeat one.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "environment.hpp"
#include "oracle/random.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/edit_positions.hpp"
#include "support/edit_replay.hpp"
#include "support/edit_script.hpp"
#include "support/random_edits.hpp"
#include "support/random_life.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

Vec3 sum(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

/// Counts of what a sequence contained, to check that the test covered it.
struct LifeCounts {
  std::size_t steps = 0;
  std::size_t contacts = 0;
  std::size_t skipped = 0;
  std::size_t contacts_in_skipped = 0;
  std::size_t dangling = 0;
  std::size_t stopped = 0;
  std::size_t edits = 0;
};

enum class Mood : std::uint8_t { Calm, Still, Drift, Spikes, Swing, Shake, Pulse, Approach };
constexpr std::array kMoodNames = {"calm", "still", "drift", "spikes", "swing", "shake", "pulse", "approach"};

class Life : RandomLife {
 public:
  Life(std::uint64_t seed, LifeCounts& counts)
      : RandomLife(seed, 1, start_of(seed), 64, 150),
        counts_(counts),
        x_(scene_.positions().begin(), scene_.positions().end()),
        options_(random_adaptive_choice(seed)) {
    if (random_.below(3) == 0) {
      scale_ = std::array{0x1p-600, 0x1p-100, 0x1p-80, 0x1p-60, 0x1p60, 0x1p95, 0x1p126, 0x1p600}[random_.below(8)];
    }
    for (Vec3& p : x_) p = {scale_ * p.x, scale_ * p.y, scale_ * p.z};
    base_ = x_;
    options_.thickness *= scale_;
    make_detectors(options_, {.method = Method::RTri, .thickness = options_.thickness, .threads = 1});
    DetectorOptions plain = options_;
    plain.threads = 1;
    plain.research->adaptive = {.skip = false};
    twin_ = std::make_unique<Detector>(scene_, plain);
    begin_mood();
  }

  /// Empty if the answer was right.
  std::string step(std::size_t index) {
    index_ = index;
    ++counts_.steps;
    if (random_.below(10) == 0) begin_mood();
    if (random_.below(30) == 0) edit();
    if (random_.below(30) == 0) teleport();
    const std::vector<Vec3> x_t0 = given(x_);
    move();
    const std::vector<Vec3> x_t1 = given(x_);
    const std::string text = ask(x_t0, x_t1);
    if (text.empty()) return {};
    return fmt::format("seed {}, step {}, {}, scale {}, {}, frames {}, skip {}: {}", seed_, index,
                       kMoodNames[static_cast<std::size_t>(mood_)], scale_, to_string(options_),
                       options_.research->adaptive.frames, options_.research->adaptive.skip, text);
  }

 private:
  static Scene start_of(std::uint64_t seed) {
    if (seed % 2 == 0) return wavy_sheets(0.05, seed % 4 == 0, Motion::Deforming, 7);
    return small_start(seed / 2, seed);
  }

  void begin_mood() {
    mood_ = static_cast<Mood>(random_.below(kMoodNames.size()));
    const auto any = [&] { return scale_ * random_.symmetric(); };
    const double speed = std::array{0.002, 0.02, 0.2}[random_.below(3)];
    drift_ = {speed * any(), speed * any(), speed * any()};
    jitter_ = scale_ * std::array{0.0, 0.0005, 0.003, 0.01}[random_.below(4)];
    spikes_ = 1U + random_.below(2);
    phase_ = random_.next();
    if (random_.below(3) == 0) back_to_base();
  }

  /// Moves the vertices back near their start, so that a scene stays in one place.
  void back_to_base() {
    for (VertexId v = 0; v < x_.size(); ++v) {
      if (v < base_.size()) x_[v] = sum(base_[v], noise3(phase_, v, 0.01 * scale_));
    }
  }

  void teleport() {
    const auto body = random_.below(static_cast<std::uint32_t>(scene_.body_count()) + 1);
    const Vec3 by = noise3(random_.next(), 1, scale_ * std::array{0.05, 0.5, 30.0}[random_.below(3)]);
    for (VertexId v = 0; v < x_.size(); ++v) {
      if (scene_.has_vertex(v) && scene_.body_of(v) == body) x_[v] = sum(x_[v], by);
    }
  }

  [[nodiscard]] Vec3 displacement(VertexId v) const {
    const Vec3 own = noise3(index_ + phase_, v, jitter_);
    const BodyId body = scene_.has_vertex(v) ? scene_.body_of(v) : 0;
    const double sign = index_ % 2 == 0 ? 1.0 : -1.0;
    const double wide = 0.3 * scale_;
    switch (mood_) {
      case Mood::Calm:
        return own;
      case Mood::Still:
        return {};
      case Mood::Drift:
        return sum(own, drift_);
      case Mood::Spikes:
        return (v + phase_ % 64 + index_ / 4) % 64 < spikes_ ? noise3(index_, v, wide) : own;
      case Mood::Swing:
        return sum(own, {sign * drift_.x, sign * drift_.y, sign * drift_.z});
      case Mood::Shake:
        return noise3(index_ + phase_, v, (phase_ % 4 == 0 ? 0.1 : 0.01) * scale_);
      case Mood::Pulse: {
        const double by = sign > 0 ? 0.05 : 0.0 - 0.05 / 1.05;
        return {by * x_[v].x, by * x_[v].y, by * x_[v].z};
      }
      case Mood::Approach:
        return sum(own, {0, 0, (body % 2 == 0 ? 0.004 : -0.004) * scale_});
    }
    return own;
  }

  void move() {
    std::vector<Vec3> next = x_;
    for (VertexId v = 0; v < x_.size(); ++v) {
      if (!is_static(v)) next[v] = sum(x_[v], displacement(v));
    }
    x_ = std::move(next);
  }

  /// Gives removed vertices positions that no vertex can have.
  [[nodiscard]] std::vector<Vec3> given(const std::vector<Vec3>& x) const {
    std::vector<Vec3> all = x;
    const double nowhere = std::array{std::numeric_limits<double>::quiet_NaN(), 1e300,
                                      -std::numeric_limits<double>::infinity()}[index_ % 3];
    for (VertexId v = 0; v < all.size(); ++v) {
      if (!scene_.has_vertex(v)) all[v] = {nowhere, 0.0, nowhere};
    }
    return all;
  }

  void edit() {
    const bool done = edit_next([&](SceneEdit& edit) {
      const std::size_t before = x_.size();
      x_ = edit.carry(x_);
      base_ = edit.carry(base_);
      std::vector<bool> is_copy(x_.size());
      for (const SceneEdit::Copy& copy : edit.copies()) is_copy[copy.copy] = true;
      for (std::size_t v = before; v < x_.size(); ++v) {
        if (is_copy[v]) continue;
        x_[v] = {scale_ * x_[v].x, scale_ * x_[v].y, scale_ * x_[v].z};
        base_[v] = x_[v];
      }
      twin_->apply(edit);
    });
    counts_.edits += done ? 1 : 0;
  }

  /// Makes a query that stops after some calls of the callback or in its sink; it may also complete.
  void ask_and_stop(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
    const bool by_sink = random_.below(3) == 0;
    const int calls = by_sink ? std::numeric_limits<int>::max() : static_cast<int>(random_.below(5));
    const bool was = stopped(calls, [&] {
      if (by_sink) {
        detector_->impacts(x_t0, x_t1, [](std::span<const Impact>) { return false; });
      } else {
        static_cast<void>(detector_->impacts(x_t0, x_t1));
      }
    });
    counts_.stopped += was ? 1 : 0;
    sides_compare_ = false;  // a stopped query may or may not count as a step
  }

  std::string ask(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
    const std::uint32_t question = random_.below(20);
    if (question < 2) ask_and_stop(x_t0, x_t1);
    if (question == 1) return {};
    if (question == 3) return first_difference(x_t0, x_t1);
    if (question == 4) {
      if (detector_->intersections(x_t0).edge_face != reference_->intersections(x_t0).edge_face) {
        return "intersections";
      }
    }
    if (question == 5) {
      const double d = 0.03 * scale_;
      const auto near = detector_->proximities(x_t1, d).proximities;
      const auto known = reference_->proximities(x_t1, d).proximities;
      if (near.size() != known.size()) return "proximities";
    }
    const Impacts expected = reference_->impacts(x_t0, x_t1);
    const Impacts actual = question == 6 ? streamed(*detector_, x_t0, x_t1) : detector_->impacts(x_t0, x_t1);
    count(actual);
    std::string text = difference(actual, expected);
    if (!text.empty() || !sides_compare_) return text;
    const Impacts by_twin = twin_->impacts(x_t0, x_t1);
    text = difference(by_twin, expected);
    if (!text.empty()) return "twin: " + text;
    return remembered_sides(actual) == remembered_sides(by_twin) ? "" : "other sides than those of the twin";
  }

  void count(const Impacts& impacts) {
    const CoherenceCounts& coherence = impacts.stats.coherence;
    counts_.contacts += impacts.impacts.size();
    counts_.dangling += coherence.dangling_vertices;
    if (coherence.session_step <= 1) return;
    ++counts_.skipped;
    counts_.contacts_in_skipped += impacts.impacts.size();
  }

  LifeCounts& counts_;
  std::vector<Vec3> x_;
  std::vector<Vec3> base_;
  DetectorOptions options_;
  double scale_ = 1.0;
  std::unique_ptr<Detector> twin_;
  bool sides_compare_ = true;
  Mood mood_ = Mood::Calm;
  Vec3 drift_;
  double jitter_ = 0.0;
  std::uint32_t spikes_ = 1;
  std::uint64_t phase_ = 0;
  std::size_t index_ = 0;
};

TEST(AdaptiveLives, HaveTheAnswersOfRTriAtEveryStep) {
#if defined(GRAZE_ASSERTS)
  constexpr std::uint64_t kLives = 4;
#else
  constexpr std::uint64_t kLives = 24;
#endif
  constexpr std::size_t kSteps = 60;
  const std::uint64_t first = from_environment("GRAZE_ADAPTIVE_SEED", 1);
  const std::uint64_t rounds = from_environment("GRAZE_ADAPTIVE_ROUNDS", 1);
  LifeCounts counts;
  for (std::uint64_t seed = first; seed < first + kLives * rounds; ++seed) {
    Life life(seed, counts);
    for (std::size_t step = 0; step < kSteps; ++step) ASSERT_EQ(life.step(step), "");
  }
  RecordProperty("contacts", static_cast<int>(counts.contacts));
  constexpr std::uint64_t kMany = 20;
  if (kLives * rounds < kMany) return;  // too few sequences to contain everything
  EXPECT_GT(counts.contacts, 20 * counts.steps);
  EXPECT_GT(counts.skipped, counts.steps / 5);
  EXPECT_GT(counts.contacts_in_skipped, counts.contacts / 10);
  EXPECT_GT(counts.dangling, counts.steps / 200);
  EXPECT_GT(counts.stopped, counts.steps / 50);
  EXPECT_GT(counts.edits, counts.steps / 50);
}

TEST(AdaptiveLives, ThroughScriptsOfEditsAreWhatNewDetectorsAre) {
#if defined(GRAZE_ASSERTS)
  constexpr std::uint64_t kScripts = 1;
#else
  constexpr std::uint64_t kScripts = 2;
#endif
  const std::uint64_t rounds = from_environment("GRAZE_ADAPTIVE_ROUNDS", 1);
  const std::uint64_t first = from_environment("GRAZE_ADAPTIVE_SEED", 1);
  ReplayCounts counts;
  for (const EditStart& start : edit_starts()) {
    for (std::uint64_t seed = first; seed < first + kScripts * rounds; ++seed) {
      const Scene scene = make_start(start, seed);
      const EditScript script = random_script(scene, seed, 12, start.most_triangles);
      std::vector<DetectorOptions> detectors;
      for (std::uint64_t i = 0; i < 3; ++i) {
        detectors.push_back(random_adaptive_choice(100 * seed + i));
        detectors.back().thickness = detectors.front().thickness;
      }
      ASSERT_EQ(report(scene, script, detectors, seed, counts), "") << "start " << start.name;
    }
  }
  EXPECT_GT(counts.queries, counts.edits / 2);
  EXPECT_GT(counts.contacts, counts.edits);
}

}  // namespace
}  // namespace graze::testing
