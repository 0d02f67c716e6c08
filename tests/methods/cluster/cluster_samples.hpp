// Meshes for the tests of clusters: sheets, disconnected triangles, fans, and their steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "methods/bvh/hierarchy.hpp"
#include "methods/cluster/build/build_clusters.hpp"
#include "methods/cluster/cluster_leaves.hpp"

namespace graze::cluster_samples {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;

struct Sample {
  std::vector<Triangle> triangles;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
};

inline void add_sheet(Sample& sample, std::uint32_t n, double height) {
  const auto first = static_cast<VertexId>(sample.x_t0.size());
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j <= n; ++j) sample.x_t0.push_back({double(i), double(j), height});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const VertexId v = first + i * (n + 1) + j;
      sample.triangles.push_back({v, v + 1, v + n + 1});
      sample.triangles.push_back({v + 1, v + n + 2, v + n + 1});
    }
  }
}

/// Displaces the start of every vertex by up to t0 per axis, and makes it move by up to t1 per axis during the
/// step.
inline void shake(Sample& sample, double t0, double t1, std::mt19937& random) {
  std::uniform_real_distribution<double> some(-1.0, 1.0);
  sample.x_t1 = sample.x_t0;
  for (std::size_t v = 0; v < sample.x_t0.size(); ++v) {
    Vec3& p = sample.x_t0[v];
    p = {p.x + t0 * some(random), p.y + t0 * some(random), p.z + t0 * some(random)};
    sample.x_t1[v] = {p.x + t1 * some(random), p.y + t1 * some(random), p.z + t1 * some(random)};
  }
}

inline Sample two_sheets(std::uint32_t n, double distance, double t0, double t1, unsigned seed) {
  std::mt19937 random(seed);
  Sample sample;
  add_sheet(sample, n, 0.0);
  add_sheet(sample, n, distance);
  shake(sample, t0, t1, random);
  return sample;
}

inline Sample disconnected(std::uint32_t count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> some(0.0, 1.0);
  Sample sample;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 at{some(random), some(random), some(random)};
    for (int k = 0; k < 3; ++k) {
      sample.x_t0.push_back({at.x + size * some(random), at.y + size * some(random), at.z + size * some(random)});
    }
    sample.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  shake(sample, 0.0, size, random);
  return sample;
}

/// Many triangles at one vertex and at one edge.
inline Sample fans(std::uint32_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> some(-1.0, 1.0);
  Sample sample;
  for (std::uint32_t i = 0; i < count + 2; ++i) sample.x_t0.push_back({some(random), some(random), some(random)});
  for (std::uint32_t i = 0; i + 1 < count; ++i) sample.triangles.push_back({0, 2 + i, 3 + i});
  for (std::uint32_t i = 0; i < count; ++i) sample.triangles.push_back({0, 1, 2 + i});
  shake(sample, 0.0, 0.1, random);
  return sample;
}

/// A sample with its leaves and clusters, and a hierarchy that has its features by other algorithms.
struct Clustered {
  explicit Clustered(const Sample& sample) {
    scene.add_body({.positions = sample.x_t0, .triangles = sample.triangles});
    mesh.emplace(scene, hierarchy_choices(Method::RTri, {}));
    leaves.emplace(scene);
    UninitializedVector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < leaves->size(); ++i) {
      if (!leaves->view().is_free(i)) numbers.push_back(i);
    }
    local_frame = local_frame_of(middle_of(sample.x_t0));
    made = build_clusters({leaves->view(), sample.x_t0, {}}, std::move(numbers));
  }
  Clustered(const Clustered&) = delete;
  Clustered& operator=(const Clustered&) = delete;

  Scene scene;
  std::optional<Hierarchy> mesh;
  std::optional<ClusterLeaves> leaves;
  ClusterLocalFrame local_frame;
  MadeClusters made;
};

}  // namespace graze::cluster_samples
