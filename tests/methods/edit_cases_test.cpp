// Edits that once failed, or would fail in a careless detector: each a case by itself, against new detectors.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <graze/error.hpp>
#include <graze/graze.hpp>
#include <graze/research.hpp>

namespace graze {
namespace {

constexpr Method kKept[] = {research::kBasic, research::kNoDupl, research::kAdj, Method::RTri, Method::Iccd};

/// n x n cells in the plane z = height, starting at the origin.
Body grid(std::uint32_t n, double height, std::vector<Vec3>& x, std::vector<Triangle>& triangles) {
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j <= n; ++j) x.push_back({1.0 * i, 1.0 * j, height});
  }
  const auto id = [&](std::uint32_t i, std::uint32_t j) { return i * (n + 1) + j; };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  }
  return {.positions = x, .triangles = triangles};
}

void expect_as_new(Detector& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Method method) {
  const Impacts fresh = Detector(detector.scene(), {.method = Method::Brute}).impacts(x_t0, x_t1);
  EXPECT_GT(fresh.impacts.size(), 0U);
  EXPECT_EQ(detector.impacts(x_t0, x_t1).toi_hash(), fresh.toi_hash()) << name_of(method);
  EXPECT_EQ(detector.validate(), "") << name_of(method);
}

TEST(EditCases, StaticBodyThatMovesToWhereRemovedVerticesWere) {
  for (const Method method : kKept) {
    // A static strip preceded by two unused vertices, and a triangle that falls through it.
    std::vector<Vec3> still(6);
    for (std::size_t k = 0; k < 6; ++k) still[k] = {static_cast<double>(k), static_cast<double>(k % 2), 0.0};
    const std::vector<Triangle> strip = {{2, 3, 4}, {3, 4, 5}};
    const std::vector<Vec3> falling = {{0.4, 0.2, 1.0}, {0.6, 0.2, 1.5}, {0.5, 0.7, 1.5}};
    const std::vector<Triangle> one = {{0, 1, 2}};
    Scene scene;
    scene.add_body({.positions = still, .triangles = strip, .motion = Motion::Static});
    scene.add_body({.positions = falling, .triangles = one});
    Detector detector(scene, {.method = method});
    std::vector<Vec3> x_t0(scene.positions().begin(), scene.positions().end());
    std::vector<Vec3> x_t1 = x_t0;
    for (std::size_t v = 6; v < 9; ++v) x_t1[v].z -= 2.0;
    EXPECT_TRUE(detector.impacts(x_t0, x_t1).impacts.empty());
    SceneEdit edit = detector.begin_edit();
    edit.remove_vertex(0);
    edit.remove_vertex(1);
    detector.apply(edit);
    for (std::size_t v = 5; v >= 2; --v) x_t0[v] = x_t1[v] = x_t0[v - 2];
    expect_as_new(detector, x_t0, x_t1, method);
  }
}

TEST(EditCases, EditOfACopyWithAnotherHistoryIsRefused) {
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;
  Scene a;
  a.add_body(grid(3, 0.0, x, triangles));
  Scene b = a;
  const auto remove = [](Scene& scene, VertexId v) {
    SceneEdit edit = scene.begin_edit();
    edit.remove_vertex(v);
    scene.apply(edit);
  };
  remove(a, 0);  // both corners have equally many triangles
  remove(b, 15);
  SceneEdit edit = a.begin_edit();
  edit.add_triangle({1, 2, 15});
  for (const Method method : kKept) {
    Detector detector(b, {.method = method});
    EXPECT_THROW(detector.apply(edit), InputError);
    EXPECT_EQ(detector.scene().revision(), b.revision());
  }
  EXPECT_THROW(b.apply(edit), InputError);
  a.apply(edit);
}

