// Collision detection between rigid objects: polygon soups of any quality, each placed by a pose. Bounding volume
// hierarchies (boxtree, AABB, OBB, k-DOP or sphere tree) find the pairs of triangles that intersect, the first
// contact of two motions (continuous collision detection by conservative advancement), and batches over many poses
// or obstacles. The default tree is the boxtree of BOXTREE, nine bytes per node.
//
// Answers are exact for posed doubles: vertex x of an object in a pose is posed(pose, x), three doubles that are
// equal on every machine. Two triangles intersect if the closed triangles of these doubles share a point. The set
// of pairs does not depend on the tree, the overlap test or the number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/export.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze {

namespace rigid {
struct ObjectAccess;
struct ObjectState;
}  // namespace rigid

/// Position and orientation of an object: x -> rotation x + translation. `rotation` holds the rows of the matrix.
/// It must be finite and orthonormal within 1e-6, and no posed vertex may overflow; queries throw InputError
/// otherwise. Queries use the matrix as given and never re-orthonormalise it. Reflections are allowed, except in
/// motions.
struct Pose {
  std::array<Vec3, 3> rotation = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< rows of the rotation matrix
  Vec3 translation = {};                                                         ///< translation in scene units

  /// Compares all entries as doubles.
  friend bool operator==(const Pose&, const Pose&) = default;
};

/// Returns the posed point, as all queries use it: ((r.x x + r.y y) + r.z z) + t for each row r of the rotation,
/// with every operation rounded once. Equal on every machine. Does not check the pose.
[[nodiscard]] GRAZE_API Vec3 posed(const Pose& pose, const Vec3& x);
/// Returns the pose that rotates by `angle` radians about `axis`, then translates. Axis and angle must be finite,
/// and the axis not zero, InputError otherwise; the axis need not have unit length. Uses the sine and cosine of the
/// standard library, so the last bits may differ between machines.
[[nodiscard]] GRAZE_API Pose pose_from_axis_angle(const Vec3& axis, double angle, const Vec3& translation = {});
/// Returns the pose that rotates by the quaternion w + xi + yj + zk, then translates. The quaternion must be finite
/// and not zero, InputError otherwise; it need not have unit length.
[[nodiscard]] GRAZE_API Pose pose_from_quaternion(const std::array<double, 4>& wxyz, const Vec3& translation = {});
/// Returns the pose that applies `inner` first, then `outer`. The result is rounded.
[[nodiscard]] GRAZE_API Pose compose(const Pose& outer, const Pose& inner);
/// Returns the inverse pose, with the transpose as the inverse of the rotation. The result is rounded.
[[nodiscard]] GRAZE_API Pose inverse(const Pose& pose);

/// Bounding volume hierarchy of an object. The boxtree is the smallest and mostly the fastest; the other trees
/// exist for comparison.
enum class RigidTree : std::uint8_t {
  Boxtree,  ///< boxtree (BOXTREE): nine bytes per node
  Aabb,     ///< axis-aligned boxes
  Obb,      ///< oriented boxes
  Kdop18,   ///< 18-DOPs
  Kdop26,   ///< 26-DOPs
  Sphere    ///< spheres
};

/// How the boxtree builder splits a set of polygons (BOXTREE, section 4.2).
enum class BoxtreeSplit : std::uint8_t {
  Free,          ///< own criterion: one splitting plane, then each child cuts the slab that it gains most from
  Volume,        ///< the paper's criterion as printed: seeds, three cases along each of three axes, least total
                 ///< volume; every polygon of a node decides
  Longest,       ///< the paper's variant of Volume: three cases along the longest side only
  VolumeSampled  ///< own shortcut to Volume: 32 to 64 sampled polygons decide, and shares below 1/32 are rejected
};

/// The separating axis test (SAT) between two boxtree nodes (BOXTREE, section 3.2). More axes cull more node pairs.
enum class BoxOverlap : std::uint8_t {
  Sat,      ///< 15 axes: decides the overlap of two boxes exactly, apart from rounding
  SatLite,  ///< 6 axes: the axes of both boxes
  Axis      ///< 3 axes: the axes of object a
};

