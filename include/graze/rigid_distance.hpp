// Proximity of rigid objects: distances with proved bounds and closest points, the pairs of triangles within a
// distance, closed solids that contain, touch or overlap each other, and contact patches.
//
// As in graze/rigid.hpp, answers are for posed doubles: vertex x of an object in a pose is posed(pose, x). Objects
// may have trees of different kinds: the first such query of an object builds a hierarchy for distances beside its
// tree (24 to 40 bytes a triangle, kept with the object), and no answer depends on the object's own tree. Building
// it is safe from several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/export.hpp>
#include <graze/rigid.hpp>
#include <graze/types.hpp>

namespace graze {

/// Options of a distance query. Throws InputError for a tolerance that is negative or not a number, `relative`
/// above 1, and a limit that is not positive.
struct DistanceOptions {
  /// hi - lo is at most relative * hi or `absolute`, whichever is larger. Never finer than 2^-40 hi: 0 asks for
  /// that.
  double relative = 1e-6;
  double absolute = 0.0;  ///< in scene units, see `relative`
  /// Greatest distance of interest, in scene units. If the objects are at least this far apart, the query may end
  /// as soon as that is proved: lo >= limit, hi is infinite and there is no pair.
  double limit = std::numeric_limits<double>::infinity();
};

/// Bounds of the distance d of two posed objects, proved: lo <= d <= hi. hi is 0 if and only if the objects
/// intersect, which is decided exactly. Without triangles in a or in b, or beyond the limit, hi is infinite and
/// there is no pair.
struct RigidDistance {
  double lo = 0.0;  ///< lower bound, in scene units; > 0 if the objects do not intersect, apart from underflow
  double hi = 0.0;  ///< upper bound: the distance of the two triangles of `pair` is between lo and hi
  /// Closest points of `pair`, each within 2^-44 of the largest coordinate of its two triangles; a common point,
  /// twice, if they intersect.
  Vec3 point_a = {};
  Vec3 point_b = {};                 ///< see point_a
  Vec3 normal = {};                  ///< unit vector from point_a to point_b; zero if the objects intersect
  std::optional<TrianglePair> pair;  ///< a witness of hi
  RigidStats stats;                  ///< work of the query; `interval` counts pairs measured one by one

  /// Whether the objects intersect: touching counts.
  [[nodiscard]] bool intersects() const { return pair.has_value() && hi == 0.0; }
};

/// Whether two posed objects come within a distance, with one pair of triangles as witness.
struct WithinDistance {
  std::optional<TrianglePair> pair;  ///< the witness; empty if the distance is larger
  RigidStats stats;                  ///< work of the query

  /// Whether the distance of the objects is at most the given one.
  [[nodiscard]] bool within() const { return pair.has_value(); }
};

/// Two triangles within a distance.
struct RigidProximity {
  TrianglePair pair;  ///< the two triangles
  double lo = 0.0;    ///< their distance is at least this
  double hi = 0.0;    ///< and at most this, within 2^-48 of it; 0 if and only if they intersect
  Vec3 point_a = {};  ///< as in RigidDistance
  Vec3 point_b = {};  ///< as in RigidDistance
  Vec3 normal = {};   ///< as in RigidDistance

  /// Compares all fields.
  friend bool operator==(const RigidProximity&, const RigidProximity&) = default;
};
/// All pairs of triangles within a distance.
struct GRAZE_API RigidProximities {
  std::vector<RigidProximity> proximities;  ///< sorted by pair
  RigidStats stats;                         ///< work of the query
};

/// Options of a DistanceQuery.
struct DistanceQueryOptions {
  /// Temporal coherence: distance() and within() start from the closest pair of the last query. Bounds stay proved
  /// and within their tolerance, and within() and proximities() answer as without it; inside of the tolerance the
  /// last bits of lo and hi, and which of nearly equal pairs is the witness, may differ.
  bool coherence = false;
};

/// Distance queries between two objects. Shares their meshes. Keeps work space and, with coherence, the closest
/// pair of the last query: run one query at a time per DistanceQuery. All queries throw InputError for an invalid
/// pose.
class GRAZE_API DistanceQuery {
 public:
  /// Shares mesh and hierarchy of both objects; builds the hierarchies if these are the first distance queries.
  DistanceQuery(const RigidObject& a, const RigidObject& b, const DistanceQueryOptions& options = {});
  ~DistanceQuery();
  DistanceQuery(DistanceQuery&&) noexcept;             ///< A moved-from query can only be destroyed or assigned to.
  DistanceQuery& operator=(DistanceQuery&&) noexcept;  ///< A moved-from query can only be destroyed or assigned to.

