// Self-collision culling of one cluster (self_proof_kernel.inl.hpp) in SIMD lanes. Included by a source that
// Highway compiles once per instruction set, inside its namespace HWY_NAMESPACE, after float_proof.inl.hpp;
// therefore no include guard and no namespace here.

#define GRAZE_LANES HWY_INLINE
#include "methods/cluster/self_proof_kernel.inl.hpp"
#undef GRAZE_LANES

/// Projected cluster: plane coordinates at t0 and t1, by vertex.
struct PlaneTable {
  alignas(64) std::array<std::array<float, kClusterVertices>, 2> x;
  alignas(64) std::array<std::array<float, kClusterVertices>, 2> y;
};

HWY_INLINE PlaneVector<Floats> from_to(const PlaneTable& table, Ints from, Ints to) {
  PlaneVector<Floats> out;
  for (std::size_t end = 0; end < 2; ++end) {
    out.x[end] = sub(look_up(table.x[end].data(), to), look_up(table.x[end].data(), from));
    out.y[end] = sub(look_up(table.y[end].data(), to), look_up(table.y[end].data(), from));
  }
  return out;
}

/// Returns whether all faces are proved counterclockwise during the whole step. Mirrors the plane if the first face
/// is clockwise.
HWY_INLINE bool faces_are_counterclockwise(const Cluster& cluster, PlaneTable& table, Floats off) {
  const FloatTag d;
  const WordTag w;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t at = 0; at < cluster.face_count; at += lanes) {
    const Words words = hn::Load(w, &cluster.faces[at]);
    const Ints first = corner_of(words, 0);
    const SureQuadratic<Floats> area =
        cross(from_to(table, first, corner_of(words, 1)), from_to(table, first, corner_of(words, 2)), off);
    const Floats sign = hn::BitCast(d, hn::ShiftLeft<7>(hn::And(words, hn::Set(w, kFlippedFace))));
    SureQuadratic<Floats> turned_area{hn::Xor(area.c0, sign), hn::Xor(area.c1, sign), hn::Xor(area.c2, sign),
                                      area.end};
    if (at == 0 && hn::GetLane(turned_area.c0) < 0.0F) {
      const Floats zero = splat<Floats>(0.0);
      turned_area = {sub(zero, turned_area.c0), sub(zero, turned_area.c1), sub(zero, turned_area.c2), area.end};
      for (auto& row : table.x) {
        for (std::size_t i = 0; i < kClusterVertices; i += lanes) {
          hn::Store(sub(zero, hn::Load(d, &row[i])), d, &row[i]);
        }
      }
    }
    auto right = is_positive<FloatMask>(turned_area);
    if (at + lanes > cluster.face_count) {
      right = hn::Or(right, hn::Not(hn::FirstN(d, cluster.face_count - at)));
    }
    if (!all(right)) return false;
  }
  return true;
}

/// Contour vertices in order, followed by the first ones again. Padded by one block so that a full vector can be
/// loaded at the end.
struct ContourTable {
  alignas(64) std::array<std::array<float, kContourPlaces + kBlock>, 2> x;
  alignas(64) std::array<std::array<float, kContourPlaces + kBlock>, 2> y;
};

HWY_INLINE PlaneVector<Floats> point(const ContourTable& contour, std::size_t at) {
  const FloatTag d;
  return {{hn::LoadU(d, &contour.x[0][at]), hn::LoadU(d, &contour.x[1][at])},
          {hn::LoadU(d, &contour.y[0][at]), hn::LoadU(d, &contour.y[1][at])}};
}

/// Bounds of the contour's edges, by row as in EdgeBounds, then by edge.
struct ContourBounds {
  alignas(64) std::array<std::array<float, kClusterVertices>, 8> lo;
  alignas(64) std::array<std::array<float, kClusterVertices>, 8> hi;
};

/// Returns whether all edges that are not neighbours are separated.
HWY_INLINE bool edges_apart(const ContourTable& contour, std::size_t count, float off) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  ContourBounds bounds;
  for (std::size_t at = 0; at < count; at += lanes) {
    const EdgeBounds<Floats> some = bounds_of_edge(point(contour, at), point(contour, at + 1), hn::Set(d, off));
    for (std::size_t row = 0; row < 8; ++row) {
      hn::Store(some.lo[row], d, &bounds.lo[row][at]);
      hn::Store(some.hi[row], d, &bounds.hi[row][at]);
    }
  }
  for (std::size_t i = 0; i + 2 < count; ++i) {
    const std::size_t past = i == 0 ? count - 1 : count;  // the last edge is a neighbour of the first
    for (std::size_t at = (i + 2) / lanes * lanes; at < past; at += lanes) {
      Floats sign = hn::Zero(d);
      for (std::size_t k = 0; k < 8; k += 2) {
        sign = hn::OrAnd(sign, sub(hn::Load(d, &bounds.hi[k][at]), hn::Set(d, bounds.lo[k][i])),
                         sub(hn::Load(d, &bounds.hi[k + 1][at]), hn::Set(d, bounds.lo[k + 1][i])));
        sign = hn::OrAnd(sign, sub(hn::Set(d, bounds.hi[k][i]), hn::Load(d, &bounds.lo[k][at])),
                         sub(hn::Set(d, bounds.hi[k + 1][i]), hn::Load(d, &bounds.lo[k + 1][at])));
      }
      auto apart = by_sign(sign);
      if (at < i + 2) apart = hn::Or(apart, hn::FirstN(d, i + 2 - at));
      if (at + lanes > past) apart = hn::Or(apart, hn::Not(hn::FirstN(d, past - at)));
      if (!all(apart)) return false;
    }
  }
  return true;
}

/// Returns whether no two features of a cluster touch unless they are incident, for position errors of up to
/// `position_error`.
HWY_INLINE bool proved_free_of_self_collision(const Cluster& cluster, float position_error) {
  std::array<float, 3> u{};
  std::array<float, 3> v{};
  if (cluster.contour_count == 0 || !(cluster.error < 1.0F) || !across(cluster.normal, u, v)) return false;
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const float off_by = kSlabErrors * cluster.error + 1.8F * position_error;
  const Floats off = hn::Set(d, off_by);
  PlaneTable table;
  for (std::size_t at = 0; at < kClusterVertices; at += lanes) {
    for (std::size_t end = 0; end < 2; ++end) {
      hn::Store(along(d, u, cluster, 3 * end, at), d, &table.x[end][at]);
      hn::Store(along(d, v, cluster, 3 * end, at), d, &table.y[end][at]);
    }
  }
  if (!faces_are_counterclockwise(cluster, table, off)) return false;
  ContourTable contour;
  const std::size_t count = cluster.contour_count;
  const hn::Rebind<std::uint8_t, IntTag> bytes;
  for (std::size_t at = 0; at < kContourPlaces; at += lanes) {
    const Ints places = hn::PromoteTo(IntTag(), hn::LoadU(bytes, &cluster.contour[at]));
    for (std::size_t end = 0; end < 2; ++end) {
      hn::Store(look_up(table.x[end].data(), places), d, &contour.x[end][at]);
      hn::Store(look_up(table.y[end].data(), places), d, &contour.y[end][at]);
    }
  }
  return edges_apart(contour, count, off_by);
}
