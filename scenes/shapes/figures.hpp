// Figures that wear garments: a body as one closed surface, with a motion that is a deformation of space. About
// 1.75 tall, feet on z = 0, facing +y, arms away from the body.
//
// The motion maps every point of space, not just the body, and never folds it: twists and shears of horizontal
// slices, and a bend whose radius is larger than the body is deep. So a body without self-intersections stays
// without, and anything fastened to it (a waistband) follows the same map. The motion is smooth in time (C1) and
// starts from rest. Pure functions. Cost: linear in vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes {

enum class FigureMotion : std::uint8_t {
  Sway,   ///< turns slightly back and forth and leans from side to side
  Dance,  ///< turns faster and faster up to half a turn per second, hips and shoulders swinging, arms raised
  Sit,    ///< stands for half a second, sits down within two, and stays: hips lower, knees forward, feet in place
};

/// A body and its motion. Time is in seconds, >= 0; at time 0 positions are as generated (to 1e-8: sin_turns).
class Figure {
 public:
  Figure(FigureMotion motion, std::size_t triangles);

  [[nodiscard]] const Shape& rest() const { return rest_; }
  [[nodiscard]] std::span<const Triangle> triangles() const { return rest_.triangles; }
  [[nodiscard]] std::vector<Vec3> positions(double time) const { return carried(rest_.positions, time); }
  /// Positions at `time` of points that are fixed to the body and given by their positions at time 0.
  [[nodiscard]] std::vector<Vec3> carried(std::span<const Vec3> points, double time) const;

 private:
  FigureMotion motion_;
  Shape rest_;
};

inline Figure make_mannequin(std::size_t triangles) {
  return {FigureMotion::Sway, triangles};
}
inline Figure make_dancer(std::size_t triangles) {
  return {FigureMotion::Dance, triangles};
}
inline Figure make_sitter(std::size_t triangles) {
  return {FigureMotion::Sit, triangles};
}

}  // namespace graze::scenes
