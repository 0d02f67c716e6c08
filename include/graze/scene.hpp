// A scene: bodies, each a triangle mesh of any quality, with one numbering of vertices over all of them.
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

/// How a body moves. A static body must be given the same positions at both ends of every step. As long as all of
/// them stand where they stood in the query before, the contacts among them are not looked for again, and their
/// bounds are made anew only for a query with a thickness or distance that they do not fit.
enum class Motion : std::uint8_t { Deforming, Rigid, Static };

/// What add_body takes; both views are copied. Triangle ids are the body's own, 0-based.
struct Body {
  std::span<const Vec3> positions = {};
  std::span<const Triangle> triangles = {};
  Motion motion = Motion::Deforming;
  /// Two bodies are tested against each other, and one against itself, if each meets a group of the other.
  std::uint32_t groups = 1;           ///< bits: what the body is
  std::uint32_t meets = 0xffffffffU;  ///< bits: the groups it is tested against
};

using BodyId = std::uint32_t;

/// The body of a vertex that was removed.
inline constexpr BodyId kNoBody = 0xffffffffU;

class SceneEdit;
namespace scene {
class SceneLinks;
struct SceneAccess;
struct SceneChange;
}  // namespace scene

/// Bodies and their triangles. A value type; reading from several threads is safe.
class GRAZE_API Scene {
 public:
  /// Appends a body and returns its id; its vertices follow those already there. Throws InputError, and adds
  /// nothing, for a position that is not finite or a triangle id out of range.
  BodyId add_body(const Body& body);

  /// Begins a batch of changes. The first time, and after add_body, linear: it makes the lists of who is whose.
  [[nodiscard]] SceneEdit begin_edit();
  /// Makes the changes of an edit, all or none. Throws InputError if the edit was made for another state: that of
  /// any copy of this scene with the same history will do. Cost: proportional to the change.
  void apply(const SceneEdit& edit);
  /// Counts what was added, ignored and applied since the scene was empty.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// Takes a pair of bodies out of all queries; the same body twice: its contacts with itself. Throws InputError
  /// for an id out of range.
  void ignore_pair(BodyId a, BodyId b);

  /// Whether queries look at a pair of bodies (a = b: at one with itself): groups agree and it is not ignored.
  [[nodiscard]] bool tests_pair(BodyId a, BodyId b) const;
  /// Whether queries look at every pair there is.
  [[nodiscard]] bool tests_all_pairs() const;

  /// Counts and arrays include what was removed: ids stay. A removed triangle has kNoVertex three times.
  [[nodiscard]] std::size_t body_count() const { return bodies_.size(); }
  [[nodiscard]] std::size_t vertex_count() const { return positions_.size(); }
  [[nodiscard]] std::size_t triangle_count() const { return triangles_.size(); }

  /// Positions as added, and triangles in scene vertex ids, of all bodies one after the other.
  [[nodiscard]] std::span<const Vec3> positions() const { return positions_; }
  [[nodiscard]] std::span<const Triangle> triangles() const { return triangles_; }

  [[nodiscard]] Motion motion(BodyId body) const { return bodies_[body].motion; }
  [[nodiscard]] std::uint32_t groups(BodyId body) const { return bodies_[body].groups; }
  [[nodiscard]] std::uint32_t meets(BodyId body) const { return bodies_[body].meets; }
  /// The pairs taken out by ignore_pair, sorted, each once, the smaller id first.
  [[nodiscard]] std::span<const std::array<BodyId, 2>> ignored_pairs() const { return ignored_; }
  /// Whether an id names something that is there. Any id may be asked for.
  [[nodiscard]] bool has_body(BodyId body) const;
  [[nodiscard]] bool has_vertex(VertexId v) const;
  [[nodiscard]] bool has_triangle(TriangleId triangle) const;

  /// The scene ids that add_body gave a body's vertices are [first, last); empty for a body that an edit split off.
  /// Edits may have removed some, given some to other bodies and added others: see body_of.
  struct VertexRange {
    VertexId first = 0;
    VertexId last = 0;
  };
  [[nodiscard]] VertexRange vertices(BodyId body) const { return bodies_[body].vertices; }
  /// The body that owns a vertex; kNoBody for a removed one. Precondition: vertex < vertex_count().
  [[nodiscard]] BodyId body_of(VertexId vertex) const { return vertex_body_[vertex]; }

 private:
  struct Entry {
    VertexRange vertices;
    Motion motion = Motion::Deforming;
    std::uint32_t groups = 1;
    std::uint32_t meets = 0xffffffffU;
    bool removed = false;
  };
  /// Made by begin_edit. A copy of a scene goes without and makes its own when it is edited.
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

    std::shared_ptr<scene::SceneLinks> links;  ///< shared with nobody: it can hold a type that is not complete here
  };
  friend struct scene::SceneAccess;

  void check(const scene::SceneChange& change) const;
  void insert_ignored(std::span<const std::array<BodyId, 2>> pairs);

  LinksPointer links_;
  std::uint64_t revision_ = 0;
  std::uint64_t history_ = 0;  // a hash of all that was added, ignored and applied
  std::vector<Entry> bodies_;
  std::vector<std::array<BodyId, 2>> ignored_;  // sorted, the smaller id first
  std::vector<Vec3> positions_;
  std::vector<BodyId> vertex_body_;
  std::vector<Triangle> triangles_;
};

}  // namespace graze
