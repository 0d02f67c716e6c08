// The query families. A maker returns one pair; make_query then shuffles what does not matter (corners, axes,
// time).
//
// "Constructed" makers work at a time t* = k / 2^m: positions X and velocities V are integers with |X|, |V| < 2^9,
// so that x(0) = X - t* V and x(1) = X + (1 - t*) V need fewer than 53 bits and are exact.
#include "oracle/query_generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace graze::oracle {

namespace {

using Points = std::array<Vec3, 4>;

double Vec3::*const kAxes[3] = {&Vec3::x, &Vec3::y, &Vec3::z};

Vec3 plus(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 times(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

Vec3 grid_point(Random& random, int radius) {
  const double x = random.between(-radius, radius);
  const double y = random.between(-radius, radius);
  const double z = random.between(-radius, radius);
  return {x, y, z};
}
Vec3 unit_point(Random& random) {
  const double x = random.symmetric();
  const double y = random.symmetric();
  const double z = random.symmetric();
  return {x, y, z};
}

template <typename MakePoint>
PairStep from_points(Random& random, const MakePoint& make_point) {
  PairStep pair;
  for (Vec3& p : pair.t0) p = make_point(random);
  for (Vec3& p : pair.t1) p = make_point(random);
  return pair;
}

template <typename Change>
void change_all(PairStep& pair, const Change& change) {
  for (Points* points : {&pair.t0, &pair.t1}) {
    for (Vec3& p : *points) change(p);
  }
}

// Weights of a contact point: quarters that sum to 1 per feature; zeros (corners, edges, ends) are frequent.
std::array<double, 4> contact_weights(FeatureKind kind, Random& random, bool on_boundary) {
  if (kind == FeatureKind::VertexFace) {
    std::array<int, 3> w{};
    do {
      w[0] = random.between(0, 4);
      w[1] = random.between(0, 4 - w[0]);
      w[2] = 4 - w[0] - w[1];
    } while (on_boundary && w[0] * w[1] * w[2] != 0);
    return {1.0, w[0] / 4.0, w[1] / 4.0, w[2] / 4.0};
  }
  double s = random.between(0, 4) / 4.0;
  const double u = random.between(0, 4) / 4.0;
  if (on_boundary) s = random.coin() ? 1.0 : 0.0;
  return {1.0 - s, s, 1.0 - u, u};
}

Vec3 weighted(const Points& x, const std::array<double, 4>& w, std::size_t from, std::size_t to) {
  Vec3 sum;
  for (std::size_t i = from; i < to; ++i) sum = plus(sum, times(w[i], x[i]));
  return sum;
}

std::size_t split_of(FeatureKind kind) {
  return kind == FeatureKind::VertexFace ? 1 : 2;
}

// First minus second contact point of x under the weights.
Vec3 difference(FeatureKind kind, const Points& x, const std::array<double, 4>& w) {
  const std::size_t split = split_of(kind);
  return minus(weighted(x, w, 0, split), weighted(x, w, split, 4));
}

// Moves the whole first feature by `by`.
void move_first(FeatureKind kind, Points& x, const Vec3& by) {
  for (std::size_t i = 0; i < split_of(kind); ++i) x[i] = plus(x[i], by);
}

double dyadic_time(Random& random) {
  const int m = random.between(1, 10);
  return std::ldexp(static_cast<double>(random.between(0, 1 << m)), -m);
}

PairStep through(const Points& x, const Points& velocity, double t) {
  PairStep pair;
  for (std::size_t i = 0; i < 4; ++i) {
    pair.t0[i] = minus(x[i], times(t, velocity[i]));
    pair.t1[i] = plus(x[i], times(1.0 - t, velocity[i]));
  }
  return pair;
}

struct Contact {
  Points x;
  Points velocity;
  std::array<double, 4> weights{};
};

Contact integer_contact(FeatureKind kind, Random& random, bool on_boundary) {
  Contact contact;
  const int radius = 1 << random.between(0, 6);
  for (Vec3& p : contact.x) p = grid_point(random, radius);
  for (Vec3& v : contact.velocity) v = grid_point(random, radius);
  contact.weights = contact_weights(kind, random, on_boundary);
  move_first(kind, contact.x, times(-1.0, difference(kind, contact.x, contact.weights)));
  return contact;
}

PairStep integer_contact_step(FeatureKind kind, Random& random, bool on_boundary) {
  const Contact c = integer_contact(kind, random, on_boundary);
  return through(c.x, c.velocity, dyadic_time(random));
}

PairStep constructed(FeatureKind kind, Random& random) {
  return integer_contact_step(kind, random, false);
}

PairStep boundary_touch(FeatureKind kind, Random& random) {
  return integer_contact_step(kind, random, true);
}

PairStep contact_at_end(FeatureKind kind, Random& random) {
  const Contact c = integer_contact(kind, random, random.coin());
  return through(c.x, c.velocity, random.coin() ? 1.0 : 0.0);
}

// A double root: the relative velocity of the two contact points lies in the plane of contact.
PairStep grazing(FeatureKind kind, Random& random) {
  Contact c = integer_contact(kind, random, random.coin());
  const bool vf = kind == FeatureKind::VertexFace;
  const Vec3 e = minus(c.x[vf ? 2 : 1], c.x[vf ? 1 : 0]);
  const Vec3 f = minus(c.x[3], c.x[vf ? 1 : 2]);
  const Vec3 in_plane = plus(times(random.between(-2, 2), e), times(random.between(-2, 2), f));
  move_first(kind, c.velocity, minus(in_plane, difference(kind, c.velocity, c.weights)));
  return through(c.x, c.velocity, dyadic_time(random));
}

// A triple root: all four points coincide at one time.
PairStep all_meet(FeatureKind /*kind*/, Random& random) {
  Points x;
  Points velocity;
  x.fill(grid_point(random, 8));
  for (Vec3& v : velocity) v = grid_point(random, 8);
  return through(x, velocity, random.coin() ? dyadic_time(random) : 0.5);
}

PairStep random_pair(FeatureKind /*kind*/, Random& random) {
  PairStep pair = from_points(random, unit_point);
  if (random.coin()) {
    const double speed = std::ldexp(1.0, -random.between(0, 8));
    for (std::size_t i = 0; i < 4; ++i) pair.t1[i] = plus(pair.t0[i], times(speed, pair.t1[i]));
  }
  return pair;
}

// Contact in the middle of the features with full mantissas: a true hit without special numbers.
PairStep aimed(FeatureKind kind, Random& random) {
  Points x;
  Points velocity;
  for (Vec3& p : x) p = unit_point(random);
  for (Vec3& v : velocity) v = unit_point(random);
  std::array<double, 4> w{};
  if (kind == FeatureKind::VertexFace) {
    const double u = random.unit();
    const double v = random.unit() * (1.0 - u);
    w = {1.0, u, v, 1.0 - u - v};
  } else {
    const double s = random.unit();
    const double u = random.unit();
    w = {1.0 - s, s, 1.0 - u, u};
  }
  move_first(kind, x, times(-1.0, difference(kind, x, w)));
  return through(x, velocity, random.unit());
}

PairStep grid(FeatureKind /*kind*/, Random& random) {
  const int radius = random.between(1, 4);
  return from_points(random, [radius](Random& r) { return grid_point(r, radius); });
}

PairStep powers_of_two(FeatureKind /*kind*/, Random& random) {
  return from_points(random, [](Random& r) {
    Vec3 p;
    for (auto axis : kAxes) {
      const int power = r.between(-9, 8);
      p.*axis = power == -9 ? 0.0 : std::ldexp(r.coin() ? 1.0 : -1.0, power);
    }
    return p;
  });
}

double nudged(double value, Random& random) {
  for (int steps = random.between(0, 2); steps > 0; --steps) {
    value = std::nextafter(value, random.coin() ? 1e300 : -1e300);
  }
  return value;
}

PairStep coplanar(FeatureKind /*kind*/, Random& random) {
  // z = ax + by + c + dt: the plane itself may move, and all points stay in it for the whole step.
  const bool full_mantissa = random.below(4) == 0;
  const int radius = 1 << random.between(1, 5);
  PairStep pair =
      from_points(random, [&](Random& r) { return full_mantissa ? unit_point(r) : grid_point(r, radius); });
  const double a = full_mantissa ? 0.0 : random.between(-2, 2);
  const double b = full_mantissa ? 0.0 : random.between(-2, 2);
  const double rise = random.between(-1, 1);
  for (Vec3& p : pair.t0) p.z = a * p.x + b * p.y;
  for (Vec3& p : pair.t1) p.z = a * p.x + b * p.y + rise;
  return pair;
}

PairStep nearly_coplanar(FeatureKind kind, Random& random) {
  PairStep pair = coplanar(kind, random);
  const double scale = random.coin() ? 1.0 : 1.0 / 3.0;
  change_all(pair, [&](Vec3& p) { p = times(scale, p); });
  change_all(pair, [&](Vec3& p) { p.z = nudged(p.z, random); });
  return pair;
}

PairStep ulp_off(FeatureKind kind, Random& random) {
  PairStep pair = random.coin() ? constructed(kind, random) : grazing(kind, random);
  Points& points = random.coin() ? pair.t0 : pair.t1;
  Vec3& p = points[random.below(4)];
  for (auto axis : kAxes) p.*axis = nudged(p.*axis, random);
  return pair;
}

// Zero-area faces and zero-length edges, at both ends or at one only.
PairStep degenerate_feature(FeatureKind kind, Random& random) {
  PairStep pair = random.coin() ? constructed(kind, random) : grid(kind, random);
  const std::uint32_t when = random.below(4);
  const int stretch = random.between(-2, 2);
  const bool both = random.below(3) == 0;
  for (Points* x : {&pair.t0, &pair.t1}) {
    if ((when == 0 && x == &pair.t0) || (when == 1 && x == &pair.t1)) continue;
    if (kind == FeatureKind::EdgeEdge) {
      (*x)[1] = (*x)[0];
      if (both) (*x)[3] = (*x)[2];
    } else {
      if (both) (*x)[2] = (*x)[1];
      (*x)[3] = plus((*x)[1], times(stretch, minus((*x)[2], (*x)[1])));
    }
  }
  return pair;
}

// Edges that stay parallel or collinear; a vertex that stays on the line of a face's edge.
PairStep parallel(FeatureKind kind, Random& random) {
  PairStep pair = from_points(random, [](Random& r) { return grid_point(r, 3); });
  const double stretch = random.between(-3, 3);
  const double along = random.between(-4, 4) / 2.0;
  const bool collinear = random.coin();
  for (Points* x : {&pair.t0, &pair.t1}) {
    if (kind == FeatureKind::EdgeEdge) {
      const Vec3 edge = minus((*x)[1], (*x)[0]);
      if (collinear) (*x)[2] = plus((*x)[0], times(along, edge));
      (*x)[3] = plus((*x)[2], times(stretch, edge));
    } else {
      (*x)[0] = plus((*x)[1], times(along, minus((*x)[2], (*x)[1])));
      if (collinear) (*x)[3] = plus((*x)[1], times(stretch, minus((*x)[2], (*x)[1])));
    }
  }
  // In half the cases the offset of the line differs at the two ends: parallel, and collinear at one time at most.
  if (random.coin()) pair.t1[0] = plus(pair.t1[0], grid_point(random, 1));
  return pair;
}

PairStep no_motion(FeatureKind kind, Random& random) {
  PairStep pair = constructed(kind, random);
  pair.t0 = random.coin() ? integer_contact(kind, random, random.coin()).x : pair.t0;
  pair.t1 = pair.t0;
  return pair;
}

// A face or an edge pair that collapses to a segment or a point at t = 1/2 and opens inverted.
PairStep flip(FeatureKind kind, Random& random) {
  PairStep pair = random.coin() ? constructed(kind, random) : grid(kind, random);
  const bool vf = kind == FeatureKind::VertexFace;
  const std::size_t first = vf ? 1 : (random.coin() ? 0 : 2);
  const std::size_t last = vf ? 4 : first + 2;
  const Vec3 centre = grid_point(random, 2);
  if (vf && random.coin()) {
    // Collapse to a segment: the third corner is mirrored in a point of the edge, and the edge is static.
    const Vec3 foot = times(0.5, plus(pair.t0[1], pair.t0[2]));
    pair.t1[1] = pair.t0[1];
    pair.t1[2] = pair.t0[2];
    pair.t1[3] = minus(times(2.0, foot), pair.t0[3]);
  } else {
    for (std::size_t i = first; i < last; ++i) pair.t1[i] = minus(times(2.0, centre), pair.t0[i]);
  }
  if (random.below(3) == 0) {
    // The other feature passes through the point of collapse at t = 1/2.
    const std::size_t other = vf ? 0 : 2 - first;
    pair.t1[other] = minus(times(2.0, centre), pair.t0[other]);
  }
  return pair;
}

PairStep mixed_magnitudes(FeatureKind kind, Random& random) {
  const std::uint32_t mode = random.below(4);
  PairStep pair = mode == 0 ? random_pair(kind, random) : constructed(kind, random);
  std::array<int, 3> axis_power{};
  for (int& power : axis_power) power = random.between(-980, 980);
  const int common = random.between(-980, 980);
  change_all(pair, [&](Vec3& p) {
    for (std::size_t k = 0; k < 3; ++k) {
      double& value = p.*kAxes[k];
      int power = common;                                        // one scale for all: same answer as without it
      if (mode == 0) power = random.between(-990, 990);          // a different scale for every number
      if (mode == 2) power = axis_power[k];                      // one scale per axis: same answer as well
      if (mode == 3) power = random.below(8) == 0 ? common : 0;  // a few numbers scaled
      value = std::ldexp(value, power);
    }
  });
  return pair;
}

// Subnormal and nearly overflowing numbers.
PairStep extreme(FeatureKind kind, Random& random) {
  PairStep pair = random.coin() ? grid(kind, random) : constructed(kind, random);
  const bool tiny = random.coin();
  const double largest = std::numeric_limits<double>::max();
  change_all(pair, [&](Vec3& p) {
    for (auto axis : kAxes) {
      double& value = p.*axis;
      value = tiny ? std::ldexp(std::trunc(value), -1074) : std::clamp(std::ldexp(value, 1016), -largest, largest);
    }
  });
  return pair;
}

PairStep translated(FeatureKind kind, Random& random) {
  PairStep pair = random.coin() ? constructed(kind, random) : aimed(kind, random);
  Vec3 offset;
  const bool exact = random.coin();
  for (auto axis : kAxes) {
    offset.*axis = exact ? std::ldexp(1.0, random.between(10, 30)) : std::pow(10.0, 6.0 + 6.0 * random.unit());
  }
  change_all(pair, [&](Vec3& p) { p = plus(p, offset); });
  return pair;
}

PairStep floats(FeatureKind kind, Random& random) {
  PairStep pair = random.coin() ? aimed(kind, random) : random_pair(kind, random);
  change_all(pair, [](Vec3& p) {
    for (auto axis : kAxes) p.*axis = static_cast<double>(static_cast<float>(p.*axis));
  });
  return pair;
}

PairStep shared_coordinates(FeatureKind /*kind*/, Random& random) {
  std::array<Vec3, 5> pool;
  const bool full_mantissa = random.coin();
  for (Vec3& p : pool) p = full_mantissa ? unit_point(random) : grid_point(random, 2);
  const std::uint32_t size = 2 + random.below(4);
  return from_points(random, [&](Random& r) { return pool[r.below(size)]; });
}

// Two points, one of each feature, are equal at one end of the step, and in half the cases at the other.
PairStep coincident(FeatureKind kind, Random& random) {
  const bool full_mantissa = random.coin();
  PairStep pair = from_points(random, [&](Random& r) { return full_mantissa ? unit_point(r) : grid_point(r, 2); });
  const auto split = static_cast<std::uint32_t>(split_of(kind));
  const std::size_t first = random.below(split);
  const std::size_t second = split + random.below(4 - split);
  pair.t0[second] = pair.t0[first];
  if (random.coin()) pair.t1[second] = pair.t1[first];
  return pair;
}

// The points are coplanar at one end of the step, on a small lattice or up to an axis-parallel plane with full
// mantissas; at the other end they are anywhere. Features that lie on each other and part.
PairStep parting(FeatureKind /*kind*/, Random& random) {
  const bool full_mantissa = random.coin();
  const int radius = random.between(1, 4);
  const auto make = [&](Random& r) { return full_mantissa ? unit_point(r) : grid_point(r, radius); };
  PairStep pair = from_points(random, make);
  const double a = full_mantissa ? 0.0 : random.between(-1, 1);
  const double b = full_mantissa ? 0.0 : random.between(-1, 1);
  for (Vec3& p : pair.t0) p.z = a * p.x + b * p.y;
  return pair;
}

// Coplanar motion on a lattice of few points: common lines, common points, contact at the ends of the step.
PairStep lattice_plane(FeatureKind kind, Random& random) {
  const int radius = random.between(1, 4);
  PairStep pair = from_points(random, [&](Random& r) { return grid_point(r, radius); });
  change_all(pair, [](Vec3& p) { p.z = 0.0; });
  if (random.coin()) {  // one feature is static, or moves as a whole
    const Vec3 by = random.coin() ? Vec3{} : grid_point(random, 2);
    const std::size_t split = split_of(kind);
    const bool first = random.coin();
    for (std::size_t i = first ? 0 : split; i < (first ? split : 4); ++i) pair.t1[i] = plus(pair.t0[i], by);
    change_all(pair, [](Vec3& p) { p.z = 0.0; });
  }
  return pair;
}

// One or both features are static, with full mantissas; in half the cases in one plane.
PairStep static_feature(FeatureKind kind, Random& random) {
  PairStep pair = from_points(random, unit_point);
  if (random.coin()) change_all(pair, [](Vec3& p) { p.z = 0.25; });
  if (random.below(3) == 0) pair.t0[random.below(4)] = pair.t0[random.below(4)];
  const bool both = random.coin();
  for (std::size_t i = 0; i < 4; ++i) {
    if (both || i < split_of(kind)) pair.t1[i] = pair.t0[i];
  }
  return pair;
}

// A contact that ulps delay, from the start of the step to times down to about 2^-50.
PairStep early(FeatureKind kind, Random& random) {
  const Contact c = integer_contact(kind, random, random.coin());
  PairStep pair = through(c.x, c.velocity, 0.0);
  const double scale = random.coin() ? 1.0 : 1.0 / 3.0;
  change_all(pair, [&](Vec3& p) { p = times(scale, p); });
  for (Vec3& p : pair.t0) {
    for (auto axis : kAxes) {
      if (p.*axis != 0.0) p.*axis = nudged(p.*axis, random);
    }
  }
  return pair;
}

// A feature that is a point for the whole step: the coplanarity cubic vanishes, and nothing else does.
PairStep point_feature(FeatureKind kind, Random& random) {
  PairStep pair =
      random.coin() ? from_points(random, unit_point) : integer_contact_step(kind, random, random.coin());
  for (Points* x : {&pair.t0, &pair.t1}) {
    if (kind == FeatureKind::EdgeEdge) {
      (*x)[1] = (*x)[0];
    } else {
      (*x)[3] = (*x)[2] = (*x)[1];
    }
  }
  return pair;
}

// Degenerate pairs with coordinates of magnitudes down to 2^-60 of the largest: long integers of fixed width.
PairStep spread(FeatureKind kind, Random& random) {
  const std::uint32_t from = random.below(4);
  PairStep pair = from == 0   ? coincident(kind, random)
                  : from == 1 ? parting(kind, random)
                  : from == 2 ? lattice_plane(kind, random)
                              : static_feature(kind, random);
  const int least = -random.between(0, 60);
  change_all(pair, [&](Vec3& p) {
    p.x = random.below(4) == 0 ? std::ldexp(p.x, random.between(least, 0)) : p.x;
    p.y = random.below(4) == 0 ? std::ldexp(p.y, random.between(least, 0)) : p.y;
  });
  return pair;
}

constexpr QueryFamily kFamilies[] = {
    {"random", "uniform doubles, slow and fast", random_pair},
    {"aimed", "full-mantissa doubles that meet up to rounding", aimed},
    {"grid", "small integers", grid},
    {"powers-of-two", "zero and signed powers of two", powers_of_two},
    {"constructed", "contact exactly at a dyadic time", constructed},
    {"boundary-touch", "contact at a corner or on an edge of the face, at an edge's end", boundary_touch},
    {"contact-at-end", "contact exactly at t = 0 or t = 1", contact_at_end},
    {"grazing", "double root: tangential contact", grazing},
    {"all-meet", "triple root: all points meet at one time", all_meet},
    {"coplanar", "coplanar for the whole step", coplanar},
    {"nearly-coplanar", "coplanar up to ulps", nearly_coplanar},
    {"ulp-off", "a constructed contact, moved by ulps", ulp_off},
    {"degenerate-feature", "zero-area faces, zero-length edges", degenerate_feature},
    {"parallel", "parallel and collinear edges, vertex on an edge's line", parallel},
    {"no-motion", "both ends equal", no_motion},
    {"flip", "features that vanish and flip in mid-step", flip},
    {"mixed-magnitudes", "1e-300 to 1e300 in one query", mixed_magnitudes},
    {"extreme", "subnormal or nearly overflowing", extreme},
    {"translated", "far from the origin", translated},
    {"floats", "single precision values", floats},
    {"shared-coordinates", "equal points among few", shared_coordinates},
    {"coincident", "two equal points, one of each feature, at one end or both", coincident},
    {"parting", "coplanar at one end of the step, and anywhere at the other", parting},
    {"lattice-plane", "coplanar motion on few lattice points", lattice_plane},
    {"static-feature", "one feature or both do not move", static_feature},
    {"early", "a contact within ulps of the start or the end", early},
    {"point-feature", "an edge or a face that is a point throughout", point_feature},
    {"spread", "degenerate pairs with coordinates of different magnitudes", spread},
};

void shuffle(FeatureKind kind, PairStep& pair, Random& random) {
  const auto swap_points = [&](std::size_t i, std::size_t j) {
    std::swap(pair.t0[i], pair.t0[j]);
    std::swap(pair.t1[i], pair.t1[j]);
  };
  if (kind == FeatureKind::VertexFace) {
    if (random.coin()) swap_points(1, 2);
    swap_points(3, 1 + random.below(3));
  } else {
    if (random.coin()) swap_points(0, 1);
    if (random.coin()) swap_points(2, 3);
    if (random.coin()) {
      swap_points(0, 2);
      swap_points(1, 3);
    }
  }
  if (random.coin()) std::swap(pair.t0, pair.t1);
  const std::uint32_t turn = random.below(3);
  const bool mirror = random.coin();
  change_all(pair, [&](Vec3& p) {
    for (std::uint32_t i = 0; i < turn; ++i) p = {p.y, p.z, p.x};
    if (mirror) p = {-p.y, p.x, p.z};
  });
}

}  // namespace

std::span<const QueryFamily> query_families() {
  return kFamilies;
}

const QueryFamily* find_query_family(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                   [&](const QueryFamily& family) { return family.name == name; });
  return found == std::end(kFamilies) ? nullptr : found;
}

PairStep make_query(const QueryFamily& family, FeatureKind kind, std::uint64_t seed, std::uint64_t index) {
  Random random(seed, index);
  PairStep pair = family.make(kind, random);
  shuffle(kind, pair, random);
  return pair;
}

}  // namespace graze::oracle