/// Returns the name on the command line: "boxtree", "aabb", "obb", "kdop18", "kdop26", "sphere". Throws InputError
/// for an unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(RigidTree tree);
/// Returns the name on the command line: "free", "volume", "longest", "volume-sampled". Throws InputError for an
/// unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(BoxtreeSplit split);
/// Returns the name on the command line: "sat", "sat-lite", "axis", "lut". Throws InputError for an unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(BoxOverlap overlap);
/// Returns the RigidTree with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API RigidTree from_name<RigidTree>(std::string_view name);
/// Returns all values of RigidTree.
template <>
[[nodiscard]] GRAZE_API std::span<const RigidTree> all_values<RigidTree>();
/// Returns the BoxtreeSplit with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API BoxtreeSplit from_name<BoxtreeSplit>(std::string_view name);
/// Returns all values of BoxtreeSplit.
template <>
[[nodiscard]] GRAZE_API std::span<const BoxtreeSplit> all_values<BoxtreeSplit>();
/// Returns the BoxOverlap with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API BoxOverlap from_name<BoxOverlap>(std::string_view name);
/// Returns all values of BoxOverlap, research::kLookup included.
template <>
[[nodiscard]] GRAZE_API std::span<const BoxOverlap> all_values<BoxOverlap>();

/// Options of the construction of an object.
struct RigidObjectOptions {
  RigidTree tree = RigidTree::Boxtree;      ///< kind of bounding volume hierarchy
  BoxtreeSplit split = BoxtreeSplit::Free;  ///< how the boxtree builder splits; boxtrees only
  unsigned threads = 0;                     ///< threads of the build; 0: all cores. The tree does not depend on it
};

/// Memory and size of an object's hierarchy.
struct RigidMemory {
  std::uint64_t nodes = 0;           ///< 2 triangles - 1; 0 if there are no triangles
  std::uint64_t bytes_per_node = 0;  ///< 9 for a boxtree
  std::uint64_t tree_bytes = 0;      ///< bytes of all nodes and, for a boxtree, of its fixed part
  std::uint64_t group_bytes = 0;     ///< boxtrees: bytes of the oriented boxes of leaf groups and the nodes above
  std::uint64_t mesh_bytes = 0;      ///< bytes of the object's copy of positions and triangles
  std::uint64_t depth = 0;           ///< edges from the root to the deepest leaf
  std::uint64_t distance_bytes = 0;  ///< bytes that queries of graze/rigid_distance.hpp keep with the object
};

/// A polygon soup with its bounding volume hierarchy. Immutable: any number of queries may use one object
/// concurrently. Copies share one mesh and one tree.
class GRAZE_API RigidObject {
 public:
  /// Copies the mesh and builds the tree. Throws InputError, naming the index and value, for a position that is not
  /// finite or a vertex id out of range. Repeated ids, duplicate triangles and an empty mesh are legal.
  RigidObject(std::span<const Vec3> positions, std::span<const Triangle> triangles,
              const RigidObjectOptions& options = {});
  ~RigidObject();
  RigidObject(const RigidObject&);                 ///< Shares the mesh and the tree.
  RigidObject(RigidObject&&) noexcept;             ///< A moved-from object can only be destroyed or assigned to.
  RigidObject& operator=(const RigidObject&);      ///< Shares the mesh and the tree.
  RigidObject& operator=(RigidObject&&) noexcept;  ///< A moved-from object can only be destroyed or assigned to.

  /// Vertex positions of the object's copy of the mesh. If the mesh had more vertices than triangles, bit-identical
  /// vertices are welded, unused vertices are dropped, and vertex ids are renumbered.
  [[nodiscard]] std::span<const Vec3> positions() const;
  /// Triangles of the object's copy of the mesh, in their original order, in ids of positions().
  [[nodiscard]] std::span<const Triangle> triangles() const;
  /// Kind of bounding volume hierarchy.
  [[nodiscard]] RigidTree tree() const;
  /// Memory and size of the hierarchy.
  [[nodiscard]] RigidMemory memory() const;
  /// Checks that the volume of each node contains its triangles and that each triangle has exactly one leaf.
  /// Returns an empty string if so, otherwise one line about the first error. For tests.
  [[nodiscard]] std::string validate() const;

 private:
  friend struct rigid::ObjectAccess;
  explicit RigidObject(std::shared_ptr<const rigid::ObjectState> state);
  std::shared_ptr<const rigid::ObjectState> state_;
};

/// Work counters of a rigid query. Deterministic: equal in every run and for any number of threads.
struct RigidStats {
  std::uint64_t node_tests = 0;      ///< node pairs whose bounding volumes were tested for overlap
  std::uint64_t triangle_tests = 0;  ///< triangle pairs that were tested for intersection
  TierCounts tiers;  ///< tests by the tier that decided; `interval` counts certified distances of first_contact

