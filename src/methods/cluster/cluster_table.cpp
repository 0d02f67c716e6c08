// Bounds of a cluster for a step (cluster_table.hpp). Highway compiles this file once per instruction set and
// selects the best at run time.
//
// Error bound of k-DOP slabs: a sum of up to three coordinates, each wrong by a quarter of the error, is rounded
// twice, by at most 2^-24 of two and of three times the largest coordinate: wrong by at most 3/4 + 5/4 times the
// error. Subtracting the margin rounds once more, and a gap in a comparison once again, 3/4 each: a margin of four
// times the error covers everything.
#include "methods/cluster/cluster_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "methods/cluster/cluster_bounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/cluster/cluster_table.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::methods {
namespace HWY_NAMESPACE {

#include "methods/cluster/lookup.inl.hpp"

/// Coefficients of x, y and z, by direction; 0 for padding.
alignas(64) constexpr std::array<float, 16> kX = {1, 1, 0, 0, 1, -1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
alignas(64) constexpr std::array<float, 16> kY = {1, -1, 1, 1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 0, 0};
alignas(64) constexpr std::array<float, 16> kZ = {0, 0, 1, -1, 1, 1, 1, -1, 1, -1, 0, 0, 0, 0, 0, 0};

/// Computes the cluster's normal, the normalised sum of the faces' normals at the middle of the step, and the slab
/// along it.
HWY_INLINE void make_slab(Cluster& cluster) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  alignas(64) std::array<std::array<float, kClusterVertices>, 3> middle;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t at = 0; at < kClusterVertices; at += lanes) {
      hn::Store(hn::Add(hn::Load(d, &cluster.x[k][at]), hn::Load(d, &cluster.x[3 + k][at])), d, &middle[k][at]);
    }
  }
  alignas(64) std::array<std::array<float, kClusterFaces>, 3> normals;
  for (std::size_t at = 0; at < cluster.face_count; at += lanes) {
    const Words words = hn::Load(WordTag(), &cluster.faces[at]);
    Floats p[3];
    Floats q[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Floats o = look_up(middle[k].data(), corner_of(words, 0));
      p[k] = hn::Sub(look_up(middle[k].data(), corner_of(words, 1)), o);
      q[k] = hn::Sub(look_up(middle[k].data(), corner_of(words, 2)), o);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3;
      const std::size_t j = (k + 2) % 3;
      hn::Store(hn::Sub(hn::Mul(p[i], q[j]), hn::Mul(p[j], q[i])), d, &normals[k][at]);
    }
  }
  NormalSum sum;
  const bool is_disc = cluster.contour_count > 0;
  for (std::size_t f = 0; f < cluster.face_count; ++f) {
    if (is_disc) {
      sum.add_oriented(normals[0][f], normals[1][f], normals[2][f], (cluster.faces[f] & kFlippedFace) != 0);
    } else {
      sum.add_turned(normals[0][f], normals[1][f], normals[2][f]);
    }
  }
  cluster.normal = sum.unit();
  for (std::size_t end = 0; end < 2; ++end) {
    Floats lo = along(d, cluster.normal, cluster, 3 * end, 0);
    Floats hi = lo;
    for (std::size_t at = lanes; at < kClusterVertices; at += lanes) {
      const Floats some = along(d, cluster.normal, cluster, 3 * end, at);
      lo = hn::Min(lo, some);
      hi = hn::Max(hi, some);
    }
    cluster.slab_lo[end] = hn::GetLane(hn::MinOfLanes(d, lo)) - kSlabErrors * cluster.error;
    cluster.slab_hi[end] = hn::GetLane(hn::MaxOfLanes(d, hi)) + kSlabErrors * cluster.error;
  }
}

