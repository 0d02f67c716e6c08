// Replays of edit scripts (support/edit_replay.hpp).
#include "support/edit_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"
#include "support/edit_positions.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

enum class Question : std::uint8_t { Impacts, Streamed, First, Intersections, Proximities };

struct Answer {
  std::vector<FeaturePair> pairs;
  std::uint64_t hash = 0;
  double number = 0.0;  ///< a time, or the sum of distances
  std::vector<Intersection> edge_face;
  std::vector<TrianglePair> triangle_pairs;

  friend bool operator==(const Answer&, const Answer&) = default;
};

struct Query {
  Question question = Question::Impacts;
  double distance = 0.0;
  EditStep step;
};

Answer ask(Detector& detector, const Query& query) {
  const auto& [x_t0, x_t1] = query.step;
  Answer answer;
  switch (query.question) {
    case Question::Impacts: {
      const Impacts impacts = detector.impacts(x_t0, x_t1);
      for (const Impact& impact : impacts.impacts) answer.pairs.push_back(impact.pair);
      answer.hash = impacts.toi_hash();
      break;
    }
    case Question::Streamed: {
      Impacts impacts;
      detector.impacts(x_t0, x_t1, [&](std::span<const Impact> some) {
        impacts.impacts.insert(impacts.impacts.end(), some.begin(), some.end());
        return true;
      });
      std::sort(impacts.impacts.begin(), impacts.impacts.end(),
                [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
      for (const Impact& impact : impacts.impacts) answer.pairs.push_back(impact.pair);
      answer.hash = impacts.toi_hash();
      break;
    }
    case Question::First: {
      const FirstImpact first = detector.first_impact(x_t0, x_t1);
      if (first.impact) answer.pairs.push_back(first.impact->pair);
      answer.number = first.toi;
      break;
    }
    case Question::Intersections: {
      Intersections found = detector.intersections(x_t0);
      answer.edge_face = std::move(found.edge_face);
      answer.triangle_pairs = std::move(found.triangle_pairs);
      break;
    }
    case Question::Proximities: {
      for (const Proximity& p : detector.proximities(x_t0, query.distance).proximities) {
        answer.pairs.push_back(p.pair);
        answer.number += p.distance;
      }
      break;
    }
  }
  return answer;
}

std::string difference(const Answer& actual, const Answer& expected) {
  std::string text = fmt::format("{} pairs, {} edge-face, {} triangle pairs, number {}, instead of {}, {}, {}, {}",
                                 actual.pairs.size(), actual.edge_face.size(), actual.triangle_pairs.size(),
                                 actual.number, expected.pairs.size(), expected.edge_face.size(),
                                 expected.triangle_pairs.size(), expected.number);
  const auto only = [&](const Answer& in, const Answer& other, std::string_view name) {
    for (const FeaturePair& pair : in.pairs) {
      if (std::find(other.pairs.begin(), other.pairs.end(), pair) != other.pairs.end()) continue;
      text += fmt::format("; {} {}", name, oracle::to_string(pair));
      return;
    }
  };
  only(expected, actual, "missing");
  only(actual, expected, "extra");
  return text;
}

/// Compares with the naive reference on the existing triangles. Precondition: no thickness.
std::string against_oracle(const Answer& actual, const Scene& scene, const Query& query) {
  oracle::SceneStep step{.triangles = {}, .x_t0 = query.step.x_t0, .x_t1 = query.step.x_t1};
  for (TriangleId t = 0; t < scene.triangle_count(); ++t) {
    if (scene.has_triangle(t)) step.triangles.push_back(scene.triangles()[t]);
  }
  const auto is_off = [&](VertexId a, VertexId b) { return !scene.tests_pair(scene.body_of(a), scene.body_of(b)); };
  if (query.question == Question::Intersections) {
    auto expected = oracle::edge_face_intersections(step.triangles, step.x_t0);
    std::erase_if(expected, [&](const Intersection& i) { return is_off(i.edge[0], i.face[0]); });
    return oracle::compare_intersections(expected, actual.edge_face, step.x_t0);
  }
  std::vector<FeaturePair> expected = query.question == Question::Proximities
                                          ? oracle::proximities(step.triangles, step.x_t0, query.distance)
                                          : oracle::pairs_of(oracle::contacts(step));
  std::erase_if(expected, [&](const FeaturePair& pair) { return is_off(pair.vertices[0], pair.vertices[3]); });
  if (query.question == Question::First) {
    return actual.pairs.empty() == expected.empty() ? "" : "a first impact, or none, wrongly";
  }
  return oracle::compare_pairs(expected, actual.pairs, step);
}

class Replay {
 public:
  Replay(const Scene& start, const std::vector<DetectorOptions>& options, std::uint64_t seed, ReplayCounts& counts)
      : options_(options), seed_(seed), counts_(counts), scene_(start) {
    for (const DetectorOptions& choice : options) detectors_.emplace_back(start, choice);
    // The first query makes the detectors build their trees.
    if (seed % 4 != 0) ask_all(ask_for(0xffffU, 0), Random(seed));
  }

  bool play(const EditRound& round) {
    Random random(seed_ + 300, round.round);
    // An edit begun on the scene or on a detector's own scene fits all of them.
    const bool own = random.coin();
    SceneEdit edit = own ? detectors_[0].begin_edit() : scene_.begin_edit();
    for (const EditOp& op : round.ops) perform(edit, op);
    scene_.apply(edit);
    for (detector_ = 0; detector_ < detectors_.size(); ++detector_) detectors_[detector_].apply(edit);
    counts_.edits += detectors_.size();
    if (random.below(6) == 0 && !apply_again(edit, random)) return false;
    if (random.below(3) == 0 && !validate("after the edit")) return false;
    // Some edits follow another without a query in between, some are followed by several queries.
    const std::uint32_t mode = random.below(8);
    const std::uint32_t queries = mode < 2 ? 0 : mode < 7 ? 1 : 3;
    for (std::uint32_t i = 0; i < queries; ++i) {
      if (!ask_all(ask_for(round.round, i), random)) return false;
    }
    return validate(queries == 0 ? "without a query" : "after a query");
  }

  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] std::size_t detector() const { return std::min(detector_, detectors_.size() - 1); }

 private:
  bool fail(std::string text) {
    failure_ = std::move(text);
    return false;
  }

  [[nodiscard]] Query ask_for(std::uint32_t round, std::uint32_t which) const {
    constexpr std::array kQuestions = {Question::Impacts,       Question::Impacts,     Question::First,
                                       Question::Intersections, Question::Proximities, Question::Streamed};
    Random random(seed_ + 400, 16U * std::uint64_t{round} + which);
    Query query;
    query.question = kQuestions[random.below(kQuestions.size())];
    query.distance = std::array{0.0, 0.005, existing_triangles(scene_) < 30 ? 0.1 : 0.01}[random.below(3)];
    query.step = edit_step(scene_, seed_, round, which);
    return query;
  }

  bool ask_all(const Query& query, Random random) {
    const std::size_t living = existing_triangles(scene_);
    DetectorOptions fresh = options_[0];
    fresh.threads = 1;
    fresh.method = living <= 60 ? Method::Brute : Method::RTri;
    fresh.research->hierarchy = {};
    Detector reference(scene_, fresh);
    const Answer expected = ask(reference, query);
    counts_.contacts += expected.pairs.size() + expected.edge_face.size();
    if (living <= 9 && fresh.thickness == 0.0 && random.below(3) == 0) {
      ++counts_.by_oracle;
      const std::string text = against_oracle(expected, scene_, query);
      if (!text.empty()) return fail("a new detector differs from the oracle: " + text);
    }
    const std::uint32_t twin = random.below(static_cast<std::uint32_t>(4 * detectors_.size()));
    for (detector_ = 0; detector_ < detectors_.size(); ++detector_) {
      ++counts_.queries;
      const Answer actual = ask(detectors_[detector_], query);
      if (actual == expected) continue;
      return fail(fmt::format("question {} has another answer: {}", static_cast<int>(query.question),
                              difference(actual, expected)));
    }
    if (twin < detectors_.size()) {
      Detector second(scene_, options_[twin]);
      if (ask(second, query) != expected) {
        detector_ = twin;
        return fail("two new detectors differ");
      }
    }
    return true;
  }

  bool validate(std::string_view when) {
    for (detector_ = 0; detector_ < detectors_.size(); ++detector_) {
      const std::string text = detectors_[detector_].validate();
      if (!text.empty()) return fail(fmt::format("{}: {}", when, text));
    }
    return true;
  }

  /// An edit made for the previous revision must be refused and must not change anything.
  bool apply_again(const SceneEdit& edit, Random random) {
    detector_ = random.below(static_cast<std::uint32_t>(detectors_.size()));
    const std::uint64_t revision = detectors_[detector_].scene().revision();
    ++counts_.refused;
    try {
      detectors_[detector_].apply(edit);
    } catch (const InputError&) {
      if (detectors_[detector_].scene().revision() == revision) return true;
    }
    return fail("an edit for another state was not refused");
  }

  const std::vector<DetectorOptions>& options_;
  std::uint64_t seed_;
  ReplayCounts& counts_;
  Scene scene_;
  std::vector<Detector> detectors_;
  std::size_t detector_ = 0;  ///< the detector being checked
  std::string failure_;
};

}  // namespace

