// See cuda_batch.hpp.
#include "cuda/cuda_batch.hpp"

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/stopwatch.hpp"
#include "core/tasks.hpp"
#include "cuda/undecided.hpp"
#include "scene/input_checks.hpp"

namespace graze::cuda {

CudaBatch::CudaBatch(std::span<const Scene> scenes) : scenes_(scenes), parts_(scenes.size()) {
  std::vector<const Scene*> all;
  std::uint32_t vertices = 0;
  for (const Scene& scene : scenes) {
    all.push_back(&scene);
    first_vertices_.push_back(vertices);
    vertices += static_cast<std::uint32_t>(scene.vertex_count());
  }
  engine_.take_filter(all);
}

void CudaBatch::prepare(const Positions& x) {
  if (has_clusters_) return;
  std::vector<Vec3> copied;
  std::span<const Vec3> x_t0 = x.x_t0;
  if (x.on_device) {
    copied = engine_.copy_to_host(x.x_t0.data(), x.x_t0.size(), x.stream);
    x_t0 = copied;
  }
  parallel_for(0, scenes_.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const std::span<const Vec3> own = x_t0.subspan(first_vertices_[s], scenes_[s].vertex_count());
      validate_positions(scenes_[s], own, fmt::format("scene {}: x_t0", s));
      parts_[s] = std::make_unique<Part>(scenes_[s]);
      parts_[s]->clusters.bound_instant(own, {});
    }
  });
  std::vector<SceneClusters> clusters;
  for (std::size_t s = 0; s < scenes_.size(); ++s) {
    const methods::ClusterMesh& mesh = parts_[s]->clusters;
    clusters.push_back({.clusters = mesh.clusters(),
                        .tree = &mesh.tree(),
                        .shared = mesh.shared_frame(),
                        .first_vertex = first_vertices_[s],
                        .vertex_count = static_cast<std::uint32_t>(scenes_[s].vertex_count())});
  }
  engine_.take_clusters(clusters);
  made_sizes_ = 0.0;
  has_clusters_ = true;
}

/// Clusters are made anew when they have become much larger.
void CudaBatch::note(const Answer& answer) {
  constexpr double kRebuildGrowth = 2.0;
  if (made_sizes_ == 0.0) made_sizes_ = answer.cluster_sizes;
  if (answer.cluster_sizes > kRebuildGrowth * made_sizes_) has_clusters_ = false;
}

/// Throws what the check of positions on the host says about the first scene that it refuses.
void CudaBatch::refuse(const Positions& x) {
  std::vector<Vec3> starts(x.x_t0.begin(), x.on_device ? x.x_t0.begin() : x.x_t0.end());
  std::vector<Vec3> ends(x.x_t1.begin(), x.on_device ? x.x_t1.begin() : x.x_t1.end());
  if (x.on_device) {
    starts = engine_.copy_to_host(x.x_t0.data(), x.x_t0.size(), x.stream);
    ends = engine_.copy_to_host(x.x_t1.data(), x.x_t1.size(), x.stream);
  }
  for (std::size_t s = 0; s < scenes_.size(); ++s) {
    const std::size_t count = scenes_[s].vertex_count();
    try {
      validate_step(scenes_[s], std::span(starts).subspan(first_vertices_[s], count),
                    std::span(ends).subspan(first_vertices_[s], count));
    } catch (const InputError& refused) {
      throw InputError(fmt::format("scene {}: {}", s, refused.what()));
    }
  }
  throw InputError("a position is not finite, or a vertex of a static body moves");
}

Answer CudaBatch::run(const DetectorOptions& options, const Positions& x, Want want) {
  const ElementaryOptions elementary{.tolerance = options.tolerance, .thickness = options.thickness};
  report_progress(options, 0.0);
  const Stopwatch update;
  prepare(x);
  const double update_ms = update.ms();
  const Stopwatch loop;
  Answer answer = engine_.run(x, {.want = want, .elementary = elementary}, options.memory_cap);
  if (answer.refused) refuse(x);
  note(answer);
  engine_.add(decide(engine_.undecided(), elementary, answer.stats.tiers), answer);
  report_progress(options, 1.0);
  answer.stats.memory_bytes = memory_bytes();
  answer.stats.update_ms = update_ms;
  answer.stats.traverse_ms = loop.ms();
  return answer;
}

std::vector<std::size_t> CudaBatch::begins() const {
  const std::span<const std::uint32_t> begins = engine_.scene_begins();
  if (scenes_.size() > 1) return {begins.begin(), begins.end()};
  std::vector<std::size_t> all(scenes_.size() + 1, 0);
  all.back() = engine_.impacts().size();
  return all;
}

BatchImpacts CudaBatch::impacts(const DetectorOptions& options, const StepPositions& x) {
  const Answer answer = run(options, {x.x_t0, x.x_t1}, Want::Impacts);
  const std::span<const Impact> all = engine_.impacts();
  return {.impacts = {all.begin(), all.end()}, .begins = begins(), .stats = answer.stats};
}

DeviceBatchImpacts CudaBatch::impacts(const DetectorOptions& options, const DeviceStep& x) {
  const Positions positions{
      .x_t0 = {x.x_t0, x.count}, .x_t1 = {x.x_t1, x.count}, .on_device = true, .stream = x.stream};
  const Answer answer = run(options, positions, Want::DeviceImpacts);
  return {.impacts = engine_.impacts().data(), .begins = begins(), .stats = answer.stats};
}

std::size_t CudaBatch::memory_bytes() const {
  std::size_t bytes = engine_.memory_bytes();
  for (const auto& part : parts_) {
    if (part) bytes += part->leaves.memory_bytes() + part->clusters.memory_bytes();
  }
  return bytes;
}

}  // namespace graze::cuda