  /// Finds bounds of the distance and closest points.
  [[nodiscard]] RigidDistance distance(const Pose& pose_a, const Pose& pose_b, const DistanceOptions& options = {});
  /// Decides exactly whether the distance is at most d; 0 asks whether the objects intersect. Stops at the first
  /// such pair of triangles. Throws InputError if d is negative or not finite.
  [[nodiscard]] WithinDistance within(const Pose& pose_a, const Pose& pose_b, double d);
  /// Finds all pairs of triangles with a distance of at most d; decided exactly. Errors as for within().
  [[nodiscard]] RigidProximities proximities(const Pose& pose_a, const Pose& pose_b, double d);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Finds bounds of the distance of two posed objects and closest points. Throws InputError for a null object, an
/// invalid pose or option. Safe to call from several threads.
[[nodiscard]] GRAZE_API RigidDistance distance(const PosedObject& a, const PosedObject& b,
                                               const DistanceOptions& options = {});

/// Options of the batches of distance queries.
struct DistanceBatchOptions {
  DistanceOptions distance = {};    ///< tolerance and limit of every query
  DistanceQueryOptions query = {};  ///< coherence within runs of poses; not used for obstacles
  unsigned threads = 0;             ///< 0: all cores. Results do not depend on it
  /// See DetectorOptions::progress; called on any thread, one call at a time.
  std::function<bool(double)> progress = {};
};
/// Distances of one pair of objects in many poses, in parallel. Results are in the order of the poses. Coherence
/// applies within runs of up to 64 poses, cut by the number of poses alone. Throws InputError for an invalid pose
/// or option before any query runs; Interrupted if progress returns false.
[[nodiscard]] GRAZE_API std::vector<RigidDistance> distances(const RigidObject& a, const RigidObject& b,
                                                             std::span<const PosePair> poses,
                                                             const DistanceBatchOptions& options = {});
/// Distances of one object and each of many obstacles, in parallel, in the order of the obstacles. Throws
/// InputError for a null object, an invalid pose or option before any query runs; Interrupted if progress returns
/// false.
[[nodiscard]] GRAZE_API std::vector<RigidDistance> distances(const PosedObject& object,
                                                             std::span<const PosedObject> obstacles,
                                                             const DistanceBatchOptions& options = {});

// Solids. A mesh bounds a solid if an even number of its triangles meets at every edge; vertices at the same
// position count as one vertex. The inside are the points from which a ray crosses the mesh an odd number of times,
// so orientation does not matter, cavities are outside, and four triangles at an edge or two cones that touch at
// their tips are fine. The solid is the inside with its boundary. Functions throw InputError, naming the edge, for
// an open mesh, and for two triangles with the same corners, which bound nothing.

/// Where a point lies.
enum class PointSide : std::uint8_t {
  Outside,   ///< neither inside nor on a triangle
  Boundary,  ///< on a closed triangle
  Inside     ///< a ray from the point crosses the mesh an odd number of times
};
/// Decides exactly where a point lies relative to a posed solid. The point must be finite, and object and pose
/// valid, InputError otherwise. Safe to call from several threads.
[[nodiscard]] GRAZE_API PointSide locate(const PosedObject& solid, const Vec3& point);

/// How two solids A and B lie to each other.
enum class SolidRelation : std::uint8_t {
  Apart,        ///< they share no point
  Touching,     ///< they share points of their boundaries, but no point is inside of both
  Overlapping,  ///< some point is inside of both; neither AInB nor BInA
  AInB,         ///< all of A is inside of B, and their boundaries share no point
  BInA          ///< all of B is inside of A, and their boundaries share no point
};
/// Returns the name: "apart", "touching", "overlapping", "a-in-b", "b-in-a". Throws InputError for an unknown
/// value.
[[nodiscard]] GRAZE_API std::string_view name_of(SolidRelation relation);

/// The relation of two solids.
struct SolidRelationResult {
  SolidRelation relation = SolidRelation::Apart;  ///< decided exactly, see relate()
  /// Triangles whose boundaries meet, if any do: a witness, not all of them.
  std::optional<TrianglePair> pair;
  RigidStats stats;  ///< work of finding pairs of triangles
};
/// Decides the relation of two posed solids. The answer is exact for the posed doubles if no two triangles of one
/// solid overlap in an area, and, where the boundaries touch without an edge of one passing through the interior of
/// a face of the other, if the triangles of one solid share no points but common vertices and edges. An empty mesh
/// is an empty solid, apart from everything. Touching is decided triangle by triangle in rational arithmetic,
/// about a millisecond for each triangle in contact; everything else at the price of an intersection query. Throws
/// InputError for a null object, an invalid pose, or a mesh that bounds no solid. Safe to call from several
/// threads.
[[nodiscard]] GRAZE_API SolidRelationResult relate(const PosedObject& a, const PosedObject& b);

/// A connected part of the contact of two objects. Two contacts of triangles are connected if their triangles of a
/// are equal or share a vertex id, and their triangles of b, too.
struct ContactPatch {
  std::vector<std::uint32_t> contacts;  ///< indices into the contacts, ascending
  Vec3 centre = {};                     ///< mean of the middles of the contacts, weighted by their lengths; rounded
  /// Unit vector from a to b, rounded: the difference of the mean unit normals of the patch's triangles of a and of
  /// b, weighted like `centre`. Zero where these cancel. It points from a to b if the normals of both meshes point
  /// outward.
  Vec3 normal = {};
  /// Local penetration depth, in scene units, rounded up: moved by depth * normal in real arithmetic, the patch's
  /// triangles of b are separated from the patch's triangles of a, or touch them, along the normal. Other triangles
  /// are not considered. 0 without a normal.
  double depth = 0.0;
};
/// Groups the contacts of Collider::contacts, at these poses, into connected patches, sorted by their first
/// contact. Throws InputError for a null object, an invalid pose, or a contact of a triangle that does not exist.
[[nodiscard]] GRAZE_API std::vector<ContactPatch> contact_patches(const PosedObject& a, const PosedObject& b,
                                                                  const RigidContacts& contacts);

}  // namespace graze
