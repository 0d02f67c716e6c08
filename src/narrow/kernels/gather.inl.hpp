// Narrow phase kernels: gathers the points of kLaneCount feature pairs by vertex ids and transposes the rows of the
// paths into columns in registers. Sources include this file after core/simd/lanes.inl.hpp and
// narrow/kernels/pair_kernel.inl.hpp, inside HWY_NAMESPACE. Therefore the file has no include guard and no
// namespace.

/// The points of kLaneCount pairs, one pair per lane.
HWY_INLINE Points<Lanes> gather(const VertexPath* paths, const PairVertices* pairs) {
  Points<Lanes> p;
  for (std::size_t i = 0; i < 4; ++i) {
    const double* rows[kLaneCount];  // t0 x y z, t1 x y z, unused
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) rows[lane] = &paths[pairs[lane][i]].t0.x;
    const Columns left = columns_at(rows, 0);
    const Columns right = columns_at(rows, 4);
    for (int k = 0; k < 3; ++k) p.x[0][i][k] = left.at[k];
    p.x[1][i][0] = left.at[3];
    p.x[1][i][1] = right.at[0];
    p.x[1][i][2] = right.at[1];
  }
  return p;
}
