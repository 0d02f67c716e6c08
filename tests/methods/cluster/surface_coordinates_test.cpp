// Surface coordinates: components and distances by the neighbours of the mesh and by a table of edges, against each
// other and against a plain search.
#include "methods/cluster/build/surface_coordinates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "mesh/random_soup.hpp"
#include "research/representative_schemas.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace methods;
namespace {

using Components = std::vector<std::vector<std::uint32_t>>;

/// Components of some triangles, over common edges, by lowering numbers until nothing changes.
Components naive_components(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& numbers) {
  const auto share_edge = [](const Triangle& a, const Triangle& b) {
    const std::set<VertexId> one(a.begin(), a.end());
    const std::set<VertexId> two(b.begin(), b.end());
    return std::count_if(one.begin(), one.end(), [&](VertexId v) { return two.count(v) > 0; }) >= 2;
  };
  std::vector<std::size_t> name(numbers.size());
  std::iota(name.begin(), name.end(), std::size_t{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (name[i] == name[j] || !share_edge(triangles[numbers[i]], triangles[numbers[j]])) continue;
        name[i] = name[j] = std::min(name[i], name[j]);
        changed = true;
      }
    }
  }
  Components components;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (name[i] == i) components.emplace_back();
    if (name[i] != i) continue;
    for (std::size_t j = i; j < numbers.size(); ++j) {
      if (name[j] == i) components.back().push_back(static_cast<std::uint32_t>(j));
    }
  }
  return components;
}

Components found_components(const SurfaceSearch& search) {
  Components components;
  for (std::size_t c = 0; c < search.component_count(); ++c) {
    const auto some = search.component(c);
    components.emplace_back(some.begin(), some.end());
    std::sort(components.back().begin(), components.back().end());
  }
  return components;
}

TEST(SurfaceCoordinates, HaveTheComponentsOfSoups) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t vertex_count = 4 + random() % 60;
    const std::vector<Triangle> triangles = random_soup(random, vertex_count, random() % 60);
    const FeatureMasks made = make_feature_masks(triangles, vertex_count);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      if (made.masks[t] != 0 && random() % 8 != 0) numbers.push_back(t);
    }
    if (round % 2 == 0) std::shuffle(numbers.begin(), numbers.end(), random);
    SurfaceSearch search({.triangles = triangles, .masks = made.masks}, {});
    search.find_components(numbers);
    // Leaves of an edge are linked two and two: with more of them it may be in several components.
    const Components expected = naive_components(triangles, numbers);
    for (const std::vector<std::uint32_t>& component : found_components(search)) {
      const auto whole = std::find_if(expected.begin(), expected.end(), [&](const auto& all) {
        return std::includes(all.begin(), all.end(), component.begin(), component.end());
      });
      EXPECT_NE(whole, expected.end()) << "a component has leaves that no edges connect";
    }
    std::size_t count = 0;
    for (const auto& component : found_components(search)) count += component.size();
    EXPECT_EQ(count, numbers.size());
  }
}

TEST(SurfaceCoordinates, AreTheSameByNeighboursOfTheMeshAndByATableOfEdges) {
  std::mt19937 random(2);
  const papers::RegularTorus torus = papers::make_regular_torus(20, 15);
  const std::vector<Triangle>& triangles = torus.triangles;
  const FeatureMasks made = make_feature_masks(triangles, torus.vertex_count());
  std::vector<std::uint16_t> places(triangles.size(), 0);
  const LeafView by_table{.triangles = triangles, .masks = made.masks};
  LeafView by_neighbours = by_table;
  by_neighbours.neighbours = made.neighbours;
  SurfaceSearch one(by_table, {});
  SurfaceSearch other(by_neighbours, places);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      if (random() % 20 >= static_cast<unsigned>(round)) numbers.push_back(t);
    }
    one.find_components(numbers);
    other.find_components(numbers);
    const Components components = found_components(one);
    EXPECT_EQ(components, found_components(other));
    if (round % 5 == 0) {
      EXPECT_EQ(components, naive_components(triangles, numbers));
    }
    for (std::size_t c = 0; c < components.size(); ++c) {
      one.find_coordinates(c);
      other.find_coordinates(c);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(one.coordinates(i), other.coordinates(i));
    }
  }
}

TEST(SurfaceCoordinates, OfAStripAreWhereATriangleIsInIt) {
  std::vector<Triangle> triangles;
  for (VertexId i = 0; i < 200; ++i) triangles.push_back({i, i + 1, i + 2});
  const FeatureMasks made = make_feature_masks(triangles, 202);
  std::vector<std::uint32_t> numbers(triangles.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::vector<std::uint16_t> places(triangles.size(), 0);
  SurfaceSearch search({.triangles = triangles, .masks = made.masks, .neighbours = made.neighbours}, places);
  search.find_components(numbers);
  ASSERT_EQ(search.component_count(), 1U);
  search.find_coordinates(0);
  // The first landmark is the last triangle, the second one the first: from 199 to -199 quarters.
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(search.coordinates(i)[0], 0.25F * (199.0F - 2.0F * static_cast<float>(i)));
  }
}

}  // namespace
}  // namespace graze
