// Method auto on meshes that are difficult to divide into clusters and on scenes that are difficult in floats: any
// number of triangles, fans of hundreds, disconnected triangles, very large among very small ones, distant or much
// larger pieces, a thickness far beyond the size of most triangles; contacts at exact points in coordinates that
// floats cannot distinguish. Answers are those of r-tri, to the last bit, and on the oracle's families those of
// exact arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <graze/graze.hpp>

#include "oracle/random.hpp"
#include "oracle/scene_generator.hpp"
#include "support/adaptive_check.hpp"
#include "support/hash_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

/// A mesh that is built step by step.
struct Mesh {
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;

  VertexId add(const Vec3& p) {
    x.push_back(p);
    return static_cast<VertexId>(x.size() - 1);
  }
  /// Adds a triangle of size `size` at a point and a second one whose tip touches it.
  void add_touching(const Vec3& at, double size) {
    const auto point = [&](double px, double py, double pz) {
      return add({at.x + size * px, at.y + size * py, at.z + size * pz});
    };
    const VertexId a = point(0, 0, 0);
    triangles.push_back({a, point(4, 0, 0), point(0, 4, 0)});
    const VertexId b = point(1, 1, 0);
    triangles.push_back({b, point(1, 2, 2), point(2, 1, 2)});
  }
  [[nodiscard]] Scene scene() const {
    Scene all;
    all.add_body({.positions = x, .triangles = triangles});
    return all;
  }
};

/// Compares all steps of one detector with r-tri and returns the number of impacts.
std::size_t expect_as_r_tri(const Scene& scene, const std::vector<std::vector<Vec3>>& x, double thickness = 0.0) {
  Detector detector(scene, {.thickness = thickness, .threads = 1});
  Detector reference(scene, {.method = Method::RTri, .thickness = thickness, .threads = 1});
  std::size_t count = 0;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const Impacts expected = reference.impacts(x[k], x[k + 1]);
    EXPECT_EQ(difference(detector.impacts(x[k], x[k + 1]), expected), "") << "step " << k;
    const FirstImpact first = detector.first_impact(x[k], x[k + 1]);
    const FirstImpact known = reference.first_impact(x[k], x[k + 1]);
    EXPECT_EQ(first.toi, known.toi) << "step " << k;
    EXPECT_EQ(first.impact.has_value(), known.impact.has_value()) << "step " << k;
    if (first.impact && known.impact) {
      EXPECT_EQ(first.impact->pair, known.impact->pair) << "step " << k;
    }
    count += expected.impacts.size();
  }
  EXPECT_EQ(detector.validate(), "");
  return count;
}

/// Moves every vertex by a random vector.
std::vector<Vec3> shaken(const std::vector<Vec3>& x, Random& random, double size) {
  std::vector<Vec3> to = x;
  for (Vec3& p : to) {
    p = {p.x + size * random.symmetric(), p.y + size * random.symmetric(), p.z + size * random.symmetric()};
  }
  return to;
}

/// Random points in a cube, and triangles of any three of them.
Mesh random_triangles(Random& random, std::size_t triangles, std::size_t vertices) {
  Mesh mesh;
  for (std::size_t v = 0; v < vertices; ++v) mesh.add({random.unit(), random.unit(), random.unit()});
  for (std::size_t t = 0; t < triangles; ++t) {
    const auto some = [&] { return random.below(static_cast<std::uint32_t>(vertices)); };
    mesh.triangles.push_back({some(), some(), some()});
  }
  return mesh;
}

TEST(AutoShapes, AnyNumberOfTrianglesIsRight) {
  Random random(101);
  std::size_t impacts = 0;
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 31U, 32U, 33U, 34U, 63U, 64U, 65U}) {
    for (const std::size_t vertices : {3U, 12U, 34U, 100U}) {
      SCOPED_TRACE(fmt::format("{} triangles, {} vertices", count, vertices));
      const Mesh mesh = random_triangles(random, count, vertices);
      impacts += expect_as_r_tri(mesh.scene(), {mesh.x, shaken(mesh.x, random, 0.03), mesh.x, mesh.x});
    }
  }
  EXPECT_GT(impacts, 1000U);
  impacts = 0;
  for (const std::uint32_t side : {15U, 16U, 17U, 46U}) {  // 450, 512, 578, 4232 triangles
    SCOPED_TRACE(side);
    if (kIsSlow && side > 20) continue;
    Mesh mesh;
    for (std::uint32_t i = 0; i <= side; ++i) {
      for (std::uint32_t j = 0; j <= side; ++j) mesh.add({double(i), double(j), 0.5 * ((i + j) % 2)});
    }
    for (std::uint32_t i = 0; i < side; ++i) {
      for (std::uint32_t j = 0; j < side; ++j) {
        const VertexId v = i * (side + 1) + j;
        mesh.triangles.push_back({v, v + 1, v + side + 2});
        mesh.triangles.push_back({v, v + side + 2, v + side + 1});
      }
    }
    impacts += expect_as_r_tri(mesh.scene(), {mesh.x, shaken(mesh.x, random, 1.5), mesh.x});
  }
  EXPECT_GT(impacts, 100U);
}

