// Fits oriented bounding boxes (OBBs) to triangles. See the header.
#include "rigid/trees/obb_volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/volume.hpp"

namespace graze::rigid {

namespace {

using Matrix = std::array<Point, 3>;

double dot(const Point& v, const Point& w) {
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
}
Point cross(const Point& v, const Point& w) {
  return {v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]};
}
Point minus(const Point& v, const Point& w) {
  return {v[0] - w[0], v[1] - w[1], v[2] - w[2]};
}
Point in_doubles(const std::array<float, 3>& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// Covariance of the surface about its centroid. Triangles are weighted by area, or equally if the total area is
/// zero.
Matrix covariance(std::span<const Corners> triangles) {
  Matrix second{};
  Point first{};
  double whole = 0.0;
  const auto add = [&](const Corners& corners, double weight) {
    Point sum{};
    for (std::size_t k = 0; k < 3; ++k) sum[k] = corners[0][k] + corners[1][k] + corners[2][k];
    whole += weight;
    for (std::size_t k = 0; k < 3; ++k) {
      first[k] += weight * sum[k] / 3.0;
      for (std::size_t l = 0; l < 3; ++l) {
        double products = sum[k] * sum[l];
        for (const Point& corner : corners) products += corner[k] * corner[l];
        second[k][l] += weight * products / 12.0;
      }
    }
  };
  for (const Corners& corners : triangles) {
    const Point normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    add(corners, std::sqrt(dot(normal, normal)));
  }
  if (!(whole > 0x1p-200)) {
    second = {};
    first = {};
    whole = 0.0;
    for (const Corners& corners : triangles) add(corners, 1.0);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t l = 0; l < 3; ++l) second[k][l] = second[k][l] / whole - first[k] / whole * (first[l] / whole);
  }
  return second;
}

/// Eigenvectors of a symmetric matrix as rows, by Jacobi rotations.
Matrix eigenvectors(Matrix m) {
  Matrix vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (std::abs(m[p][q]) < 1e-300) continue;
        const double angle = 0.5 * std::atan2(2.0 * m[p][q], m[q][q] - m[p][p]);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        for (std::size_t k = 0; k < 3; ++k) {
          const double of_p = m[k][p];
          const double of_q = m[k][q];
          m[k][p] = c * of_p - s * of_q;
          m[k][q] = s * of_p + c * of_q;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double of_p = m[p][k];
          const double of_q = m[q][k];
          m[p][k] = c * of_p - s * of_q;
          m[q][k] = s * of_p + c * of_q;
          const double vector_p = vectors[p][k];
          const double vector_q = vectors[q][k];
          vectors[p][k] = c * vector_p - s * vector_q;
          vectors[q][k] = s * vector_p + c * vector_q;
        }
      }
    }
  }
  return vectors;
}

/// Axes of a triangle: along its longest edge, perpendicular to it in the plane, and the normal. False for a
/// degenerate triangle.
bool frame_of(const Corners& corners, Matrix& axes) {
  Point edge{};
  double longest = 0.0;
  for (std::size_t n = 0; n < 3; ++n) {
    const Point now = minus(corners[(n + 1) % 3], corners[n]);
    const double length = std::sqrt(dot(now, now));
    if (length <= longest) continue;
    longest = length;
    edge = {now[0] / length, now[1] / length, now[2] / length};
  }
  Point normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
  const double length = std::sqrt(dot(normal, normal));
  if (!(length > 1e-9 * longest * longest) || length < 1e-200) return false;
  normal = {normal[0] / length, normal[1] / length, normal[2] / length};
  axes = {edge, cross(normal, edge), normal};
  return true;
}

/// The box with these axes. Half extents grow by a millionth of the largest one, see the header.
ObbVolume box_along(std::span<const Corners> triangles, const Matrix& axes) {
  ObbVolume volume{};
  Point centre{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) volume.axes[i][k] = static_cast<float>(axes[i][k]);
    const Point axis = in_doubles(volume.axes[i]);
    double lo = dot(axis, triangles[0][0]);
    double hi = lo;
    for (const Corners& corners : triangles) {
      for (const Point& corner : corners) {
        const double now = dot(axis, corner);
        lo = std::min(lo, now);
        hi = std::max(hi, now);
      }
    }
    for (std::size_t k = 0; k < 3; ++k) centre[k] += 0.5 * (lo + hi) * axis[k];
  }
  for (std::size_t k = 0; k < 3; ++k) volume.centre[k] = static_cast<float>(centre[k]);
  const Point rounded = in_doubles(volume.centre);
  Point half{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Point axis = in_doubles(volume.axes[i]);
    for (const Corners& corners : triangles) {
      for (const Point& corner : corners) half[i] = std::max(half[i], std::abs(dot(axis, minus(corner, rounded))));
    }
  }
  const double more = 1e-6 * std::max({half[0], half[1], half[2]}) + 0x1p-48;
  for (std::size_t i = 0; i < 3; ++i) volume.half[i] = round_up(half[i] + more);
  return volume;
}

float half_area(const ObbVolume& volume) {
  const auto& [x, y, z] = volume.half;
  return x * y + y * z + z * x;
}

bool is_orthonormal(const Matrix& axes) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (!(std::abs(dot(axes[i], axes[j]) - (i == j ? 1.0 : 0.0)) < 1e-9)) return false;
    }
  }
  return true;
}

}  // namespace

ObbVolume ObbVolume::fit(std::span<const Corners> triangles) {
  ObbVolume best = box_along(triangles, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  const auto offer = [&](const Matrix& rows) {
    if (!is_orthonormal(rows)) return;
    const ObbVolume volume = box_along(triangles, rows);
    if (half_area(volume) < half_area(best)) best = volume;
  };
  Matrix rows_of_one{};
  if (triangles.size() == 1 && frame_of(triangles[0], rows_of_one)) offer(rows_of_one);
  offer(eigenvectors(covariance(triangles)));
  return best;
}

bool ObbVolume::contains(const Point& u) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(dot(in_doubles(axes[i]), minus(u, in_doubles(centre)))) <= static_cast<double>(half[i])))
      return false;
  }
  return true;
}

ObbTurn obb_turn(const LocalView& view) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ObbTurn result;
  double scale = 0x1p-60;
  for (const auto& column : view.slope) {
    const Point image = in_doubles(column);
    scale = std::max(scale, std::sqrt(dot(image, image)));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i)
      result.turn[k][i] = static_cast<float>(static_cast<double>(view.slope[i][k]) / scale);
  }
  double deviation = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      double product = i == j ? -1.0 : 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        product += static_cast<double>(result.turn[k][i]) * static_cast<double>(result.turn[k][j]);
      row += std::abs(product);
    }
    deviation = std::max(deviation, row);
  }
  double mu = 2e-5 * scale;
  for (const float margin : view.margin) mu += 1.5 * static_cast<double>(margin);
  double eps = deviation + 4e-6;
  if (!(eps <= 1.1)) eps = kInfinity;
  const double extra = 1.74 * (1.0 + eps) * mu + 24.0 * eps * scale;
  result.scale = round_up(scale);
  result.mu = round_up(mu);
  result.extra = std::isnan(extra) ? std::numeric_limits<float>::infinity() : round_up(extra);
  return result;
}

}  // namespace graze::rigid
