// Properties of a loop of safe steps, on random pairs of triangles (RapidCheck): it never stalls before a real
// contact, the oracle finds every way free, and the loop converges to the first contact as fast as `keep` promises.
//
// CTest runs 100,000 cases (RC_PARAMS in tests/api/CMakeLists.txt); the program by itself runs 100.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <graze/graze.hpp>
#include <optional>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/continuous.hpp"

namespace graze {
namespace {

const std::vector<Triangle> kTriangles = {{0, 1, 2}, {3, 4, 5}};
constexpr double kKeep = 0.2;
constexpr int kSteps = 6;

/// Fine coordinates for general position, coarse ones for coplanar, touching and degenerate triangles.
rc::Gen<double> coordinate() {
  const auto divided = [](int range) {
    return rc::gen::map(rc::gen::inRange(-range, range + 1), [range](int i) { return i / double(range); });
  };
  return rc::gen::weightedOneOf<double>({{6, divided(1 << 20)}, {1, divided(4)}});
}

rc::Gen<std::vector<Vec3>> positions() {
  const auto vertex = rc::gen::apply(
      [](double x, double y, double z) {
        return Vec3{x, y, z};
      },
      coordinate(), coordinate(), coordinate());
  return rc::gen::container<std::vector<Vec3>>(6, vertex);
}

const std::vector<FeaturePair>& all_pairs() {
  static const std::vector<FeaturePair> kPairs = oracle::non_incident_pairs(oracle::features_of(kTriangles));
  return kPairs;
}

/// The first contact of a step by the oracle; empty if there is none.
std::optional<oracle::Root> first_contact(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  const oracle::SceneStep step{kTriangles, x_t0, x_t1};
  std::optional<oracle::Root> first;
  for (const FeaturePair& pair : all_pairs()) {
    const auto contact = oracle::first_contact(pair.kind, oracle::points_of(pair, step));
    if (!contact) continue;
    if (!first || contact->approximate_value() < first->approximate_value()) first = contact;
  }
  return first;
}

RC_GTEST_PROP(SafeStepLoop, NeverStallsAndConverges, ()) {
  const std::vector<Vec3> x_t0 = *positions();
  const std::vector<Vec3> x_t1 = *positions();
  const std::optional<oracle::Root> contact = first_contact(x_t0, x_t1);
  RC_CLASSIFY(contact.has_value(), "contact");
  Scene scene;
  scene.add_body({.positions = x_t0, .triangles = kTriangles});
  Detector detector(scene);
  std::vector<Vec3> x = x_t0;
  double rest = 1.0;  // share of the whole way that is left
  for (int i = 0; i < kSteps; ++i) {
    const SafeStep safe = detector.safe_step(x, x_t1, {.keep = kKeep});
    const bool touching = first_contact(x, x).has_value();
    RC_ASSERT((safe.step == 0.0) == touching);
    if (touching) {
      RC_ASSERT(i == 0);  // no step ends in a contact
      RC_ASSERT(safe.positions == x);
      return;
    }
    RC_ASSERT(!first_contact(x, safe.positions));
    rest *= 1.0 - safe.step;
    x = safe.positions;
    if (safe.step == 1.0) break;
  }
  if (!contact) {
    RC_ASSERT(rest == 0.0);
    return;
  }
  // Each step leaves at most kKeep of the way to the contact. Positions are rounded after each step, which moves
  // the contact by some 2^-52 divided by how fast the features approach: the margin is generous.
  const double time = contact->approximate_value();
  const double margin = 1e-7;
  RC_ASSERT(1.0 - rest <= time + margin);
  RC_ASSERT(1.0 - rest >= time * (1.0 - std::pow(kKeep, kSteps)) - margin);
}

RC_GTEST_PROP(FirstImpactOfRandomPairs, IsPositiveUnlessThePairTouchesAtTheStart, ()) {
  const std::vector<Vec3> x_t0 = *positions();
  std::vector<Vec3> x_t1 = *positions();
  // Times of contact of all sizes: the step is up to 2^40 times as long as the triangles.
  const double factor = std::ldexp(1.0, *rc::gen::inRange(0, 41));
  for (std::size_t v = 0; v < x_t1.size(); ++v) {
    x_t1[v] = {x_t0[v].x + factor * x_t1[v].x, x_t0[v].y + factor * x_t1[v].y, x_t0[v].z + factor * x_t1[v].z};
  }
  Scene scene;
  scene.add_body({.positions = x_t0, .triangles = kTriangles});
  for (const Impact& impact : Detector(scene).impacts(x_t0, x_t1).impacts) {
    const oracle::SceneStep step{kTriangles, x_t0, x_t1};
    const auto contact = oracle::first_contact(impact.pair.kind, oracle::points_of(impact.pair, step));
    RC_ASSERT(contact.has_value());
    RC_ASSERT(contact->in(impact.toi_lo, impact.toi_hi));
    RC_ASSERT((impact.toi_lo > 0.0) == (contact->compare(0.0) > 0));
    RC_ASSERT(impact.toi_hi - impact.toi_lo <= 0x1p-10 * impact.toi_hi);
  }
}

}  // namespace
}  // namespace graze