TEST(AutoShapes, FansAndBooksAndDisconnectedOnesAreRight) {
  Random random(102);
  for (const std::uint32_t count : {40U, 200U}) {
    for (const int kind : {0, 1, 2, 3, 4}) {
      SCOPED_TRACE(fmt::format("{} of kind {}", count, kind));
      Mesh mesh;
      const VertexId hub = mesh.add({0.5, 0.5, 0.5});
      const VertexId end = mesh.add({0.5, 0.5, 0.9});
      for (std::uint32_t t = 0; t < count; ++t) {
        const VertexId a = mesh.add({random.unit(), random.unit(), random.unit()});
        const VertexId b = mesh.add({random.unit(), random.unit(), random.unit()});
        switch (kind) {
          case 0:  // all at one vertex
            mesh.triangles.push_back({hub, a, b});
            break;
          case 1:  // all at one edge, some twice
            mesh.triangles.push_back({hub, end, a});
            if (t % 3 == 0) mesh.triangles.push_back({a, hub, end});
            break;
          case 2:  // disconnected, some with repeated ids
            mesh.triangles.push_back({a, b, t % 4 == 0 ? b : mesh.add(mesh.x[a])});
            break;
          case 3:  // without area or extent
            mesh.triangles.push_back({a, b, mesh.add(t % 2 == 0 ? mesh.x[a] : mesh.x[b])});
            mesh.triangles.push_back({mesh.add(mesh.x[a]), mesh.add(mesh.x[a]), mesh.add(mesh.x[a])});
            break;
          default:  // sizes over many orders of magnitude
            const double size = std::ldexp(1.0, -static_cast<int>(t % 30));
            const auto near = [&](VertexId from) {
              const Vec3& p = mesh.x[from];
              return Vec3{p.x + size * random.symmetric(), p.y + size * random.symmetric(),
                          p.z + size * random.symmetric()};
            };
            const VertexId c = mesh.add(near(a));
            mesh.triangles.push_back({a, c, mesh.add(near(a))});
        }
      }
      EXPECT_GT(expect_as_r_tri(mesh.scene(), {mesh.x, shaken(mesh.x, random, 0.05), mesh.x, mesh.x}), 0U);
    }
  }
}

/// A sheet of small triangles about the origin, so that most of the scene is there.
Mesh sheet() {
  Mesh mesh;
  for (std::uint32_t i = 0; i <= 8; ++i) {
    for (std::uint32_t j = 0; j <= 8; ++j) mesh.add({0.125 * i, 0.125 * j, 0.125 * ((i * j) % 3)});
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t j = 0; j < 8; ++j) {
      const VertexId v = i * 9 + j;
      mesh.triangles.push_back({v, v + 1, v + 10});
      mesh.triangles.push_back({v, v + 10, v + 9});
    }
  }
  return mesh;
}

TEST(AutoShapes, WhatTouchesFarFromAllTheRestIsFound) {
  for (const double far : {1e3, 1e6, 1e12, 1e20, 1e30, 3e37, 1e38, 3e38, 1e39, 1e60, 1e150, 1e300}) {
    for (const double sign : {1.0, -1.0}) {
      for (const double size : {1.0, 0x1p-20, 0.0}) {
        SCOPED_TRACE(fmt::format("{} far, size {}", sign * far, size));
        Mesh mesh = sheet();
        const double p = sign * far;
        mesh.add_touching({p, p, p}, size == 0.0 ? far : size * std::max(1.0, far * 0x1p-30));
        mesh.add_touching({0.0, p, 0.0}, far * 0x1p-10);
        std::vector<Vec3> to = mesh.x;
        for (std::size_t v = 0; v < 81; ++v) to[v].z += 0.25;
        EXPECT_GT(expect_as_r_tri(mesh.scene(), {mesh.x, to, to, mesh.x}), 0U);
      }
    }
  }
}

