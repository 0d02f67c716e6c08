// A world of rigid objects: thousands of posed polygon soups that are added, removed, moved and queried together.
// A dynamic tree of boxes (broad phase) finds the pairs of objects that may intersect, and follows edits at the
// cost of what they change; the trees of the objects (graze/rigid.hpp) find their triangles.
//
// Answers are those of a Collider on every pair of objects: exact for posed doubles, sorted by ids, and independent
// of the number of threads and of the order of edits. Rays and segments are decided exactly, too.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/export.hpp>
#include <graze/rigid.hpp>
#include <graze/rigid_distance.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// Id of an object in a world. Slots of removed objects are used again with the next generation, so the id of a
/// removed object never names another one: functions throw InputError for it. Ids order by slot.
struct ObjectId {
  std::uint32_t slot = 0xffffffffU;  ///< position in the world's table
  std::uint32_t generation = 0;      ///< number of objects that had this slot before

  /// Orders by slot, then by generation.
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};
/// Id of no object: the `a` of results about a WorldProbe.
inline constexpr ObjectId kNoObject{};

/// Options of an object in a world. `groups` and `meets` are the collision filter, as in Body: two objects are
/// tested against each other if `meets` of each has a bit of `groups` of the other, and the pair is not ignored.
struct WorldObjectOptions {
  /// Rigid: the object moves. Static: it stays where it is; move() refuses it, set_pose() places it elsewhere. The
  /// answers do not depend on it. Motion::Deforming is refused.
  Motion motion = Motion::Rigid;
  std::uint32_t groups = 1;           ///< bit mask of the collision groups that the object belongs to
  std::uint32_t meets = 0xffffffffU;  ///< bit mask of the collision groups that the object is tested against
};

/// An object in a pose that is not in the world, to be tested against it. The object must stay valid during the
/// call. The first query about a mesh takes time linear in its vertices, later ones do not.
struct WorldProbe {
  const RigidObject* object = nullptr;  ///< not null, not owned; the same kind of tree as the world's objects
  Pose pose = {};                       ///< pose of the object
  std::uint32_t groups = 1;             ///< as in WorldObjectOptions
  std::uint32_t meets = 0xffffffffU;    ///< as in WorldObjectOptions
  /// The object of the world that the probe stands for, to ask what it would hit elsewhere: the probe is not tested
  /// against it, and ignores what it ignores. Its groups do not count.
  ObjectId instead_of = kNoObject;
};

/// Options of the queries of a world.
struct WorldOptions {
  ColliderOptions collider = {};  ///< overlap test of nodes; coherence is not used
  /// Group against group: only pairs are tested of which one object has a bit of groups_a and the other a bit of
  /// groups_b. Rays and segments test the objects that have a bit of groups_b.
  std::uint32_t groups_a = 0xffffffffU;
  std::uint32_t groups_b = 0xffffffffU;  ///< see groups_a
  unsigned threads = 0;                  ///< 0: all cores. Results do not depend on it
  /// See DetectorOptions::progress; called on any thread, one call at a time.
  std::function<bool(double)> progress = {};
};

/// Work of a query of a world. Deterministic: it depends on the edits so far, not on the number of threads.
struct WorldStats {
  std::uint64_t box_tests = 0;     ///< overlap tests of boxes in the broad phase
  std::uint64_t object_pairs = 0;  ///< pairs of objects, or of ray and object, whose boxes overlap and are tested
  RigidStats narrow;               ///< work on the trees and triangles of these pairs

  /// Adds the counters of `other`.
  WorldStats& operator+=(const WorldStats& other) {
    box_tests += other.box_tests;
    object_pairs += other.object_pairs;
    narrow += other.narrow;
    return *this;
  }
};

/// Two objects of which two triangles intersect. All against all: a < b. One against all: a is the one, kNoObject
/// for a probe.
struct WorldHit {
  ObjectId a;         ///< first object
  ObjectId b;         ///< second object
  TrianglePair pair;  ///< a triangle of a and a triangle of b

