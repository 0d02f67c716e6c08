// Options and comparisons for the tests of method hash (support/hash_check.hpp).
#include "support/hash_check.hpp"

#include <graze/research.hpp>

#include <array>
#include <bit>

#include <fmt/format.h>

#include "support/adaptive_check.hpp"

namespace graze::testing {

namespace {

constexpr std::array kVolumes = {research::BoundingVolume::Aabb, research::BoundingVolume::Kdop18,
                                 research::BoundingVolume::Kdop26};
constexpr std::array kEdges = {research::EdgeBounds::Stored, research::EdgeBounds::Computed,
                               research::EdgeBounds::None};
constexpr std::array kVoxels = {0.01, 0.2, 0.0, 5.0};

bool same(const Proximity& a, const Proximity& b) {
  return a.pair == b.pair && std::bit_cast<std::uint64_t>(a.distance) == std::bit_cast<std::uint64_t>(b.distance) &&
         std::bit_cast<std::array<std::uint64_t, 4>>(a.weights) ==
             std::bit_cast<std::array<std::uint64_t, 4>>(b.weights);
}

Impacts as_impacts(const FirstImpact& first) {
  Impacts all;
  if (first.impact) all.impacts.push_back(*first.impact);
  return all;
}

std::string compare(const Impacts& actual, const Impacts& expected, std::string_view name) {
  std::string text = difference(actual, expected);
  if (text.empty() && remembered_sides(actual) != remembered_sides(expected)) text = "other remembered sides";
  return text.empty() ? text : fmt::format("{}: {}", name, text);
}

}  // namespace

DetectorOptions random_hash_choice(oracle::Random& random) {
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  options.threads = std::array{1U, 1U, 1U, 1U, 2U, 7U}[random.below(6)];
  options.research->hash.cells = random.below(3) == 0 ? research::CellRule::Largest : research::CellRule::Levels;
  options.research->hash.voxels = kVoxels[random.below(kVoxels.size())];
  options.research->hash.neighbours =
      random.coin() ? research::NeighbourTest::Certified : research::NeighbourTest::None;
  options.research->hash.representatives = random.below(3) != 0;
  if (random.coin()) options.research->hierarchy.volume = kVolumes[random.below(kVolumes.size())];
  options.research->hierarchy.edge_bounds = kEdges[random.below(kEdges.size())];
  return options;
}

std::string described(const DetectorOptions& options) {
  return fmt::format(
      "{}, {}, {} voxels, neighbours {}, {}, {}, {} edge bounds, thickness {}, {} threads", name_of(options.method),
      name_of(options.research->hash.cells), options.research->hash.voxels,
      name_of(options.research->hash.neighbours),
      options.research->hash.representatives ? "representatives" : "all features",
      options.research->hierarchy.volume ? name_of(*options.research->hierarchy.volume) : "own volume",
      name_of(options.research->hierarchy.edge_bounds), options.thickness, options.threads);
}

Scene scene_of(const oracle::SceneStep& step) {
  Scene scene;
  scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
  return scene;
}

Answers ask(Detector& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double distance) {
  Answers all;
  all.impacts = detector.impacts(x_t0, x_t1);
  all.streamed = streamed(detector, x_t0, x_t1);
  all.first = detector.first_impact(x_t0, x_t1);
  all.intersections = detector.intersections(x_t0);
  all.proximities = detector.proximities(x_t1, distance);
  return all;
}

std::string difference(const Answers& actual, const Answers& expected) {
  std::string text = compare(actual.impacts, expected.impacts, "impacts");
  if (text.empty()) text = compare(actual.streamed, expected.impacts, "streamed");
  if (text.empty()) text = compare(as_impacts(actual.first), as_impacts(expected.first), "first impact");
  if (!text.empty()) return text;
  if (actual.first.toi != expected.first.toi) return "another first time";
  if (actual.intersections.edge_face != expected.intersections.edge_face) {
    return fmt::format("{} edge-face intersections instead of {}", actual.intersections.edge_face.size(),
                       expected.intersections.edge_face.size());
  }
  if (actual.intersections.triangle_pairs != expected.intersections.triangle_pairs) {
    return "other intersecting triangles";
  }
  const auto& near = actual.proximities.proximities;
  const auto& known = expected.proximities.proximities;
  if (near.size() != known.size()) return fmt::format("{} proximities instead of {}", near.size(), known.size());
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (!same(near[i], known[i])) return "another proximity of " + oracle::to_string(known[i].pair);
  }
  return {};
}

}  // namespace graze::testing
