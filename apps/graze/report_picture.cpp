// The picture of a report: the mesh seen from the front and a little above, as an SVG.
//
// Painter's algorithm: triangles far to near, each a path with the shade of its normal. To keep the file small a
// coarse z-buffer first finds which triangles are seen at all. Cost: n log n in triangles, plus the pixels they
// cover.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>

#include "report.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

constexpr double kWidth = 960.0;
constexpr double kHeight = 640.0;
constexpr double kMargin = 24.0;
constexpr int kShades = 12;
constexpr std::size_t kMostContacts = 4000;

// Screen coordinates in pixels, y down; depth grows away from the viewer.
struct Projected {
  double x = 0.0;
  double y = 0.0;
  double depth = 0.0;
};

// Looks along +y from in front, tilted down by about 20 degrees and turned by about 25; z is up.
Projected rotate(const Vec3& p) {
  constexpr double kTurnCos = 0.906;
  constexpr double kTurnSin = 0.423;
  constexpr double kTiltCos = 0.940;
  constexpr double kTiltSin = 0.342;
  const double x = kTurnCos * p.x - kTurnSin * p.y;
  const double y = kTurnSin * p.x + kTurnCos * p.y;
  return {x, -(kTiltCos * p.z + kTiltSin * y), kTiltCos * y - kTiltSin * p.z};
}

// Fits the rotated mesh into the picture.
class Camera {
 public:
  explicit Camera(std::span<const Vec3> positions) {
    double x_min = std::numeric_limits<double>::max();
    double x_max = std::numeric_limits<double>::lowest();
    double y_min = x_min;
    double y_max = x_max;
    for (const Vec3& p : positions) {
      const Projected q = rotate(p);
      x_min = std::min(x_min, q.x);
      x_max = std::max(x_max, q.x);
      y_min = std::min(y_min, q.y);
      y_max = std::max(y_max, q.y);
    }
    if (positions.empty()) return;
    x_middle_ = 0.5 * x_min + 0.5 * x_max;
    y_middle_ = 0.5 * y_min + 0.5 * y_max;
    const double width = std::max(x_max - x_min, std::numeric_limits<double>::min());
    const double height = std::max(y_max - y_min, std::numeric_limits<double>::min());
    scale_ = std::min((kWidth - 2 * kMargin) / width, (kHeight - 2 * kMargin) / height);
    if (!std::isfinite(scale_)) scale_ = 1.0;
  }

  [[nodiscard]] Projected operator()(const Vec3& p) const {
    const Projected q = rotate(p);
    return {kWidth / 2 + (q.x - x_middle_) * scale_, kHeight / 2 + (q.y - y_middle_) * scale_, q.depth * scale_};
  }

 private:
  double x_middle_ = 0.0;
  double y_middle_ = 0.0;
  double scale_ = 1.0;
};

bool on_screen(const Projected& p) {
  return std::isfinite(p.depth) && p.x >= 0.0 && p.x <= kWidth && p.y >= 0.0 && p.y <= kHeight;
}

// Which triangle is nearest at each cell of a raster; cells are a pixel wide.
std::vector<bool> seen_triangles(std::span<const Projected> points, std::span<const Triangle> triangles) {
  const auto columns = static_cast<std::size_t>(kWidth);
  const auto rows = static_cast<std::size_t>(kHeight);
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<double> depth(columns * rows, std::numeric_limits<double>::max());
  std::vector<std::uint32_t> owner(columns * rows, kNone);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Projected& a = points[triangles[i][0]];
    const Projected& b = points[triangles[i][1]];
    const Projected& c = points[triangles[i][2]];
    if (!on_screen(a) || !on_screen(b) || !on_screen(c)) continue;
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0.0) continue;
    const auto first_row = static_cast<std::size_t>(std::min({a.y, b.y, c.y}));
    const auto last_row = std::min(rows - 1, static_cast<std::size_t>(std::max({a.y, b.y, c.y})));
    const auto first_column = static_cast<std::size_t>(std::min({a.x, b.x, c.x}));
    const auto last_column = std::min(columns - 1, static_cast<std::size_t>(std::max({a.x, b.x, c.x})));
    for (std::size_t row = first_row; row <= last_row; ++row) {
      for (std::size_t column = first_column; column <= last_column; ++column) {
        const double x = static_cast<double>(column) + 0.5;
        const double y = static_cast<double>(row) + 0.5;
        const double wb = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
        const double wc = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
        // A little beyond the edges, so that slivers between cell centres are not lost.
        if (wb < -0.02 || wc < -0.02 || wb + wc > 1.02) continue;
        const double z = a.depth + wb * (b.depth - a.depth) + wc * (c.depth - a.depth);
        const std::size_t cell = row * columns + column;
        if (z < depth[cell]) {
          depth[cell] = z;
          owner[cell] = static_cast<std::uint32_t>(i);
        }
      }
    }
  }
  std::vector<bool> seen(triangles.size(), false);
  for (const std::uint32_t triangle : owner) {
    if (triangle != kNone) seen[triangle] = true;
  }
  return seen;
}

