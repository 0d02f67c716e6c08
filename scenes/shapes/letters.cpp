// A letter consists of the polylines along the centre of its strokes. Its field is the distance to them in the
// plane minus half a stroke, extruded and rounded; its surface is the mesh of that field (scenes/shapes/field.hpp).
// Cost: the distances dominate, strokes times vertices.
#include "scenes/shapes/letters.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <graze/error.hpp>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/field.hpp"

namespace graze::scenes {
namespace {

constexpr double kTop = 0.84;
constexpr double kHalfStroke = 0.16;
constexpr double kHalfThickness = 0.18;
constexpr double kRounding = 0.08;  // radius of the rounded edges

struct Point {
  double x = 0.0;
  double y = 0.0;
};
using Line = std::vector<Point>;

// Part of an ellipse, between two angles in turns.
struct Arc {
  Point middle;
  Point radii;
  double from = 0.0;
  double to = 1.0;
};

class Strokes {
 public:
  Strokes& line(Line points) {
    lines_.push_back(std::move(points));
    return *this;
  }
  /// Continues from the end of the last line.
  Strokes& to(Point point) {
    lines_.back().push_back(point);
    return *this;
  }
  Strokes& arc_on(const Arc& arc) {
    constexpr int kPieces = 14;
    for (int i = 0; i <= kPieces; ++i) {
      const double turns = arc.from + (arc.to - arc.from) * i / kPieces;
      to({arc.middle.x + arc.radii.x * cos_turns(turns), arc.middle.y + arc.radii.y * sin_turns(turns)});
    }
    return *this;
  }
  Strokes& arc(const Arc& arc) { return line({}).arc_on(arc); }

  [[nodiscard]] double distance(double x, double y) const {
    double least = 1e30;
    for (const Line& line : lines_) {
      for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        least = std::min(least, shaping::stick_distance({x, y, 0.0}, {line[i].x, line[i].y, 0.0},
                                                        {line[i + 1].x, line[i + 1].y, 0.0}, 0.0, 0.0));
      }
    }
    return least;
  }

  [[nodiscard]] shaping::FieldBounds bounds() const {
    shaping::FieldBounds box{{1e30, 1e30, -kHalfThickness}, {-1e30, -1e30, kHalfThickness}};
    for (const Line& line : lines_) {
      for (const Point& p : line) {
        box.low.x = std::min(box.low.x, p.x - kHalfStroke);
        box.low.y = std::min(box.low.y, p.y - kHalfStroke);
        box.high.x = std::max(box.high.x, p.x + kHalfStroke);
        box.high.y = std::max(box.high.y, p.y + kHalfStroke);
      }
    }
    return box;
  }

