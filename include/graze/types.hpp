// The plain types that every graze interface speaks in: points, ids, triangles, and the two kinds of feature pair.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <graze/export.hpp>

namespace graze {

/// A point or vector; three doubles with no padding, so an n-by-3 array of doubles can be viewed as Vec3s.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// A vertex of a scene: bodies number their vertices one after the other, in the order they were added.
using VertexId = std::uint32_t;

/// No vertex: what the triangles that an edit removed consist of.
inline constexpr VertexId kNoVertex = 0xffffffffU;

/// A triangle of a scene, numbered likewise.
using TriangleId = std::uint32_t;

/// Three vertex ids. Repeated ids and repeated triangles are legal.
using Triangle = std::array<VertexId, 3>;

/// Two triangles. Within one scene a < b; between two objects a belongs to the first and b to the second.
struct TrianglePair {
  TriangleId a = 0;
  TriangleId b = 0;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// The value of an enumeration of graze that has this name on the command line: the inverse of name_of. Throws
/// InputError, listing the names there are.
template <typename Enum>
[[nodiscard]] Enum from_name(std::string_view name);

/// Every value of an enumeration of graze, in its order.
template <typename Enum>
[[nodiscard]] std::span<const Enum> all_values();

/// The two kinds of feature pair.
enum class FeatureKind : std::uint8_t { VertexFace, EdgeEdge };

/// A feature pair in canonical order. VertexFace: {v, f0, f1, f2} with f0 <= f1 <= f2. EdgeEdge: {a0, a1, b0, b1}
/// with a0 < a1, b0 < b1 and (a0, a1) < (b0, b1). A feature is its vertex ids: triangles with the same
/// three ids are one face.
struct FeaturePair {
  FeatureKind kind = FeatureKind::VertexFace;
  std::array<VertexId, 4> vertices{};

  friend auto operator<=>(const FeaturePair&, const FeaturePair&) = default;
};

}  // namespace graze