// 0 dark to kShades - 1 bright: how much the face looks to a light above the viewer's left shoulder; both sides
// alike.
int shade_of(const Projected& a, const Projected& b, const Projected& c) {
  const double ux = b.x - a.x;
  const double uy = b.y - a.y;
  const double uz = b.depth - a.depth;
  const double vx = c.x - a.x;
  const double vy = c.y - a.y;
  const double vz = c.depth - a.depth;
  double nx = uy * vz - uz * vy;
  double ny = uz * vx - ux * vz;
  double nz = ux * vy - uy * vx;
  const double length = std::sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 0.0)) return 0;
  const double sign = nz > 0.0 ? -1.0 / length : 1.0 / length;  // towards the viewer: negative depth
  nx *= sign;
  ny *= sign;
  nz *= sign;
  const double light = std::max(0.0, -0.40 * nx - 0.55 * ny - 0.73 * nz);
  return std::clamp(static_cast<int>(light * kShades), 0, kShades - 1);
}

}  // namespace

std::string picture_svg(const Picture& picture, std::span<const Triangle> triangles, std::size_t& drawn_contacts) {
  const Camera camera(picture.positions);
  std::vector<Projected> points;
  points.reserve(picture.positions.size());
  for (const Vec3& p : picture.positions) points.push_back(camera(p));

  const std::vector<bool> seen = seen_triangles(points, triangles);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (seen[i]) order.push_back(i);
  }
  const auto depth = [&](std::size_t i) {
    return points[triangles[i][0]].depth + points[triangles[i][1]].depth + points[triangles[i][2]].depth;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return depth(i) > depth(j); });

  std::string svg = fmt::format(
      "<svg class=\"scene\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"The scene with its contacts\">\n<g>\n",
      kWidth, kHeight);
  auto out = std::back_inserter(svg);
  // Runs of one shade share a path.
  int open_shade = -1;
  for (const std::size_t i : order) {
    const Projected& a = points[triangles[i][0]];
    const Projected& b = points[triangles[i][1]];
    const Projected& c = points[triangles[i][2]];
    const int shade = shade_of(a, b, c);
    if (shade != open_shade) {
      if (open_shade >= 0) svg += "\"/>\n";
      fmt::format_to(out, "<path class=\"s{}\" d=\"", shade);
      open_shade = shade;
    }
    fmt::format_to(out, "M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}Z", a.x, a.y, b.x, b.y, c.x, c.y);
  }
  if (open_shade >= 0) svg += "\"/>\n";
  svg += "</g>\n<g class=\"contacts\">\n";

  const std::size_t total = picture.contacts.size();
  const std::size_t drawn = std::min(total, kMostContacts);
  drawn_contacts = 0;
  const double radius = drawn > 500 ? 1.6 : 2.6;
  for (std::size_t k = 0; k < drawn; ++k) {
    const Projected p = camera(picture.contacts[k * total / drawn]);
    if (!on_screen(p)) continue;
    fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", p.x, p.y, radius);
    ++drawn_contacts;
  }
  svg += "</g>\n</svg>\n";
  return svg;
}

}  // namespace graze::app
