// The body is the surface of a field of capsules (scenes/shapes/field.hpp). Sway and dance move horizontal slices
// rigidly, which is injective for any amplitude. Sitting bends the vertical line x = y = 0 in its plane, by
// angle(s) at height s, and moves each slice along, perpendicular to the line: p(s) = line(s) + y * normal(s),
// whose stretch 1 + y * angle'(s) stays positive because the bends are spread over 0.20 (knees) and 0.32 (hips).
#include "scenes/shapes/figures.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/field.hpp"

namespace graze::scenes {
namespace {

using shaping::smooth_ramp;

constexpr double kHeight = 1.75;

Shape make_body(bool arms_raised, std::size_t triangles) {
  using shaping::smooth_union;
  using shaping::stick_distance;
  const Vec3 shoulder{0.17, 0.0, 1.39};
  const Vec3 elbow = arms_raised ? Vec3{0.42, 0.02, 1.50} : Vec3{0.42, 0.0, 1.36};
  const Vec3 hand = arms_raised ? Vec3{0.50, 0.06, 1.74} : Vec3{0.66, 0.05, 1.32};
  const auto field = [=](const Vec3& p) {
    // The trunk is wider than deep: a distance in stretched space, scaled back so that it is no overestimate.
    constexpr double kDepth = 0.72;
    const Vec3 t{p.x, p.y / kDepth, p.z};
    double trunk = stick_distance(t, {0.0, 0.0, 1.33}, {0.0, 0.0, 1.22}, 0.145, 0.15);
    trunk = smooth_union(trunk, stick_distance(t, {0.0, 0.0, 1.20}, {0.0, 0.0, 1.04}, 0.12, 0.115), 0.1);
    trunk = smooth_union(trunk, stick_distance(t, {0.0, 0.0, 0.94}, {0.0, 0.0, 0.90}, 0.155, 0.15), 0.1);
    double d = kDepth * trunk;
    d = smooth_union(d, stick_distance(p, {0.0, 0.0, 1.40}, {0.0, 0.0, 1.54}, 0.06, 0.05), 0.05);
    d = smooth_union(d, stick_distance(p, {0.0, 0.01, 1.60}, {0.0, 0.0, 1.66}, 0.08, 0.09), 0.03);
    const Vec3 q{std::abs(p.x), p.y, p.z};  // body parts that come in pairs
    double arm = stick_distance(q, shoulder, elbow, 0.06, 0.045);
    arm = smooth_union(arm, stick_distance(q, elbow, hand, 0.042, 0.035), 0.03);
    d = smooth_union(d, arm, 0.06);
    double leg = stick_distance(q, {0.11, 0.0, 0.86}, {0.13, 0.0, 0.48}, 0.09, 0.06);
    leg = smooth_union(leg, stick_distance(q, {0.13, 0.0, 0.48}, {0.14, 0.0, 0.09}, 0.06, 0.042), 0.03);
    leg = smooth_union(leg, stick_distance(q, {0.14, -0.02, 0.05}, {0.15, 0.14, 0.04}, 0.05, 0.04), 0.03);
    return smooth_union(d, leg, 0.05);
  };
  return shaping::make_skin(field, {{-0.75, -0.2, -0.02}, {0.75, 0.24, 1.82}}, triangles);
}

// Rotation and translation of the horizontal slices at a time.
struct Slices {
  double turns = 0.0;   // rotation of the whole body about z
  double twist = 0.0;   // additional rotation: positive at the shoulders, negative at the feet
  double lean_x = 0.0;  // displacement of the head, decreasing downwards
  double hips_x = 0.0;  // displacement of the hips only
  double hips_y = 0.0;
};

Slices sway_at(double time) {
  const double ramp = smooth_ramp(time);
  return {.turns = 0.06 * ramp * sin_turns(0.25 * time),
          .twist = 0.03 * ramp * sin_turns(0.4 * time),
          .lean_x = 0.10 * ramp * sin_turns(0.35 * time)};
}

Slices dance_at(double time) {
  // Accelerates from rest to half a turn per second in two seconds, with continuous speed.
  constexpr double kRise = 2.0;
  constexpr double kSpeed = 0.5;
  const double spun = time < kRise ? 0.5 * kSpeed * time * time / kRise : kSpeed * (time - 0.5 * kRise);
  const double ramp = smooth_ramp(time);
  return {.turns = spun,
          .twist = 0.08 * ramp * sin_turns(0.6 * time),
          .lean_x = 0.06 * ramp * sin_turns(0.45 * time),
          .hips_x = 0.06 * ramp * sin_turns(0.8 * time),
          .hips_y = 0.03 * ramp * sin_turns(1.1 * time)};
}

Vec3 in_slice(const Slices& slices, const Vec3& p) {
  const double height = p.z / kHeight;
  const double at_hips = smooth_ramp(p.z / 0.9) * (1.0 - smooth_ramp((p.z - 0.95) / 0.5));
  const double x = p.x + slices.hips_x * at_hips;
  const double y = p.y + slices.hips_y * at_hips;
  const double turns = slices.turns + slices.twist * (smooth_ramp(height) - 0.5);
  const double c = cos_turns(turns);
  const double s = sin_turns(turns);
  return {c * x - s * y + slices.lean_x * height * height, s * x + c * y, p.z};
}

// The bent line at a time, tabulated over its length and linear between entries.
class BentLine {
 public:
  explicit BentLine(double share) {
    constexpr double kMaxTurns = 0.22;
    double y = 0.0;
    double z = 0.0;
    for (std::size_t i = 0; i <= kEntries; ++i) {
      const double s = kStep * static_cast<double>(i);
      entries_.push_back({y, z, angle(share * kMaxTurns, s)});
      const double middle = angle(share * kMaxTurns, s + 0.5 * kStep);
      y -= kStep * sin_turns(middle);
      z += kStep * cos_turns(middle);
    }
  }

