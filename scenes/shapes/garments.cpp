// A garment's slice is an ellipse. The body's outline is measured slice by slice: half its width and depth, then
// the ellipse of these proportions that contains every vertex of the slice and of the slices above it. So no vertex
// of the body is outside, and with the clearance no edge of it either.
#include "scenes/shapes/garments.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/shapes/build.hpp"

namespace graze::scenes {
namespace {

struct Ellipse {
  double x = 0.0;
  double y = 0.0;
};

// Returns rows and columns of nearly square cells for a tube of this length and mean girth.
shaping::GridSize tube_size(double length, double girth, std::size_t triangles) {
  const double cells = 0.5 * static_cast<double>(triangles);
  const std::size_t columns = shaping::to_count(std::sqrt(cells * girth / length), 3);
  const std::size_t rows = shaping::to_count(cells / static_cast<double>(columns));
  return {.columns = columns, .rows = rows, .wrap_u = true};
}

std::vector<VertexId> last_ring(const Shape& tube, std::size_t columns) {
  std::vector<VertexId> ids;
  for (std::size_t i = tube.positions.size() - columns; i < tube.positions.size(); ++i) {
    ids.push_back(static_cast<VertexId>(i));
  }
  return ids;
}

// Returns the outline at heights from the top down, `step` apart; each slice contains the vertices within a step of
// it and the slices above.
std::vector<Ellipse> outline(const Shape& body, const GarmentOptions& options, std::size_t slices, double step) {
  std::vector<Ellipse> result;
  Ellipse widest{1e-3, 1e-3};
  for (std::size_t k = 0; k <= slices; ++k) {
    const double z = options.top_z - step * static_cast<double>(k);
    const auto is_near = [&](const Vec3& p) { return p.z >= z - step && p.z <= z + step; };
    for (const Vec3& p : body.positions) {
      if (!is_near(p)) continue;
      widest.x = std::max(widest.x, std::abs(p.x));
      widest.y = std::max(widest.y, std::abs(p.y));
    }
    double most = 1.0;
    for (const Vec3& p : body.positions) {
      if (!is_near(p)) continue;
      const double x = p.x / widest.x;
      const double y = p.y / widest.y;
      most = std::max(most, x * x + y * y);
    }
    const double scale = std::sqrt(most);
    widest = {scale * widest.x, scale * widest.y};
    result.push_back(widest);
  }
  return result;
}

}  // namespace

Garment make_tube(const TubeOptions& options, std::size_t triangles) {
  constexpr double kTau = 6.283185307179586;
  const double rise = options.top_z - options.bottom_z;
  const double widening = options.bottom_radius - options.top_radius;
  const double length = std::sqrt(rise * rise + widening * widening);
  const shaping::GridSize size =
      tube_size(length, 0.5 * kTau * (options.top_radius + options.bottom_radius), triangles);
  Garment tube;
  tube.shape = shaping::make_patch(size, [&](double u, double v) {
    const double radius = options.bottom_radius - v * widening;
    return Vec3{radius * cos_turns(u), radius * sin_turns(u), options.bottom_z + v * rise};
  });
  tube.held = last_ring(tube.shape, size.columns);
  return tube;
}

Garment make_garment(const Figure& figure, const GarmentOptions& options, std::size_t triangles) {
  constexpr double kTau = 6.283185307179586;
  constexpr std::size_t kSlices = 48;
  const double length = options.top_z - options.bottom_z;
  const double step = length / static_cast<double>(kSlices);
  const std::vector<Ellipse> body = outline(figure.rest(), options, kSlices, step);
  const auto ellipse_at = [&](double below) {  // distance below the top
    const double at = std::clamp(below / step, 0.0, static_cast<double>(kSlices));
    const auto i = std::min(kSlices - 1, static_cast<std::size_t>(std::floor(at)));
    const double t = at - static_cast<double>(i);
    const double more = options.clearance + options.flare * below;
    return Ellipse{body[i].x + t * (body[i + 1].x - body[i].x) + more,
                   body[i].y + t * (body[i + 1].y - body[i].y) + more};
  };
  const Ellipse middle = ellipse_at(0.5 * length);
  const shaping::GridSize size = tube_size(length, 0.5 * kTau * (middle.x + middle.y), triangles);
  Garment garment;
  garment.shape = shaping::make_patch(size, [&](double u, double v) {
    const Ellipse ellipse = ellipse_at((1.0 - v) * length);
    return Vec3{ellipse.x * cos_turns(u), ellipse.y * sin_turns(u), options.bottom_z + v * length};
  });
  garment.held = last_ring(garment.shape, size.columns);
  return garment;
}

std::vector<Garment> make_skirts(const Figure& figure, std::size_t layers, std::size_t triangles) {
  std::vector<Garment> skirts;
  for (std::size_t i = 0; i < layers; ++i) {
    const auto layer = static_cast<double>(i);
    GarmentOptions options;
    options.clearance += 0.012 * layer;
    options.flare += 0.03 * layer;
    skirts.push_back(make_garment(figure, options, triangles / layers));
  }
  return skirts;
}

Garment make_dress(const Figure& figure, std::size_t triangles) {
  return make_garment(figure, {.top_z = 1.25, .bottom_z = 0.40, .clearance = 0.02, .flare = 0.2}, triangles);
}

}  // namespace graze::scenes
