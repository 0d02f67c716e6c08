// Connected meshes for the tests of src/bvh, with the input of the connected builder: boxes, normals and links.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bvh/build.hpp"
#include "bvh/build_connected.hpp"
#include "bvh/soups.hpp"
#include "mesh/topology.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;

inline std::vector<LeafLink> links_of(const Soup& soup) {
  const Topology topology = build_topology(soup.triangles, soup.x_t0.size());
  std::vector<LeafLink> links;
  for (std::size_t e = 0; e < topology.edge_triangles.size(); ++e) {
    const auto faces = topology.edge_triangles[e];
    for (std::size_t k = 1; k < faces.size(); ++k) links.push_back({faces[k - 1], faces[k]});
  }
  return links;
}

template <typename Volume>
std::vector<Volume> leaf_volumes(const Soup& soup) {
  std::vector<Volume> vertices;
  make_vertex_volumes<Volume>(soup.x_t0, soup.x_t1, 0.0, vertices);
  std::vector<Volume> leaves;
  for (const Triangle& t : soup.triangles) leaves.push_back(triangle_volume(std::span<const Volume>(vertices), t));
  return leaves;
}

inline std::vector<Vec3> normals_of(const Soup& soup) {
  std::vector<Vec3> normals;
  for (const Triangle& t : soup.triangles) {
    const Vec3 a = soup.x_t0[t[0]];
    const Vec3 b = soup.x_t0[t[1]];
    const Vec3 c = soup.x_t0[t[2]];
    const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z};
    const Vec3 w{c.x - a.x, c.y - a.y, c.z - a.z};
    normals.push_back({u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x});
  }
  return normals;
}

/// columns x rows quads of two triangles each; vertex (i, j) is at place(i, j). A wrapped direction closes on
/// itself.
inline Soup sheet(std::string name, std::uint32_t columns, std::uint32_t rows,
                  const std::function<Vec3(double, double)>& place, bool wrap_columns = false,
                  bool wrap_rows = false) {
  Soup soup{.name = std::move(name), .x_t0 = {}, .x_t1 = {}, .triangles = {}};
  const std::uint32_t width = wrap_columns ? columns : columns + 1;
  const std::uint32_t height = wrap_rows ? rows : rows + 1;
  for (std::uint32_t j = 0; j < height; ++j) {
    for (std::uint32_t i = 0; i < width; ++i) {
      soup.x_t0.push_back(place(static_cast<double>(i) / columns, static_cast<double>(j) / rows));
    }
  }
  const auto id = [&](std::uint32_t i, std::uint32_t j) { return j % height * width + i % width; };
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      soup.triangles.push_back({id(i, j), id(i + 1, j), id(i, j + 1)});
      soup.triangles.push_back({id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  }
  soup.x_t1 = soup.x_t0;
  return soup;
}

inline Soup grid(std::uint32_t columns, std::uint32_t rows) {
  return sheet("grid " + std::to_string(columns) + " x " + std::to_string(rows), columns, rows,
               [](double u, double v) {
                 return Vec3{u, v, 0.0};
               });
}

inline Soup torus(std::uint32_t columns, std::uint32_t rows) {
  constexpr double kTurn = 6.283185307179586;
  return sheet(
      "torus", columns, rows,
      [](double u, double v) {
        const double r = 1.0 + 0.4 * std::cos(kTurn * v);
        return Vec3{r * std::cos(kTurn * u), r * std::sin(kTurn * u), 0.4 * std::sin(kTurn * v)};
      },
      true, true);
}

/// A closed sphere with a triangle fan at each pole.
inline Soup sphere(std::uint32_t columns, std::uint32_t rows) {
  constexpr double kTurn = 6.283185307179586;
  Soup soup = sheet(
      "sphere", columns, rows,
      [&](double u, double v) {
        const double angle = kTurn * 0.5 * (v * rows + 1.0) / (rows + 2.0);
        return Vec3{std::sin(angle) * std::cos(kTurn * u), std::sin(angle) * std::sin(kTurn * u), std::cos(angle)};
      },
      true);
  const auto pole = static_cast<VertexId>(soup.x_t0.size());
  soup.x_t0.push_back({0.0, 0.0, 1.0});
  soup.x_t0.push_back({0.0, 0.0, -1.0});
  soup.x_t1 = soup.x_t0;
  for (std::uint32_t i = 0; i < columns; ++i) {
    const std::uint32_t next = (i + 1) % columns;
    soup.triangles.push_back({pole, next, i});
    soup.triangles.push_back({pole + 1, rows * columns + i, rows * columns + next});
  }
  return soup;
}

/// Copies the meshes into one, each scaled and translated.
inline Soup together(std::string name, const std::vector<Soup>& parts, const std::vector<Vec3>& places,
                     double scale) {
  Soup all{.name = std::move(name), .x_t0 = {}, .x_t1 = {}, .triangles = {}};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto first = static_cast<VertexId>(all.x_t0.size());
    for (const Vec3& x : parts[k].x_t0) {
      all.x_t0.push_back({scale * x.x + places[k].x, scale * x.y + places[k].y, scale * x.z + places[k].z});
    }
    for (const Triangle& t : parts[k].triangles)
      all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  all.x_t1 = all.x_t0;
  return all;
}

}  // namespace graze::testing
