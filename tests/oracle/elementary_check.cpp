// Checks an answer clause by clause against the contract of graze/elementary.hpp. All comparisons of times and
// distances are exact; only weights and normals, which the library rounds, are compared within a stated slack.
#include "oracle/elementary_check.hpp"

#include "oracle/continuous.hpp"
#include "oracle/discrete.hpp"
#include "oracle/hex.hpp"
#include "oracle/step_distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

namespace graze::oracle {

namespace {

// Tolerance of rounded results: sums and lengths of a few doubles near 1.
constexpr double kRounding = 1e-9;
// The least time of contact for which the relative width of an interval is promised.
constexpr double kLeastTime = 0x1p-980;
// Tolerance of a distance, in ulps.
constexpr double kUlps = 4.0;

const char* name_of(FeatureKind kind) {
  return kind == FeatureKind::VertexFace ? "vertex-face" : "edge-edge";
}

std::string check_weights(FeatureKind kind, const std::array<double, 4>& w) {
  for (const double weight : w) {
    if (!(weight >= -kRounding && weight <= 1.0 + kRounding))
      return fmt::format("weight {} is not in [0, 1]", weight);
  }
  const bool vf = kind == FeatureKind::VertexFace;
  const double first = vf ? w[0] : w[0] + w[1];
  const double second = vf ? w[1] + w[2] + w[3] : w[2] + w[3];
  if (std::abs(first - 1.0) > kRounding || std::abs(second - 1.0) > kRounding) {
    return fmt::format("weights {} {} {} {} do not sum to 1 per feature", w[0], w[1], w[2], w[3]);
  }
  return {};
}

std::string check_shape(FeatureKind kind, const ElementaryImpact& impact, double tolerance) {
  if (!(impact.toi_lo >= 0.0 && impact.toi_lo <= impact.toi_hi && impact.toi_hi <= 1.0)) {
    return fmt::format("interval [{:a}, {:a}] is not in [0, 1]", impact.toi_lo, impact.toi_hi);
  }
  // Computed exactly, because the difference of two doubles may round.
  const Dyadic width = dyadic_from(impact.toi_hi) + dyadic_from(-impact.toi_lo);
  if (compare(width, dyadic_from(tolerance)) > 0) {
    return fmt::format("interval [{:a}, {:a}] is wider than {:a}", impact.toi_lo, impact.toi_hi, tolerance);
  }
  Dyadic share = dyadic_from(impact.toi_hi);
  share.exponent -= 10;
  if (impact.toi_hi > kLeastTime && compare(width, share) > 0) {
    return fmt::format("interval [{:a}, {:a}] is wider than 2^-10 of its end", impact.toi_lo, impact.toi_hi);
  }
  const Vec3& n = impact.normal;
  const double length = std::hypot(n.x, n.y, n.z);
  if (!(std::abs(length - 1.0) <= kRounding || length == 0.0)) return fmt::format("normal of length {}", length);
  if (impact.side < -1 || impact.side > 1) return fmt::format("side is {}", impact.side);
  return check_weights(kind, impact.weights);
}

std::optional<ElementaryImpact> call(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                                     const ElementaryOptions& options, TierCounts* tiers) {
  return kind == FeatureKind::VertexFace ? tested.impact_vertex_face(pair, options, tiers)
                                         : tested.impact_edge_edge(pair, options, tiers);
}

// Reports a thrown exception as a disagreement.
template <typename Check>
std::string guarded(const Check& check) {
  try {
    return check();
  } catch (const std::exception& error) {
    return fmt::format("threw: {}", error.what());
  }
}

std::uint64_t total(const TierCounts& tiers) {
  return tiers.filter + tiers.interval + tiers.exact;
}

}  // namespace

CheckCounts& CheckCounts::operator+=(const CheckCounts& other) {
  queries += other.queries;
  contacts += other.contacts;
  thick += other.thick;
  undecided += other.undecided;
  discrete += other.discrete;
  tiers += other.tiers;
  return *this;
}

std::string check_impact(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                         double tolerance, CheckCounts& counts) {
  ++counts.queries;
  const std::optional<Root> truth = first_contact(kind, pair);
  if (truth) ++counts.contacts;
  return guarded([&]() -> std::string {
    TierCounts tiers;
    const auto impact = call(tested, kind, pair, {.tolerance = tolerance}, &tiers);
    counts.tiers += tiers;
    if (total(tiers) != 1) return fmt::format("{} tiers counted for one test", total(tiers));
    if (!truth) {
      return impact ? fmt::format("contact reported in [{:a}, {:a}], there is none", impact->toi_lo, impact->toi_hi)
                    : std::string();
    }
    if (!impact) return fmt::format("no contact reported, there is one at {:a}", truth->approximate_value());
    if (auto text = check_shape(kind, *impact, tolerance); !text.empty()) return text;
    if (!truth->in(impact->toi_lo, impact->toi_hi)) {
      return fmt::format("interval [{:a}, {:a}] misses the first contact at {:a}", impact->toi_lo, impact->toi_hi,
                         truth->approximate_value());
    }
    const int side = side_before(kind, pair, *truth);
    if (impact->side != side) return fmt::format("side is {}, not {}", impact->side, side);
    return {};
  });
}

namespace {

// The slack of graze/elementary.hpp: max(tolerance * min(1, thickness), 2^-43 * largest coordinate difference).
Dyadic thick_slack(const PairStep& pair, const ElementaryOptions& options) {
  Dyadic slack = dyadic_from(options.tolerance) * dyadic_from(std::min(1.0, options.thickness));
  for (const auto* points : {&pair.t0, &pair.t1}) {
    for (const Vec3& p : *points) {
      for (const Vec3& q : *points) {
        for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
          Dyadic minus = dyadic_from(q.*axis);
          minus.mantissa = -minus.mantissa;
          Dyadic size = dyadic_from(p.*axis) + minus;
          size.exponent -= 43;
          if (compare(size, slack) > 0) slack = size;
        }
      }
    }
  }
  return slack;
}

}  // namespace

