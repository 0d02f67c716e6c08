// See device_filter.cuh.
#include "cuda/device_filter.cuh"

#include <algorithm>
#include <vector>

namespace graze::cuda {

namespace {

template <typename T>
void copy(const std::vector<T>& from, DeviceBuffer<T>& to, cudaStream_t stream) {
  to.reserve(from.size(), "the body filter");
  if (from.empty()) return;
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream),
        "copy the body filter");
  check(cudaStreamSynchronize(stream), "copy the body filter");
}

bool has_static_body(const Scene& scene) {
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    if (scene.has_body(body) && scene.motion(body) == Motion::Static) return true;
  }
  return false;
}

__global__ void place_removed_kernel(const RemovedVertex* removed, std::uint32_t count, Vec3* x) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[removed[i].x] = x[removed[i].y];
}

}  // namespace

void DeviceFilter::take(std::span<const Scene* const> scenes, cudaStream_t stream) {
  view_ = {};
  take_vertices(scenes, stream);
  take_bodies(scenes, stream);
}

void DeviceFilter::take_vertices(std::span<const Scene* const> scenes, cudaStream_t stream) {
  std::vector<RemovedVertex> removed;
  std::vector<std::uint8_t> is_static;
  const bool any_static =
      std::any_of(scenes.begin(), scenes.end(), [](const Scene* scene) { return has_static_body(*scene); });
  std::uint32_t begin = 0;
  for (const Scene* scene : scenes) {
    const auto count = static_cast<VertexId>(scene->vertex_count());
    VertexId live = 0;
    while (live < count && !scene->has_vertex(live)) ++live;
    for (VertexId v = 0; v < count; ++v) {
      const BodyId body = scene->body_of(v);
      if (body == kNoBody && live < count) removed.push_back({begin + v, begin + live});
      if (any_static) is_static.push_back(body != kNoBody && scene->motion(body) == Motion::Static ? 1 : 0);
    }
    begin += count;
  }
  copy(removed, removed_, stream);
  copy(is_static, is_static_, stream);
  view_.removed = removed_.data();
  view_.removed_count = static_cast<std::uint32_t>(removed.size());
  if (any_static) view_.is_static = is_static_.data();
}

void DeviceFilter::take_bodies(std::span<const Scene* const> scenes, cudaStream_t stream) {
  if (std::all_of(scenes.begin(), scenes.end(), [](const Scene* scene) { return scene->tests_all_pairs(); }))
    return;
  std::vector<std::uint32_t> body_of;
  std::vector<std::uint32_t> groups;
  std::vector<std::uint32_t> meets;
  std::vector<std::uint64_t> ignored;
  for (const Scene* scene : scenes) {
    const auto first_body = static_cast<std::uint32_t>(groups.size());
    for (std::size_t v = 0; v < scene->vertex_count(); ++v) {
      const BodyId body = scene->body_of(static_cast<VertexId>(v));
      body_of.push_back(body == kNoBody ? first_body : first_body + body);
    }
    for (BodyId body = 0; body < scene->body_count(); ++body) {
      groups.push_back(scene->groups(body));
      meets.push_back(scene->meets(body));
    }
    for (const auto& [a, b] : scene->ignored_pairs()) {
      ignored.push_back(std::uint64_t{first_body + a} << 32U | (first_body + b));
    }
  }
  copy(body_of, body_of_, stream);
  copy(groups, groups_, stream);
  copy(meets, meets_, stream);
  copy(ignored, ignored_, stream);
  view_.body_of = body_of_.data();
  view_.groups = groups_.data();
  view_.meets = meets_.data();
  view_.ignored = ignored_.data();
  view_.ignored_count = static_cast<std::uint32_t>(ignored.size());
}

void place_removed(const FilterView& filter, Vec3* x, cudaStream_t stream) {
  if (filter.removed_count == 0) return;
  constexpr unsigned kThreads = 128;
  place_removed_kernel<<<(filter.removed_count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
      filter.removed, filter.removed_count, x);
}

}  // namespace graze::cuda