  /// Adds the counters of `other`.
  RigidStats& operator+=(const RigidStats& other) {
    node_tests += other.node_tests;
    triangle_tests += other.triangle_tests;
    tiers += other.tiers;
    return *this;
  }
};

/// Whether two objects intersect, with one pair of intersecting triangles as witness. Which pair is returned
/// depends on the tree, the overlap test and, with coherence, on the previous poses.
struct FirstHit {
  std::optional<TrianglePair> pair;  ///< the witness; empty if the objects do not intersect
  RigidStats stats;                  ///< work of the query

  /// Whether the objects intersect.
  [[nodiscard]] bool hit() const { return pair.has_value(); }
};

/// All pairs of intersecting triangles, sorted.
struct GRAZE_API TrianglePairs {
  std::vector<TrianglePair> pairs;  ///< each once, by triangle of a, then of b
  RigidStats stats;                 ///< work of the query

  /// Hash of the pairs. Two results are equal if and only if their hashes are, apart from 64-bit collisions.
  [[nodiscard]] std::uint64_t hash() const;
};

/// The intersection of two triangles of posed objects.
struct RigidContact {
  TrianglePair pair;                           ///< the two triangles
  ContactShape shape = ContactShape::Segment;  ///< decided exactly
  Vec3 p = {};  ///< first end, within a few units in the last place of the largest coordinate of the two triangles
  Vec3 q = {};  ///< second end, as accurate as p; this holds for thin triangles too

  /// Compares all fields.
  friend bool operator==(const RigidContact&, const RigidContact&) = default;
};
/// All intersections of the triangles of two posed objects.
struct GRAZE_API RigidContacts {
  std::vector<RigidContact> contacts;  ///< sorted by pair
  RigidStats stats;                    ///< work of finding the pairs
};

/// The path between two poses: the shortest rotation between them, or some full turns more, at constant speed.
enum class MotionPath : std::uint8_t {
  Straight,  ///< `centre` moves on a straight line while the object rotates about it
  Screw      ///< screw motion: the object rotates about a fixed axis in space and glides along it
};
/// Motion of an object from time 0 to time 1. Functions throw InputError for a pose that is invalid or a
/// reflection, for a translation or centre beyond 2^1000, and for turns and axes that do not fit the poses.
struct RigidMotion {
  Pose start = {};                         ///< pose at time 0
  Pose end = {};                           ///< pose at time 1
  MotionPath path = MotionPath::Straight;  ///< path between the poses
  Vec3 centre = {};                        ///< centre of rotation of a straight path, in the object's coordinates
  /// Full turns in addition to the shortest rotation, about `axis`; negative: the other way round. At most 1000.
  /// Resolution is lost in proportion: distances of 2^-40 of the largest coordinates, times 1 + 2 |turns|. A screw
  /// with turns must end at least 0.3 radians from a whole number of them, because its axis has no place otherwise.
  int turns = 0;
  /// Direction of the rotation axis in space, of any length; zero: that of the shortest rotation. Rotations at
  /// start and end that are equal need it if there are turns. Otherwise it must be parallel to the axis of the
  /// rotation between the poses within 1e-6, and says by its sign which way is counted as positive.
  Vec3 axis = {};

  /// Compares all fields.
  friend bool operator==(const RigidMotion&, const RigidMotion&) = default;
};
/// Returns the motion of an object that stays at one pose.
[[nodiscard]] GRAZE_API RigidMotion stationary(const Pose& pose);
/// Returns the pose at time t in [0, 1], rounded; exactly `start` at 0 and `end` at 1. Uses the sine of the
/// standard library, so the last bits may differ between machines. Throws InputError for an invalid motion or time.
[[nodiscard]] GRAZE_API Pose pose_at(const RigidMotion& motion, double t);

/// Options of Collider::first_contact.
struct AdvanceOptions {
  /// Distance that counts as contact, relative to the size of the objects plus the distance that they move, in
  /// [2^-40, 1]. The absolute distance is at least about 2^-40 of the largest coordinates.
  double tolerance = 1e-6;
};
/// Time of impact (first contact) of two moving objects, certified: the objects do not touch before `toi`. If
/// `pair` is set, its two triangles are at most `distance` apart at `toi`. `distance` is within the tolerance or,
/// far from the origin, about 2^-40 of the largest coordinates. Objects that come within that distance without
/// touching may be reported as contact.
struct RigidImpact {
  double toi = 1.0;                  ///< time of impact in [0, 1]; 1 if there is no contact
  std::optional<TrianglePair> pair;  ///< triangles in contact; empty if there is no contact
  double distance = 0.0;             ///< upper bound on the distance of the pair at `toi`, in scene units
  RigidStats stats;                  ///< work of the query
};

