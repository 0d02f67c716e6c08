// Options and comparisons for the tests of method adaptive (support/adaptive_check.hpp).
#include "support/adaptive_check.hpp"

#include <graze/research.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"

namespace graze::testing {

namespace {

DetectorOptions with_frames(unsigned frames) {
  return {.method = Method::Adaptive, .research = research::Options{.adaptive = {.frames = frames}}, .threads = 1};
}

std::array<std::uint64_t, 10> bits(const Impact& impact) {
  const auto of = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  return {of(impact.toi_lo),     of(impact.toi_hi),
          of(impact.weights[0]), of(impact.weights[1]),
          of(impact.weights[2]), of(impact.weights[3]),
          of(impact.normal.x),   of(impact.normal.y),
          of(impact.normal.z),   static_cast<std::uint64_t>(impact.side + 1)};
}

constexpr std::array kBuilders = {research::TreeBuilder::Sah, research::TreeBuilder::Midpoint,
                                  research::TreeBuilder::Lbvh, research::TreeBuilder::Connected};
constexpr std::array kVolumes = {research::BoundingVolume::Aabb, research::BoundingVolume::Kdop18,
                                 research::BoundingVolume::Kdop26};
constexpr std::array kCones = {research::NormalCones::None, research::NormalCones::Tight,
                               research::NormalCones::Canonical};
constexpr std::array kEdges = {research::EdgeBounds::Stored, research::EdgeBounds::Computed,
                               research::EdgeBounds::None};

}  // namespace

std::vector<AdaptiveChoice> adaptive_choices() {
  std::vector<AdaptiveChoice> all;
  const auto add = [&](std::string name, const DetectorOptions& base, const auto& change) {
    DetectorOptions options = base;
    change(options);
    all.push_back({std::move(name), options});
  };
  constexpr unsigned kFrames = 8;
  const DetectorOptions session = with_frames(kFrames);
  add("by default", {.method = Method::Adaptive}, [](DetectorOptions&) {});
  add("8 frames", session, [](DetectorOptions&) {});
  add("3 frames", with_frames(3), [](DetectorOptions&) {});
  add("no skip", session, [](DetectorOptions& o) { o.research->adaptive.skip = false; });
  add("8 frames, thick", session, [](DetectorOptions& o) { o.thickness = 0.02; });
  // The core choices end here.
  add("1 frame", with_frames(1), [](DetectorOptions&) {});
  add("2 frames", with_frames(2), [](DetectorOptions&) {});
  add("50 frames", with_frames(50), [](DetectorOptions&) {});
  add("1024 frames, alpha 7", with_frames(1024), [](DetectorOptions& o) { o.research->adaptive.alpha = 7.0; });
  for (const double alpha : {0.0, 0.5, 20.0}) {
    add(fmt::format("alpha {}", alpha), session, [&](DetectorOptions& o) { o.research->adaptive.alpha = alpha; });
  }
  add("no room", session, [](DetectorOptions& o) {
    o.research->adaptive.alpha = o.research->adaptive.beta = o.research->adaptive.gamma = 0.0;
  });
  add("no slack except alpha", session,
      [](DetectorOptions& o) { o.research->adaptive.beta = o.research->adaptive.gamma = 0.0; });
  add("room of edges", session, [](DetectorOptions& o) { o.research->adaptive.gamma = 3.0; });
  add("endless room", session,
      [](DetectorOptions& o) { o.research->adaptive.alpha = o.research->adaptive.beta = 1e300; });
  add("by work", {.method = Method::Adaptive, .threads = 1},
      [](DetectorOptions& o) { o.research->adaptive.by_work = true; });
  add("no skip, thick", session, [](DetectorOptions& o) {
    o.research->adaptive.skip = false;
    o.thickness = 0.02;
  });
  for (const research::NormalCones cones : {research::NormalCones::Tight, research::NormalCones::Canonical}) {
    for (const bool skip : {true, false}) {
      add(fmt::format("{} cones{}", name_of(cones), skip ? "" : ", no skip"), session, [&](DetectorOptions& o) {
        o.research->hierarchy.cones = cones;
        o.research->adaptive.skip = skip;
      });
    }
  }
  for (const double curvature : {1.0, 20.0, 89.9}) {
    add(fmt::format("cones of {} degrees", curvature), session, [&](DetectorOptions& o) {
      o.research->hierarchy.cones = research::NormalCones::Canonical;
      o.research->hierarchy.builder = research::TreeBuilder::Connected;
      o.research->adaptive.low_curvature = curvature;
    });
  }
  for (const research::BoundingVolume volume :
       {research::BoundingVolume::Kdop18, research::BoundingVolume::Kdop26}) {
    add(std::string(name_of(volume)), session, [&](DetectorOptions& o) { o.research->hierarchy.volume = volume; });
  }
  for (const research::TreeBuilder builder :
       {research::TreeBuilder::Midpoint, research::TreeBuilder::Lbvh, research::TreeBuilder::Connected}) {
    add(std::string(name_of(builder)), session,
        [&](DetectorOptions& o) { o.research->hierarchy.builder = builder; });
  }
  for (const research::EdgeBounds edges : {research::EdgeBounds::Computed, research::EdgeBounds::None}) {
    add(fmt::format("edge bounds {}", name_of(edges)), session,
        [&](DetectorOptions& o) { o.research->hierarchy.edge_bounds = edges; });
  }
  for (const unsigned threads : {2U, 7U}) {
    add(fmt::format("{} threads", threads), session, [&](DetectorOptions& o) { o.threads = threads; });
  }
  return all;
}

DetectorOptions random_adaptive_choice(std::uint64_t seed) {
  oracle::Random random(seed, 3);
  DetectorOptions options{.method = Method::Adaptive};
  options.threads = std::array{1U, 1U, 1U, 2U, 7U}[random.below(5)];
  options.research->adaptive.skip = random.below(5) != 0;
  options.research->adaptive.frames = std::array{0U, 3U, 8U, 20U, 20U, 50U, 50U}[random.below(7)];
  options.research->adaptive.by_work = random.coin();
  if (random.coin()) options.research->adaptive.alpha = std::array{0.0, 0.5, 2.0, 20.0}[random.below(4)];
  if (random.below(3) == 0) options.research->adaptive.beta = std::array{0.0, 1.0}[random.below(2)];
  if (random.coin()) options.research->adaptive.gamma = std::array{0.0, 0.02, 1.0}[random.below(3)];
  if (random.below(3) == 0)
    options.research->adaptive.low_curvature = std::array{10.0, 45.0, 89.0}[random.below(3)];
  if (random.below(3) == 0) options.research->hierarchy.builder = kBuilders[random.below(kBuilders.size())];
  if (random.below(3) == 0) options.research->hierarchy.volume = kVolumes[random.below(kVolumes.size())];
  if (random.below(2) == 0) options.research->hierarchy.cones = kCones[random.below(kCones.size())];
  if (random.below(4) == 0) options.research->hierarchy.edge_bounds = kEdges[random.below(kEdges.size())];
  if (random.below(4) == 0) options.thickness = 0.01;
  return options;
}

std::string difference(const Impacts& actual, const Impacts& expected) {
  std::string text;
  if (actual.impacts.size() != expected.impacts.size()) {
    text += fmt::format("{} impacts instead of {}; ", actual.impacts.size(), expected.impacts.size());
  }
  std::size_t a = 0;
  std::size_t e = 0;
  std::size_t told = 0;
  constexpr std::size_t kMaxReported = 4;
  while ((a < actual.impacts.size() || e < expected.impacts.size()) && told < kMaxReported) {
    if (e == expected.impacts.size() ||
        (a < actual.impacts.size() && actual.impacts[a].pair < expected.impacts[e].pair)) {
      text += "extra " + oracle::to_string(actual.impacts[a++].pair) + "; ";
      ++told;
    } else if (a == actual.impacts.size() || expected.impacts[e].pair < actual.impacts[a].pair) {
      text += "missing " + oracle::to_string(expected.impacts[e++].pair) + "; ";
      ++told;
    } else {
      if (bits(actual.impacts[a]) != bits(expected.impacts[e])) {
        text += "another contact of " + oracle::to_string(actual.impacts[a].pair) + "; ";
        ++told;
      }
      ++a;
      ++e;
    }
  }
  if (text.empty() && (actual.hash() != expected.hash() || actual.toi_hash() != expected.toi_hash())) {
    text = "other hashes";
  }
  return text;
}

std::vector<Impacts> all_impacts(const Sequence& sequence, const DetectorOptions& options) {
  Detector detector(sequence.scene, options);
  std::vector<Impacts> all;
  for (const SequenceStep& step : sequence.steps) all.push_back(detector.impacts(step.x_t0, step.x_t1));
  return all;
}

std::size_t total(const std::vector<Impacts>& steps) {
  std::size_t count = 0;
  for (const Impacts& step : steps) count += step.impacts.size();
  return count;
}

std::vector<int> remembered_sides(const Impacts& impacts) {
  std::vector<int> sides;
  for (const Impact& impact : impacts.impacts) sides.push_back(impact.remembered_side);
  return sides;
}

Impacts streamed(Detector& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  Impacts all;
  all.stats = detector.impacts(x_t0, x_t1, [&](std::span<const Impact> some) {
    all.impacts.insert(all.impacts.end(), some.begin(), some.end());
    return true;
  });
  std::sort(all.impacts.begin(), all.impacts.end(),
            [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
  return all;
}

}  // namespace graze::testing