 private:
  std::vector<Line> lines_;
};

// Adds the bowl of B, P and R, from the spine and back to it.
Strokes& bowl(Strokes& strokes, double top, double bottom, double bulge) {
  const double radius = 0.5 * (top - bottom);
  return strokes.line({{-0.5, top}, {bulge, top}})
      .arc_on({{bulge, bottom + radius}, {radius, radius}, 0.25, -0.25})
      .to({-0.5, bottom});
}

Strokes strokes_of(char letter) {
  constexpr double kT = kTop;
  Strokes s;
  const auto spine = [&](double x) -> Strokes& { return s.line({{x, -kT}, {x, kT}}); };
  switch (letter) {
    case 'A':
      return s.line({{-0.7, -kT}, {0.0, kT}, {0.7, -kT}}).line({{-0.52, -0.4}, {0.52, -0.4}});
    case 'B':
      spine(-0.5);
      bowl(s, kT, 0.04, 0.0);
      return bowl(s, 0.04, -kT, 0.05);
    case 'C':
      return s.arc({{0.0, 0.0}, {0.62, kT}, 0.125, 0.875});
    case 'D':
      return spine(-0.5)
          .line({{-0.5, kT}, {-0.15, kT}})
          .arc_on({{-0.15, 0.0}, {0.7, kT}, 0.25, -0.25})
          .to({-0.5, -kT});
    case 'E':
      return spine(-0.5).line({{-0.5, kT}, {0.5, kT}}).line({{-0.5, 0}, {0.4, 0}}).line({{-0.5, -kT}, {0.5, -kT}});
    case 'F':
      return spine(-0.5).line({{-0.5, kT}, {0.5, kT}}).line({{-0.5, 0}, {0.4, 0}});
    case 'G':
      return s.arc({{0.0, 0.0}, {0.64, kT}, 0.14, 0.98}).to({0.64, -0.08}).to({0.12, -0.08});
    case 'H':
      return spine(-0.55).line({{0.55, -kT}, {0.55, kT}}).line({{-0.55, 0}, {0.55, 0}});
    case 'I':
      return spine(0.0);
    case 'J':
      return s.line({{0.4, kT}}).arc_on({{0.0, -0.36}, {0.4, 0.48}, 0.0, -0.5});
    case 'K':
      return spine(-0.5).line({{0.55, kT}, {-0.5, -0.2}}).line({{-0.1, 0.2}, {0.6, -kT}});
    case 'L':
      return spine(-0.45).line({{-0.45, -kT}, {0.5, -kT}});
    case 'M':
      return s.line({{-0.75, -kT}, {-0.75, kT}, {0.0, -0.3}, {0.75, kT}, {0.75, -kT}});
    case 'N':
      return s.line({{-0.6, -kT}, {-0.6, kT}, {0.6, -kT}, {0.6, kT}});
    case 'O':
      return s.arc({{0.0, 0.0}, {0.68, kT}, 0.0, 1.0});
    case 'P':
      spine(-0.5);
      return bowl(s, kT, -0.06, 0.0);
    case 'Q':
      return s.arc({{0.0, 0.0}, {0.7, kT}, 0.0, 1.0}).line({{0.34, -0.46}, {0.7, -kT}});
    case 'R':
      spine(-0.5);
      return bowl(s, kT, -0.02, 0.0).line({{-0.05, -0.02}, {0.55, -kT}});
    case 'S':
      return s.arc({{0.0, 0.43}, {0.52, 0.41}, 0.06, 0.75}).arc_on({{0.0, -0.41}, {0.54, 0.43}, 0.25, -0.44});
    case 'T':
      return s.line({{0.0, -kT}, {0.0, kT}}).line({{-0.65, kT}, {0.65, kT}});
    case 'U':
      return s.line({{-0.6, kT}}).arc_on({{0.0, -0.25}, {0.6, 0.59}, 0.5, 1.0}).to({0.6, kT});
    case 'V':
      return s.line({{-0.65, kT}, {0.0, -kT}, {0.65, kT}});
    case 'W':
      return s.line({{-0.95, kT}, {-0.48, -kT}, {0.0, 0.5}, {0.48, -kT}, {0.95, kT}});
    case 'X':
      return s.line({{-0.6, -kT}, {0.6, kT}}).line({{-0.6, kT}, {0.6, -kT}});
    case 'Y':
      return s.line({{-0.62, kT}, {0.0, 0.0}, {0.62, kT}}).line({{0.0, 0.0}, {0.0, -kT}});
    case 'Z':
      return s.line({{-0.55, kT}, {0.55, kT}, {-0.55, -kT}, {0.55, -kT}});
    default:
      throw InputError(std::string("letter '") + letter + "' is not one of A to Z");
  }
}

}  // namespace

Shape make_letter(char letter, std::size_t triangles) {
  const Strokes strokes = strokes_of(letter);
  const auto field = [&](const Vec3& p) {
    const double across = strokes.distance(p.x, p.y) - (kHalfStroke - kRounding);
    const double above = std::abs(p.z) - (kHalfThickness - kRounding);
    const double ax = std::max(across, 0.0);
    const double az = std::max(above, 0.0);
    return std::min(std::max(across, above), 0.0) + std::sqrt(ax * ax + az * az) - kRounding;
  };
  return shaping::make_skin(field, strokes.bounds(), triangles);
}

}  // namespace graze::scenes