/// Options of a collider.
struct ColliderOptions {
  BoxOverlap overlap = BoxOverlap::Sat;  ///< overlap test of nodes; boxtrees only
  bool lift = true;  ///< derive each child node once for four node pairs (BOXTREE, section 3.3); boxtrees only
  /// Temporal coherence: start from the last query's witness pair, or from its lower bound on the distance. Answers
  /// do not depend on it; the witness of first_hit may. first_contact does not use it.
  bool coherence = false;
};

/// Queries between two objects with the same kind of tree (InputError otherwise). Shares the trees of the objects.
/// Keeps work space and, with coherence, the result of the last query: run one query at a time per collider. All
/// queries throw InputError for invalid poses or motions.
class GRAZE_API Collider {
 public:
  /// Shares mesh and tree of both objects. Throws InputError if their trees are of different kinds.
  Collider(const RigidObject& a, const RigidObject& b, const ColliderOptions& options = {});
  ~Collider();
  Collider(Collider&&) noexcept;             ///< A moved-from collider can only be destroyed or assigned to.
  Collider& operator=(Collider&&) noexcept;  ///< A moved-from collider can only be destroyed or assigned to.

  /// Decides whether the objects intersect in these poses; stops at the first intersecting pair of triangles.
  [[nodiscard]] FirstHit first_hit(const Pose& pose_a, const Pose& pose_b);
  /// Finds all pairs of intersecting triangles in these poses.
  [[nodiscard]] TrianglePairs triangle_pairs(const Pose& pose_a, const Pose& pose_b);
  /// Finds all pairs of intersecting triangles in these poses, with the segment, point or area of each
  /// intersection.
  [[nodiscard]] RigidContacts contacts(const Pose& pose_a, const Pose& pose_b);
  /// Continuous collision detection: finds the time of impact of two motions by conservative advancement. Throws
  /// InputError unless the objects have boxtrees, for an invalid motion or tolerance, and for objects with
  /// coordinates beyond 2^1000.
  [[nodiscard]] RigidImpact first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b,
                                          const AdvanceOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The poses of object a and of object b.
struct PosePair {
  Pose a;  ///< pose of object a
  Pose b;  ///< pose of object b
};
/// An object in a pose. The object must stay valid during the call.
struct PosedObject {
  const RigidObject* object = nullptr;  ///< not null, not owned
  Pose pose;                            ///< pose of the object
};
/// Options of the batches of rigid queries.
struct BatchOptions {
  ColliderOptions collider = {};  ///< overlap test and coherence of every query
  unsigned threads = 0;           ///< 0: all cores. Results do not depend on it
  /// See DetectorOptions::progress; called on any thread, one call at a time.
  std::function<bool(double)> progress = {};
};

/// Decides for one pair of objects in many poses, in parallel, whether they intersect. Results are in the order of
/// the poses. Coherence applies within runs of up to 64 poses, cut by the number of poses alone. Throws InputError
/// for an invalid pose or trees of different kinds, before any query runs; Interrupted if progress returns false.
[[nodiscard]] GRAZE_API std::vector<FirstHit> first_hits(const RigidObject& a, const RigidObject& b,
                                                         std::span<const PosePair> poses,
                                                         const BatchOptions& options = {});
/// Finds all pairs of intersecting triangles of one pair of objects in many poses, in parallel. Order, coherence
/// and errors as for first_hits of poses.
[[nodiscard]] GRAZE_API std::vector<TrianglePairs> triangle_pairs(const RigidObject& a, const RigidObject& b,
                                                                  std::span<const PosePair> poses,
                                                                  const BatchOptions& options = {});
/// Decides for one object and each of many obstacles, in parallel, whether they intersect. Results are in the order
/// of the obstacles. Coherence is not used. Throws InputError for a null object, an invalid pose or trees of
/// different kinds, before any query runs; Interrupted if progress returns false.
[[nodiscard]] GRAZE_API std::vector<FirstHit> first_hits(const PosedObject& object,
                                                         std::span<const PosedObject> obstacles,
                                                         const BatchOptions& options = {});
/// Finds all pairs of intersecting triangles of one object with each of many obstacles, in parallel. Order and
/// errors as for first_hits of obstacles.
[[nodiscard]] GRAZE_API std::vector<TrianglePairs> triangle_pairs(const PosedObject& object,
                                                                  std::span<const PosedObject> obstacles,
                                                                  const BatchOptions& options = {});

}  // namespace graze