  /// Orders by a, then b, then pair.
  friend auto operator<=>(const WorldHit&, const WorldHit&) = default;
};
/// Whether any pair of objects intersects.
struct WorldFirstHit {
  std::optional<WorldHit> first;  ///< of the first pair that intersects in the order of ids; empty if there is none
  WorldStats stats;               ///< work up to this pair

  /// Whether any pair of objects intersects.
  [[nodiscard]] bool hit() const { return first.has_value(); }
};
/// Pairs of objects that intersect, or pairs of their triangles.
struct GRAZE_API WorldHits {
  std::vector<WorldHit> hits;  ///< sorted
  WorldStats stats;            ///< work of the query

  /// Hash of the hits. Two results are equal if and only if their hashes are, apart from 64-bit collisions.
  [[nodiscard]] std::uint64_t hash() const;
};
/// The intersection of two triangles of two objects.
struct WorldContact {
  ObjectId a;            ///< as in WorldHit
  ObjectId b;            ///< as in WorldHit
  RigidContact contact;  ///< the triangles and what they share

  /// Compares all fields.
  friend bool operator==(const WorldContact&, const WorldContact&) = default;
};
/// All intersections of triangles of different objects.
struct WorldContacts {
  std::vector<WorldContact> contacts;  ///< sorted by a, b and pair
  WorldStats stats;                    ///< work of the query
};
/// Two triangles of different objects within a distance.
struct WorldProximity {
  ObjectId a;                ///< as in WorldHit
  ObjectId b;                ///< as in WorldHit
  RigidProximity proximity;  ///< the triangles, bounds of their distance, closest points

  /// Compares all fields.
  friend bool operator==(const WorldProximity&, const WorldProximity&) = default;
};
/// All pairs of triangles of different objects within a distance.
struct WorldProximities {
  std::vector<WorldProximity> proximities;  ///< sorted by a, b and pair
  WorldStats stats;                         ///< work of the query
};
/// Two objects whose boxes overlap and whose groups allow a test.
struct ObjectPair {
  ObjectId a;  ///< as in WorldHit
  ObjectId b;  ///< as in WorldHit

  /// Orders by a, then b.
  friend auto operator<=>(const ObjectPair&, const ObjectPair&) = default;
};
/// Pairs of objects whose boxes overlap: the broad phase alone.
struct ObjectPairs {
  std::vector<ObjectPair> pairs;  ///< sorted
  WorldStats stats;               ///< work of the query
};

/// A ray: the points origin + t direction with 0 <= t <= max, in real arithmetic. All numbers but max must be
/// finite, direction not zero, and max >= 0; InputError otherwise. The direction need not have unit length.
struct Ray {
  Vec3 origin;                                           ///< point at t = 0
  Vec3 direction;                                        ///< change of the point per unit of t
  double max = std::numeric_limits<double>::infinity();  ///< largest t; may be infinite
};
/// A segment from p to q, ends included; p = q is a point. The parameter is 0 at p and 1 at q.
struct Segment {
  Vec3 p;  ///< first end; finite
  Vec3 q;  ///< second end; finite
};
/// A closed triangle that a ray or segment hits.
struct RayHit {
  ObjectId object;          ///< the object
  TriangleId triangle = 0;  ///< its triangle
  /// First parameter at which the ray is in the triangle, within one unit in the last place; infinite beyond the
  /// range of doubles.
  double t = 0.0;

  /// Compares all fields.
  friend bool operator==(const RayHit&, const RayHit&) = default;
};
/// The first triangle along a ray or segment.
struct RayFirstHit {
  std::optional<RayHit> first;  ///< least exact parameter; among equal ones the least object, then triangle
  WorldStats stats;             ///< work of the query

  /// Whether the ray hits anything.
  [[nodiscard]] bool hit() const { return first.has_value(); }
};
/// All triangles that a ray or segment hits.
struct RayHits {
  std::vector<RayHit> hits;  ///< by exact parameter, then object, then triangle
  WorldStats stats;          ///< work of the query
};

