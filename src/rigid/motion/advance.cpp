// First contact of two motions: slabs of time, traversals, and triangle pairs. See the header.
#include "rigid/motion/advance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/collide.hpp"
#include "rigid/motion/motion.hpp"
#include "rigid/motion/moving_bounds.hpp"
#include "rigid/motion/moving_slab.hpp"
#include "rigid/motion/moving_traversal.hpp"
#include "rigid/motion/moving_triangle_window.hpp"
#include "rigid/motion/moving_triangles.hpp"

namespace graze::rigid {

namespace {

constexpr double kLongest = 0x1p1000;
constexpr double kFinest = 0x1p-40;
/// A slab of time is narrowed to its window if that is shorter by this factor.
constexpr double kWorthwhile = 0.5;
/// Slabs shorter than this are not cut any more.
constexpr double kShortest = 0x1p-20;
/// A slab is cut until its curvature is at most this share of the smaller object.
constexpr double kFlat = 0x1p-9;
/// Times that the window of a triangle pair is narrowed before its distance is measured.
constexpr int kRounds = 4;
/// Steps after the first time at which a pair counts as contact.
constexpr int kMoreSteps = 3;

/// Upper bound of the distance from the origin to any vertex that a triangle uses.
double farthest(const Boxtree& tree) {
  return length(tree.local_frame.origin) + 2.0 * std::ldexp(1.0, tree.local_frame.exponent);
}

/// First contact of two motions: slabs of time, in each a traversal, and the triangle pairs that it finds.
class Advance final : private SlabVisitor {
 public:
  Advance(const MovingObject& a, const MovingObject& b, const AdvanceLimits& limits, MovingTables& tables)
      : a_(a), b_(b), tables_(tables), end_(limits.horizon), at_start_(limits.at_start), best_(limits.horizon) {
    const double fastest = a.speed + b.speed;
    const double extent = a.size + b.size + fastest;
    near_ = std::max(limits.tolerance * extent, 8.0 * kGapMargin);
    coarse_ = 8.0 * kGapMargin > limits.tolerance * extent;
    slack_ = std::min(1.0, 0.0625 * limits.tolerance * extent / (fastest + kSpeedMargin));
    const double smaller = std::min(a.size, b.size);
    flat_ = kFlat * std::max(smaller, 0x1p-6 * std::max(a.size, b.size));
  }

  /// Returns the impact with its distance in units of 2^exponent.
  RigidImpact run() {
    impact_.toi = end_;
    search(0.0, end_);
    if (impact_.pair) {
      sharpen();
      impact_.toi = std::min(best_, floor_);
      if (impact_.toi < best_) {
        ++impact_.stats.tiers.interval;
        const auto gap =
            triangle_gap(moving(a_, impact_.pair->a), moving(b_, impact_.pair->b), impact_.toi, 4.0, near_);
        impact_.distance = gap.distance;
      }
    }
    return impact_;
  }

 private:
  /// Instants of both objects on a grid of times within a slab, so that triangle pairs share them.
  struct Grid {
    static constexpr std::size_t kSteps = 16;

    const MovingSlab& slab;
    std::array<std::optional<std::pair<Motion::Instant, Motion::Instant>>, kSteps + 1> at;

    [[nodiscard]] double time(std::size_t i) const {
      return i == kSteps ? slab.t1() : slab.t0() + static_cast<double>(i) / kSteps * slab.duration();
    }
    const std::pair<Motion::Instant, Motion::Instant>& instants(std::size_t i) {
      if (!at[i]) at[i].emplace(slab.a().motion.at(time(i)), slab.b().motion.at(time(i)));
      return *at[i];
    }
  };

  static MovingTriangle moving(const MovingObject& object, TriangleId triangle) {
    return {object.motion, object.vertices(triangle), object.far};
  }

  /// Whether a pair that is separated until `until` needs no further work. Once a contact is known, a pair that is
  /// separated until slack_ before the contact is not followed to its own contact: the reported time is the earlier
  /// of both, and the distance at that time is larger by less than a sixteenth of near_.
  bool settled(double until) {
    if (!impact_.pair) return until > end_;
    if (until < best_ - slack_) return false;
    floor_ = std::min(floor_, until);
    return true;
  }
  /// A time from which on settled() returns true.
  [[nodiscard]] double enough() const { return impact_.pair ? best_ - slack_ : end_ + 0x1p-50; }