std::string check_thick_impact(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                               const ElementaryOptions& options, CheckCounts& counts) {
  using Reach = StepDistance::Reach;
  ++counts.thick;
  const StepDistance distance(kind, pair);
  const Dyadic near = dyadic_from(options.thickness);
  const Dyadic far = near + thick_slack(pair, options);
  return guarded([&]() -> std::string {
    const auto impact = call(tested, kind, pair, options, nullptr);
    const Reach reach = distance.reach(near, far, {1, 0});
    if (!impact) {
      if (reach == Reach::Unknown) ++counts.undecided;
      return reach == Reach::Near ? "not reported, though within thickness" : std::string();
    }
    if (reach == Reach::None) return "reported, though never within thickness + tolerance";
    if (auto text = check_shape(kind, *impact, options.tolerance); !text.empty()) return text;
    if (compare(distance.distance2_at(dyadic_from(impact->toi_hi)), far * far) > 0) {
      return fmt::format("at toi_hi = {:a} it is farther than thickness + tolerance", impact->toi_hi);
    }
    if (impact->toi_lo == 0.0) return {};
    // Tests a time before toi_lo: at toi_lo itself the pair may just have reached the thickness.
    const Dyadic lo = dyadic_from(impact->toi_lo);
    const Dyadic before = lo + Dyadic{-lo.mantissa, lo.exponent - 50};
    const Reach early = distance.reach(near, near, before);
    if (early == Reach::Unknown) ++counts.undecided;
    if (early == Reach::Near) return fmt::format("within thickness before toi_lo = {:a}", impact->toi_lo);
    return {};
  });
}

std::string check_intersections(const ElementaryFunctions& tested, const PairStep& pair, CheckCounts& counts) {
  ++counts.discrete;
  const auto& [v, a, b, c] = pair.t0;
  const std::array<Vec3, 5> edge_face{v, pair.t1[0], a, b, c};
  const std::array<Vec3, 6> triangles{v, pair.t1[0], pair.t1[1], a, b, c};
  return guarded([&]() -> std::string {
    TierCounts tiers;
    const bool meet = oracle::intersect_edge_face(edge_face);
    if (tested.intersect_edge_face(edge_face, &tiers) != meet) {
      return fmt::format("intersect_edge_face(v(0), v(1), f0(0), f1(0), f2(0)) is {}", !meet);
    }
    const bool both = oracle::intersect_triangle_triangle(triangles);
    if (tested.intersect_triangle_triangle(triangles, &tiers) != both) {
      return fmt::format("intersect_triangle_triangle(x0(0), x0(1), x1(1), x1(0), x2(0), x3(0)) is {}", !both);
    }
    return {};
  });
}

