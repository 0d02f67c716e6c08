// Pairs of posed triangles against each other in SIMD lanes: do they meet? What error bounds can't decide is left
// to exact arithmetic (narrow/edge_face.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// An object as the kernel sees it.
struct PosedTriangles {
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
  Pose pose;
};

/// Apart and Meet are proved, for the doubles that posed() gives.
enum class PairVerdict : std::uint8_t { Apart, Meet, Unknown };

/// The verdict of each pair; verdicts.size() == pairs.size(). Which pairs are unknown, too, is the same for every
/// instruction set. With `first`, may stop at the first pair that is proved to meet: verdicts after it are Unknown
/// then. Returns how many verdicts were made.
std::size_t judge_triangle_pairs(const PosedTriangles& a, const PosedTriangles& b,
                                 std::span<const TrianglePair> pairs, std::span<PairVerdict> verdicts, bool first);

}  // namespace graze::narrow
