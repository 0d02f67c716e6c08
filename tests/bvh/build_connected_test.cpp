// The builder of connected patches: nodes of manifold meshes are connected, trees are shallow for every shape, and
// each weight of the cost has its intended effect.
#include "bvh/build_connected.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include <graze/io.hpp>

#include "bvh/patches.hpp"
#include "core/tasks.hpp"
#include "public_data.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

using testing::grid;
using testing::leaf_volumes;
using testing::links_of;
using testing::normals_of;
using testing::Soup;

ConnectedForest forest_of(const Soup& soup, const ConnectedWeights& weights = {}) {
  return bvh_build_connected(leaf_volumes<Aabb>(soup), normals_of(soup), links_of(soup), weights);
}

std::vector<std::uint32_t> depths_of(const ConnectedForest& forest) {
  std::vector<std::uint32_t> depths(forest.leaf_count + forest.merges.size());
  for (std::size_t k = forest.merges.size(); k-- > 0;) {
    for (const std::uint32_t child : {forest.merges[k].left, forest.merges[k].right}) {
      depths[child] = depths[forest.leaf_count + k] + 1;
    }
  }
  return depths;
}

std::uint32_t depth_of(const ConnectedForest& forest) {
  const std::vector<std::uint32_t> depths = depths_of(forest);
  return *std::max_element(depths.begin(), depths.end());
}

std::vector<std::vector<std::uint32_t>> leaves_of_merges(const ConnectedForest& forest) {
  std::vector<std::vector<std::uint32_t>> leaves(forest.merges.size());
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    for (const std::uint32_t child : {forest.merges[k].left, forest.merges[k].right}) {
      if (child < forest.leaf_count) {
        leaves[k].push_back(child);
      } else {
        const auto& below = leaves[child - forest.leaf_count];
        leaves[k].insert(leaves[k].end(), below.begin(), below.end());
      }
    }
  }
  return leaves;
}

/// Checks that every leaf occurs once, children precede parents, and the merges of a component are in its range.
void expect_whole(const ConnectedForest& forest) {
  std::vector<int> used(forest.leaf_count + forest.merges.size());
  std::size_t merges = 0;
  for (const ConnectedForest::Component& component : forest.components) {
    ASSERT_EQ(component.first_merge, merges);
    merges += component.leaf_count - 1;
    ++used[component.root];
    for (std::size_t k = component.first_merge; k < merges; ++k) {
      for (const std::uint32_t child : {forest.merges[k].left, forest.merges[k].right}) {
        ++used[child];
        if (child < forest.leaf_count) continue;
        ASSERT_GE(child, forest.leaf_count + component.first_merge);
        ASSERT_LT(child, forest.leaf_count + k);
      }
    }
  }
  ASSERT_EQ(merges, forest.merges.size());
  ASSERT_TRUE(std::all_of(used.begin(), used.end(), [](int times) { return times == 1; }));
}

std::size_t disconnected_nodes(const ConnectedForest& forest, const std::vector<LeafLink>& links) {
  std::vector<std::vector<std::uint32_t>> adjacent(forest.leaf_count);
  for (const LeafLink& link : links) {
    adjacent[link.a].push_back(link.b);
    adjacent[link.b].push_back(link.a);
  }
  std::vector<std::uint32_t> up(forest.leaf_count);
  std::vector<std::size_t> stamps(forest.leaf_count);
  std::size_t stamp = 0;
  std::size_t disconnected = 0;
  for (const auto& leaves : leaves_of_merges(forest)) {
    ++stamp;
    for (const std::uint32_t leaf : leaves) {
      up[leaf] = leaf;
      stamps[leaf] = stamp;
    }
    const auto find = [&](std::uint32_t i) {
      while (up[i] != i) i = up[i] = up[up[i]];
      return i;
    };
    std::size_t sets = leaves.size();
    for (const std::uint32_t leaf : leaves) {
      for (const std::uint32_t to : adjacent[leaf]) {
        if (stamps[to] != stamp || find(to) == find(leaf)) continue;
        up[find(to)] = find(leaf);
        --sets;
      }
    }
    if (sets != 1) ++disconnected;
  }
  return disconnected;
}

std::vector<Soup> manifolds() {
  std::vector<Soup> meshes = {
      grid(1, 1), grid(1, 300), grid(33, 31), grid(64, 64), testing::sphere(48, 30), testing::torus(64, 40)};
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  meshes.push_back(testing::sheet("crumpled", 50, 50, [&](double u, double v) {
    const double x = u + 0.02 * uniform();
    return Vec3{x, v + 0.02 * uniform(), 0.2 * std::sin(20.0 * u) * std::cos(15.0 * v)};
  }));
  meshes.push_back(testing::sheet(
      "tube", 60, 20,
      [](double u, double v) {
        return Vec3{std::cos(6.2831853 * u), std::sin(6.2831853 * u), v};
      },
      true));
  return meshes;
}

