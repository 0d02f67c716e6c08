// Basic types of the public interface: points, vertex and triangle ids, triangles, and the two kinds of feature
// pair (vertex-face and edge-edge).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <graze/export.hpp>

namespace graze {

/// A point or vector: three doubles without padding. A row-major n x 3 array of doubles can be viewed as n Vec3s.
struct Vec3 {
  double x = 0.0;  ///< first coordinate
  double y = 0.0;  ///< second coordinate
  double z = 0.0;  ///< third coordinate

  /// Compares the coordinates as doubles: -0.0 equals 0.0.
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// Id of a vertex in a scene, 0-based. The vertices of a body have consecutive ids, which follow those of the
/// bodies added before. Vertices that edits add get the next free ids.
using VertexId = std::uint32_t;

/// Id of no vertex. A triangle that an edit removed has this id three times.
inline constexpr VertexId kNoVertex = 0xffffffffU;

/// Id of a triangle in a scene, 0-based, numbered in the order in which bodies and edits add triangles.
using TriangleId = std::uint32_t;

/// Three vertex ids. Repeated ids within a triangle and duplicate triangles are legal.
using Triangle = std::array<VertexId, 3>;

/// Two triangles. Within one scene a < b. Between two rigid objects, a is of the first object and b of the second.
struct TrianglePair {
  TriangleId a = 0;  ///< first triangle
  TriangleId b = 0;  ///< second triangle

  /// Orders by a, then by b.
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// The shape of the intersection of two triangles.
enum class ContactShape : std::uint8_t {
  Segment,  ///< the segment from p to q
  Point,    ///< a single point: p = q
  Area      ///< coplanar overlap: p and q are the two points of the common polygon that are farthest apart
};

/// Returns the enumerator that has this name on the command line: the inverse of name_of(). Throws InputError, with
/// a list of the known names, for any other name.
template <typename Enum>
[[nodiscard]] Enum from_name(std::string_view name);

/// Returns all enumerators, in the order of the enumeration. all_values<BoxOverlap>() ends with research::kLookup;
/// the methods that exist for comparison only are in research::all_methods().
template <typename Enum>
[[nodiscard]] std::span<const Enum> all_values();

/// The two kinds of feature pair.
enum class FeatureKind : std::uint8_t {
  VertexFace,  ///< a vertex and a face
  EdgeEdge     ///< two edges
};

/// A feature pair in canonical order. VertexFace: {v, f0, f1, f2} with f0 <= f1 <= f2. EdgeEdge: {a0, a1, b0, b1}
/// with a0 < a1, b0 < b1 and (a0, a1) < (b0, b1). A feature is identified by its vertex ids: triangles with the
/// same three ids are one face.
struct FeaturePair {
  FeatureKind kind = FeatureKind::VertexFace;  ///< vertex-face or edge-edge
  std::array<VertexId, 4> vertices{};          ///< scene vertex ids in canonical order

  /// Orders by kind, vertex-face first, then by vertex ids.
  friend auto operator<=>(const FeaturePair&, const FeaturePair&) = default;
};

}  // namespace graze
