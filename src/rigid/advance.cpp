// Conservative advancement: simultaneous traversal of two moving boxtrees. See the header.
#include "rigid/advance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/motion.hpp"
#include "rigid/moving_boxes.hpp"
#include "rigid/moving_triangles.hpp"

namespace graze::rigid {

namespace {

constexpr double kLongest = 0x1p1000;
constexpr double kFinest = 0x1p-40;
/// A node pair is tested again at its new time if that skips this share of the remaining time; otherwise it is
/// opened.
constexpr double kWorthwhile = 0.25;

/// Upper bound of the distance from the origin to any vertex that a triangle uses.
double farthest(const Boxtree& tree) {
  return length(tree.local_frame.origin) + 2.0 * std::ldexp(1.0, tree.local_frame.exponent);
}

struct Side {
  const ObjectState& object;
  Motion motion;
  MovingTree tree;

  Side(const ObjectState& state, const RigidMotion& its_motion, int exponent)
      : object(state), motion(its_motion, exponent), tree(state.boxtree, motion, exponent) {}
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  [[nodiscard]] std::array<Vec3, 3> vertices(TriangleId triangle) const {
    const auto& [i, j, k] = object.triangles[triangle];
    return {object.positions[i], object.positions[j], object.positions[k]};
  }
  [[nodiscard]] MovingTriangle moving(TriangleId triangle) const {
    return {motion, vertices(triangle), tree.far()};
  }
  [[nodiscard]] double speed() const { return motion.speed(tree.transverse_speed(tree.root()), tree.far()); }
};

class Advance {
 public:
  Advance(const Side& a, const Side& b, double tolerance) : a_(a), b_(b) {
    const double fastest = a.speed() + b.speed();
    const double size = a.tree.size(a.tree.root()) + b.tree.size(b.tree.root()) + fastest;
    near_ = std::max(tolerance * size, 8.0 * kGapMargin);
    slack_ = std::min(1.0, 0.25 * near_ / (fastest + kSpeedMargin));
  }

  /// Returns the impact with its distance in units of 2^exponent.
  RigidImpact run() {
    slices_.emplace_back(a_.tree, b_.tree, 0.0);
    push(0, a_.tree.root(), 0, b_.tree.root(), 0.0, 0);
    while (!stack_.empty()) {
      const Pair pair = stack_.back();
      stack_.pop_back();
      slices_.erase(slices_.begin() + static_cast<std::ptrdiff_t>(pair.slice) + 1, slices_.end());
      visit(pair);
    }
    if (impact_.pair) {
      impact_.toi = std::min(best_, floor_);
      if (impact_.toi < best_) {
        ++impact_.stats.tiers.interval;
        const auto gap = triangle_gap(a_.moving(impact_.pair->a), b_.moving(impact_.pair->b), impact_.toi);
        impact_.distance = gap.distance;
      }
    }
    return impact_;
  }

 private:
  struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::size_t slice = 0;  ///< the slice that proved `until`, and that children start from
    double until = 0.0;     ///< the pair is separated before this time
    MovingBox box_a;
    MovingBox box_b;
  };

  /// Whether a pair that is separated until `until` needs no further work. Once a contact is known, a pair that is
  /// separated until slack_ before the contact is not followed to its own contact: the reported time is the earlier
  /// of both, and the distance at that time is larger by less than a quarter of near_.
  bool settled(double until) {
    if (!impact_.pair) return until > 1.0;
    if (until < best_ - slack_) return false;
    floor_ = std::min(floor_, until);
    return true;
  }
  /// A time from which on settled() returns true.
  [[nodiscard]] double enough() const { return impact_.pair ? best_ - slack_ : 1.0 + 0x1p-50; }

  void push(std::uint32_t a, const MovingBox& box_a, std::uint32_t b, const MovingBox& box_b, double until,
            std::size_t slice) {
    stack_.push_back({a, b, slice, until, box_a, box_b});
  }

  BoxGap look(const MovingBox& box_a, const MovingBox& box_b, std::size_t slice) {
    ++impact_.stats.node_tests;
    return slices_[slice].gap(box_a, box_b, enough());
  }