  /// Searches the times from t0 to t1, earliest first. Everything is separated until t0.
  void search(double t0, double t1) {
    while (t0 < t1 && !settled(t0)) {
      const MovingSlab slab(a_, b_, t0, t1);
      ++impact_.stats.node_tests;
      const TimeWindow<double> window = slab.root_window();
      if (window.start + window.tail > 1.0) return;
      const double from = time_after(t0, window.start * slab.duration());
      const double to = time_before(t1, window.tail * slab.duration());
      const bool narrower = to - from < kWorthwhile * slab.duration() && to - from > kShortest;
      if (narrower) {
        t0 = from;
        t1 = to;
        continue;
      }
      if (slab.bend() > flat_ && to - from > kShortest) {
        t0 = from;
        t1 = to;
        const double middle = 0.5 * (t0 + t1);
        search(t0, middle);
        t0 = middle;
        continue;
      }
      traverse(slab);
      return;
    }
  }

  void traverse(const MovingSlab& slab) {
    Grid grid{slab, {}};
    grid_ = &grid;
    limit = impact_.pair ? fraction(slab, enough()) : 2.0F;
    skipped = 2.0F;
    impact_.stats.node_tests += traverse_slab(slab, tables_, *this);
    if (skipped <= 1.0F)
      floor_ = std::min(floor_, time_after(slab.t0(), static_cast<double>(skipped) * slab.duration()));
  }

  /// The fraction of a slab at time t, rounded up.
  static float fraction(const MovingSlab& slab, double t) {
    return static_cast<float>((t - slab.t0()) / slab.duration()) * (1.0F + 0x1p-22F) + 0x1p-60F;
  }

  void visit(const TrianglePair& pair, const TimeWindow<float>& window) override {
    ++impact_.stats.triangle_tests;
    const MovingSlab& slab = grid_->slab;
    const std::array<Vec3, 3> corners_a = a_.from_centre(pair.a);
    const std::array<Vec3, 3> corners_b = b_.from_centre(pair.b);
    TimedTriangle timed_a{{}, a_.motion.axis(), a_.acceleration_bound};
    TimedTriangle timed_b{{}, b_.motion.axis(), b_.acceleration_bound};
    const auto place = [&](std::size_t end, const Motion::Instant& at_a, const Motion::Instant& at_b) {
      for (std::size_t i = 0; i < 3; ++i) {
        timed_a.at[end][i] = at_a.point(corners_a[i]);
        timed_b.at[end][i] = at_b.point(corners_b[i]);
      }
    };
    // First on the grid, whose instants are shared, then at the ends of the window itself.
    const auto steps = static_cast<float>(Grid::kSteps);
    const auto first = static_cast<std::size_t>(window.start * steps);
    const auto last = std::min(Grid::kSteps, static_cast<std::size_t>((1.0F - window.tail) * steps) + 1);
    double t0 = grid_->time(first);
    double t1 = grid_->time(last);
    place(0, grid_->instants(first).first, grid_->instants(first).second);
    place(1, grid_->instants(last).first, grid_->instants(last).second);
    for (int round = 0; round < kRounds; ++round) {
      const double duration = t1 - t0;
      TimeWindow<float> left;
      ++impact_.stats.node_tests;
      if (narrow_triangles(timed_a, timed_b, duration, left)) return;
      t0 = time_after(t0, static_cast<double>(left.start) * duration);
      t1 = time_before(t1, static_cast<double>(left.tail) * duration);
      if (round == 0) {
        t0 = std::max(t0, time_after(slab.t0(), static_cast<double>(window.start) * slab.duration()));
        t1 = std::min(t1, time_before(slab.t1(), static_cast<double>(window.tail) * slab.duration()));
        if (t0 > t1) return;
      }
      if (settled(t0)) return;
      if (t1 - t0 > kWorthwhile * duration || t1 - t0 < kShortest) break;
      place(0, a_.motion.at(t0), b_.motion.at(t0));
      place(1, a_.motion.at(t1), b_.motion.at(t1));
    }
    if (at_start_ && t0 == 0.0 &&
        intersect({a_.object, b_.object, a_.motion.start(), b_.motion.start()}, pair, impact_.stats)) {
      take(pair, 0.0, 0.0);
    } else {
      follow(pair, moving(a_, pair.a), moving(b_, pair.b), t0, t1);
    }
    limit = impact_.pair ? fraction(slab, enough()) : 2.0F;
  }

