// Convex shapes beside meshes: box, sphere, capsule, cylinder, cone, half-space and the convex hull of points, each
// placed by a Pose as a RigidObject is. Queries: shape against shape and shape against mesh, hit or not, the
// triangles of a mesh that meet a shape, and distances with certified bounds.
//
// A shape is solid: it contains its inside. A mesh is a surface: a mesh that lies inside a shape meets it, a shape
// that lies inside a closed mesh without touching a triangle does not.
//
// Answers are for the set of points that RigidShape states for the doubles of a pose. They are exact for box,
// sphere, capsule, half-space and hull, among each other and against triangles of any quality. Cylinder and cone
// are certified: an answer "no" is proved; an answer "yes" says that the distance is at most `margin`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/export.hpp>
#include <graze/rigid.hpp>
#include <graze/types.hpp>

namespace graze {

/// Kinds of convex shape.
enum class ShapeKind : std::uint8_t {
  Box,        ///< convex hull of eight posed corners
  Sphere,     ///< ball around a posed centre
  Capsule,    ///< points within a radius of a posed segment
  Cylinder,   ///< solid cylinder with flat ends
  Cone,       ///< solid cone with a flat base
  HalfSpace,  ///< all points on one side of a plane
  ConvexHull  ///< convex hull of posed points
};

/// Returns the name: "box", "sphere", "capsule", "cylinder", "cone", "half-space", "hull". Throws InputError for an
/// unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(ShapeKind kind);
/// Returns the ShapeKind with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API ShapeKind from_name<ShapeKind>(std::string_view name);
/// Returns all values of ShapeKind.
template <>
[[nodiscard]] GRAZE_API std::span<const ShapeKind> all_values<ShapeKind>();

/// A solid convex shape in its own coordinates. A value: cheap to copy, immutable; any number of queries may use
/// one shape concurrently. The default is a sphere of radius 0, which is a point.
///
/// In the pose P, with p(x) = posed(P, x), c = P.translation and m the third column of P.rotation, a shape is the
/// following set, in real arithmetic on these doubles. Sizes may be 0. Constructors throw InputError for a size
/// that is negative or not finite.
class GRAZE_API RigidShape {
 public:
  RigidShape() = default;

  /// The convex hull of p(x) for the eight corners x = (+-half.x, +-half.y, +-half.z).
  [[nodiscard]] static RigidShape box(const Vec3& half_extents);
  /// All points within `radius` of c.
  [[nodiscard]] static RigidShape sphere(double radius);
  /// All points within `radius` of the segment from p(0, 0, -half_length) to p(0, 0, half_length).
  [[nodiscard]] static RigidShape capsule(double radius, double half_length);
  /// All points y with |m . (y - c)| <= half_length |m| and |m x (y - c)| <= radius |m|: the axis is the z axis.
  [[nodiscard]] static RigidShape cylinder(double radius, double half_length);
  /// The convex hull of the apex c + half_height m / |m| and of the disc with this radius around
  /// c - half_height m / |m|, perpendicular to m: the axis is the z axis, the apex is up.
  [[nodiscard]] static RigidShape cone(double radius, double half_height);
  /// All points y with n . (y - c) <= offset, n.k = (r.x normal.x + r.y normal.y) + r.z normal.z for row k = r of
  /// the rotation, each operation rounded once. Unposed: all x with normal . x <= offset. The normal points out of
  /// the solid and need not have unit length; its largest coordinate must be in [1e-300, 1e300].
  [[nodiscard]] static RigidShape half_space(const Vec3& normal, double offset);
  /// The convex hull of p(x) for these points x: at least one, finite, in any order, coincident or coplanar points
  /// allowed. Faces are never computed: every step of a query looks at all points, so n points cost O(n).
  [[nodiscard]] static RigidShape convex_hull(std::span<const Vec3> points);

  /// Kind of the shape.
  [[nodiscard]] ShapeKind kind() const { return kind_; }
  /// Radius of a sphere, capsule, cylinder or cone; 0 for the others.
  [[nodiscard]] double radius() const { return radius_; }
  /// Half of the length of a capsule's segment, of a cylinder or of a cone; 0 for the others.
  [[nodiscard]] double half_length() const { return half_length_; }
  /// Half extents of a box; normal of a half-space; zero for the others.
  [[nodiscard]] Vec3 vector() const { return vector_; }
  /// Offset of a half-space; 0 for the others.
  [[nodiscard]] double offset() const { return offset_; }
  /// Points of a convex hull, as given; empty for the others.
  [[nodiscard]] std::span<const Vec3> points() const;