ReplayCounts& ReplayCounts::operator+=(const ReplayCounts& other) {
  edits += other.edits;
  queries += other.queries;
  contacts += other.contacts;
  by_oracle += other.by_oracle;
  refused += other.refused;
  return *this;
}

ReplayFailure replay(const Scene& start, const EditScript& script, const std::vector<DetectorOptions>& detectors,
                     std::uint64_t seed, ReplayCounts& counts) {
  std::optional<Replay> run;
  std::uint32_t round = 0;
  try {
    run.emplace(start, detectors, seed, counts);
    if (!run->failure().empty()) return {run->failure(), round, run->detector()};
    for (const EditRound& edit : script) {
      round = edit.round;
      if (!run->play(edit)) return {run->failure(), round, run->detector()};
    }
  } catch (const std::exception& error) {
    return {std::string("threw: ") + error.what(), round, run ? run->detector() : 0};
  }
  return {};
}

std::string report(const Scene& start, const EditScript& script, const std::vector<DetectorOptions>& detectors,
                   std::uint64_t seed, ReplayCounts& counts) {
  const ReplayFailure failure = replay(start, script, detectors, seed, counts);
  if (failure.text.empty()) return {};
  ReplayCounts ignored;
  std::vector<DetectorOptions> chosen = {detectors[failure.detector]};
  EditScript smallest = script;
  std::erase_if(smallest, [&](const EditRound& round) { return round.round > failure.round; });
  const auto fails = [&](const EditScript& less) {
    return !replay(start, less, chosen, seed, ignored).text.empty();
  };
  if (!fails(smallest)) chosen = detectors;  // the failure needs all of them
  constexpr int kAttempts = 400;
  smallest = shrink(std::move(smallest), fails, kAttempts);
  const ReplayFailure least = replay(start, smallest, chosen, seed, ignored);
  return fmt::format("seed {}, edit {}, {}: {}\ncut down, {}:\n{}", seed, failure.round,
                     to_string(detectors[failure.detector]), failure.text, least.text, to_string(smallest));
}

