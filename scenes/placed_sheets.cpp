// Waving sheets on a lattice, and the places of scale_cases(). See placed_sheets.hpp.
//
// Exactness: a coordinate of a pair, and the offset of its place, are multiples of 2^-10 times the scale. The
// largest sum has 51 bits: 10^12 < 2^40 for scale 1, and 2^22 for scales from 2^-20 on. So every sum is a double.
#include "scenes/placed_sheets.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "scenes/shapes.hpp"

namespace graze::scenes {

namespace {

/// 2^(10 k / 3) rounded to a power of two, about 10^k.
double about_power_of_ten(int k) {
  return std::ldexp(1.0, (10 * k + (k < 0 ? -1 : 1)) / 3);
}

double on_lattice(double x) {
  return std::floor(1024.0 * x + 0.5) / 1024.0;
}

/// A vertex of a sheet at a frame. The upper sheet is sheared, so that edges of the two cross at general places.
Vec3 vertex_at(bool upper, std::size_t side, std::size_t row, std::size_t column, double time) {
  constexpr double kSpacing = 1.0 / 64.0;
  constexpr double kShear = 1.0 / 1024.0;
  const std::size_t middle = side / 2;
  const auto half = static_cast<double>(middle);
  const double u = static_cast<double>(column) - half;
  const double v = static_cast<double>(row) - half;
  if (upper) {
    const double height = 0.03 * sin_turns(0.9 * kSpacing * u - 0.7 * kSpacing * v - time) + 0.004 - 0.1 * time;
    return {kSpacing * u + kShear * v + 3.0 * kShear, kSpacing * v - kShear * u + 5.0 * kShear, on_lattice(height)};
  }
  const double height = 0.03 * sin_turns(1.1 * kSpacing * u + 0.6 * kSpacing * v + 0.5 * time);
  return {kSpacing * u, kSpacing * v, on_lattice(height)};
}

}  // namespace

Animation make_placed_sheets(std::size_t side, std::size_t frames, std::span<const SheetPlace> places,
                             Motion lower) {
  Animation animation;
  animation.name = "placed-sheets";
  const Shape grid = make_grid(side);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const Motion motion : {lower, Motion::Deforming}) {
      append_body(animation, grid.positions.size(), grid.triangles, motion);
    }
  }
  animation.frames.resize(frames);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    std::vector<Vec3>& x = animation.frames[frame];
    x.reserve(2 * places.size() * side * side);
    for (const SheetPlace& place : places) {
      for (const bool upper : {false, true}) {
        const bool keeps_shape = !upper && lower == Motion::Static;
        const double time = keeps_shape ? 0.0 : static_cast<double>(frame) / 64.0;
        for (std::size_t i = 0; i < side * side; ++i) {
          const Vec3 p = vertex_at(upper, side, i / side, i % side, time);
          x.push_back({place.scale * p.x + place.offset.x, place.scale * p.y + place.offset.y,
                       place.scale * p.z + place.offset.z});
        }
      }
    }
  }
  return animation;
}

std::vector<ScaleCase> scale_cases() {
  constexpr std::array<std::pair<const char*, double>, 4> kDistances{
      {{"1e3", 1e3}, {"1e6", 1e6}, {"1e9", 1e9}, {"1e12", 1e12}}};
  std::vector<ScaleCase> cases;
  cases.push_back({"origin", "origin", {{1.0, {-2, 0, 0}}, {1.0, {2, 0, 0}}}});
  for (const auto& [name, d] : kDistances) {
    cases.push_back({std::string("offset-") + name, "origin", {{1.0, {d - 2, d, d}}, {1.0, {d + 2, d, d}}}});
  }
  for (const auto& [name, d] : kDistances) {
    cases.push_back({std::string("apart-") + name, "origin", {{1.0, {-d / 2, 0, 0}}, {1.0, {d / 2, d / 2, 0}}}});
  }
  ScaleCase same{"thirteen", "thirteen", {}};
  ScaleCase apart{"mixed-apart", "thirteen", {}};
  ScaleCase nested{"mixed-nested", "thirteen", {}};
  constexpr int kLargest = 6;
  for (int k = -kLargest; k <= kLargest; ++k) {
    const auto place = static_cast<double>(k + kLargest + 1);
    const double scale = about_power_of_ten(k);
    same.places.push_back({1.0, {4.0 * place, 0, 0}});
    apart.places.push_back({scale, {k == kLargest ? -0x1p22 : 0x1p18 * place, 0, 0}});
    Vec3 at;
    for (int larger = k + 1; larger <= kLargest; ++larger) {  // above the middle of the next larger pair, and so on
      const double s = about_power_of_ten(larger);
      at = {at.x + s / 16, at.y - s / 16, at.z + s / 2};
    }
    nested.places.push_back({scale, at});
  }
  cases.push_back(std::move(same));
  cases.push_back(std::move(apart));
  cases.push_back(std::move(nested));
  return cases;
}

}  // namespace graze::scenes