/// Rigid objects in poses, with a broad phase that follows edits. Objects share meshes and trees with the
/// RigidObjects that they were added from. All objects of a world have the same kind of tree.
///
/// Edits throw InputError, naming object and value, before anything changes. Const member functions may be called
/// from several threads at a time; queries run on all cores. A moved-from world can only be destroyed or assigned
/// to.
class GRAZE_API RigidWorld {
 public:
  RigidWorld();
  ~RigidWorld();
  RigidWorld(RigidWorld&&) noexcept;             ///< Takes the objects of another world.
  RigidWorld& operator=(RigidWorld&&) noexcept;  ///< Takes the objects of another world.

  /// Adds an object and returns its id. Throws InputError for an invalid pose, Motion::Deforming, a kind of tree
  /// that differs from that of the objects in the world, or more than 2^30 objects. O(log n); for the first
  /// instance of a mesh also linear in its vertices.
  ObjectId add(const RigidObject& object, const Pose& pose = {}, const WorldObjectOptions& options = {});
  /// Removes an object, with the ignored pairs that name it. Its id becomes invalid for ever.
  void remove(ObjectId id);
  /// Places an object anywhere (teleport).
  void set_pose(ObjectId id, const Pose& pose);
  /// Moves an object to its next pose. For motions that go on in small steps: most of them change nothing in the
  /// broad phase. Throws InputError for a static object.
  void move(ObjectId id, const Pose& pose);
  /// Moves many objects, in parallel; poses[i] is for ids[i], and of equal ids the last one counts. Throws
  /// InputError for spans of different lengths, and as move() does, before any object moves.
  void move(std::span<const ObjectId> ids, std::span<const Pose> poses);
  /// Makes an object static or moving.
  void set_motion(ObjectId id, Motion motion);
  /// Changes the collision filter of an object.
  void set_groups(ObjectId id, std::uint32_t groups, std::uint32_t meets);
  /// Excludes a pair of objects from all queries about pairs. Does nothing if it is excluded already. Throws
  /// InputError if a = b: an object is never tested against itself.
  void ignore_pair(ObjectId a, ObjectId b);
  /// Takes ignore_pair back. Does nothing if the pair is not ignored.
  void allow_pair(ObjectId a, ObjectId b);

  /// Number of objects.
  [[nodiscard]] std::size_t size() const;
  /// Whether the object exists. Any id is allowed.
  [[nodiscard]] bool has(ObjectId id) const;
  /// Ids of all objects, sorted.
  [[nodiscard]] std::vector<ObjectId> ids() const;
  /// The object that was added; it shares mesh and tree. This function and those below throw InputError for an id
  /// that is not of an object in this world.
  [[nodiscard]] RigidObject object(ObjectId id) const;
  [[nodiscard]] Pose pose(ObjectId id) const;             ///< Pose of an object.
  [[nodiscard]] Motion motion(ObjectId id) const;         ///< Whether an object is static.
  [[nodiscard]] std::uint32_t groups(ObjectId id) const;  ///< Collision groups of an object.
  [[nodiscard]] std::uint32_t meets(ObjectId id) const;   ///< Collision groups that an object is tested against.
  /// Whether queries test a pair of objects: they differ, their groups allow it, and it is not ignored.
  [[nodiscard]] bool tests_pair(ObjectId a, ObjectId b) const;
  /// The ignored pairs, sorted, each once, with the smaller id first.
  [[nodiscard]] std::vector<ObjectPair> ignored_pairs() const;

  /// Decides whether any two objects intersect.
  [[nodiscard]] WorldFirstHit first_hit(const WorldOptions& options = {}) const;
  /// Decides whether an object intersects any other.
  [[nodiscard]] WorldFirstHit first_hit(ObjectId id, const WorldOptions& options = {}) const;
  /// Decides whether a posed object that is not in the world intersects any object.
  [[nodiscard]] WorldFirstHit first_hit(const WorldProbe& probe, const WorldOptions& options = {}) const;

  /// Finds all pairs of objects that intersect, with one pair of triangles of each as witness. Which pair of
  /// triangles depends on the kind of tree and the overlap test.
  [[nodiscard]] WorldHits hits(const WorldOptions& options = {}) const;
  /// Finds all objects that intersect an object, with a witness of each.
  [[nodiscard]] WorldHits hits(ObjectId id, const WorldOptions& options = {}) const;
  /// Finds all objects that intersect a posed object that is not in the world, with a witness of each.
  [[nodiscard]] WorldHits hits(const WorldProbe& probe, const WorldOptions& options = {}) const;

