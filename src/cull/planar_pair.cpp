// Error bounds of the filtered planar contact tests; planar_pair.hpp describes the method.
//
// Let e bound the errors of the three points, u = 2^-53, g = a - c and h = a - d the computed differences at both
// ends, and G their largest component in size. A component of g or h is wrong by at most d = 2 e + u G. A Bernstein
// coefficient of f or p is a sum of two products, and the middle one the mean of two such sums. Its errors are:
//   from the input: 2 (2 G d + d^2) = 8 G e + 4 u G^2 + 8 e^2 + terms of u G e and u^2 G^2
//   from rounding products, sum and mean: 6 u G^2 + a few 2^-1074
// Each halving takes two means of numbers up to 2 G^2, which adds 4 u G^2 and an underflow; at most kHalvings = 5
// halvings add 20 u G^2. The total is 8 G e + 8 e^2 + 30 u G^2 and second-order terms, which is below
//   bound = 12 G e + 12 e^2 + 64 u G^2 + 2^-1000,
// including the rounding of the bound itself. The sums p + f and p - f are wrong by twice that; their own rounding,
// 4 u G^2, fits into the remaining margin. G must be below 2^500, so that nothing but the bound can overflow, and
// an infinite bound proves nothing.
#include "cull/planar_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace graze::cull {

namespace {

constexpr double kTiny = 0x1p-1000;
constexpr double kTooLarge = 0x1p500;
constexpr int kHalvings = 5;

double cross(const Vec2& a, const Vec2& b) {
  return a.x * b.y - a.y * b.x;
}
double dot(const Vec2& a, const Vec2& b) {
  return a.x * b.x + a.y * b.y;
}
Vec2 operator-(const Vec2& a, const Vec2& b) {
  return {a.x - b.x, a.y - b.y};
}
double size(const Vec2& a) {
  return std::max(std::abs(a.x), std::abs(a.y));
}

/// Bernstein coefficients of a quadratic on a part of the step.
struct Quadratic {
  double b0;
  double b1;
  double b2;

  [[nodiscard]] double min() const { return std::min(b0, std::min(b1, b2)); }
  [[nodiscard]] double max() const { return std::max(b0, std::max(b1, b2)); }
};

void halve(const Quadratic& q, Quadratic& first, Quadratic& second) {
  const double left = 0.5 * (q.b0 + q.b1);
  const double right = 0.5 * (q.b1 + q.b2);
  const double middle = 0.5 * (left + right);
  first = {q.b0, left, middle};
  second = {middle, right, q.b2};
}

struct Part {
  Quadratic f;
  Quadratic p;
  int depth;
};

Touch decide(const Quadratic& f, const Quadratic& p, double bound) {
  if (f.min() > bound || f.max() < -bound || p.min() > bound) {
    return Touch::No;
  }
  const bool above = std::min(p.b0 + f.b0, std::min(p.b1 + f.b1, p.b2 + f.b2)) > 2.0 * bound;
  const bool below = std::min(p.b0 - f.b0, std::min(p.b1 - f.b1, p.b2 - f.b2)) > 2.0 * bound;
  if (above || below) {
    return Touch::No;
  }
  const bool changes = (f.b0 > bound && f.b2 < -bound) || (f.b0 < -bound && f.b2 > bound);
  return changes && p.max() < -bound ? Touch::Yes : Touch::Doubt;
}

/// Halves the parts of the step that decide() leaves in doubt, depth first.
Touch decide_by_halves(const Quadratic& f, const Quadratic& p, double bound) {
  std::array<Part, kHalvings + 1> stack;
  std::size_t count = 0;
  stack[count++] = {f, p, 0};
  while (count > 0) {
    const Part part = stack[--count];
    const Touch touch = decide(part.f, part.p, bound);
    if (touch == Touch::No) {
      continue;
    }
    if (touch == Touch::Yes || part.depth == kHalvings) {
      return touch;
    }
    Part& second = stack[count++];
    Part& first = stack[count++];
    halve(part.f, first.f, second.f);
    halve(part.p, first.p, second.p);
    first.depth = second.depth = part.depth + 1;
  }
  return Touch::No;
}

}  // namespace

VertexEdge planar_vertex_edge(const PlanarPath& a, const PlanarPath& c, const PlanarPath& d) {
  const Vec2 g0 = a.t0 - c.t0;
  const Vec2 g1 = a.t1 - c.t1;
  const Vec2 h0 = a.t0 - d.t0;
  const Vec2 h1 = a.t1 - d.t1;
  const double largest = std::max(std::max(size(g0), size(g1)), std::max(size(h0), size(h1)));
  if (!(largest < kTooLarge)) {
    return {};
  }
  const double e = std::max(a.error, std::max(c.error, d.error));
  const double bound = 12.0 * e * (largest + e) + 0x1p-47 * (largest * largest) + kTiny;
  const Quadratic f{cross(g0, h0), 0.5 * (cross(g0, h1) + cross(g1, h0)), cross(g1, h1)};
  const Quadratic p{dot(g0, h0), 0.5 * (dot(g0, h1) + dot(g1, h0)), dot(g1, h1)};
  VertexEdge result;
  result.side = static_cast<int>(f.min() > bound) - static_cast<int>(f.max() < -bound);
  result.side_t0 = static_cast<int>(f.b0 > bound) - static_cast<int>(f.b0 < -bound);
  result.touch = result.side != 0 ? Touch::No : decide_by_halves(f, p, bound);
  return result;
}

// If two edges do not touch at t = 0, then at their first contact an end of one lies on the other. If they touch at
// t = 0, either an end of one lies on the other, or they cross properly: the ends of each are on strictly opposite
// sides of the other. If both ends of one edge stay strictly on one side of the other's line for the whole step,
// the edges never touch.
Touch planar_edge_edge(const PlanarPath& a, const PlanarPath& b, const PlanarPath& c, const PlanarPath& d) {
  const VertexEdge at_a = planar_vertex_edge(a, c, d);
  if (at_a.touch == Touch::Yes) {
    return Touch::Yes;
  }
  const VertexEdge at_b = planar_vertex_edge(b, c, d);
  if (at_b.touch == Touch::Yes) {
    return Touch::Yes;
  }
  if (at_a.side * at_b.side > 0) {
    return Touch::No;
  }
  const VertexEdge at_c = planar_vertex_edge(c, a, b);
  const VertexEdge at_d = planar_vertex_edge(d, a, b);
  if (at_c.side * at_d.side > 0) {
    return Touch::No;
  }
  const int across_cd = at_a.side_t0 * at_b.side_t0;
  const int across_ab = at_c.side_t0 * at_d.side_t0;
  if (at_c.touch == Touch::Yes || at_d.touch == Touch::Yes || (across_cd < 0 && across_ab < 0)) {
    return Touch::Yes;
  }
  const bool none_touches =
      at_a.touch == Touch::No && at_b.touch == Touch::No && at_c.touch == Touch::No && at_d.touch == Touch::No;
  return none_touches && (across_cd > 0 || across_ab > 0) ? Touch::No : Touch::Doubt;
}

Touch planar_neighbours(const PlanarPath& a, const PlanarPath& b, const PlanarPath& c) {
  const VertexEdge at_a = planar_vertex_edge(a, b, c);
  if (at_a.side != 0 || at_a.touch == Touch::Yes) {  // either never collinear, or a touches bc
    return at_a.touch;
  }
  const VertexEdge at_c = planar_vertex_edge(c, a, b);
  return at_c.touch == Touch::No ? at_a.touch : at_c.touch;
}

}  // namespace graze::cull
