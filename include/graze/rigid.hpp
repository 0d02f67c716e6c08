// Collision detection between rigid objects: polygon soups of any quality, each placed by a pose. Bounding volume
// hierarchies (boxtree, AABB, OBB, k-DOP or sphere tree) find the pairs of triangles that intersect, the first
// contact of two motions (continuous collision detection by conservative advancement), and batches over many poses
// or obstacles. The default tree is the boxtree of BOXTREE, nine bytes a node.
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
/// It must be finite and orthonormal within 1e-6; queries throw InputError otherwise. Queries use the matrix as
/// given and never re-orthonormalise it.
struct Pose {
  std::array<Vec3, 3> rotation = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 translation = {};

  friend bool operator==(const Pose&, const Pose&) = default;
};

/// The point that queries are about: ((r.x x + r.y y) + r.z z) + t for each row r, with every operation rounded
/// once.
[[nodiscard]] GRAZE_API Vec3 posed(const Pose& pose, const Vec3& x);
/// Rotates by `angle` radians about `axis`, then translates. Both must be finite; the axis must not be zero and
/// need not have unit length. Throws InputError otherwise.
[[nodiscard]] GRAZE_API Pose pose_from_axis_angle(const Vec3& axis, double angle, const Vec3& translation = {});
/// Rotates by the quaternion w + xi + yj + zk, then translates. The quaternion must be finite and not zero; it need
/// not have unit length. Throws InputError otherwise.
[[nodiscard]] GRAZE_API Pose pose_from_quaternion(const std::array<double, 4>& wxyz, const Vec3& translation = {});
/// Applies `inner` first, then `outer`. The result is rounded.
[[nodiscard]] GRAZE_API Pose compose(const Pose& outer, const Pose& inner);
/// The inverse pose, with the transpose as the inverse of the rotation. The result is rounded.
[[nodiscard]] GRAZE_API Pose inverse(const Pose& pose);

/// The bounding volume hierarchy of an object. The boxtree is the smallest and mostly the fastest; the other trees
/// (AABB, OBB, 18-DOP, 26-DOP, sphere) exist for comparison.
enum class RigidTree : std::uint8_t { Boxtree, Aabb, Obb, Kdop18, Kdop26, Sphere };

/// How the boxtree builder splits a set of polygons (BOXTREE, section 4.2).
enum class BoxtreeSplit : std::uint8_t {
  Free,    ///< our criterion: one splitting plane, then each child cuts the slab that it gains most from
  Volume,  ///< the paper's criterion: seeds, three cases along each of three axes, least total volume
  Longest  ///< the paper's variant: three cases along the longest side only
};

/// The separating axis test (SAT) between two boxtree nodes (BOXTREE, section 3.2). More axes cull more node pairs.
enum class BoxOverlap : std::uint8_t {
  Sat,      ///< 15 axes: decides the overlap of two boxes exactly, apart from rounding
  SatLite,  ///< 6 axes: the axes of both boxes
  Axis      ///< 3 axes: the axes of object a
};

/// Names as on the command line: boxtree, aabb, obb, kdop18, kdop26, sphere; free, volume, longest; sat, sat-lite,
/// axis, lut.
[[nodiscard]] GRAZE_API std::string_view name_of(RigidTree tree);
[[nodiscard]] GRAZE_API std::string_view name_of(BoxtreeSplit split);
[[nodiscard]] GRAZE_API std::string_view name_of(BoxOverlap overlap);
template <>
[[nodiscard]] GRAZE_API RigidTree from_name<RigidTree>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const RigidTree> all_values<RigidTree>();
template <>
[[nodiscard]] GRAZE_API BoxtreeSplit from_name<BoxtreeSplit>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const BoxtreeSplit> all_values<BoxtreeSplit>();
template <>
[[nodiscard]] GRAZE_API BoxOverlap from_name<BoxOverlap>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const BoxOverlap> all_values<BoxOverlap>();

struct RigidObjectOptions {
  RigidTree tree = RigidTree::Boxtree;
  BoxtreeSplit split = BoxtreeSplit::Free;  ///< boxtrees only
  unsigned threads = 0;                     ///< threads of the build; 0: all cores. The tree does not depend on it
};

/// Memory and size of an object's hierarchy.
struct RigidMemory {
  std::uint64_t nodes = 0;           ///< 2 triangles - 1; 0 if there are no triangles
  std::uint64_t bytes_per_node = 0;  ///< 9 for a boxtree
  std::uint64_t tree_bytes = 0;      ///< all nodes and the fixed part of the tree
  std::uint64_t mesh_bytes = 0;      ///< the object's copy of positions and triangles
  std::uint64_t depth = 0;           ///< edges from the root to the deepest leaf
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
  RigidObject(const RigidObject&);
  RigidObject(RigidObject&&) noexcept;
  RigidObject& operator=(const RigidObject&);
  RigidObject& operator=(RigidObject&&) noexcept;

  /// The object's copy of the mesh. Triangles keep their order. If the mesh had more vertices than triangles,
  /// bit-identical vertices are welded, unused vertices are dropped, and vertex ids are renumbered.
  [[nodiscard]] std::span<const Vec3> positions() const;
  [[nodiscard]] std::span<const Triangle> triangles() const;
  [[nodiscard]] RigidTree tree() const;
  [[nodiscard]] RigidMemory memory() const;
  /// Checks that the volume of each node contains its triangles and that each triangle has exactly one leaf.
  /// Returns an empty string if so, otherwise one line about the first error. For tests.
  [[nodiscard]] std::string validate() const;

 private:
  friend struct rigid::ObjectAccess;
  explicit RigidObject(std::shared_ptr<const rigid::ObjectState> state);
  std::shared_ptr<const rigid::ObjectState> state_;
};

