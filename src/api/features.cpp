// The triangles of features (graze/features.hpp): the triangles of each vertex, ascending, in one array.
#include <graze/features.hpp>

#include <algorithm>

namespace graze {

namespace {

bool contains(std::span<const VertexId> all, std::span<const VertexId> some) {
  return std::all_of(some.begin(), some.end(),
                     [&](VertexId v) { return std::find(all.begin(), all.end(), v) != all.end(); });
}

bool exists(const Triangle& triangle) {
  return triangle[0] != kNoVertex;
}

}  // namespace

FeatureTriangles::FeatureTriangles(const Scene& scene) : scene_(scene), first_(scene.vertex_count() + 1, 0) {
  const std::span<const Triangle> triangles = scene_.triangles();
  for (const Triangle& triangle : triangles) {
    if (!exists(triangle)) continue;
    for (const VertexId v : triangle) ++first_[v + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  triangles_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (TriangleId t = 0; t < triangles.size(); ++t) {
    if (!exists(triangles[t])) continue;
    for (const VertexId v : triangles[t]) triangles_[next[v]++] = t;
  }
}

/// The first triangle at or after place `at` in the list of the feature's first vertex; `at` becomes the place
/// after it.
TriangleId FeatureTriangles::find(std::span<const VertexId> feature, std::uint32_t& at) const {
  const std::uint32_t end = first_[feature.front() + 1];
  while (at < end) {
    const TriangleId t = triangles_[at++];
    const Triangle& triangle = scene_.triangles()[t];
    // A face has exactly these corners; an edge or a vertex is a part of a triangle.
    if (contains(triangle, feature) && (feature.size() < 3 || contains(feature, triangle))) return t;
  }
  return kNoVertex;
}

std::array<TriangleId, 2> FeatureTriangles::of(const FeaturePair& pair) const {
  std::array<TriangleId, 2> result{};
  const auto features = features_of(pair);
  for (std::size_t i = 0; i < 2; ++i) {
    std::uint32_t at = first_[features[i].front()];
    result[i] = find(features[i], at);
  }
  return result;
}

std::vector<TriangleId> FeatureTriangles::all(std::span<const VertexId> feature) const {
  std::vector<TriangleId> result;
  std::uint32_t at = first_[feature.front()];
  for (TriangleId t = find(feature, at); t != kNoVertex; t = find(feature, at)) {
    if (result.empty() || result.back() != t) result.push_back(t);  // a triangle may name a vertex twice
  }
  return result;
}

}  // namespace graze