 private:
  ShapeKind kind_ = ShapeKind::Sphere;
  double radius_ = 0.0;
  double half_length_ = 0.0;
  double offset_ = 0.0;
  Vec3 vector_;
  std::shared_ptr<const std::vector<Vec3>> points_;
};

/// A shape in a pose.
struct PosedShape {
  RigidShape shape;  ///< the shape, by value
  Pose pose;         ///< pose of the shape
};

/// Whether a shape meets a shape or a mesh.
struct ShapeHit {
  bool hit = false;  ///< whether they share a point, up to the margin
  /// 0 if the answer is exact. Otherwise (a cylinder or a cone in a hit) the distance is at most this, in scene
  /// units: up to that distance, shapes that do not touch may be reported. See shape_hit.
  double margin = 0.0;
  std::optional<TriangleId> triangle;  ///< against a mesh: a triangle that meets the shape
  RigidStats stats;                    ///< work of the query
};

/// All triangles of a mesh that meet a shape.
struct ShapeTriangles {
  std::vector<TriangleId> triangles;  ///< sorted, each once
  double margin = 0.0;                ///< largest ShapeHit::margin of a triangle; 0 if the answer is exact
  RigidStats stats;                   ///< work of the query
};

/// Options of shape_distance.
struct ShapeDistanceOptions {
  /// Largest width of the bounds: hi - lo <= tolerance * hi, in [2^-40, 1]. With a cylinder or a cone the width may
  /// also be 2^-40 E, with E and the exception of shape_hit. Below 2^-1000 the smallest doubles limit the width.
  double tolerance = 1e-9;
};

/// Distance of a shape and another shape or a mesh, with certified bounds.
struct ShapeDistance {
  double lo = 0.0;  ///< the distance is at least this; 0 if they meet
  double hi = 0.0;  ///< the distance is at most this; 0 if they meet; infinity against a mesh without triangles
  Vec3 on_a;        ///< closest point of the first, rounded; if they meet, a point near both
  Vec3 on_b;        ///< closest point of the second, rounded
  std::optional<TriangleId> triangle;  ///< against a mesh: the triangle with this distance
  RigidStats stats;                    ///< work of the query
};

/// Decides whether two posed shapes share a point. Exact unless one is a cylinder or a cone. Then `hit` is false
/// only if they are proved to be apart, and true only if the distance is at most the result's margin. The search
/// ends at a margin of 2^-40 E or less, where E is the distance of the two centres c plus the size of both shapes
/// (the largest distance of a point from c; for a half-space that of its plane). It is not proved to get there
/// within its limit of iterations, but the margin that it reports is.
///
/// All functions of this header throw InputError, before any work, for an invalid pose, for a posed coordinate,
/// size or offset beyond 2^1000, for a null mesh, and for a mesh whose tree is not a boxtree. They may run
/// concurrently.
[[nodiscard]] GRAZE_API ShapeHit shape_hit(const PosedShape& a, const PosedShape& b);
/// Decides whether a shape meets a triangle of a mesh; stops at the first one. Which triangle it names depends on
/// the tree.
[[nodiscard]] GRAZE_API ShapeHit shape_hit(const PosedShape& shape, const PosedObject& mesh);
/// Finds all triangles of a mesh that meet a shape.
[[nodiscard]] GRAZE_API ShapeTriangles shape_triangles(const PosedShape& shape, const PosedObject& mesh);
/// Bounds the distance of two shapes.
[[nodiscard]] GRAZE_API ShapeDistance shape_distance(const PosedShape& a, const PosedShape& b,
                                                     const ShapeDistanceOptions& options = {});
/// Bounds the distance of a shape and the triangles of a mesh.
[[nodiscard]] GRAZE_API ShapeDistance shape_distance(const PosedShape& shape, const PosedObject& mesh,
                                                     const ShapeDistanceOptions& options = {});

/// Options of the batches of this header.
struct ShapeBatchOptions {
  unsigned threads = 0;                ///< 0: all cores. Results do not depend on it
  ShapeDistanceOptions distance = {};  ///< shape_distances only
};

/// One shape against one mesh in many poses, in parallel: PosePair::a poses the shape, PosePair::b the mesh.
/// Results are in the order of the poses. Throws InputError, with the index, before any query runs.
[[nodiscard]] GRAZE_API std::vector<ShapeHit> shape_hits(const RigidShape& shape, const RigidObject& mesh,
                                                         std::span<const PosePair> poses,
                                                         const ShapeBatchOptions& options = {});
/// Many shapes against one mesh, in parallel. Order and errors as for poses.
[[nodiscard]] GRAZE_API std::vector<ShapeHit> shape_hits(std::span<const PosedShape> shapes,
                                                         const PosedObject& mesh,
                                                         const ShapeBatchOptions& options = {});
/// One shape against many shapes, in parallel. Order and errors as for poses.
[[nodiscard]] GRAZE_API std::vector<ShapeHit> shape_hits(const PosedShape& shape,
                                                         std::span<const PosedShape> others,
                                                         const ShapeBatchOptions& options = {});
/// All triangles of one mesh that meet one shape, in many poses, in parallel. Order and errors as for shape_hits.
[[nodiscard]] GRAZE_API std::vector<ShapeTriangles> shape_triangles(const RigidShape& shape,
                                                                    const RigidObject& mesh,
                                                                    std::span<const PosePair> poses,
                                                                    const ShapeBatchOptions& options = {});
/// All triangles of one mesh that meet each of many shapes, in parallel. Order and errors as for shape_hits.
[[nodiscard]] GRAZE_API std::vector<ShapeTriangles> shape_triangles(std::span<const PosedShape> shapes,
                                                                    const PosedObject& mesh,
                                                                    const ShapeBatchOptions& options = {});
/// Distances of one shape and one mesh in many poses, in parallel. Order and errors as for shape_hits.
[[nodiscard]] GRAZE_API std::vector<ShapeDistance> shape_distances(const RigidShape& shape, const RigidObject& mesh,
                                                                   std::span<const PosePair> poses,
                                                                   const ShapeBatchOptions& options = {});
/// Distances of many shapes and one mesh, in parallel. Order and errors as for shape_hits.
[[nodiscard]] GRAZE_API std::vector<ShapeDistance> shape_distances(std::span<const PosedShape> shapes,
                                                                   const PosedObject& mesh,
                                                                   const ShapeBatchOptions& options = {});

}  // namespace graze
