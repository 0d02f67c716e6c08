// Scene: a set of bodies with common vertex and triangle ids. A body is a triangle mesh of any quality (open or
// closed, non-manifold, polygon soup) that deforms, moves rigidly or is static. Groups and ignored pairs (collision
// filter) select the pairs of bodies that queries test; self-collision is the pair of a body with itself. Adding a
// body costs O(its vertices + triangles); edits (graze/edit.hpp) cost what they change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/export.hpp>
#include <graze/types.hpp>

namespace graze {

/// How a body moves. A static body must have equal positions at both ends of every step. While the positions of all
/// static bodies equal those of the previous query, every method except Method::Brute reuses the contacts among
/// them, and recomputes their bounds only if the thickness or distance of a query does not fit the bounds kept.
enum class Motion : std::uint8_t {
  Deforming,  ///< vertices move independently
  Rigid,      ///< moves as a whole; a description only: queries treat it like Deforming
  Static      ///< never moves during a step; queries throw InputError if it does
};

/// Input of Scene::add_body, which copies both views. Vertex ids in `triangles` are the body's own, 0-based.
/// `groups` and `meets` are the collision filter (collision masks): two bodies are tested against each other if
/// `meets` of each has a bit of `groups` of the other; a body is tested against itself if its own `meets` and
/// `groups` have a common bit.
struct Body {
  std::span<const Vec3> positions = {};      ///< vertex positions, in scene units; finite
  std::span<const Triangle> triangles = {};  ///< triangles in vertex ids of this body
  Motion motion = Motion::Deforming;         ///< how the body moves
  std::uint32_t groups = 1;                  ///< bit mask of the collision groups that the body belongs to
  std::uint32_t meets = 0xffffffffU;         ///< bit mask of the collision groups that the body is tested against
};

/// Id of a body in a scene, 0-based, in the order of addition.
using BodyId = std::uint32_t;

/// Id of no body: Scene::body_of() of a removed vertex.
inline constexpr BodyId kNoBody = 0xffffffffU;

class SceneEdit;
namespace scene {
class SceneLinks;
struct SceneAccess;
struct SceneChange;
}  // namespace scene

/// Bodies with their vertices and triangles. A value type: copies are independent. Const member functions may be
/// called from several threads at a time.
class GRAZE_API Scene {
 public:
  /// Appends a body and returns its id; its vertices and triangles get the next free ids. Throws InputError, and
  /// adds nothing, for a position that is not finite, a vertex id out of range, or a scene with more than 2^32 - 1
  /// vertices or (2^32 - 1) / 3 triangles.
  BodyId add_body(const Body& body);

  /// Begins an edit, a batch of changes that apply() makes. The scene must outlive the edit. The first call, and
  /// the first after add_body, costs O(vertices + triangles): it lists the triangles of each vertex and the
  /// vertices of each body.
  [[nodiscard]] SceneEdit begin_edit();
  /// Makes all changes of an edit, or none. Throws InputError if the edit was begun for another state of the scene,
  /// or is incomplete because memory ran out. An edit of a copy of this scene with the same history is accepted.
  /// Cost: proportional to the change, amortised, plus a pass over the ignored pairs if the edit adds to them.
  void apply(const SceneEdit& edit);
  /// Number of changes since the scene was empty: bodies added, pairs ignored, edits applied.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// Excludes a pair of bodies from all queries; a = b excludes the self-collision of a body. Does nothing if the
  /// pair is excluded already. Throws InputError for an id that is out of range or of a removed body.
  void ignore_pair(BodyId a, BodyId b);

  /// Whether queries test a pair of bodies (a = b: self-collision): their groups allow it and it is not ignored.
  /// Precondition: a, b < body_count().
  [[nodiscard]] bool tests_pair(BodyId a, BodyId b) const;
  /// Whether queries test every pair of bodies, and every body against itself. Removed bodies do not count.
  [[nodiscard]] bool tests_all_pairs() const;

  /// Number of body ids, including those of removed bodies.
  [[nodiscard]] std::size_t body_count() const { return bodies_.size(); }
  /// Number of vertex ids, including those of removed vertices.
  [[nodiscard]] std::size_t vertex_count() const { return arrays_ ? arrays_->positions.size() : 0; }
  /// Number of triangle ids, including those of removed triangles.
  [[nodiscard]] std::size_t triangle_count() const { return arrays_ ? arrays_->triangles.size() : 0; }

