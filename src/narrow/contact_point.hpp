// Narrow phase: barycentric weights and normal of a contact at the end of its time-of-impact interval, in rounded
// doubles. They only describe the contact; no decision depends on them. For the host and a CUDA device.
//
// For well-shaped features the weights come from areas (vertex-face) or from a 2x2 system (edge-edge). If the area
// or the system vanishes in doubles, the best of the closest points on each edge, or of each endpoint, is taken.
// Coordinates are first scaled near 1 by a power of two, so no product leaves the range of doubles.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <graze/elementary.hpp>

#include "core/host_device.hpp"
#include "core/namespaces.hpp"
#include "geometry/vec.hpp"

namespace graze::narrow {

/// The points at time t relative to the first, scaled so that the largest component is about 1.
GRAZE_HOST_DEVICE inline std::array<Vec3, 4> relative_points(const PairStep& pair, double t) {
  // Differences are taken first, so a common translation loses no digits. Halving keeps differences of the largest
  // doubles finite.
  std::array<Vec3, 4> x;
  double largest = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    x[i] = lerp(0.5 * pair.t0[i] - 0.5 * pair.t0[0], 0.5 * pair.t1[i] - 0.5 * pair.t1[0], t);
    largest = std::max(largest, max_abs(x[i]));
  }
  if (largest == 0.0) return x;
  const int exponent = -std::ilogb(largest);
  for (Vec3& p : x) p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
  return x;
}

GRAZE_HOST_DEVICE inline double clamp01(double s) {
  return std::clamp(s, 0.0, 1.0);
}

/// Parameter in [0,1] of the point of segment a-b that is closest to p.
GRAZE_HOST_DEVICE inline double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = dot(ab, ab);
  return length2 > 0.0 ? clamp01(dot(p - a, ab) / length2) : 0.0;
}

GRAZE_HOST_DEVICE inline Vec3 unit_or_zero(const Vec3& v, int side) {
  const double largest = max_abs(v);
  if (!(largest > 0.0)) return {};
  const int exponent = -std::ilogb(largest);  // without scaling, 1 / length of a denormal would be infinite
  const Vec3 w{std::ldexp(v.x, exponent), std::ldexp(v.y, exponent), std::ldexp(v.z, exponent)};
  return ((side < 0 ? -1.0 : 1.0) / std::sqrt(dot(w, w))) * w;  // its largest component is between 1 and 2
}

/// Sets weights and normal of `impact` from its toi_hi and side.
GRAZE_HOST_DEVICE inline void describe_vertex_face(const PairStep& pair, ElementaryImpact& impact) {
  const auto x = relative_points(pair, impact.toi_hi);
  const Vec3& v = x[0];
  const Vec3 normal = cross(x[2] - x[1], x[3] - x[1]);
  const double area2 = dot(normal, normal);
  impact.normal = unit_or_zero(normal, impact.side);
  std::array<double, 3> w{};
  if (area2 > 0.0) {
    w[0] = std::max(0.0, dot(cross(x[2] - v, x[3] - v), normal) / area2);
    w[1] = std::max(0.0, dot(cross(x[3] - v, x[1] - v), normal) / area2);
    w[2] = std::max(0.0, dot(cross(x[1] - v, x[2] - v), normal) / area2);
  }
  const double sum = w[0] + w[1] + w[2];
  // In a contact the three partial areas add up to the area of the face. If rounding has destroyed that, the
  // closest point on an edge is used.
  if (sum > 0.5 && sum < 2.0) {
    impact.weights = {1.0, w[0] / sum, w[1] / sum, w[2] / sum};
    return;
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const double s = closest_on_segment(v, x[1 + i], x[1 + j]);
    const Vec3 d = lerp(x[1 + i], x[1 + j], s) - v;
    if (dot(d, d) < best) {
      best = dot(d, d);
      w = {};
      w[i] = 1.0 - s;
      w[j] = s;
    }
  }
  impact.weights = {1.0, w[0], w[1], w[2]};
}

GRAZE_HOST_DEVICE inline void describe_edge_edge(const PairStep& pair, ElementaryImpact& impact) {
  const auto x = relative_points(pair, impact.toi_hi);
  const Vec3 a = x[1] - x[0];
  const Vec3 b = x[3] - x[2];
  const Vec3 r = x[2] - x[0];
  const Vec3 normal = cross(a, b);
  const double n2 = dot(normal, normal);
  impact.normal = unit_or_zero(normal, impact.side);
  double best = std::numeric_limits<double>::infinity();
  std::array<double, 2> st{};
  const auto consider = [&](double s, double t) {
    const Vec3 d = lerp(x[0], x[1], s) - lerp(x[2], x[3], t);
    if (dot(d, d) < best) {
      best = dot(d, d);
      st = {s, t};
    }
  };
  if (n2 > 0.0) consider(clamp01(dot(cross(r, b), normal) / n2), clamp01(dot(cross(r, a), normal) / n2));
  if (!(best < 0x1p-60)) {  // no clear contact: nearly parallel edges, or lost to rounding
    consider(0.0, closest_on_segment(x[0], x[2], x[3]));
    consider(1.0, closest_on_segment(x[1], x[2], x[3]));
    consider(closest_on_segment(x[2], x[0], x[1]), 0.0);
    consider(closest_on_segment(x[3], x[0], x[1]), 1.0);
  }
  impact.weights = {1.0 - st[0], st[0], 1.0 - st[1], st[1]};
}

}  // namespace graze::narrow