/// Work counters of a rigid query. Deterministic: equal in every run.
struct RigidStats {
  std::uint64_t node_tests = 0;      ///< node pairs whose bounding volumes were tested for overlap
  std::uint64_t triangle_tests = 0;  ///< triangle pairs that were tested for intersection
  TierCounts tiers;  ///< which tier decided; `interval` counts certified distances of continuous queries

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
  std::optional<TrianglePair> pair;
  RigidStats stats;

  [[nodiscard]] bool hit() const { return pair.has_value(); }
};

/// All pairs of intersecting triangles, sorted.
struct GRAZE_API TrianglePairs {
  std::vector<TrianglePair> pairs;
  RigidStats stats;

  [[nodiscard]] std::uint64_t hash() const;
};

/// The shape of the intersection of two triangles.
enum class ContactShape : std::uint8_t {
  Segment,  ///< the segment from p to q
  Point,    ///< a single point: p = q
  Area      ///< coplanar overlap: p and q are the two points of the common polygon that are farthest apart
};
struct RigidContact {
  TrianglePair pair;
  ContactShape shape = ContactShape::Segment;  ///< decided exactly
  Vec3 p = {};                                 ///< p and q are rounded: within a few units in the last place of the
  Vec3 q = {};                                 ///< largest coordinate of the two triangles, even for thin triangles

  friend bool operator==(const RigidContact&, const RigidContact&) = default;
};
struct GRAZE_API RigidContacts {
  std::vector<RigidContact> contacts;  ///< sorted by pair
  RigidStats stats;
};

/// The path between two poses: the shortest rotation between them, at constant speed.
enum class MotionPath : std::uint8_t {
  Straight,  ///< `centre` moves on a straight line while the object rotates about it
  Screw      ///< screw motion: the object rotates about a fixed axis in space and glides along it
};
struct RigidMotion {
  Pose start;
  Pose end;
  MotionPath path = MotionPath::Straight;
  Vec3 centre = {};  ///< centre of rotation of a straight path, in the object's coordinates

  friend bool operator==(const RigidMotion&, const RigidMotion&) = default;
};
/// The motion of an object that stays at one pose.
[[nodiscard]] GRAZE_API RigidMotion stationary(const Pose& pose);
/// The pose at time t in [0, 1], rounded; exactly `start` at 0 and `end` at 1. Uses the sine of the standard
/// library, so the last bits may differ between machines. Throws InputError for an invalid motion or time.
[[nodiscard]] GRAZE_API Pose pose_at(const RigidMotion& motion, double t);

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
  double toi = 1.0;  ///< time of impact in [0, 1]; 1 if there is no contact
  std::optional<TrianglePair> pair;
  double distance = 0.0;
  RigidStats stats;
};

struct ColliderOptions {
  BoxOverlap overlap = BoxOverlap::Sat;  ///< boxtrees only
  bool lift = true;  ///< boxtrees only: derive each child node once for four node pairs (section 3.3)
  /// Temporal coherence: start from the last query's witness pair, or from its lower bound on the distance. The
  /// answer of first_hit does not depend on it; the witness may.
  bool coherence = false;
};

/// Queries between two objects with the same kind of tree (InputError otherwise). Shares the trees of the objects.
/// Keeps work space and, with coherence, the result of the last query: run one query at a time per collider. All
/// queries throw InputError for invalid poses or motions.
class GRAZE_API Collider {
 public:
  Collider(const RigidObject& a, const RigidObject& b, const ColliderOptions& options = {});
  ~Collider();
  Collider(Collider&&) noexcept;
  Collider& operator=(Collider&&) noexcept;

  [[nodiscard]] FirstHit first_hit(const Pose& pose_a, const Pose& pose_b);
  [[nodiscard]] TrianglePairs triangle_pairs(const Pose& pose_a, const Pose& pose_b);
  [[nodiscard]] RigidContacts contacts(const Pose& pose_a, const Pose& pose_b);
  /// Continuous collision detection: the time of impact of two motions. Boxtrees only; InputError otherwise.
  [[nodiscard]] RigidImpact first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b,
                                          const AdvanceOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The poses of object a and of object b.
struct PosePair {
  Pose a;
  Pose b;
};
struct PosedObject {
  const RigidObject* object = nullptr;
  Pose pose;
};
struct BatchOptions {
  ColliderOptions collider = {};
  unsigned threads = 0;                       ///< 0: all cores. Results do not depend on it
  std::function<bool(double)> progress = {};  ///< see DetectorOptions::progress
};

/// Queries one pair of objects in many poses, in parallel. Results are in the order of the poses. Throws InputError
/// for an invalid pose, before any query runs.
[[nodiscard]] GRAZE_API std::vector<FirstHit> first_hits(const RigidObject& a, const RigidObject& b,
                                                         std::span<const PosePair> poses,
                                                         const BatchOptions& options = {});
[[nodiscard]] GRAZE_API std::vector<TrianglePairs> triangle_pairs(const RigidObject& a, const RigidObject& b,
                                                                  std::span<const PosePair> poses,
                                                                  const BatchOptions& options = {});
/// Queries one object against many obstacles, in parallel. Results are in the order of the obstacles. All objects
/// must have the same kind of tree (InputError otherwise). Coherence is not used.
[[nodiscard]] GRAZE_API std::vector<FirstHit> first_hits(const PosedObject& object,
                                                         std::span<const PosedObject> obstacles,
                                                         const BatchOptions& options = {});
[[nodiscard]] GRAZE_API std::vector<TrianglePairs> triangle_pairs(const PosedObject& object,
                                                                  std::span<const PosedObject> obstacles,
                                                                  const BatchOptions& options = {});

}  // namespace graze
