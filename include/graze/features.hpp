// Features of pairs: their vertices, the bodies that they belong to, and the triangles that contain them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/export.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// Returns the vertex ids of the two features of a pair: a vertex and a face, or two edges. Views into `pair`.
[[nodiscard]] inline std::array<std::span<const VertexId>, 2> features_of(const FeaturePair& pair) {
  const std::span<const VertexId> all(pair.vertices);
  const std::size_t first = pair.kind == FeatureKind::VertexFace ? 1 : 2;
  return {all.first(first), all.subspan(first)};
}

/// Returns the bodies of the two features of a pair. Precondition: the pair's vertices are of the scene.
[[nodiscard]] inline std::array<BodyId, 2> bodies_of(const Scene& scene, const FeaturePair& pair) {
  const auto [a, b] = features_of(pair);
  return {scene.body_of(a.front()), scene.body_of(b.front())};
}

/// The triangles that contain a feature, for the features of one scene. Keeps a copy of the scene, which shares its
/// arrays. Construction costs O(vertices + triangles), a look-up the triangles of the feature's first vertex. Const
/// member functions may be called from several threads at a time.
class GRAZE_API FeatureTriangles {
 public:
  /// Prepares the look-up for all features of a scene.
  explicit FeatureTriangles(const Scene& scene);
  /// Returns for each of the two features of a pair the triangle with the lowest id that contains it; kNoVertex if
  /// there is none. Precondition: the pair's vertices are of the scene.
  [[nodiscard]] std::array<TriangleId, 2> of(const FeaturePair& pair) const;
  /// Returns all triangles that contain a feature (one to three vertex ids), ascending. A face is contained in the
  /// triangles with exactly its vertices. Precondition: the vertices are of the scene.
  [[nodiscard]] std::vector<TriangleId> all(std::span<const VertexId> feature) const;

 private:
  [[nodiscard]] TriangleId find(std::span<const VertexId> feature, std::uint32_t& at) const;

  Scene scene_;
  std::vector<std::uint32_t> first_;  // by vertex: where its triangles begin in triangles_
  std::vector<TriangleId> triangles_;
};

}  // namespace graze
