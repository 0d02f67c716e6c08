// Rigid objects: polygon soups of any quality, placed by poses, in trees of nine bytes a node (BOXTREE).
//
// Answers are exact for the posed doubles: the vertex x of an object in a pose is posed(pose, x), three doubles
// that are the same on every machine, and two triangles meet if those closed triangles share a point. The same
// answers come from every tree, every overlap test and any number of threads.
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

#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze {

namespace rigid {
struct ObjectAccess;
struct ObjectState;
}  // namespace rigid

/// Where an object is: x -> rotation x + translation. The rows of the rotation; finite, and orthonormal within 1e-6
/// (queries throw InputError if not). What it is away from orthonormal belongs to the pose: it is not mended.
struct Pose {
  std::array<Vec3, 3> rotation = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 translation = {};

  friend bool operator==(const Pose&, const Pose&) = default;
};

/// ((r.x x + r.y y) + r.z z) + t for each row, every operation rounded once: the point that queries are about.
[[nodiscard]] Vec3 posed(const Pose& pose, const Vec3& x);
/// By a rotation of `angle` radians about `axis` (any length but zero, finite), then the translation.
[[nodiscard]] Pose pose_from_axis_angle(const Vec3& axis, double angle, const Vec3& translation = {});
/// w + xi + yj + zk, of any length but zero.
[[nodiscard]] Pose pose_from_quaternion(const std::array<double, 4>& wxyz, const Vec3& translation = {});
/// First `inner`, then `outer`; rounded.
[[nodiscard]] Pose compose(const Pose& outer, const Pose& inner);
/// Its transpose, and back; rounded.
[[nodiscard]] Pose inverse(const Pose& pose);

/// The bounding volume hierarchy of an object. The boxtree is the smallest and mostly the fastest; the others are
/// there to compare with.
enum class RigidTree : std::uint8_t { Boxtree, AabbTree, ObbTree, Dop18Tree, Dop26Tree, SphereTree };

/// How the builder of a boxtree splits a set of polygons (BOXTREE, section 4.2).
enum class BoxtreeSplit : std::uint8_t {
  Free,    ///< ours: along the best axis, then each child cuts off where it gains most
  Volume,  ///< the paper's: seeds, three cases along each of three axes, least total volume
  Longest  ///< the paper's variant: three cases along the longest side alone
};

/// How two nodes of boxtrees are told apart (BOXTREE, section 3.2).
enum class BoxOverlap : std::uint8_t {
  Sat,      ///< 15 axes: of the boxes exact but for rounding
  SatLite,  ///< 6 axes: those of both boxes
  Axis,     ///< 3 axes: those of a
  Lookup    ///< 3 axes, products from tables of 1000 entries
};

/// Names as on the command line: boxtree, aabb, obb, kdop18, kdop26, sphere; free, volume, longest; sat, sat-lite,
/// axis, lut.
[[nodiscard]] std::string_view name_of(RigidTree tree);
[[nodiscard]] std::string_view name_of(BoxtreeSplit split);
[[nodiscard]] std::string_view name_of(BoxOverlap overlap);
[[nodiscard]] std::span<const RigidTree> all_rigid_trees();
[[nodiscard]] std::span<const BoxtreeSplit> all_boxtree_splits();
[[nodiscard]] std::span<const BoxOverlap> all_box_overlaps();

struct RigidObjectOptions {
  RigidTree tree = RigidTree::Boxtree;
  BoxtreeSplit split = BoxtreeSplit::Free;  ///< of a boxtree
  unsigned threads = 0;                     ///< of the build; 0: all cores. The tree does not depend on it
};

/// What an object takes.
struct RigidMemory {
  std::uint64_t nodes = 0;           ///< 2 triangles - 1; 0 for no triangles
  std::uint64_t bytes_per_node = 0;  ///< a boxtree: 9
  std::uint64_t tree_bytes = 0;      ///< nodes and what the tree has once
  std::uint64_t mesh_bytes = 0;      ///< its copy of positions and triangles
  std::uint64_t depth = 0;           ///< edges from the root to the deepest leaf
};

/// A polygon soup and its tree; a value that is never changed, so any number of queries may use it at once.
class RigidObject {
 public:
  /// Copies the mesh. Throws InputError, naming the culprit, for a position that is not finite or an id out of
  /// range. Repeated ids and triangles, and no triangles at all, are legal.
  RigidObject(std::span<const Vec3> positions, std::span<const Triangle> triangles,
              const RigidObjectOptions& options = {});
  ~RigidObject();
  RigidObject(const RigidObject&);
  RigidObject(RigidObject&&) noexcept;
  RigidObject& operator=(const RigidObject&);
  RigidObject& operator=(RigidObject&&) noexcept;

  /// Its copy of the mesh. Triangles are in their order; where a mesh has more vertices than triangles, vertices
  /// that are the same to the bit are one, those that no triangle uses are gone, and the others are numbered anew.
  [[nodiscard]] std::span<const Vec3> positions() const;
  [[nodiscard]] std::span<const Triangle> triangles() const;
  [[nodiscard]] RigidTree tree() const;
  [[nodiscard]] RigidMemory memory() const;
  /// Checks that every node's volume holds its triangles and that each triangle has one leaf. Empty if all is
  /// right, else one line. For tests.
  [[nodiscard]] std::string validate() const;

 private:
  friend struct rigid::ObjectAccess;
  explicit RigidObject(std::shared_ptr<const rigid::ObjectState> state);
  std::shared_ptr<const rigid::ObjectState> state_;
};

