// Self-collision culling of one cluster: a proof in floats that no two features of the cluster touch in a step
// unless they are incident. Included by a source that Highway compiles once per instruction set, inside its
// namespace HWY_NAMESPACE, after float_proof.inl.hpp; therefore no include guard and no namespace here.
//
// The cluster is a disc (cluster_disc.hpp), projected along its normal to a plane that is fixed during the step. If
// at all times of the step all its projected faces have the same orientation, and its contour is a simple polygon,
// then the projection is injective: each point of the plane that is on no edge is in as many faces as the contour's
// winding number says, none or one. So faces do not overlap, and features that are not incident are separated, in
// the plane and in space. This is the proof by normal cone and contour of ICCD (Tang et al. 2009, section IV), for
// one cluster and with one direction.
//
// The contour is simple if any two of its edges that are not neighbours are separated along one of four directions,
// in the same order at both ends of the step. Neighbours need no test: if they shared more than their vertex, the
// far end of one would lie on the other, and the next edge from there would not be separated from it; a contour of
// three edges would have no area, but all faces have a positive area.
//
// Error bound. A coordinate in the plane is wrong by at most `off`: kSlabErrors times the error, and the
// position_error. A difference P is wrong by twice that, and a rounding. With M_P = max|P| + 2 off, the end
// coefficients of P x Q are wrong by at most 2 (M_P + M_Q) 2 off, the roundings of the differences in it, and 3
// roundings of each of two products: 10 2^-24 M_P M_Q; the middle coefficient (times 2) by twice that and one more
// rounding. The constants include a margin for the rounding of the bound; underflow as in float_proof.inl.hpp.

/// Projected cluster: plane coordinates at t0 and t1, by vertex.
struct PlaneTable {
  alignas(64) std::array<std::array<float, kClusterVertices>, 2> x;
  alignas(64) std::array<std::array<float, kClusterVertices>, 2> y;
};

/// Moving vector in the plane, at t0 and t1.
struct PlaneVector {
  Floats x[2];
  Floats y[2];
};

HWY_INLINE PlaneVector from_to(const PlaneTable& table, Ints from, Ints to) {
  PlaneVector out;
  for (std::size_t end = 0; end < 2; ++end) {
    out.x[end] = sub(look_up(table.x[end].data(), to), look_up(table.x[end].data(), from));
    out.y[end] = sub(look_up(table.y[end].data(), to), look_up(table.y[end].data(), from));
  }
  return out;
}

HWY_INLINE Floats magnitude(const PlaneVector& p) {
  return max(max(abs(p.x[0]), abs(p.x[1])), max(abs(p.y[0]), abs(p.y[1])));
}

/// Quadratic with its error bound: Bernstein coefficients, c1 stored doubled.
struct SureQuadratic {
  Floats c0;
  Floats c1;
  Floats c2;
  Floats end;  ///< error bound of c0 and c2; that of c1 is kMiddle times larger

  static constexpr double kMiddle = 2.2;

  [[nodiscard]] HWY_INLINE FloatMask positive() const {
    return both(gt(min(c0, c2), end), gt(c1, mul(splat<Floats>(kMiddle), end)));
  }
};

/// Returns the cross product P x Q.
HWY_INLINE SureQuadratic cross(const PlaneVector& p, const PlaneVector& q, Floats off) {
  const Floats twice = add(off, off);
  const Floats mp = add(magnitude(p), twice);
  const Floats mq = add(magnitude(q), twice);
  const auto product = [&](int i, int j) HWY_ATTR { return sub(mul(p.x[i], q.y[j]), mul(p.y[i], q.x[j])); };
  const Floats end =
      add(add(mul(splat<Floats>(4.1), mul(off, add(mp, mq))), mul(splat<Floats>(12 * kFloatU), mul(mp, mq))),
          splat<Floats>(kTiny));
  return {product(0, 0), add(product(0, 1), product(1, 0)), product(1, 1), end};
}

/// Computes two directions orthogonal to the normal, of at most unit length; false if there is no normal.
HWY_INLINE bool across(const std::array<float, 3>& n, std::array<float, 3>& u, std::array<float, 3>& v) {
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k) least = std::abs(n[k]) < std::abs(n[least]) ? k : least;
  const std::size_t i = (least + 1) % 3;
  const std::size_t j = (least + 2) % 3;
  const float length = std::sqrt(n[i] * n[i] + n[j] * n[j]);
  if (!(length > 0.5F)) return false;
  u[least] = 0.0F;
  u[i] = -0.9999F * n[j] / length;
  u[j] = 0.9999F * n[i] / length;
  for (std::size_t k = 0; k < 3; ++k) v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
  return true;
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
    const SureQuadratic area =
        cross(from_to(table, first, corner_of(words, 1)), from_to(table, first, corner_of(words, 2)), off);
    const Floats sign = hn::BitCast(d, hn::ShiftLeft<7>(hn::And(words, hn::Set(w, kFlippedFace))));
    SureQuadratic turned_area{hn::Xor(area.c0, sign), hn::Xor(area.c1, sign), hn::Xor(area.c2, sign), area.end};
    if (at == 0 && hn::GetLane(turned_area.c0) < 0.0F) {
      const Floats zero = splat<Floats>(0.0);
      turned_area = {sub(zero, turned_area.c0), sub(zero, turned_area.c1), sub(zero, turned_area.c2), area.end};
      for (auto& row : table.x) {
        for (std::size_t i = 0; i < kClusterVertices; i += lanes) {
          hn::Store(sub(zero, hn::Load(d, &row[i])), d, &row[i]);
        }
      }
    }
    auto right = turned_area.positive();
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

HWY_INLINE PlaneVector point(const ContourTable& contour, std::size_t at) {
  const FloatTag d;
  return {{hn::LoadU(d, &contour.x[0][at]), hn::LoadU(d, &contour.x[1][at])},
          {hn::LoadU(d, &contour.y[0][at]), hn::LoadU(d, &contour.y[1][at])}};
}

/// Bounds of the contour's edges along four directions, at t0 and t1.
struct EdgeBounds {
  alignas(64) std::array<std::array<float, kClusterVertices>, 8> lo;
  alignas(64) std::array<std::array<float, kClusterVertices>, 8> hi;
};

/// Returns whether all edges that are not neighbours are separated.
HWY_INLINE bool edges_apart(const ContourTable& contour, std::size_t count, float off) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  EdgeBounds bounds;
  for (std::size_t at = 0; at < count; at += lanes) {
    const PlaneVector here = point(contour, at);
    const PlaneVector next = point(contour, at + 1);
    for (std::size_t end = 0; end < 2; ++end) {
      const auto put = [&](std::size_t direction, Floats p, Floats q, float room) HWY_ATTR {
        hn::Store(sub(min(p, q), hn::Set(d, room)), d, &bounds.lo[2 * direction + end][at]);
        hn::Store(add(max(p, q), hn::Set(d, room)), d, &bounds.hi[2 * direction + end][at]);
      };
      put(0, here.x[end], next.x[end], off);
      put(1, here.y[end], next.y[end], off);
      put(2, add(here.x[end], here.y[end]), add(next.x[end], next.y[end]), 2.0F * off);
      put(3, sub(here.x[end], here.y[end]), sub(next.x[end], next.y[end]), 2.0F * off);
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
