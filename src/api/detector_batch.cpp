// Many scenes that advance together (graze/detector_batch.hpp): one query for all of them where the device has one
// (query/batch_method.hpp), else a detector for each (graze/batch.hpp).
#include <graze/detector_batch.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <graze/batch.hpp>
#include <graze/error.hpp>

#include "api/option_checks.hpp"
#include "api/pick_method.hpp"
#include "core/stopwatch.hpp"
#include "core/tasks.hpp"
#include "query/batch_method.hpp"
#include "query/candidate_stream.hpp"
#include "scene/input_checks.hpp"

namespace graze {

using namespace api;
using namespace core;
using namespace query;
using namespace scene;

namespace {

/// Impacts of a scene with vertex ids of the batch.
void renumber(std::span<Impact> impacts, std::size_t first_vertex) {
  for (Impact& impact : impacts) {
    for (VertexId& v : impact.pair.vertices) v += static_cast<VertexId>(first_vertex);
  }
}

void add_stats(Stats& sum, const Stats& part) {
  add_counters(sum, part);
  sum.memory_bytes += part.memory_bytes;
}

}  // namespace

struct DetectorBatch::State {
  std::vector<Scene> scenes;
  DetectorOptions options;
  std::vector<std::size_t> first_vertices;  ///< by scene; then the number of all vertices
  std::unique_ptr<BatchMethod> method;      ///< null on the host
  std::vector<Detector> detectors;          ///< by scene, on the host

  State(std::span<const Scene> given, const DetectorOptions& all)
      : scenes(given.begin(), given.end()), options(all) {
    constexpr std::size_t kMaxVertices = std::size_t{1} << 31U;
    std::size_t vertices = 0;
    for (const Scene& scene : scenes) {
      first_vertices.push_back(vertices);
      vertices += scene.vertex_count();
    }
    first_vertices.push_back(vertices);
    if (vertices > kMaxVertices) {
      throw InputError(fmt::format("the scenes have {} vertices, the limit of a batch is 2^31", vertices));
    }
    method = pick_batch_method(scenes, options);
    if (method) return;
    DetectorOptions each = options;
    each.progress = {};
    for (std::size_t s = 0; s < scenes.size(); ++s) {
      try {
        detectors.emplace_back(scenes[s], each);
      } catch (const InputError& refused) {
        throw InputError(fmt::format("scene {}: {}", s, refused.what()));
      } catch (const ResourceError& refused) {
        throw ResourceError(fmt::format("scene {}: {}", s, refused.what()));
      }
    }
  }

  void check_count(std::size_t count, const char* name) const {
    if (count == first_vertices.back()) return;
    throw InputError(
        fmt::format("{} has {} positions, the scenes have {} vertices", name, count, first_vertices.back()));
  }

  [[nodiscard]] std::vector<DetectorStep> steps(const StepPositions& x) {
    std::vector<DetectorStep> all;
    for (std::size_t s = 0; s < detectors.size(); ++s) {
      const std::size_t count = scenes[s].vertex_count();
      all.push_back(
          {&detectors[s], x.x_t0.subspan(first_vertices[s], count), x.x_t1.subspan(first_vertices[s], count)});
    }
    return all;
  }

  BatchImpacts impacts_on_host(const StepPositions& x) {
    report_progress(options, 0.0);
    std::vector<Impacts> found = find_impacts(steps(x), options.threads);
    BatchImpacts all;
    for (const Impacts& some : found) {
      all.begins.push_back(all.impacts.size());
      renumbered_append(all.impacts, some.impacts, first_vertices[all.begins.size() - 1]);
      add_stats(all.stats, some.stats);
    }
    all.begins.push_back(all.impacts.size());
    report_progress(options, 1.0);
    return all;
  }

  static void renumbered_append(std::vector<Impact>& all, const std::vector<Impact>& some,
                                std::size_t first_vertex) {
    const std::size_t begin = all.size();
    all.insert(all.end(), some.begin(), some.end());
    renumber(std::span(all).subspan(begin), first_vertex);
  }
};

std::span<const Impact> BatchImpacts::of(std::size_t scene) const {
  return std::span(impacts).subspan(begins[scene], begins[scene + 1] - begins[scene]);
}

DetectorBatch::DetectorBatch(std::span<const Scene> scenes, const DetectorOptions& options) {
  validate_options(options);
  with_threads(options.threads, [&] { state_ = std::make_unique<State>(scenes, options); });
}

DetectorBatch::~DetectorBatch() = default;
DetectorBatch::DetectorBatch(DetectorBatch&&) noexcept = default;
DetectorBatch& DetectorBatch::operator=(DetectorBatch&&) noexcept = default;

std::size_t DetectorBatch::scene_count() const {
  return state_->scenes.size();
}

std::size_t DetectorBatch::vertex_count() const {
  return state_->first_vertices.back();
}

std::size_t DetectorBatch::first_vertex(std::size_t scene) const {
  return state_->first_vertices[scene];
}

BatchImpacts DetectorBatch::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  const Stopwatch total;
  state_->check_count(x_t0.size(), "x_t0");
  state_->check_count(x_t1.size(), "x_t1");
  const StepPositions x{x_t0, x_t1};
  BatchImpacts all;
  if (state_->method) {
    with_threads(state_->options.threads, [&] { all = state_->method->impacts(state_->options, x); });
  } else {
    all = state_->impacts_on_host(x);
  }
  all.stats.total_ms = total.ms();
  return all;
}

std::vector<FirstImpact> DetectorBatch::first_impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  State& state = *state_;
  state.check_count(x_t0.size(), "x_t0");
  state.check_count(x_t1.size(), "x_t1");
  if (!state.method) {
    report_progress(state.options, 0.0);
    std::vector<FirstImpact> all = graze::first_impacts(state.steps({x_t0, x_t1}), state.options.threads);
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (all[s].impact) renumber({&*all[s].impact, 1}, state.first_vertices[s]);
    }
    report_progress(state.options, 1.0);
    return all;
  }
  const BatchImpacts found = impacts(x_t0, x_t1);
  std::vector<FirstImpact> all(scene_count());
  for (std::size_t s = 0; s < all.size(); ++s) {
    keep_earliest(all[s].impact, found.of(s));
    if (all[s].impact) all[s].toi = all[s].impact->toi_lo;
  }
  if (!all.empty()) all.front().stats = found.stats;
  return all;
}

DeviceBatchImpacts DetectorBatch::impacts(const DeviceStep& x) {
  if (!state_->method) throw InputError("positions in GPU memory need a batch with device cuda");
  const Stopwatch total;
  state_->check_count(x.count, "x_t0 and x_t1");
  if ((x.x_t0 == nullptr || x.x_t1 == nullptr) && x.count > 0) {
    throw InputError(fmt::format("{} is a null pointer", x.x_t0 == nullptr ? "x_t0" : "x_t1"));
  }
  DeviceBatchImpacts all;
  with_threads(state_->options.threads, [&] { all = state_->method->impacts(state_->options, x); });
  all.stats.total_ms = total.ms();
  return all;
}

std::size_t DetectorBatch::memory_bytes() const {
  if (state_->method) return state_->method->memory_bytes();
  std::size_t bytes = 0;
  for (const Detector& detector : state_->detectors) bytes += detector.memory_bytes();
  return bytes;
}

}  // namespace graze