TEST(BvhBuildConnected, every_node_of_a_manifold_is_a_connected_patch_open_or_closed) {
  for (const Soup& mesh : manifolds()) {
    SCOPED_TRACE(mesh.name);
    const ConnectedForest forest = forest_of(mesh);
    expect_whole(forest);
    ASSERT_EQ(forest.components.size(), 1U);
    EXPECT_EQ(disconnected_nodes(forest, links_of(mesh)), 0U);
  }
}

TEST(BvhBuildConnected, grids_and_bodies_are_shallow) {
  std::vector<Soup> meshes = manifolds();
  for (const std::uint32_t size : {2U, 3U, 10U, 37U, 100U, 128U}) meshes.push_back(grid(size, size));
  meshes.push_back(grid(1, 3000));
  for (const Soup& mesh : meshes) {
    const double levels = std::log2(static_cast<double>(mesh.triangles.size()));
    EXPECT_LT(depth_of(forest_of(mesh)), 2.0 * levels + 8.0) << mesh.name;
  }
}

TEST(BvhBuildConnected, a_regular_grid_is_halved_again_and_again) {
  EXPECT_EQ(depth_of(forest_of(grid(64, 64))), 13U);
}

TEST(BvhBuildConnected, chains_stars_and_hubs_stay_shallow_too) {
  struct Shape {
    std::string name;
    std::vector<Aabb> boxes;
    std::vector<LeafLink> links;
  };
  constexpr std::uint32_t kCount = 3000;
  std::vector<Shape> shapes;
  const auto box = [](double x, double size) {
    const auto lo = static_cast<float>(x);
    const auto hi = static_cast<float>(x + size);
    return Aabb({lo, 0.0F, 0.0F}, {hi, static_cast<float>(size), 0.0F});
  };
  Shape powers{"a strip of sizes that double", {}, {}};
  Shape points{"a chain at one point", {}, {}};
  Shape star{"a star", {}, {}};
  Shape stars{"stars in a row", {}, {}};
  Shape shuffled{"a ring in random order", {}, {}};
  std::vector<std::uint32_t> ring(kCount);
  std::iota(ring.begin(), ring.end(), 0U);
  std::mt19937_64 random(5);
  std::shuffle(ring.begin(), ring.end(), random);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(i % 120));
    powers.boxes.push_back(box(size, size));
    points.boxes.push_back(box(0.0, 0.0));
    star.boxes.push_back(box(i, 1.0));
    stars.boxes.push_back(box(i, 1.0));
    shuffled.boxes.push_back(box(ring[i], 0.0));
    if (i == 0) continue;
    powers.links.push_back({i - 1, i});
    points.links.push_back({i, i - 1});
    star.links.push_back({0, i});
    stars.links.push_back({i % 100 == 0 ? i - 100 : i - i % 100, i});
    shuffled.links.push_back({ring[i - 1], ring[i]});
  }
  shapes = {powers, points, star, stars, shuffled};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    const ConnectedForest forest = bvh_build_connected(shape.boxes, {}, shape.links);
    expect_whole(forest);
    ASSERT_EQ(forest.components.size(), 1U);
    EXPECT_LE(depth_of(forest), kMaxGroupsWithoutHubPairs + 2 * static_cast<std::size_t>(std::bit_width(kCount)));
    if (shape.name.find("star") == std::string::npos) {
      EXPECT_EQ(disconnected_nodes(forest, shape.links), 0U);
    }
  }
}

TEST(BvhBuildConnected, components_come_by_their_smallest_leaf_and_odd_links_say_nothing) {
  const std::vector<Aabb> boxes(7, Aabb({0.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 1.0F}));
  const std::vector<LeafLink> links = {{6, 0}, {0, 6}, {3, 3}, {5, 2}, {4, 5}, {5, 2}, {2, 4}};
  const ConnectedForest forest = bvh_build_connected(boxes, {}, links);
  expect_whole(forest);
  ASSERT_EQ(forest.components.size(), 4U);
  std::vector<std::uint32_t> sizes;
  for (const auto& component : forest.components) sizes.push_back(component.leaf_count);
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{2, 1, 3, 1}));
  EXPECT_EQ(forest.components[1].root, 1U);
  EXPECT_EQ(forest.components[3].root, 3U);
  EXPECT_TRUE(bvh_build_connected({}, {}, {}).components.empty());
}

