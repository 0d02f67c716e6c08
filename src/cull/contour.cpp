// The continuous contour test; contour.hpp describes it.
//
// Monotone runs. If u . e > 0 at t = 0 and t = 1 for each edge vector e of a run of consecutive edges, then u . e >
// 0 at all t between, because e is linear in t. So the vertices are in strict order along u at every time, and the
// projections of the run's edges on u are disjoint, except that neighbours share the projection of their common
// vertex. A run may cross the seam of the loop. The whole loop is never monotone: its edge vectors sum to zero.
//
// Neighbours. If edges ab and bc share more than b, then a is on bc, or c is on ab. So the edge before ab touches
// bc, or the edge after bc touches ab: a pair without a common vertex, unless the loop is a triangle. Therefore
// neighbours are tested only in triangles.
//
// Bounds linear in time. If a . u > b . u for all points a of one run and b of another, at both ends of the step
// and for the same u, then this holds at all times, because all points are linear in t.
//
// Error bound. A projected point is wrong by at most E in each component, where projection() ensures E >= u
// max(|x|, |y|), u = 2^-53. Along a direction x, y, x + y or x - y the error is:
//   a point: 2 E + u (|x| + |y|) <= 4 E, and u (8 E + |x| + |y|) <= 3 E for subtracting the margin: margin 8 E
//   an edge: 2 (E_a + E_b) + 2 u (|e_x| + |e_y|) <= 6 (E_a + E_b) (1 + u): margin 8 (E_a + E_b)
// Margins are subtracted once, at the single edges; minima are exact, and so are the signs of sums and differences.
#include "cull/contour.hpp"

#include "core/assert.hpp"
#include "cull/planar_exact.hpp"
#include "geometry/vec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::cull {

namespace {

constexpr double kTooLarge = 0x1p1000;  // sums of a few projections below this do not overflow
constexpr double kRounding = 0x1p-53;   // u
constexpr double kMargin = 8.0;
constexpr std::size_t kSmallestTable = 6;  // log2 of the slot count
// Budgets per contour: smooth and jagged mesh contours stay far below, and no contour takes quadratic time.
constexpr std::uint64_t kBoundTestsPerEdge = 128;
constexpr std::uint64_t kPlanarTestsPerEdge = 16;
constexpr std::uint64_t kMinTests = 64;
constexpr std::uint64_t kExactCost = 8;  // in planar tests

/// Returns the components of a vector along the eight directions.
inline std::array<double, 8> along(const Vec2& v) {
  const double sum = v.x + v.y;
  const double difference = v.x - v.y;
  return {v.x, v.y, sum, difference, -v.x, -v.y, -sum, -difference};
}

inline std::array<double, 8> least(const std::array<double, 8>& a, const std::array<double, 8>& b) {
  std::array<double, 8> result;
  for (std::size_t k = 0; k < 8; ++k) {
    result[k] = a[k] < b[k] ? a[k] : b[k];
  }
  return result;
}

inline std::array<double, 8> less(std::array<double, 8> values, double margin) {
  for (double& value : values) {
    value -= margin;
  }
  return values;
}

inline Vec2 operator-(const Vec2& a, const Vec2& b) {
  return {a.x - b.x, a.y - b.y};
}

}  // namespace

void ContourTest::start(std::span<const VertexPath> paths, const ProjectionAxis& axis) {
  paths_ = paths;
  axis_ = axis;
  kept_.clear();
  slot_bits_ = kSmallestTable;
  if (slots_.empty()) {
    slots_.resize(std::size_t{1} << slot_bits_);
  }
  next_stamp();
}

void ContourTest::next_stamp() {
  if (++stamp_ == 0) {  // once in 2^32 stamps
    std::fill(slots_.begin(), slots_.end(), Slot{});
    stamp_ = 1;
  }
}

/// Returns the slot of the vertex, or the free slot where it would be inserted.
std::size_t ContourTest::slot_of(VertexId vertex) const {
  const std::size_t mask = (std::size_t{1} << slot_bits_) - 1;
  std::size_t slot = static_cast<std::size_t>((vertex * 0x9e3779b97f4a7c15U) >> (64U - slot_bits_));
  while (slots_[slot].stamp == stamp_ && slots_[slot].vertex != vertex) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void ContourTest::grow_table() {
  ++slot_bits_;
  if (slots_.size() < std::size_t{1} << slot_bits_) {
    slots_.resize(std::size_t{1} << slot_bits_);
  }
  next_stamp();
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    slots_[slot_of(kept_[place].vertex)] = {stamp_, kept_[place].vertex, static_cast<std::uint32_t>(place)};
  }
}