  /// Advances a triangle pair from time t on, to `end`, after which it is separated to the end of the slab.
  void follow(const TrianglePair& pair, const MovingTriangle& a, const MovingTriangle& b, double t, double end) {
    while (true) {
      ++impact_.stats.tiers.interval;
      const TriangleGap gap = triangle_gap(a, b, t, std::min(enough(), time_after(end, 0x1p-50)), 0.25 * near_);
      if (gap.until > end || settled(gap.until)) return;
      const bool apart = gap.until > t;
      // Triangles farther apart than half of near_ are always proved separated, because triangles that start
      // disjoint never cross before they are near. The second condition only guarantees that the loop ends.
      if (gap.distance <= 0.5 * near_ || !apart) {
        take(pair, t, gap.distance);
        return;
      }
      t = gap.until;
    }
  }

  /// Takes a contact at time t. The contact before it is proved separated until its own time. Where the distance of
  /// contact is the resolution of doubles instead of the tolerance, the contact is sharpened at once, so that
  /// others are compared with it; elsewhere only the last one is.
  void take(const TrianglePair& pair, double t, double distance) {
    if (impact_.pair) floor_ = std::min(floor_, best_);
    best_ = t;
    impact_.pair = pair;
    impact_.distance = distance;
    if (coarse_) sharpen();
  }

  /// Moves the best contact some steps later, as long as each brings the pair closer by an eighth.
  void sharpen() {
    if (!(impact_.distance > 0.0)) return;
    const MovingTriangle a = moving(a_, impact_.pair->a);
    const MovingTriangle b = moving(b_, impact_.pair->b);
    TriangleGap gap = triangle_gap(a, b, best_, 4.0, 0.25 * near_);
    for (int step = 0; step < kMoreSteps && gap.until > best_ && gap.until <= std::min(end_, floor_); ++step) {
      ++impact_.stats.tiers.interval;
      const TriangleGap later = triangle_gap(a, b, gap.until, 4.0, 0.25 * near_);
      if (later.distance > 0.875 * gap.distance) return;
      best_ = gap.until;
      impact_.distance = later.distance;
      gap = later;
    }
  }

