// Rays by the definition of a triangle: in its plane, on the inner side of each edge. A line is in the plane, in a
// half-plane or on a line where linear functions of t are zero or not negative, so every condition is an interval
// of t, and the answer is the least t of their common part. Triangles without area are their longest side.
#include "rigid/ray_oracle.hpp"

#include <cmath>
#include <vector>

namespace graze::testing {

namespace {

using oracle::Rational;
using Point = std::array<Rational, 3>;

Point point_of(const Vec3& x) {
  return {oracle::to_rational(x.x), oracle::to_rational(x.y), oracle::to_rational(x.z)};
}
Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rational dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool is_zero(const Point& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

/// An interval of t, made smaller by conditions.
class Times {
 public:
  Times(const Point& origin, const Point& way, const std::optional<Rational>& most) : origin_(origin), way_(way) {
    at_least(0, 1);
    if (most) at_least(*most, -1);
  }

  /// Keeps the t with normal.(x(t) - through) >= 0.
  void beyond(const Point& normal, const Point& through) {
    at_least(dot(normal, minus(origin_, through)), dot(normal, way_));
  }
  /// Keeps the t with normal.(x(t) - through) = 0.
  void on(const Point& normal, const Point& through) {
    beyond(normal, through);
    beyond({-normal[0], -normal[1], -normal[2]}, through);
  }
  [[nodiscard]] std::optional<Rational> first() const {
    if (none_ || (last_ && *last_ < first_)) return std::nullopt;
    return first_;
  }

 private:
  /// Keeps the t with value + slope t >= 0.
  void at_least(const Rational& value, const Rational& slope) {
    if (slope == 0) {
      none_ = none_ || value < 0;
      return;
    }
    const Rational root = -value / slope;
    if (slope > 0) {
      if (root > first_) first_ = root;
    } else if (!last_ || root < *last_) {
      last_ = root;
    }
  }

  Point origin_;
  Point way_;
  Rational first_ = 0;
  std::optional<Rational> last_;
  bool none_ = false;
};

std::optional<Rational> first_of(const Point& origin, const Point& way, const std::optional<Rational>& most,
                                 const std::array<Vec3, 3>& triangle) {
  const std::array<Point, 3> x{point_of(triangle[0]), point_of(triangle[1]), point_of(triangle[2])};
  Times times(origin, way, most);
  const Point normal = cross(minus(x[1], x[0]), minus(x[2], x[0]));
  if (!is_zero(normal)) {
    times.on(normal, x[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      const Point& a = x[i];
      times.beyond(cross(normal, minus(x[(i + 1) % 3], a)), a);
    }
    return times.first();
  }
  std::size_t longest = 0;
  const auto side = [&](std::size_t i) { return minus(x[(i + 1) % 3], x[i]); };
  for (std::size_t i = 1; i < 3; ++i) {
    if (dot(side(i), side(i)) > dot(side(longest), side(longest))) longest = i;
  }
  const Point& a = x[longest];
  const Point& b = x[(longest + 1) % 3];
  const Point e = minus(b, a);
  // On the line of the side: every component of e x (x - a) is zero; if e is zero, x - a itself.
  for (std::size_t k = 0; k < 3; ++k) {
    Point axis{0, 0, 0};
    axis[k] = 1;
    times.on(is_zero(e) ? axis : cross(axis, e), a);
  }
  times.beyond(e, a);
  times.beyond(minus(a, b), b);
  return times.first();
}

}  // namespace

std::optional<Rational> first_parameter(const Ray& ray, const std::array<Vec3, 3>& triangle) {
  std::optional<Rational> most;
  if (std::isfinite(ray.max)) most = oracle::to_rational(ray.max);
  return first_of(point_of(ray.origin), point_of(ray.direction), most, triangle);
}

std::optional<Rational> first_parameter(const Segment& segment, const std::array<Vec3, 3>& triangle) {
  const Point p = point_of(segment.p);
  return first_of(p, minus(point_of(segment.q), p), Rational(1), triangle);
}

}  // namespace graze::testing
