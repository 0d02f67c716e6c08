// Many small scenes for the tests of batches, on the host and on a GPU: their positions one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <graze/detector_batch.hpp>

#include "oracle/scene_generator.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/hash_check.hpp"

namespace graze::testing {

struct BatchScenes {
  std::vector<Scene> scenes;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;

  void add(const Scene& scene, std::span<const Vec3> start, std::span<const Vec3> end) {
    scenes.push_back(scene);
    x_t0.insert(x_t0.end(), start.begin(), start.end());
    x_t1.insert(x_t1.end(), end.begin(), end.end());
  }
};

/// Small scenes with degenerate ones, empty ones and sheets with static bodies between them.
inline BatchScenes random_batch(std::size_t count, std::uint64_t seed) {
  const auto families = oracle::scene_families();
  BatchScenes batch;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 7 == 3) {
      const Scene sheets = wavy_sheets(0.05, true, Motion::Deforming, 4 + static_cast<std::uint32_t>(i % 5));
      std::vector<Vec3> end(sheets.positions().begin(), sheets.positions().end());
      for (VertexId v = 0; v < end.size(); ++v) {
        if (sheets.body_of(v) == 1) end[v].z -= 0.01 * static_cast<double>(i % 30);
      }
      batch.add(sheets, sheets.positions(), end);
      continue;
    }
    const oracle::SceneStep step = oracle::make_scene(families[i % families.size()], seed, i);
    batch.add(scene_of(step), step.x_t0, step.x_t1);
  }
  return batch;
}

/// Empty if a batch has the impacts that single detectors have; else the difference.
inline std::string difference_from_single(const BatchScenes& batch, DetectorBatch& detector,
                                          const BatchImpacts& actual, double thickness) {
  for (std::size_t s = 0; s < batch.scenes.size(); ++s) {
    const std::size_t first = detector.first_vertex(s);
    const std::size_t count = batch.scenes[s].vertex_count();
    Detector single(batch.scenes[s], {.thickness = thickness, .threads = 1});
    const Impacts expected =
        single.impacts(std::span(batch.x_t0).subspan(first, count), std::span(batch.x_t1).subspan(first, count));
    Impacts own;
    own.impacts.assign(actual.of(s).begin(), actual.of(s).end());
    for (Impact& impact : own.impacts) {
      for (VertexId& v : impact.pair.vertices) v -= static_cast<VertexId>(first);
    }
    const std::string text = difference(own, expected);
    if (!text.empty()) return fmt::format("scene {}: {}", s, text);
  }
  return {};
}

}  // namespace graze::testing