std::string check_distance(const ElementaryFunctions& tested, FeatureKind kind, const std::array<Vec3, 4>& points,
                           double d, CheckCounts& counts) {
  ++counts.discrete;
  const bool vf = kind == FeatureKind::VertexFace;
  const Fraction exact = distance2_fraction(kind, points);
  return guarded([&]() -> std::string {
    const Dyadic limit = dyadic_from(d);
    const bool inside = d >= 0.0 && compare(exact, limit * limit) <= 0;
    TierCounts tiers;
    if ((vf ? tested.within_vertex_face : tested.within_edge_edge)(points, d, &tiers) != inside) {
      return fmt::format("within {:a} is {}", d, !inside);
    }
    const double lo = sqrt_down(exact);
    const double hi = sqrt_up(exact);
    if (hi >= std::numeric_limits<double>::max()) return {};  // no double to return
    const auto answer = (vf ? tested.distance_vertex_face : tested.distance_edge_edge)(points);
    const double ulp = std::nextafter(hi, std::numeric_limits<double>::infinity()) - hi;
    if (!(answer.distance >= lo - kUlps * ulp && answer.distance <= hi + kUlps * ulp)) {
      return fmt::format("distance is {:a}, not in [{:a}, {:a}]", answer.distance, lo, hi);
    }
    return check_weights(kind, answer.weights);
  });
}

std::string check_query(const ElementaryFunctions& tested, const QueryFamily& family, FeatureKind kind,
                        std::uint64_t seed, std::uint64_t index, CheckCounts& counts) {
  const PairStep pair = make_query(family, kind, seed, index);
  Random random(~seed, index);
  const double tolerance = random.below(4) != 0 ? 1e-6 : std::ldexp(1.0, -random.between(0, 40));
  std::string text = check_impact(tested, kind, pair, tolerance, counts);
  if (!text.empty()) return fmt::format("tolerance {:a}: {}", tolerance, text);
  if (random.below(8) == 0) {
    text = check_intersections(tested, pair, counts);
    if (!text.empty()) return text;
  }
  if (random.below(8) == 0) {
    // A distance limit at, just below or just above the distance, or a random one.
    const double distance = sqrt_up(distance2_fraction(kind, pair.t0));
    const double options[] = {
        distance, std::nextafter(distance, 0.0),
        std::min(std::nextafter(distance, 2.0 * distance), std::numeric_limits<double>::max()),
        std::abs(random.symmetric()), 0.0};
    text = check_distance(tested, kind, pair.t0, options[random.below(5)], counts);
    if (!text.empty()) return "at t = 0: " + text;
  }
  if (random.below(64) == 0) {
    const auto bracket = StepDistance(kind, pair).minimum(1e-9, 50);
    const double factors[] = {0.5, 1.0 - 1e-3, 1.0, 1.0 + 1e-12, 1.5};
    double thickness = bracket.hi * factors[random.below(5)];
    if (!(thickness > 0.0) || random.below(4) == 0)
      thickness = std::ldexp(random.unit() + 0.5, -random.between(0, 20));
    thickness = std::min(thickness, std::numeric_limits<double>::max());
    text = check_thick_impact(tested, kind, pair, {.tolerance = tolerance, .thickness = thickness}, counts);
    if (!text.empty()) return fmt::format("tolerance {:a}, thickness {:a}: {}", tolerance, thickness, text);
  }
  return {};
}

std::string regression_test(const QueryFamily& family, FeatureKind kind, std::uint64_t seed, std::uint64_t index) {
  std::string title;
  bool capital = true;
  for (const char c : family.name) {
    if (c != '-') title += capital ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '-';
  }
  const bool vf = kind == FeatureKind::VertexFace;
  return fmt::format(
      "// {} {}, seed {}, index {}\n"
      "TEST(ElementaryRegression, {}{}Seed{}Index{}) {{\n"
      "  const PairStep pair =\n      {};\n"
      "  EXPECT_EQ(oracle::disagreement(FeatureKind::{}, pair, {{.tolerance = 1e-6}}), \"\");\n"
      "  // The whole of it (tolerances, thickness and distances as drawn for this index):\n"
      "  EXPECT_EQ(oracle::disagreement(\"{}\", FeatureKind::{}, {}, {}), \"\");\n"
      "}}\n",
      family.name, name_of(kind), seed, index, vf ? "VertexFace" : "EdgeEdge", title, seed, index,
      to_source(make_query(family, kind, seed, index)), vf ? "VertexFace" : "EdgeEdge", family.name,
      vf ? "VertexFace" : "EdgeEdge", seed, index);
}

}  // namespace graze::oracle