std::string to_string(const DetectorOptions& options) {
  std::string text(name_of(options.method));
  if (options.research->hierarchy.builder)
    text += fmt::format(", {}", name_of(*options.research->hierarchy.builder));
  if (options.research->hierarchy.volume) text += fmt::format(", {}", name_of(*options.research->hierarchy.volume));
  if (options.research->hierarchy.cones)
    text += fmt::format(", {} cones", name_of(*options.research->hierarchy.cones));
  return text + fmt::format(", {} edge bounds, thickness {}, {} threads",
                            name_of(options.research->hierarchy.edge_bounds), options.thickness, options.threads);
}

std::vector<DetectorOptions> some_detectors(std::uint64_t seed, std::size_t count) {
  constexpr std::array kMethods = {Method::RTri,     Method::Iccd, research::kNoDupl, Method::Iccd,
                                   research::kBasic, Method::Iccd, research::kAdj,    Method::Brute};
  constexpr std::array kBuilders = {research::TreeBuilder::Sah, research::TreeBuilder::Midpoint,
                                    research::TreeBuilder::Lbvh, research::TreeBuilder::Connected};
  constexpr std::array kVolumes = {research::BoundingVolume::Aabb, research::BoundingVolume::Kdop18,
                                   research::BoundingVolume::Kdop26};
  constexpr std::array kCones = {research::NormalCones::None, research::NormalCones::Tight,
                                 research::NormalCones::Canonical};
  constexpr std::array kEdges = {research::EdgeBounds::Stored, research::EdgeBounds::Computed,
                                 research::EdgeBounds::None};
  Random random(seed, 2);
  const double thickness = random.below(5) == 0 ? 0.005 : 0.0;
  std::vector<DetectorOptions> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    DetectorOptions options{.method = kMethods[(seed * count + i) % kMethods.size()], .thickness = thickness};
    options.threads = std::array{2U, 7U, 1U}[std::min(random.below(12), 2U)];
    if (random.coin()) options.research->hierarchy.builder = kBuilders[random.below(kBuilders.size())];
    if (random.coin()) options.research->hierarchy.volume = kVolumes[random.below(kVolumes.size())];
    if (random.coin()) options.research->hierarchy.cones = kCones[random.below(kCones.size())];
    options.research->hierarchy.edge_bounds = kEdges[random.below(3) == 0 ? random.below(kEdges.size()) : 0];
    chosen.push_back(options);
  }
  return chosen;
}

}  // namespace graze::testing
