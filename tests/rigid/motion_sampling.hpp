// Checks of certified first contacts by dense exact sampling: discrete queries at many times before the reported
// one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include <graze/rigid.hpp>

#include "rigid/rigid_motions.hpp"

namespace graze::motions {

/// Checks a result for poses that are functions of the time from `first` to `last`: nothing intersects at `samples`
/// equal times before toi nor just before it, and the reported pair is as close as it says, and within `near`.
template <typename PoseOf>
void check_sampled(const Soup& a, const Soup& b, const RigidImpact& impact, const PoseOf& poses, double first,
                   double last, int samples, double near) {
  const RigidObject object_a = a.object();
  const RigidObject object_b = b.object();
  Collider collider(object_a, object_b);
  const auto intersect = [&](double t) {
    const PosePair at = poses(t);
    return collider.first_hit(at.a, at.b).hit();
  };
  for (int i = 0; i <= samples; ++i) {
    const double t = first + (last - first) * (static_cast<double>(i) / samples);
    if (impact.pair && t >= impact.toi) break;
    ASSERT_FALSE(intersect(t)) << "they intersect at " << t << ", before " << impact.toi;
  }
  if (!impact.pair) {
    EXPECT_EQ(impact.toi, last);
    return;
  }
  for (const double back : {1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3}) {
    const double t = impact.toi - back * (last - first);
    if (t < first) continue;
    ASSERT_FALSE(intersect(t)) << "they intersect at " << t << ", before " << impact.toi;
  }
  EXPECT_LE(impact.distance, near);
  if (impact.distance == 0.0) {
    EXPECT_EQ(impact.toi, first);
    EXPECT_TRUE(intersect(first));
    return;
  }
  const PosePair at = poses(impact.toi);
  EXPECT_LE(distance(a.posed_triangle(at.a, impact.pair->a), b.posed_triangle(at.b, impact.pair->b)),
            impact.distance);
}

}  // namespace graze::motions
