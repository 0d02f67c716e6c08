// Meshes of the gallery (support/gallery_mesh.hpp).
#include "support/gallery_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "oracle/random.hpp"

namespace graze::testing {

using oracle::SceneStep;

VertexId GalleryMesh::vertex(const Vec3& t0, const Vec3& t1) {
  step.x_t0.push_back(t0);
  step.x_t1.push_back(t1);
  return static_cast<VertexId>(step.x_t0.size() - 1);
}

void GalleryMesh::up(VertexId a, VertexId b, VertexId c) {
  const Vec3& p = step.x_t0[a];
  const Vec3& q = step.x_t0[b];
  const Vec3& r = step.x_t0[c];
  const bool left = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) >= 0;
  step.triangles.push_back(left ? Triangle{a, b, c} : Triangle{a, c, b});
}

void GalleryMesh::down(VertexId a, VertexId b, VertexId c) {
  up(a, b, c);
  std::swap(step.triangles.back()[1], step.triangles.back()[2]);
}

void GalleryMesh::quad(VertexId a, VertexId b, VertexId c, VertexId d) {
  up(a, b, c);
  up(a, c, d);
}

GalleryMesh grid(int columns, int rows, const GridShape& t0, const GridShape& t1,
                 const std::vector<std::array<int, 2>>& holes) {
  GalleryMesh mesh;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) mesh.vertex(t0(i, j), t1(i, j));
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      if (std::find(holes.begin(), holes.end(), std::array{i, j}) != holes.end()) continue;
      const auto a = static_cast<VertexId>(j * (columns + 1) + i);
      const auto c = static_cast<VertexId>((j + 1) * (columns + 1) + i);
      mesh.up(a, a + 1, c);
      mesh.up(a + 1, c + 1, c);
    }
  }
  return mesh;
}

Vec3 flat(int i, int j) {
  return {static_cast<double>(i), static_cast<double>(j), 0};
}

Vec3 polar(double radius, double degrees, double z) {
  const double angle = degrees * std::numbers::pi / 180.0;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

SceneStep refined(const SceneStep& step) {
  SceneStep fine{{}, step.x_t0, step.x_t1};
  std::map<std::array<VertexId, 2>, VertexId> middles;
  const auto middle = [&](VertexId a, VertexId b) {
    const auto [place, is_new] = middles.try_emplace({std::min(a, b), std::max(a, b)}, fine.x_t0.size());
    if (is_new) {
      for (std::vector<Vec3>* x : {&fine.x_t0, &fine.x_t1}) {
        const Vec3 p = (*x)[a];
        const Vec3 q = (*x)[b];
        x->push_back({0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)});
      }
    }
    return place->second;
  };
  for (const auto& [a, b, c] : step.triangles) {
    const VertexId ab = middle(a, b);
    const VertexId bc = middle(b, c);
    const VertexId ca = middle(c, a);
    for (const Triangle& t :
         {Triangle{a, ab, ca}, Triangle{ab, b, bc}, Triangle{ca, bc, c}, Triangle{ab, bc, ca}}) {
      fine.triangles.push_back(t);
    }
  }
  return fine;
}

SceneStep random_sheet(std::uint64_t seed, std::uint64_t index, int n) {
  oracle::Random random(seed, index);
  // A few waves, long or short, displace each coordinate at each end of the step.
  struct Wave {
    double along_i, along_j, phase;
    Vec3 size;
  };
  const auto draw_waves = [&](double size) {
    std::array<Wave, 3> waves{};
    for (Wave& w : waves) {
      w = {1.5 * random.symmetric(), 1.5 * random.symmetric(), 4.0 * random.symmetric(), {}};
      w.size = {size * random.symmetric(), size * random.symmetric(), size * random.symmetric()};
    }
    return waves;
  };
  const auto moved = [](Vec3 p, const std::array<Wave, 3>& waves, int i, int j) {
    for (const Wave& w : waves) {
      const double s = std::sin(w.along_i * i + w.along_j * j + w.phase);
      p = {p.x + s * w.size.x, p.y + s * w.size.y, p.z + s * w.size.z};
    }
    return p;
  };
  const std::array<Wave, 3> bend = draw_waves(0.25 + random.unit());
  const std::array<Wave, 3> motion = draw_waves(std::pow(10.0, -2.0 + 3.0 * random.unit()));
  // Half of the sheets are folded along a column, by a different angle at each end of the step.
  const bool folds = random.coin();
  const int column = random.between(1, n - 1);
  const double angle_t0 = folds ? 3.5 * random.symmetric() : 0.0;
  const double angle_t1 = folds ? angle_t0 + random.symmetric() : 0.0;
  const auto folded = [&](int i, int j, double angle) {
    const double beyond = std::max(0, i - column);
    return Vec3{std::min(i, column) + beyond * std::cos(angle), static_cast<double>(j), beyond * std::sin(angle)};
  };
  const auto t0 = [&](int i, int j) { return moved(folded(i, j, angle_t0), bend, i, j); };
  const auto t1 = [&](int i, int j) { return moved(moved(folded(i, j, angle_t1), bend, i, j), motion, i, j); };
  return grid(n, n, t0, t1).step;
}

}  // namespace graze::testing