TEST(AutoShapes, AThicknessFarBeyondTheSizeOfMostIsRight) {
  for (const double size : {1.0, 1e-20, 1e-34, 1e-37, 1e-40, 1e-300}) {
    SCOPED_TRACE(size);
    Mesh mesh = sheet();
    for (Vec3& p : mesh.x) p = {size * p.x, size * p.y, size * p.z};
    // Two triangles closer than the thickness, and one farther away.
    for (const double at : {5.0, 5.001, 5.5}) {
      const VertexId a = mesh.add({at, 0, 0});
      mesh.triangles.push_back({a, mesh.add({at, 1, 0}), mesh.add({at, 0, 1})});
    }
    std::vector<Vec3> to = mesh.x;
    for (std::size_t v = 0; v < 81; ++v) to[v].z += 0.25 * size;
    const Scene scene = mesh.scene();
    Detector detector(scene, {.thickness = 0.01, .threads = 1});
    const Impacts impacts = detector.impacts(mesh.x, to);
    const Impacts expected =
        Detector(scene, {.method = Method::Hash, .thickness = 0.01, .threads = 1}).impacts(mesh.x, to);
    EXPECT_EQ(difference(impacts, expected), "");
    EXPECT_GE(expected.impacts.size(), 6U);
  }
}

TEST(AutoShapes, ContactsThatFloatsCannotDistinguishAreExact) {
  // A tip that ends its step on a floor, or slightly above or below it, in scenes of several sizes and positions.
  Random random(104);
  std::size_t touching = 0;
  std::size_t apart = 0;
  for (const double hair : {0x1p-22, 0x1p-23, 0x1p-24, 0x1p-25, 0x1p-30, 0x1p-40, 0x1p-50, 0x1p-52, 0.0}) {
    for (const double height : {1.0, 0x1p-20, 4096.0}) {
      Mesh mesh = sheet();
      std::vector<Vec3> to = mesh.x;
      for (int k = -1; k <= 1; ++k) {
        const double at = 2.0 + 0.3 * k;
        const double z = height * (1.0 + (hair == 0.0 ? 0.0 : k * hair));
        const double turn = 0.25 * random.unit();
        const VertexId a = mesh.add({at - 0.1, -0.1, height});
        mesh.triangles.push_back({a, mesh.add({at + 0.1, -0.1, height}), mesh.add({at, 0.2, height})});
        const VertexId b = mesh.add({at + 0.1 * turn, 0.01, height * (1.0 + 0x1p-10)});
        mesh.triangles.push_back({b, mesh.add({at, 0.1, 2.0 * height}), mesh.add({at + 0.1, 0.1, 2.0 * height})});
        to.insert(to.end(), mesh.x.end() - 6, mesh.x.end());
        to[b].z = z;
        const std::size_t wanted = k > 0 && hair > 0.0 ? 0 : 1;
        (wanted == 0 ? apart : touching) += 1;
      }
      SCOPED_TRACE(fmt::format("hair {}, height {}", hair, height));
      const std::size_t count = expect_as_r_tri(mesh.scene(), {mesh.x, to});
      EXPECT_EQ(count, hair == 0.0 ? 3U : 2U);
    }
  }
  EXPECT_GT(touching, apart);
  EXPECT_GT(apart, 10U);
}

TEST(AutoShapes, TheOraclesFamiliesAreExactWhereverTheyAre) {
  // The oracle's scenes combined with a distant sheet and scaled by powers of two.
  std::size_t contacts = 0;
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < (kIsSlow ? 2U : 8U); ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 105, index);
      if (step.triangles.empty()) continue;
      const std::vector<oracle::Contact> expected = oracle::contacts(step);
      const double scale = std::array{1.0, 0x1p-30, 0x1p40, 0x1p-200}[index % 4];
      Mesh mesh = sheet();
      const auto first = static_cast<VertexId>(mesh.x.size());
      for (Vec3& p : mesh.x) p.x += 0x1p10;
      std::vector<Vec3> x_t0 = mesh.x;
      std::vector<Vec3> x_t1 = mesh.x;
      for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
        x_t0.push_back(step.x_t0[v]);
        x_t1.push_back(step.x_t1[v]);
      }
      mesh.x = x_t0;
      for (const Triangle& t : step.triangles) {
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      }
      const auto scaled = [&](std::vector<Vec3> x) {
        for (Vec3& p : x) p = {scale * p.x, scale * p.y, scale * p.z};
        return x;
      };
      const Impacts actual = Detector(mesh.scene(), {.threads = 1}).impacts(scaled(x_t0), scaled(x_t1));
      std::vector<Impact> own;  // impacts of the oracle's scene; the sheet is far away
      for (Impact impact : actual.impacts) {
        if (impact.pair.vertices[3] < first) continue;
        for (VertexId& v : impact.pair.vertices) v -= first;
        own.push_back(impact);
      }
      if (scale == 0x1p-200) continue;  // rounds: checks only that the query succeeds
      EXPECT_EQ(oracle::compare_contacts(expected, own, 1e-6, step), "") << family.name << " " << index;
      contacts += expected.size();
    }
  }
  EXPECT_GT(contacts, kIsSlow ? 50U : 500U);
}

}  // namespace
}  // namespace graze::testing