/// Computes the error and the bounds of a cluster whose positions are filled in; they have an error of up to a
/// quarter of `inherited`, besides the one of a rounded coordinate.
void make_bounds(Cluster& cluster, float inherited) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  float largest = 0.0F;
  for (std::size_t k = 0; k < 6; ++k) {
    const float* const row = cluster.x[k].data();
    auto lo = hn::Load(d, row);
    auto hi = lo;
    for (std::size_t at = lanes; at < kClusterVertices; at += lanes) {
      const auto some = hn::Load(d, row + at);
      lo = hn::Min(lo, some);
      hi = hn::Max(hi, some);
    }
    cluster.box.lo[k] = hn::GetLane(hn::MinOfLanes(d, lo));
    cluster.box.hi[k] = hn::GetLane(hn::MaxOfLanes(d, hi));
    largest = std::max({largest, -cluster.box.lo[k], cluster.box.hi[k]});
  }
  cluster.error = ClusterLocalFrame::error_of(largest, inherited);
  float size = 0.0F;
  auto displacement = hn::Zero(d);
  for (std::size_t k = 0; k < 3; ++k) {
    size = std::max(size, cluster.box.hi[k] - cluster.box.lo[k]);
    for (std::size_t at = 0; at < kClusterVertices; at += lanes) {
      displacement =
          hn::Max(displacement, hn::AbsDiff(hn::Load(d, &cluster.x[k][at]), hn::Load(d, &cluster.x[3 + k][at])));
    }
  }
  const float moved = hn::GetLane(hn::MaxOfLanes(d, displacement));
  cluster.slow = moved <= kSlowDisplacement * size ? 1 : 0;
  // Both ends are wrong by a quarter of the error, and the difference rounds.
  cluster.displacement = 1.000001F * moved + cluster.error;
  cluster.still_prefix = kStillDisplacement * size / cluster.displacement;
  for (std::size_t k = 0; k < 6; ++k) {
    cluster.box.lo[k] -= cluster.error;
    cluster.box.hi[k] += cluster.error;
  }
  make_slab(cluster);
  const auto room = hn::Set(d, 4.0F * cluster.error);
  for (std::size_t at = 0; at < SlabBox::kLanes; at += lanes) {
    const auto fx = hn::Load(d, &kX[at]);
    const auto fy = hn::Load(d, &kY[at]);
    const auto fz = hn::Load(d, &kZ[at]);
    for (std::size_t end = 0; end < 2; ++end) {
      const auto along = [&](std::size_t i) HWY_ATTR {
        const auto x = hn::Mul(fx, hn::Set(d, cluster.x[3 * end][i]));
        const auto y = hn::Mul(fy, hn::Set(d, cluster.x[3 * end + 1][i]));
        const auto z = hn::Mul(fz, hn::Set(d, cluster.x[3 * end + 2][i]));
        return hn::Add(hn::Add(x, y), z);
      };
      auto lo = along(0);
      auto hi = lo;
      for (std::size_t i = 1; i < cluster.vertex_count; ++i) {
        const auto some = along(i);
        lo = hn::Min(lo, some);
        hi = hn::Max(hi, some);
      }
      hn::Store(hn::Sub(lo, room), d, &cluster.slabs.lo[end][at]);
      hn::Store(hn::Add(hi, room), d, &cluster.slabs.hi[end][at]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::methods
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::methods {

HWY_EXPORT(make_bounds);

namespace {

void fill_rows(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Cluster& cluster) {
  for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
    const std::array<float, 3> p = cluster.frame.at_t0(x_t0[cluster.ids[i]]);
    const std::array<float, 3> q = cluster.frame.at_t1(x_t1[cluster.ids[i]]);
    for (std::size_t k = 0; k < 3; ++k) {
      cluster.x[k][i] = p[k];
      cluster.x[3 + k][i] = q[k];
    }
  }
  for (auto& row : cluster.x) {
    for (std::size_t i = cluster.vertex_count; i < kClusterVertices; ++i) row[i] = row[cluster.vertex_count - 1U];
  }
}

/// Middle and largest extent of the cluster's vertices.
struct Extent {
  Vec3 middle;
  double size = 0.0;

  Extent(const Cluster& cluster, std::span<const Vec3> x) {
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      double lo = x[cluster.ids[0]].*axis;
      double hi = lo;
      for (std::size_t i = 1; i < cluster.vertex_count; ++i) {
        lo = std::min(lo, x[cluster.ids[i]].*axis);
        hi = std::max(hi, x[cluster.ids[i]].*axis);
      }
      middle.*axis = 0.5 * lo + 0.5 * hi;
      size = std::max(size, hi - lo);
    }
  }
};

}  // namespace

void fill_table_in(const ClusterLocalFrame& frame, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                   Cluster& cluster) {
  cluster.frame = frame;
  fill_rows(x_t0, x_t1, cluster);
  HWY_DYNAMIC_DISPATCH(make_bounds)(cluster, 0.0F);
  cluster.filled = 1;
  cluster.own_frame = 1;
}

void fill_table(const ClusterLocalFrame& shared, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                Cluster& cluster) {
  fill_table_in(shared, x_t0, x_t1, cluster);
  cluster.own_frame = 0;
  if (resolves(cluster.size(), cluster.error)) return;
  const Extent at_t0(cluster, x_t0);
  const Extent at_t1(cluster, x_t1);
  const double size = std::max(at_t0.size, at_t1.size);
  if (std::isfinite(size)) fill_table_in(own_frame(at_t0.middle, at_t1.middle, size), x_t0, x_t1, cluster);
}

void change_frame(const Cluster& cluster, const ClusterLocalFrame& to, Cluster& changed) {
  const FrameChange change = frame_change(cluster.frame, cluster.error, cluster.box, to);
  changed = cluster;
  changed.frame = to;
  for (std::size_t k = 0; k < 6; ++k) {
    for (float& x : changed.x[k]) x = x * change.ratio + change.shift[k];
  }
  HWY_DYNAMIC_DISPATCH(make_bounds)(changed, change.inherited);
}

}  // namespace graze::methods
#endif