/// Returns the projection of a vertex, cached or new; null if it is too large or NaN. Valid until the next call.
const PlanarPath* ContourTest::projection(VertexId vertex) {
  std::size_t slot = slot_of(vertex);
  if (slots_[slot].stamp == stamp_) {
    ++counts_.reused;
    return &kept_[slots_[slot].place].path;
  }
  const VertexPath& path = paths_[vertex];
  PlanarPath planar{project(axis_, path.t0), project(axis_, path.t1), 0.0};
  const double sum = std::abs(planar.t0.x) + std::abs(planar.t0.y) + std::abs(planar.t1.x) + std::abs(planar.t1.y);
  if (!(sum < kTooLarge)) {
    return nullptr;
  }
  planar.error = std::max(projection_error(std::max(max_abs(path.t0), max_abs(path.t1))), kRounding * sum);
  ++counts_.projected;
  if (2 * (kept_.size() + 1) > std::size_t{1} << slot_bits_) {
    grow_table();
    slot = slot_of(vertex);
  }
  slots_[slot] = {stamp_, vertex, static_cast<std::uint32_t>(kept_.size())};
  kept_.push_back({planar, vertex});
  return &kept_.back().path;
}

/// Fetches the projections of the loop's vertices; false if one has no projection.
bool ContourTest::place_points() {
  points_.resize(loop_.size());
  for (std::size_t i = 0; i < loop_.size(); ++i) {
    const PlanarPath* path = projection(loop_[i]);
    if (path == nullptr) {
      return false;
    }
    points_[i] = *path;
  }
  return true;
}

void ContourTest::build_runs() {
  const std::size_t n = points_.size();
  levels_ = 1;
  first_[0] = 0;
  first_[1] = n;
  for (std::size_t count = n; count > 1; ++levels_) {
    count = (count + 1) / 2;
    first_[levels_ + 1] = first_[levels_] + count;
  }
  if (runs_.size() < first_[levels_]) {
    runs_.resize(first_[levels_]);
  }

  Dop before_t0 = less(along(points_[n - 1].t0), kMargin * points_[n - 1].error);
  Dop before_t1 = less(along(points_[n - 1].t1), kMargin * points_[n - 1].error);
  for (std::size_t i = 0; i < n; ++i) {  // the edge that ends at point i is run i - 1
    const PlanarPath& from = points_[i == 0 ? n - 1 : i - 1];
    const PlanarPath& to = points_[i];
    const Dop here_t0 = less(along(to.t0), kMargin * to.error);
    const Dop here_t1 = less(along(to.t1), kMargin * to.error);
    Run& edge = runs_[i == 0 ? n - 1 : i - 1];
    edge.place_t0 = least(before_t0, here_t0);
    edge.place_t1 = least(before_t1, here_t1);
    edge.advance = less(least(along(to.t0 - from.t0), along(to.t1 - from.t1)), kMargin * (from.error + to.error));
    before_t0 = here_t0;
    before_t1 = here_t1;
  }
  for (std::size_t level = 1; level < levels_; ++level) {
    const Run* below = runs_.data() + first_[level - 1];
    const std::size_t pairs = run_count(level - 1) / 2;
    Run* runs = runs_.data() + first_[level];
    for (std::size_t i = 0; i < pairs; ++i) {
      runs[i].place_t0 = least(below[2 * i].place_t0, below[2 * i + 1].place_t0);
      runs[i].place_t1 = least(below[2 * i].place_t1, below[2 * i + 1].place_t1);
      runs[i].advance = least(below[2 * i].advance, below[2 * i + 1].advance);
    }
    if (run_count(level - 1) % 2 != 0) {
      runs[pairs] = below[2 * pairs];
    }
  }
}

/// Returns whether all edges of both runs advance along one of the eight directions.
bool ContourTest::advances(const Run& a, const Run& b) {
  int directions = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    directions |= static_cast<int>(a.advance[k] > 0.0) & static_cast<int>(b.advance[k] > 0.0);
  }
  return directions != 0;
}

/// Returns whether a direction separates the runs at both ends of the step: the minimum of one exceeds the maximum
/// of the other, which is minus the minimum along the opposite direction.
bool ContourTest::separated(const Run& a, const Run& b) {
  int directions = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    directions |= static_cast<int>(a.place_t0[k] > -b.place_t0[(k + 4) % 8]) &
                  static_cast<int>(a.place_t1[k] > -b.place_t1[(k + 4) % 8]);
  }
  return directions != 0;
}