  /// Finds all pairs of intersecting triangles of different objects.
  [[nodiscard]] WorldHits triangle_pairs(const WorldOptions& options = {}) const;
  /// Finds all pairs of intersecting triangles of an object and any other.
  [[nodiscard]] WorldHits triangle_pairs(ObjectId id, const WorldOptions& options = {}) const;
  /// Finds all pairs of intersecting triangles of a posed object that is not in the world and any object.
  [[nodiscard]] WorldHits triangle_pairs(const WorldProbe& probe, const WorldOptions& options = {}) const;

  /// Finds all pairs of intersecting triangles of different objects, with what they share.
  [[nodiscard]] WorldContacts contacts(const WorldOptions& options = {}) const;
  /// Finds all pairs of intersecting triangles of an object and any other, with what they share.
  [[nodiscard]] WorldContacts contacts(ObjectId id, const WorldOptions& options = {}) const;
  /// Finds all pairs of intersecting triangles of a probe and any object, with what they share.
  [[nodiscard]] WorldContacts contacts(const WorldProbe& probe, const WorldOptions& options = {}) const;

  /// Finds all pairs of objects with a distance of at most d, decided exactly, with two triangles that are that
  /// near as witness of each. Throws InputError if d is negative or not finite. Pairs of boxes within d are found
  /// anew in each query.
  [[nodiscard]] WorldHits within(double d, const WorldOptions& options = {}) const;
  /// Finds all objects within d of an object, with a witness of each. Errors as for all objects.
  [[nodiscard]] WorldHits within(ObjectId id, double d, const WorldOptions& options = {}) const;
  /// Finds all objects within d of a posed object that is not in the world, with a witness of each.
  [[nodiscard]] WorldHits within(const WorldProbe& probe, double d, const WorldOptions& options = {}) const;

  /// Finds all pairs of triangles of different objects with a distance of at most d, decided exactly. Errors as for
  /// within().
  [[nodiscard]] WorldProximities proximities(double d, const WorldOptions& options = {}) const;
  /// Finds all pairs of triangles of an object and any other within d.
  [[nodiscard]] WorldProximities proximities(ObjectId id, double d, const WorldOptions& options = {}) const;
  /// Finds all pairs of triangles of a posed object that is not in the world and any object within d.
  [[nodiscard]] WorldProximities proximities(const WorldProbe& probe, double d,
                                             const WorldOptions& options = {}) const;

  /// Broad phase alone: finds all pairs of objects that the filter allows and whose boxes overlap. A box contains
  /// its posed object and is rounded outward; it is not the smallest one.
  [[nodiscard]] ObjectPairs box_pairs(const WorldOptions& options = {}) const;

  /// Finds the first triangle along a ray, decided exactly.
  [[nodiscard]] RayFirstHit ray_first_hit(const Ray& ray, const WorldOptions& options = {}) const;
  /// Finds the first triangle along each of many rays, in parallel.
  [[nodiscard]] std::vector<RayFirstHit> ray_first_hits(std::span<const Ray> rays,
                                                        const WorldOptions& options = {}) const;
  /// Finds all triangles that a ray hits.
  [[nodiscard]] RayHits ray_hits(const Ray& ray, const WorldOptions& options = {}) const;
  /// Finds the first triangle along a segment, or one that contains a point (p = q).
  [[nodiscard]] RayFirstHit segment_first_hit(const Segment& segment, const WorldOptions& options = {}) const;
  /// Finds all triangles that a segment or a point touches.
  [[nodiscard]] RayHits segment_hits(const Segment& segment, const WorldOptions& options = {}) const;

  /// Bytes of the world without the meshes and trees of its objects.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// Checks the broad phase: trees, boxes, stored pairs, tables. Returns an empty string, or one line about the
  /// first error. Quadratic in the number of objects. For tests.
  [[nodiscard]] std::string validate() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
