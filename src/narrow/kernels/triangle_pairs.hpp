// Narrow phase of rigid queries: filter in SIMD lanes that decides whether pairs of posed triangles intersect.
// Exact arithmetic (narrow/edge_face.hpp) decides the pairs that the error bounds leave open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// A posed triangle mesh, not owned.
struct PosedTriangles {
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
  Pose pose;
};

/// Verdict on a pair of triangles. Separated and Intersect are proved for the doubles that posed() returns.
enum class PairVerdict : std::uint8_t { Separated, Intersect, Unknown };

/// Sets the verdict of each pair. Which pairs are Unknown does not depend on the instruction set either. With
/// `first`, may stop after the first pair that is proved to intersect; the verdicts of untested pairs are then
/// Unknown. Returns the number of pairs tested. Precondition: verdicts.size() == pairs.size().
std::size_t test_triangle_pairs(const PosedTriangles& a, const PosedTriangles& b,
                                std::span<const TrianglePair> pairs, std::span<PairVerdict> verdicts, bool first);

}  // namespace graze::narrow