  /// Positions with which the vertices were added, by vertex id. Valid until the scene changes.
  [[nodiscard]] std::span<const Vec3> positions() const {
    return arrays_ ? std::span<const Vec3>(arrays_->positions) : std::span<const Vec3>();
  }
  /// Triangles in scene vertex ids, by triangle id. A removed triangle has kNoVertex three times. Valid until the
  /// scene changes.
  [[nodiscard]] std::span<const Triangle> triangles() const {
    return arrays_ ? std::span<const Triangle>(arrays_->triangles) : std::span<const Triangle>();
  }

  /// Motion of a body. Precondition: body < body_count().
  [[nodiscard]] Motion motion(BodyId body) const { return bodies_[body].motion; }
  /// Body::groups of a body. Precondition: body < body_count().
  [[nodiscard]] std::uint32_t groups(BodyId body) const { return bodies_[body].groups; }
  /// Body::meets of a body. Precondition: body < body_count().
  [[nodiscard]] std::uint32_t meets(BodyId body) const { return bodies_[body].meets; }
  /// The ignored pairs, sorted, each once, with the smaller id first. Valid until the scene changes.
  [[nodiscard]] std::span<const std::array<BodyId, 2>> ignored_pairs() const { return ignored_; }
  /// Whether the body exists. Any id is allowed; false for an id out of range or of a removed body.
  [[nodiscard]] bool has_body(BodyId body) const;
  /// Whether the vertex exists. Any id is allowed; false for an id out of range or of a removed vertex.
  [[nodiscard]] bool has_vertex(VertexId v) const;
  /// Whether the triangle exists. Any id is allowed; false for an id out of range or of a removed triangle.
  [[nodiscard]] bool has_triangle(TriangleId triangle) const;

  /// Half-open range [first, last) of scene vertex ids.
  struct VertexRange {
    VertexId first = 0;  ///< first id of the range
    VertexId last = 0;   ///< one past the last id of the range
  };
  /// The vertex ids that a body got when it was added; empty for a body that an edit split off. Edits may since
  /// have removed some of these vertices, moved some to other bodies, or added others to the body: see body_of().
  /// Precondition: body < body_count().
  [[nodiscard]] VertexRange vertices(BodyId body) const { return bodies_[body].vertices; }
  /// The body of a vertex; kNoBody for a removed vertex. Precondition: vertex < vertex_count().
  [[nodiscard]] BodyId body_of(VertexId vertex) const { return arrays_->vertex_body[vertex]; }

 private:
  struct Entry {
    VertexRange vertices;
    Motion motion = Motion::Deforming;
    std::uint32_t groups = 1;
    std::uint32_t meets = 0xffffffffU;
    bool removed = false;
  };
  /// Owns the links that begin_edit() builds. A copy of a scene has none and builds its own when it is edited.
  struct LinksPointer {
    LinksPointer() = default;
    LinksPointer(const LinksPointer&) noexcept {}
    LinksPointer(LinksPointer&&) noexcept = default;
    LinksPointer& operator=(const LinksPointer& other) noexcept {
      if (this != &other) links.reset();
      return *this;
    }
    LinksPointer& operator=(LinksPointer&&) noexcept = default;
    ~LinksPointer() = default;

    std::shared_ptr<scene::SceneLinks> links;  ///< sole owner; a shared_ptr, because SceneLinks is incomplete here
  };
  /// What grows with the meshes. Copies of a scene share it until one of them changes: a detector, which keeps a
  /// copy of its scene, costs neither memory nor time for it.
  struct Arrays {
    std::vector<Vec3> positions;
    std::vector<BodyId> vertex_body;
    std::vector<Triangle> triangles;
  };
  friend struct scene::SceneAccess;

  /// Arrays of this scene alone, for changes: a copy, if they are shared.
  Arrays& own_arrays();

  void check(const scene::SceneChange& change) const;
  void insert_ignored(std::span<const std::array<BodyId, 2>> pairs);

  LinksPointer links_;
  std::uint64_t revision_ = 0;
  std::uint64_t history_ = 0;  // hash of all changes so far: bodies, ignored pairs, edits
  std::vector<Entry> bodies_;
  std::vector<std::array<BodyId, 2>> ignored_;  // sorted, with the smaller id first
  std::shared_ptr<Arrays> arrays_;              // null: no body was added
};

}  // namespace graze
