// Method hash through random sequences: sheets, soups and edited meshes that jump, spread over many sizes, shrink
// to a point, or are static; static bodies that are placed elsewhere; edits; all queries in any order; stopped
// queries. Every answer is that of r-tri, to the last bit.
//
// GRAZE_HASH_ROUNDS=k runs k times as many sequences; GRAZE_HASH_SEED=s starts with seed s, to repeat one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <graze/graze.hpp>

#include "oracle/random.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/hash_check.hpp"
#include "support/random_life.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

Vec3 sum(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vec3 times(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// Counts of what the sequences contained, to check that the test covered it.
struct LifeCounts {
  std::size_t steps = 0;
  std::size_t contacts = 0;
  std::size_t stopped = 0;
  std::size_t edits = 0;
  std::size_t static_moves = 0;
};

enum class Mood : std::uint8_t { Calm, Jitter, Fly, Spread, Shrink, Lattice, Spikes, Needles };
constexpr std::array kMoodNames = {"calm", "jitter", "fly", "spread", "shrink", "lattice", "spikes", "needles"};

class Life : RandomLife {
 public:
  Life(std::uint64_t seed, LifeCounts& counts)
      : RandomLife(seed, 61, start_of(seed), 32, 120),
        counts_(counts),
        base_(scene_.positions().begin(), scene_.positions().end()),
        options_(random_hash_choice(random_)) {
    if (random_.below(3) == 0) {
      scale_ = std::array{
          0x1p-1000, 0x1p-200, 0x1p-140, 0x1p-126, 0x1p60, 0x1p120, 0x1p126, 0x1p130, 0x1p900}[random_.below(9)];
    }
    if (random_.below(4) == 0) options_.thickness = 0.01 * scale_;
    if (random_.below(4) == 0) offset_ = times(1e5, {random_.symmetric(), random_.symmetric(), 1.0});
    make_detectors(options_, {.method = Method::RTri, .thickness = options_.thickness, .threads = 1});
  }

  /// Empty if the answer was right.
  std::string step(std::uint64_t index) {
    index_ = index;
    ++counts_.steps;
    if (random_.below(4) == 0) mood_ = static_cast<Mood>(random_.below(kMoodNames.size()));
    if (random_.below(8) == 0) edit();
    if (random_.below(5) == 0) {
      ++still_;
      ++counts_.static_moves;
    }
    std::vector<Vec3> x_t0;
    std::vector<Vec3> x_t1;
    for (VertexId v = 0; v < base_.size(); ++v) {
      x_t0.push_back(given(v, placed(v, 0)));
      x_t1.push_back(is_static(v) ? x_t0.back() : given(v, placed(v, 1)));
    }
    const std::string text = ask_one(x_t0, x_t1);
    if (text.empty()) return {};
    return fmt::format("seed {}, step {}, {}, scale {}: {}: {}", seed_, index,
                       kMoodNames[static_cast<std::size_t>(mood_)], scale_, described(options_), text);
  }

 private:
  static Scene start_of(std::uint64_t seed) {
    if (seed % 3 == 0) return wavy_sheets(0.05, seed % 2 == 0, Motion::Deforming, 5);
    return small_start(seed, seed);
  }

  /// Position at the start (0) or end (1) of the step; for static bodies, their current position.
  [[nodiscard]] Vec3 placed(VertexId v, std::uint64_t end) const {
    const bool stays = is_static(v);
    const std::uint64_t moment = stays ? 1'000'000 + still_ : 2 * index_ + end;
    const BodyId body = scene_.has_vertex(v) ? scene_.body_of(v) : 0;
    const Vec3 of_body = noise3(seed_ + 7 * moment, body, stays ? 0.3 : 0.15);
    const Vec3& base = base_[v];
    const Vec3 calm = sum(base, of_body);
    if (stays) return calm;
    Random of_vertex(seed_ + 1000 + v, moment);
    switch (mood_) {
      case Mood::Calm:
        return calm;
      case Mood::Jitter:
        return sum(calm, noise3(seed_ + v, moment, 0.05));
      case Mood::Fly:
        return sum(base, times(8.0, of_body));
      case Mood::Spread:  // triangles of all sizes
        return sum(base, noise3(seed_ + v, moment, std::ldexp(0.02, static_cast<int>(v % 12) - 4)));
      case Mood::Shrink:
        return times(end == 0 ? 1.0 : std::ldexp(1.0, -static_cast<int>(index_ % 60)), calm);
      case Mood::Lattice:
        return {0.25 * std::round(4.0 * base.x), 0.25 * std::round(4.0 * base.y),
                0.25 * std::round(4.0 * (base.z + 3.0 * of_body.z))};
      case Mood::Spikes:
        return v % 29 == index_ % 29 ? sum(base, noise3(seed_ + v, moment, 20.0)) : calm;
      case Mood::Needles:
        return {30.0 * calm.x, calm.y, 0.01 * calm.z};
    }
    return calm;
  }

  [[nodiscard]] Vec3 given(VertexId v, const Vec3& p) const {
    if (!scene_.has_vertex(v)) {  // removed vertices get positions that no vertex can have
      const double nowhere = std::array{std::numeric_limits<double>::quiet_NaN(), 1e300,
                                        -std::numeric_limits<double>::infinity()}[index_ % 3];
      return {nowhere, 0.0, nowhere};
    }
    return times(scale_, sum(p, offset_));
  }

  void edit() {
    const bool done = edit_next([&](SceneEdit& edit) { base_ = edit.carry(base_); });
    counts_.edits += done ? 1 : 0;
  }

  /// Makes a query that stops after some calls of the callback or in its sink; it may also complete.
  void ask_and_stop(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
    const auto calls = static_cast<int>(random_.below(4));
    const bool was = stopped(calls, [&] {
      switch (random_.below(4)) {
        case 0:
          detector_->impacts(x_t0, x_t1, [](std::span<const Impact>) { return false; });
          break;
        case 1:
          static_cast<void>(detector_->first_impact(x_t0, x_t1));
          break;
        case 2:
          static_cast<void>(detector_->proximities(x_t0, 0.1 * scale_));
          break;
        default:
          static_cast<void>(detector_->impacts(x_t0, x_t1));
      }
    });
    counts_.stopped += was ? 1 : 0;
  }

  std::string ask_one(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
    if (random_.below(6) == 0) ask_and_stop(x_t0, x_t1);
    const std::uint32_t question = random_.below(8);
    if (question == 0) return {};  // no query
    const double d = scale_ * std::array{0.0, 0.003, 0.03}[random_.below(3)];
    if (question == 1) {
      const Answers expected = ask(*reference_, x_t0, x_t1, d);
      return difference(ask(*detector_, x_t0, x_t1, d), expected);
    }
    if (question == 2) return first_difference(x_t0, x_t1);
    if (question == 3) {
      const auto found = detector_->intersections(x_t1);
      const auto known = reference_->intersections(x_t1);
      return found.edge_face == known.edge_face && found.triangle_pairs == known.triangle_pairs ? ""
                                                                                                : "intersections";
    }
    if (question == 4) {
      const auto near = detector_->proximities(x_t1, d).proximities;
      const auto known = reference_->proximities(x_t1, d).proximities;
      if (near.size() != known.size()) return "proximities";
    }
    const Impacts expected = reference_->impacts(x_t0, x_t1);
    counts_.contacts += expected.impacts.size();
    return difference(question == 5 ? streamed(*detector_, x_t0, x_t1) : detector_->impacts(x_t0, x_t1), expected);
  }

  LifeCounts& counts_;
  std::vector<Vec3> base_;
  DetectorOptions options_;
  double scale_ = 1.0;
  Vec3 offset_;
  Mood mood_ = Mood::Calm;
  std::uint64_t still_ = 0;  ///< counts the placements of static bodies
  std::uint64_t index_ = 0;
};

TEST(HashLives, HaveTheAnswersOfRTriAtEveryStep) {
#if defined(GRAZE_ASSERTS)
  constexpr std::uint64_t kLives = 4;
#else
  constexpr std::uint64_t kLives = 9;
#endif
  constexpr std::size_t kSteps = 30;
  const std::uint64_t first = from_environment("GRAZE_HASH_SEED", 1);
  const std::uint64_t rounds = from_environment("GRAZE_HASH_ROUNDS", 1);
  LifeCounts counts;
  for (std::uint64_t seed = first; seed < first + kLives * rounds; ++seed) {
    Life life(seed, counts);
    for (std::size_t step = 0; step < kSteps; ++step) ASSERT_EQ(life.step(step), "");
  }
  RecordProperty("contacts", static_cast<int>(counts.contacts));
  EXPECT_GT(counts.contacts, 20 * counts.steps);
  EXPECT_GT(counts.stopped, counts.steps / 50);
  EXPECT_GT(counts.edits, counts.steps / 50);
  EXPECT_GT(counts.static_moves, counts.steps / 50);
}

}  // namespace
}  // namespace graze::testing