  const MovingObject& a_;
  const MovingObject& b_;
  MovingTables& tables_;
  double end_;     ///< times after this one do not matter
  bool at_start_;  ///< whether triangles may intersect at time 0
  double near_;
  bool coarse_;   ///< near_ is the resolution of doubles, not the tolerance
  double slack_;  ///< a duration in which nothing moves by more than a sixteenth of near_
  double flat_;   ///< the curvature of a slab that is traversed
  double best_;   ///< time of the best contact
  double floor_ = 2.0;
  RigidImpact impact_;
  Grid* grid_ = nullptr;
};

double determinant(const std::array<Vec3, 3>& rows) {
  return dot(rows[0], cross(rows[1], rows[2]));
}

/// The exponent of a unit in which the sizes of both motions sum to at most 1.
int common_exponent(const ObjectState& a, const RigidMotion& motion_a, const ObjectState& b,
                    const RigidMotion& motion_b) {
  const double size = motion_size(motion_a, farthest(a.boxtree)) + motion_size(motion_b, farthest(b.boxtree));
  int exponent = 0;
  std::frexp(size, &exponent);  // size < 2^exponent
  return std::max(exponent, -1020);
}

}  // namespace

RigidImpact advance(const ObjectState& a, const MotionPiece& piece_a, const ObjectState& b,
                    const MotionPiece& piece_b, const AdvanceLimits& limits, RigidWork& work) {
  check_tolerance(limits.tolerance);
  check_motion(a, piece_a.motion, "motion of a");
  check_motion(b, piece_b.motion, "motion of b");
  if (a.triangles.empty() || b.triangles.empty()) {
    RigidImpact none;
    none.toi = limits.horizon;
    return none;
  }
  const int exponent = common_exponent(a, piece_a.motion, b, piece_b.motion);
  const MovingObject moving_a(a, Motion(piece_a.motion, exponent, piece_a.from, piece_a.to), exponent);
  const MovingObject moving_b(b, Motion(piece_b.motion, exponent, piece_b.from, piece_b.to), exponent);
  RigidImpact impact = Advance(moving_a, moving_b, limits, work.moving).run();
  impact.distance = std::ldexp(impact.distance, exponent);
  return impact;
}

double separated_until(const ObjectState& a, const MotionPiece& piece_a, const ObjectState& b,
                       const MotionPiece& piece_b) {
  if (a.triangles.empty() || b.triangles.empty()) return 2.0;
  const int exponent = common_exponent(a, piece_a.motion, b, piece_b.motion);
  const MovingObject moving_a(a, Motion(piece_a.motion, exponent, piece_a.from, piece_a.to), exponent);
  const MovingObject moving_b(b, Motion(piece_b.motion, exponent, piece_b.from, piece_b.to), exponent);
  constexpr int kSteps = 16;
  for (int i = 0; i < kSteps; ++i) {
    const MovingSlab slab(moving_a, moving_b, static_cast<double>(i) / kSteps, static_cast<double>(i + 1) / kSteps);
    const TimeWindow<double> window = slab.root_window();
    if (window.start + window.tail <= 1.0) return time_after(slab.t0(), window.start * slab.duration());
  }
  return 2.0;
}

void check_tolerance(double tolerance) {
  if (!(tolerance >= kFinest && tolerance <= 1.0))
    throw InputError(fmt::format("tolerance {} is outside [2^-40, 1]", tolerance));
}

void check_motion(const ObjectState& object, const RigidMotion& motion, const char* which) {
  check_motion(motion, which);
  if (object.kind != RigidTree::Boxtree)
    throw InputError(
        fmt::format("{}: motions need boxtrees; the object has a tree of kind {}", which, name_of(object.kind)));
  if (object.triangles.empty()) return;
  if (!(farthest(object.boxtree) <= kLongest))
    throw InputError(fmt::format("{}: the object reaches beyond 2^1000, too far for a motion", which));
  check_pose(object, motion.start, which);
  check_pose(object, motion.end, which);
}

void check_motion(const RigidMotion& motion, const char* which) {
  const auto check_length = [&](const Vec3& x, const char* what) {
    if (!is_finite(x) || max_abs(x) > kLongest)
      throw InputError(
          fmt::format("{}: its {} ({}, {}, {}) is not finite, or beyond 2^1000", which, what, x.x, x.y, x.z));
  };
  for (const Pose* pose : {&motion.start, &motion.end}) {
    const bool start = pose == &motion.start;
    check_pose(*pose, fmt::format("{}, {}", which, start ? "start" : "end").c_str());
    check_length(pose->translation, start ? "translation at the start" : "translation at the end");
    if (!(determinant(pose->rotation) > 0.0))
      throw InputError(fmt::format("{}: its {} is a reflection, no rotation", which, start ? "start" : "end"));
  }
  check_length(motion.centre, "centre");
  check_turns(motion, which);
}

}  // namespace graze::rigid

namespace graze {

RigidMotion stationary(const Pose& pose) {
  return {pose, pose};
}

Pose pose_at(const RigidMotion& motion, double t) {
  rigid::check_motion(motion, "motion");
  if (!(t >= 0.0 && t <= 1.0)) throw InputError(fmt::format("time {} is outside [0, 1]", t));
  int exponent = 0;
  std::frexp(rigid::motion_size(motion, 0.0), &exponent);
  return rigid::Motion(motion, std::max(exponent, -1020)).pose(t);
}

}  // namespace graze