/// Returns false if a crossing was found or the budget is spent; answer_ says which.
bool ContourTest::run_is_simple(std::size_t level, std::size_t i) {
  if (level == 0 || advances(run(level, i), run(level, i))) {
    return true;
  }
  const std::size_t left = 2 * i;
  const std::size_t right = left + 1;
  if (right >= run_count(level - 1)) {
    return run_is_simple(level - 1, left);
  }
  return run_is_simple(level - 1, left) && run_is_simple(level - 1, right) &&
         runs_are_separated(level - 1, left, right);
}

/// Returns whether no edge of run i touches an edge of run j, except neighbours at their common vertex.
/// Precondition: both runs are on one level, i < j. False also if the budget is spent.
bool ContourTest::runs_are_separated(std::size_t level, std::size_t i, std::size_t j) {
  if (counts_.bound_tests == bound_budget_) {
    answer_ = Answer::Unknown;
    return false;
  }
  ++counts_.bound_tests;
  // Runs that share a vertex are never separated, but may form one monotone run.
  const bool joined = j == i + 1 || (i == 0 && j + 1 == run_count(level));
  if (joined ? advances(run(level, i), run(level, j)) : separated(run(level, i), run(level, j))) {
    return true;
  }
  if (level == 0) {
    return (joined && loop_.size() > 3) || edges_are_separated(i, j);
  }
  const std::size_t end = run_count(level - 1);
  for (std::size_t a = 2 * i; a < 2 * i + 2; ++a) {
    for (std::size_t b = 2 * j; b < std::min(2 * j + 2, end); ++b) {
      if (!runs_are_separated(level - 1, a, b)) {
        return false;
      }
    }
  }
  return true;
}

bool ContourTest::edges_are_separated(std::size_t i, std::size_t j) {
  if (counts_.planar_tests + kExactCost * counts_.exact_tests >= planar_budget_) {
    answer_ = Answer::Unknown;
    return false;
  }
  ++counts_.planar_tests;
  const std::size_t n = loop_.size();
  const auto next = [n](std::size_t k) { return k + 1 == n ? 0 : k + 1; };
  const auto path = [this](std::size_t k) -> const VertexPath& { return paths_[loop_[k]]; };
  const bool i_first = j == i + 1;
  bool touch = false;
  if (i_first || next(j) == i) {
    const std::size_t a = i_first ? i : j;
    const std::size_t b = next(a);
    const std::size_t c = next(b);
    const Touch filtered = planar_neighbours(points_[a], points_[b], points_[c]);
    touch = filtered == Touch::Yes;
    if (filtered == Touch::Doubt) {
      ++counts_.exact_tests;
      touch = exact_neighbours(axis_, path(a), path(b), path(c));
    }
  } else {
    const Touch filtered = planar_edge_edge(points_[i], points_[i + 1], points_[j], points_[next(j)]);
    touch = filtered == Touch::Yes;
    if (filtered == Touch::Doubt) {
      ++counts_.exact_tests;
      touch = exact_edge_edge(axis_, path(i), path(i + 1), path(j), path(next(j)));
    }
  }
  if (touch) {
    answer_ = Answer::Crossing;
    crossing_ = {{loop_[i], loop_[next(i)]}, {loop_[j], loop_[next(j)]}};
  }
  return !touch;
}

ContourTest::Answer ContourTest::test(std::span<const VertexId> loop) {
  GRAZE_ASSERT(loop.size() >= 3);
  ++counts_.loops;
  counts_.edges += loop.size();
  loop_ = loop;
  if (!place_points()) {
    return Answer::Unknown;
  }
  build_runs();
  bound_budget_ = counts_.bound_tests + kBoundTestsPerEdge * loop.size() + kMinTests;
  planar_budget_ =
      counts_.planar_tests + kExactCost * counts_.exact_tests + kPlanarTestsPerEdge * loop.size() + kMinTests;
  return run_is_simple(levels_ - 1, 0) ? Answer::Simple : answer_;
}

bool ContourTest::has_both(std::span<const VertexId> loop, const CrossingEdges& edges) {
  bool has_a = false;
  bool has_b = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const std::array<VertexId, 2> forward{loop[i], loop[i + 1 == loop.size() ? 0 : i + 1]};
    const std::array<VertexId, 2> backward{forward[1], forward[0]};
    has_a = has_a || forward == edges.a || backward == edges.a;
    has_b = has_b || forward == edges.b || backward == edges.b;
  }
  return has_a && has_b;
}

}  // namespace graze::cull