  [[nodiscard]] Vec3 carried(const Vec3& p) const {
    // Below the feet and above the head the line continues straight.
    const double last = kStep * static_cast<double>(kEntries);
    const double s = std::clamp(p.z, 0.0, last);
    const auto i = std::min(kEntries - 1, static_cast<std::size_t>(std::floor(s / kStep)));
    const double t = s / kStep - static_cast<double>(i);
    const Entry& a = entries_[i];
    const Entry& b = entries_[i + 1];
    const double turns = a.turns + t * (b.turns - a.turns);
    const double y = a.y + t * (b.y - a.y) + p.y * cos_turns(turns);
    const double z = a.z + t * (b.z - a.z) + p.y * sin_turns(turns);
    return {p.x, y, z + (p.z - s)};
  }

 private:
  struct Entry {
    double y = 0.0;
    double z = 0.0;
    double turns = 0.0;
  };
  // Forward at the knees, back at the hips.
  static double angle(double most, double s) {
    return most * (smooth_ramp((s - 0.38) / 0.20) - smooth_ramp((s - 0.70) / 0.32));
  }
  static constexpr std::size_t kEntries = 1024;
  static constexpr double kStep = 2.0 / static_cast<double>(kEntries);
  std::vector<Entry> entries_;
};

}  // namespace

Figure::Figure(FigureMotion motion, std::size_t triangles)
    : motion_(motion), rest_(make_body(motion == FigureMotion::Dance, triangles)) {}

std::vector<Vec3> Figure::carried(std::span<const Vec3> points, double time) const {
  std::vector<Vec3> result;
  result.reserve(points.size());
  if (motion_ == FigureMotion::Sit) {
    const BentLine line(smooth_ramp((time - 0.5) / 2.0));
    for (const Vec3& p : points) result.push_back(line.carried(p));
    return result;
  }
  const Slices slices = motion_ == FigureMotion::Dance ? dance_at(time) : sway_at(time);
  for (const Vec3& p : points) result.push_back(in_slice(slices, p));
  return result;
}

}  // namespace graze::scenes