TEST(BvhBuildConnected, gives_the_same_forest_at_any_number_of_threads) {
  std::vector<Soup> parts(40, testing::sphere(12, 6));
  parts.push_back(grid(90, 90));
  std::vector<Vec3> places;
  for (std::size_t k = 0; k < parts.size(); ++k) places.push_back({3.0 * static_cast<double>(k), 0.0, 0.0});
  const Soup mesh = testing::together("many", parts, places, 1.0);
  ConnectedForest one;
  with_threads(1, [&] { one = forest_of(mesh); });
  ASSERT_EQ(one.components.size(), parts.size());
  for (const unsigned threads : {2U, 7U}) {
    ConnectedForest many;
    with_threads(threads, [&] { many = forest_of(mesh); });
    EXPECT_EQ(many.merges, one.merges);
    EXPECT_EQ(many.components, one.components);
  }
}

TEST(BvhBuildConnected, any_boxes_and_normals_will_do) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Soup mesh = grid(12, 12);
  std::vector<Aabb> boxes = leaf_volumes<Aabb>(mesh);
  for (std::size_t i = 0; i < boxes.size(); i += 3) {
    boxes[i].lo = {-kInfinity, -kInfinity, i % 2 == 0 ? 0.0F : -kInfinity};
    boxes[i].hi = {kInfinity, 1.0F, kInfinity};
  }
  std::vector<Vec3> normals(boxes.size(), Vec3{0.0, 0.0, 1e-300});
  normals[5] = {};
  normals[6] = {kNaN, 1.0, 0.0};
  normals[7] = {1e308, 1e308, -1e308};
  const ConnectedForest forest = bvh_build_connected(boxes, normals, links_of(mesh));
  expect_whole(forest);
  EXPECT_EQ(disconnected_nodes(forest, links_of(mesh)), 0U);
}

TEST(BvhBuildConnected, cloth_and_ball_of_the_public_data_are_two_shallow_trees_of_connected_patches) {
  GRAZE_SKIP_WITHOUT_DATA();
  const Mesh mesh = read_mesh(testing::public_data() / "frames/cloth-ball/cloth_ball92.ply");
  const Soup soup{
      .name = "cloth and ball", .x_t0 = mesh.positions, .x_t1 = mesh.positions, .triangles = mesh.triangles};
  ASSERT_EQ(soup.triangles.size(), 92'230U);
  const ConnectedForest forest = forest_of(soup);
  expect_whole(forest);
  EXPECT_EQ(forest.components.size(), 2U);
  EXPECT_LT(depth_of(forest), 33U) << "log2 n is 16.5";
  EXPECT_EQ(disconnected_nodes(forest, links_of(soup)), 0U);
}

/// Sums over all nodes: contour length in edges divided by the square root of the leaf count, and the squared
/// diagonal of the box of unit normals.
struct Shape {
  double contour = 0.0;
  double spread = 0.0;
};

Shape shape_of(const Soup& mesh, const ConnectedWeights& weights) {
  const Topology topology = build_topology(mesh.triangles, mesh.x_t0.size());
  const std::vector<Vec3> normals = normals_of(mesh);
  Shape shape;
  for (const auto& leaves : leaves_of_merges(forest_of(mesh, weights))) {
    std::set<std::uint32_t> contour;
    std::array<double, 3> lo = {2.0, 2.0, 2.0};
    std::array<double, 3> hi = {-2.0, -2.0, -2.0};
    for (const std::uint32_t leaf : leaves) {
      for (const std::uint32_t edge : topology.triangle_edges[leaf]) {
        if (!contour.insert(edge).second) contour.erase(edge);
      }
      const Vec3 n = normals[leaf];
      const double length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
      const std::array<double, 3> unit = {n.x / length, n.y / length, n.z / length};
      for (std::size_t k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], unit[k]);
        hi[k] = std::max(hi[k], unit[k]);
      }
    }
    shape.contour += static_cast<double>(contour.size()) / std::sqrt(static_cast<double>(leaves.size()));
    for (std::size_t k = 0; k < 3; ++k) shape.spread += (hi[k] - lo[k]) * (hi[k] - lo[k]);
  }
  return shape;
}

TEST(BvhBuildConnected, weights_shorten_contours_and_narrow_normals) {
  const Soup mesh = manifolds()[6];
  ASSERT_EQ(mesh.name, "crumpled");
  const Shape plain = shape_of(mesh, {.normals = 0.0, .contour = 0.0});
  EXPECT_LT(shape_of(mesh, {.normals = 0.0, .contour = 2.0}).contour, 0.98 * plain.contour);
  EXPECT_LT(shape_of(mesh, {.normals = 8.0, .contour = 0.0}).spread, 0.95 * plain.spread);
}

}  // namespace
}  // namespace graze
