// Figures for garments: a body as one closed surface, and its motion as a bending of space. About 1.75 tall, feet
// on z = 0, facing +y, arms away from the body.
//
// The motion carries every point of space, not just the body, and never folds it: twists and shears of horizontal
// slices, and a bend whose radius is larger than the body is deep. So a body without self-intersections keeps none,
// and what is fastened to it (a waistband) is carried by the same map. In time the motion is smooth (C1) and starts
// from rest. Pure; linear in vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes {

enum class FigureMotion : std::uint8_t {
  Sway,   ///< turns a little to and fro and leans from side to side
  Dance,  ///< turns faster and faster up to half a turn a second, hips and shoulders swinging, arms raised
  Sit,    ///< stands for half a second, sits down within two, and stays: hips lower, knees forward, feet in place
};

/// A body and its motion. Time is in seconds, >= 0; at 0 it is as made (to 1e-8: sin_turns).
class Figure {
 public:
  Figure(FigureMotion motion, std::size_t triangles);

  [[nodiscard]] const Shape& rest() const { return rest_; }
  [[nodiscard]] std::span<const Triangle> triangles() const { return rest_.triangles; }
  [[nodiscard]] std::vector<Vec3> positions(double time) const { return carried(rest_.positions, time); }
  /// Where points that stand still relative to the body at time 0 are at that time.
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