  void visit(Pair pair) {
    if (settled(pair.until)) return;
    const BoxNode& node_a = a_.tree.node(pair.a);
    const BoxNode& node_b = b_.tree.node(pair.b);
    if (node_a.leaf() && node_b.leaf()) {
      follow({node_a.place(), node_b.place()}, pair.until);
      return;
    }
    const double end = impact_.pair ? best_ : 1.0;
    while (pair.until - slices_[pair.slice].time() > kWorthwhile * (end - slices_[pair.slice].time())) {
      slices_.emplace_back(a_.tree, b_.tree, pair.until);
      pair.slice = slices_.size() - 1;
      pair.until = std::max(pair.until, look(pair.box_a, pair.box_b, pair.slice).until);
      if (settled(pair.until)) return;
    }
    const bool open_a = node_b.leaf() || (!node_a.leaf() && a_.tree.size(pair.box_a) >= b_.tree.size(pair.box_b));
    std::array<Pair, 2> children{pair, pair};
    std::array<double, 2> width{};
    for (std::uint32_t i = 0; i < 2; ++i) {
      Pair& child = children[i];
      if (open_a) {
        child.a = node_a.place() + i;
        child.box_a = a_.tree.child(a_.tree.node(child.a), pair.box_a);
      } else {
        child.b = node_b.place() + i;
        child.box_b = b_.tree.child(b_.tree.node(child.b), pair.box_b);
      }
      const BoxGap gap = look(child.box_a, child.box_b, pair.slice);
      child.until = std::max(pair.until, gap.until);
      width[i] = gap.width;
    }
    // The child that may touch first is visited first; among overlapping boxes, the pair with the deeper overlap.
    const bool swap =
        children[1].until != children[0].until ? children[1].until < children[0].until : width[1] < width[0];
    const std::size_t first = swap ? 1 : 0;
    for (const Pair& child : {children[1 - first], children[first]}) {
      if (!settled(child.until)) stack_.push_back(child);
    }
  }

  /// Advances a triangle pair from time t on.
  void follow(const TrianglePair& pair, double t) {
    ++impact_.stats.triangle_tests;
    const MovingTriangle a = a_.moving(pair.a);
    const MovingTriangle b = b_.moving(pair.b);
    while (true) {
      ++impact_.stats.tiers.interval;
      const TriangleGap gap = triangle_gap(a, b, t, enough());
      if (settled(gap.until)) return;
      const bool apart = gap.until > t;
      // Triangles farther apart than half of near_ are always proved separated, because triangles that start
      // disjoint never cross before they are near. The second condition only guarantees that the loop ends.
      if (gap.distance <= 0.5 * near_ || !apart) {
        best_ = t;
        impact_.pair = pair;
        impact_.distance = gap.distance;
        return;
      }
      if (t >= 1.0) return;
      t = std::min(gap.until, 1.0);
    }
  }

  const Side& a_;
  const Side& b_;
  double near_;
  double slack_;       ///< a duration in which nothing moves by more than a quarter of near_
  double best_ = 1.0;  ///< time of the best contact
  double floor_ = 2.0;
  RigidImpact impact_;
  /// Tests at the times that the pairs on the stack use; later entries belong to pairs nearer to its top.
  std::vector<MovingBoxes> slices_;
  std::vector<Pair> stack_;
};

double determinant(const std::array<Vec3, 3>& rows) {
  return dot(rows[0], cross(rows[1], rows[2]));
}

}  // namespace

RigidImpact advance(const ObjectState& a, const RigidMotion& motion_a, const ObjectState& b,
                    const RigidMotion& motion_b, const AdvanceOptions& options, RigidWork& work) {
  if (!(options.tolerance >= kFinest && options.tolerance <= 1.0))
    throw InputError(fmt::format("tolerance {} is outside [2^-40, 1]", options.tolerance));
  if (a.triangles.empty() || b.triangles.empty()) return {};
  const double reach_a = farthest(a.boxtree);
  const double reach_b = farthest(b.boxtree);
  for (const double max_coordinate : {reach_a, reach_b}) {
    if (!(max_coordinate <= kLongest))
      throw InputError(
          fmt::format("{} reaches beyond 2^1000, too far for a motion", max_coordinate == reach_a ? "a" : "b"));
  }
  // The trees decide exactly whether the objects intersect at the start.
  const RigidStats start = collide({a, b, motion_a.start, motion_b.start}, {.first = true}, work).stats;
  if (!work.found.empty()) return {.toi = 0.0, .pair = work.found.front(), .distance = 0.0, .stats = start};
  const double size = motion_size(motion_a, reach_a) + motion_size(motion_b, reach_b);
  int exponent = 0;
  std::frexp(size, &exponent);  // size < 2^exponent
  exponent = std::max(exponent, -1020);
  const Side side_a(a, motion_a, exponent);
  const Side side_b(b, motion_b, exponent);
  RigidImpact impact = Advance(side_a, side_b, options.tolerance).run();
  impact.distance = std::ldexp(impact.distance, exponent);
  impact.stats += start;
  return impact;
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