TEST(EditCases, LongStripThatComesAtOnceMakesNoDeepTree) {
  for (const Method method : {Method::RTri, Method::Iccd}) {
    std::vector<Vec3> x;
    std::vector<Triangle> triangles;
    Scene scene;
    scene.add_body(grid(120, 0.0, x, triangles));
    Detector detector(scene, {.method = method, .threads = 1});
    static_cast<void>(detector.impacts(x, x));
    SceneEdit edit = detector.begin_edit();
    VertexId before = 0;
    VertexId last = 1;
    for (std::uint32_t k = 0; k < 4000; ++k) {
      const VertexId next = edit.add_vertex(0, {-0.5 * k - 0.5, 1.0 * (k % 2), 0.0});
      edit.add_triangle({before, last, next});
      before = last;
      last = next;
    }
    const VertexId lone = edit.add_vertex(0, {-1.0, -2.0, 0.0});
    edit.add_triangle({lone, edit.add_vertex(0, {-1.5, -2.0, 0.0}), edit.add_vertex(0, {-1.0, -2.5, 0.0})});
    x = edit.carry(x);
    detector.apply(edit);
    std::vector<Vec3> end = x;
    end[lone] = {-1.0, 0.5, 0.0};  // across the strip, in its plane
    EXPECT_EQ(detector.impacts(x, end).toi_hash(),
              Detector(detector.scene(), {.threads = 1}).impacts(x, end).toi_hash());
    EXPECT_EQ(detector.validate(), "");
  }
}

TEST(EditCases, EdgeWithVeryManyFacesLosesSomeOfThem) {
  for (const Method method : {Method::RTri, Method::Iccd}) {
    constexpr std::uint32_t kFaces = 240;
    std::vector<Vec3> x = {{0, 0, 0}, {0, 0, 1}};
    std::vector<Triangle> triangles;
    for (std::uint32_t k = 0; k < kFaces; ++k) {
      x.push_back({1.0 + 1e-3 * k, 0.5 * k, 0.5});
      triangles.push_back({0, 1, k + 2});
    }
    Scene book;
    book.add_body({.positions = x, .triangles = triangles});
    Detector detector(book, {.method = method});
    static_cast<void>(detector.impacts(x, x));
    for (std::uint32_t round = 0; round < 3; ++round) {
      SceneEdit edit = detector.begin_edit();
      for (std::uint32_t k = 0; k < 40; ++k) edit.remove_triangle(6 * k + round);
      detector.apply(edit);
      std::vector<Vec3> end = x;
      for (std::size_t v = 2; v < x.size(); v += 7) end[v].y += 1.75;
      EXPECT_EQ(detector.impacts(x, end).toi_hash(), Detector(detector.scene()).impacts(x, end).toi_hash());
      EXPECT_EQ(detector.validate(), "");
    }
  }
}

TEST(EditCases, ThousandsOfBodiesComeAtOnce) {
  for (const Method method : {Method::RTri, Method::Iccd}) {
    const std::vector<Triangle> one = {{0, 1, 2}};
    const auto place = [](double k) { return std::vector<Vec3>{{3 * k, 0, 0}, {3 * k + 1, 0, 0}, {3 * k, 1, 0}}; };
    Scene scene;
    for (int k = 0; k < 6000; ++k) scene.add_body({.positions = place(k), .triangles = one});
    Detector detector(scene, {.method = method});
    std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());
    static_cast<void>(detector.impacts(x, x));
    SceneEdit edit = detector.begin_edit();
    for (int k = 0; k < 1000; ++k) edit.add_body({.positions = place(6000 + k), .triangles = one});
    x = edit.carry(x);
    detector.apply(edit);
    std::vector<Vec3> end = x;
    for (std::size_t v = x.size() / 2; v < x.size(); ++v) end[v].x -= 2.5;
    EXPECT_EQ(detector.impacts(x, end).toi_hash(), Detector(detector.scene()).impacts(x, end).toi_hash());
    EXPECT_EQ(detector.validate(), "");
  }
}

}  // namespace
}  // namespace graze