/// Two triangles, by number in their objects.
struct TrianglePair {
  TriangleId a = 0;
  TriangleId b = 0;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Work of a rigid query; the same in every run.
struct RigidStats {
  std::uint64_t node_tests = 0;      ///< pairs of nodes whose volumes were compared
  std::uint64_t triangle_tests = 0;  ///< pairs of triangles that were tested
  TierCounts tiers;                  ///< who decided them; `interval`: certified distances of continuous queries

  RigidStats& operator+=(const RigidStats& other) {
    node_tests += other.node_tests;
    triangle_tests += other.triangle_tests;
    tiers += other.tiers;
    return *this;
  }
};

/// Whether two objects meet, and two triangles that do: which ones depends on tree and overlap test, and with
/// coherence on the poses before.
struct FirstHit {
  std::optional<TrianglePair> pair;
  RigidStats stats;

  [[nodiscard]] bool hit() const { return pair.has_value(); }
};

/// All pairs of triangles that meet, sorted.
struct TrianglePairs {
  std::vector<TrianglePair> pairs;
  RigidStats stats;

  [[nodiscard]] std::uint64_t hash() const;
};

/// What two triangles that meet have in common.
enum class ContactShape : std::uint8_t {
  Segment,  ///< from p to q
  Point,    ///< p = q
  Area      ///< they lie in one plane: p and q are two points of the common polygon that are farthest apart
};
struct RigidContact {
  TrianglePair pair;
  ContactShape shape = ContactShape::Segment;  ///< decided exactly
  Vec3 p = {};                                 ///< rounded: within a few units in the last place of the largest
  Vec3 q = {};                                 ///< coordinate of the two triangles, however thin they are

  friend bool operator==(const RigidContact&, const RigidContact&) = default;
};
struct RigidContacts {
  std::vector<RigidContact> contacts;  ///< by pair
  RigidStats stats;
};

/// How an object gets from one pose to another: about the shortest rotation, at constant speeds.
enum class MotionPath : std::uint8_t {
  Straight,  ///< `centre` moves on a straight line, and the object turns about it
  Screw      ///< it turns about a fixed axis in space, and glides along it
};
struct RigidMotion {
  Pose start;
  Pose end;
  MotionPath path = MotionPath::Straight;
  Vec3 centre = {};  ///< in the object's own coordinates

  friend bool operator==(const RigidMotion&, const RigidMotion&) = default;
};
/// An object that stands still.
[[nodiscard]] RigidMotion standing(const Pose& pose);
/// The pose at time t in [0, 1], rounded; `start` and `end` themselves at 0 and 1. By the standard library's sine,
/// so that last bits may differ between machines.
[[nodiscard]] Pose pose_at(const RigidMotion& motion, double t);

struct AdvanceOptions {
  /// How close counts as contact, as a share of the size of the objects and how far they move, in [2^-40, 1]; never
  /// closer than about 2^-40 of the largest coordinates.
  double tolerance = 1e-6;
};
/// The first contact of two moving objects. Certified: up to toi they do not touch; if there is a contact, the
/// triangles of `pair` are at toi no farther apart than `distance`, which is within the tolerance, or, far from the
/// origin, about 2^-40 of the largest coordinates. Objects that come that close without touching may count as
/// contact.
struct RigidImpact {
  double toi = 1.0;  ///< 1 if there is no contact
  std::optional<TrianglePair> pair;
  double distance = 0.0;
  RigidStats stats;
};

struct ColliderOptions {
  BoxOverlap overlap = BoxOverlap::Sat;  ///< of boxtrees
  bool lift = true;  ///< of boxtrees: work on single nodes is done one level up, once for four pairs (section 3.3)
  /// Begin with what the last query knew: the triangles that met, or how far apart the objects were. The answer of
  /// first_hit does not depend on it, its witness may.
  bool coherence = false;
};

/// Queries between two objects, which must have the same kind of tree; their trees are shared, not copied. Keeps
/// work space, and with coherence the end of the last query: one query at a time per collider.
class Collider {
 public:
  Collider(const RigidObject& a, const RigidObject& b, const ColliderOptions& options = {});
  ~Collider();
  Collider(Collider&&) noexcept;
  Collider& operator=(Collider&&) noexcept;

  [[nodiscard]] FirstHit first_hit(const Pose& pose_a, const Pose& pose_b);
  [[nodiscard]] TrianglePairs triangle_pairs(const Pose& pose_a, const Pose& pose_b);
  [[nodiscard]] RigidContacts contacts(const Pose& pose_a, const Pose& pose_b);
  /// Of boxtrees only.
  [[nodiscard]] RigidImpact first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b,
                                          const AdvanceOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The poses of a and of b.
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
  unsigned threads = 0;                       ///< 0: all cores. Nothing that is returned depends on it
  std::function<bool(double)> progress = {};  ///< as of DetectorOptions
};

/// One pair of objects, many poses: results in their order, on all cores.
[[nodiscard]] std::vector<FirstHit> first_hits(const RigidObject& a, const RigidObject& b,
                                               std::span<const PosePair> poses, const BatchOptions& options = {});
[[nodiscard]] std::vector<TrianglePairs> triangle_pairs(const RigidObject& a, const RigidObject& b,
                                                        std::span<const PosePair> poses,
                                                        const BatchOptions& options = {});
/// One object, many obstacles, all of which must have the same kind of tree. Coherence is not used.
[[nodiscard]] std::vector<FirstHit> first_hits(const PosedObject& object, std::span<const PosedObject> obstacles,
                                               const BatchOptions& options = {});
[[nodiscard]] std::vector<TrianglePairs> triangle_pairs(const PosedObject& object,
                                                        std::span<const PosedObject> obstacles,
                                                        const BatchOptions& options = {});

}  // namespace graze
