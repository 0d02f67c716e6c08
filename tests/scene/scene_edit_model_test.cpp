// Random edits of soups, many operations each, against a naive reference: plain arrays that every operation
// searches from end to end. Operations are legal and illegal: both must refuse the same ones. After each edit the
// scene equals the reference, and its topology is that of the remaining triangles.
#include <graze/edit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <graze/error.hpp>

#include "mesh/mesh_change.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"
#include "research/mesh_counts.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

bool has(const Triangle& t, VertexId v) {
  return std::find(t.begin(), t.end(), v) != t.end();
}

struct Twin {
  struct Vertex {
    BodyId body = kNoBody;
    Vec3 position;
  };
  struct Piece {
    bool alive = true;
    Motion motion = Motion::Deforming;
    std::uint32_t groups = 1;
  };
  std::vector<Vertex> vertices;
  std::vector<Triangle> triangles;
  std::vector<Piece> bodies;
  std::set<std::array<BodyId, 2>> ignored;

  [[nodiscard]] bool vertex(VertexId v) const { return v < vertices.size() && vertices[v].body != kNoBody; }
  [[nodiscard]] bool triangle(TriangleId t) const {
    return t < triangles.size() && triangles[t] != kRemovedTriangle;
  }
  [[nodiscard]] bool body(BodyId b) const { return b < bodies.size() && bodies[b].alive; }
  [[nodiscard]] bool one_body(const Triangle& t) const {
    return std::all_of(t.begin(), t.end(),
                       [&](VertexId v) { return vertex(v) && vertices[v].body == vertices[t[0]].body; });
  }
  [[nodiscard]] std::vector<TriangleId> all_with(VertexId v) const {
    std::vector<TriangleId> found;
    for (TriangleId t = 0; t < triangles.size(); ++t) {
      if (has(triangles[t], v)) found.push_back(t);
    }
    return found;
  }
  VertexId copy(VertexId v, BodyId to, const std::vector<TriangleId>& at) {
    vertices.push_back({to, vertices[v].position});
    for (const TriangleId t : at) {
      for (VertexId& id : triangles[t]) id = id == v ? static_cast<VertexId>(vertices.size() - 1) : id;
    }
    return static_cast<VertexId>(vertices.size() - 1);
  }
  void remove_vertex(VertexId v) {
    for (const TriangleId t : all_with(v)) triangles[t] = kRemovedTriangle;
    vertices[v].body = kNoBody;
  }

  /// Parts of a fan by label propagation: labels become equal across every edge but one, until nothing changes.
  [[nodiscard]] std::vector<std::vector<TriangleId>> parts(VertexId v, VertexId other) const {
    std::map<TriangleId, TriangleId> label;
    for (const TriangleId t : all_with(v)) label[t] = t;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [s, a] : label) {
        for (auto& [t, b] : label) {
          const bool joined = std::any_of(triangles[s].begin(), triangles[s].end(), [&, t = t](VertexId w) {
            return w != v && w != other && has(triangles[t], w);
          });
          if (joined && a != b) {
            a = b = std::min(a, b);
            changed = true;
          }
        }
      }
    }
    std::map<TriangleId, std::vector<TriangleId>> by_label;
    for (const auto& [t, a] : label) by_label[a].push_back(t);
    std::vector<std::vector<TriangleId>> result;
    for (auto& [a, part] : by_label) {
      if (std::any_of(part.begin(), part.end(), [&](TriangleId t) { return has(triangles[t], other); })) {
        result.push_back(part);
      }
    }
    return result;
  }
  std::optional<std::vector<VertexId>> tear(VertexId a, VertexId b) {
    if (!vertex(a) || !vertex(b) || a == b) return {};
    const auto at_a = parts(a, b);
    const auto at_b = parts(b, a);
    if (at_a.size() < 2 && at_b.size() < 2) return {};  // there are no parts if there is no such edge
    std::vector<VertexId> copies;
    for (std::size_t i = 1; i < at_a.size(); ++i) copies.push_back(copy(a, vertices[a].body, at_a[i]));
    for (std::size_t i = 1; i < at_b.size(); ++i) copies.push_back(copy(b, vertices[b].body, at_b[i]));
    return copies;
  }
  std::optional<VertexId> split_edge(VertexId a, VertexId b, const Vec3& position) {
    std::vector<TriangleId> at;
    for (TriangleId t = 0; t < triangles.size(); ++t) {
      if (a != b && triangle(t) && has(triangles[t], a) && has(triangles[t], b)) at.push_back(t);
    }
    if (at.empty()) return {};
    for (const TriangleId t : at) {
      if (std::set<VertexId>(triangles[t].begin(), triangles[t].end()).size() < 3) return {};
    }
    vertices.push_back({vertices[a].body, position});
    const auto middle = static_cast<VertexId>(vertices.size() - 1);
    for (const TriangleId t : at) {
      Triangle other = triangles[t];
      *std::find(other.begin(), other.end(), std::min(a, b)) = middle;
      *std::find(triangles[t].begin(), triangles[t].end(), std::max(a, b)) = middle;
      triangles.push_back(other);
    }
    return middle;
  }
  std::vector<BodyId> split(BodyId from, const std::vector<std::vector<TriangleId>>& groups) {
    std::vector<BodyId> pieces;
    std::map<TriangleId, std::size_t> part;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      pieces.push_back(static_cast<BodyId>(bodies.size()));
      bodies.push_back(bodies[from]);
      for (const TriangleId t : groups[i]) part[t] = i + 1;
    }
    const std::size_t count = vertices.size();
    for (VertexId v = 0; v < count; ++v) {
      std::map<std::size_t, std::vector<TriangleId>> users;
      for (const TriangleId t : all_with(v)) users[part.contains(t) ? part[t] : 0].push_back(t);
      const auto owner = [&](std::size_t i) { return i == 0 ? from : pieces[i - 1]; };
      if (users.empty() || (users.size() == 1 && users.contains(0))) continue;
      vertices[v].body = owner(users.begin()->first);
      for (auto user = std::next(users.begin()); user != users.end(); ++user) {
        copy(v, owner(user->first), user->second);
      }
    }
    std::vector<BodyId> family = pieces;
    family.push_back(from);
    for (const auto& [a, b] : std::set(ignored)) {
      if (a != from && b != from) continue;
      const bool itself = a == b;
      for (const BodyId x : family) {
        if (!itself) ignored.insert({std::min(x, a == from ? b : a), std::max(x, a == from ? b : a)});
        for (const BodyId y : family) {
          if (itself) ignored.insert({std::min(x, y), std::max(x, y)});
        }
      }
    }
    return pieces;
  }
  [[nodiscard]] std::vector<std::vector<TriangleId>> pieces_of(BodyId of) const {
    std::map<TriangleId, std::vector<TriangleId>> by_label;
    std::map<TriangleId, TriangleId> label;
    for (TriangleId t = 0; t < triangles.size(); ++t) {
      if (triangle(t) && vertices[triangles[t][0]].body == of) label[t] = t;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [s, a] : label) {
        for (auto& [t, b] : label) {
          const auto& ids = triangles[s];
          if (a == b ||
              std::none_of(ids.begin(), ids.end(), [&, t = t](VertexId w) { return has(triangles[t], w); }))
            continue;
          a = b = std::min(a, b);
          changed = true;
        }
      }
    }
    for (const auto& [t, a] : label) by_label[a].push_back(t);
    std::vector<std::vector<TriangleId>> result;
    result.reserve(by_label.size());
    for (auto& [a, piece] : by_label) result.push_back(piece);
    return result;
  }
};

/// The result of an operation; nullopt if it is refused.
template <typename Operation>
auto attempt(const Operation& operation) -> std::optional<decltype(operation())> {
  try {
    return operation();
  } catch (const InputError&) {
    return {};
  }
}

class Player {
 public:
  explicit Player(unsigned seed) : random_(seed) {}

  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  Vec3 point() { return {below(100) * 0.1, below(100) * 0.1, below(100) * 0.1}; }
  /// Mostly an existing id, sometimes one past the end.
  VertexId vertex(const Twin& twin) { return below(twin.vertices.size() + 1); }
  TriangleId triangle(const Twin& twin) { return below(twin.triangles.size() + 1); }
  Triangle any(const Twin& twin) {
    Triangle t = {vertex(twin), vertex(twin), vertex(twin)};
    // Three random ids rarely belong to one body: draws the other two again.
    for (int tries = 0; tries < 40 && !twin.one_body(t); ++tries) t = {t[0], vertex(twin), vertex(twin)};
    return t;
  }
  /// An edge, or two ids without a common edge.
  std::array<VertexId, 2> edge(const Twin& twin) {
    const TriangleId t = triangle(twin);
    if (!twin.triangle(t) || below(8) == 0) return {vertex(twin), vertex(twin)};
    const std::uint32_t k = below(3);
    return {twin.triangles[t][k], twin.triangles[t][(k + 1) % 3]};
  }

  /// Applies one operation to both and fails if the results differ.
  void play(SceneEdit& edit, Twin& twin) {
    switch (below(13)) {
      case 0:
        return add_vertex(edit, twin);
      case 1:
        return remove_vertex(edit, twin);
      case 2:
        return add_triangle(edit, twin);
      case 3:
        return set_triangle(edit, twin);
      case 4:
        return remove_triangle(edit, twin);
      case 5:
        return split_vertex(edit, twin);
      case 6:
      case 7:
        return tear(edit, twin);
      case 8:
        return split_edge(edit, twin);
      case 9:
        return add_body(edit, twin);
      case 10:
        return below(4) == 0 ? remove_body(edit, twin) : add_triangle(edit, twin);
      case 11:
        return split_groups(edit, twin);
      default:
        return split_pieces(edit, twin);
    }
  }

 private:
  void add_vertex(SceneEdit& edit, Twin& twin) {
    const BodyId body = below(twin.bodies.size() + 1);
    const Vec3 p = point();
    const auto v = attempt([&] { return edit.add_vertex(body, p); });
    ASSERT_EQ(v.has_value(), twin.body(body));
    if (!v) return;
    ASSERT_EQ(*v, twin.vertices.size());
    twin.vertices.push_back({body, p});
  }
  void remove_vertex(SceneEdit& edit, Twin& twin) {
    const VertexId v = vertex(twin);
    const auto done = attempt([&] { return edit.remove_vertex(v), true; });
    ASSERT_EQ(done.has_value(), twin.vertex(v));
    if (done) twin.remove_vertex(v);
  }
  void add_triangle(SceneEdit& edit, Twin& twin) {
    const Triangle ids = any(twin);
    const auto t = attempt([&] { return edit.add_triangle(ids); });
    ASSERT_EQ(t.has_value(), twin.one_body(ids));
    if (!t) return;
    ASSERT_EQ(*t, twin.triangles.size());
    twin.triangles.push_back(ids);
  }
  void set_triangle(SceneEdit& edit, Twin& twin) {
    const TriangleId t = triangle(twin);
    Triangle ids = any(twin);
    if (twin.triangle(t) && below(2) == 0) ids = {twin.triangles[t][1], twin.triangles[t][2], ids[0]};
    const auto done = attempt([&] { return edit.set_triangle(t, ids), true; });
    ASSERT_EQ(done.has_value(), twin.triangle(t) && twin.one_body(ids) &&
                                    twin.vertices[twin.triangles[t][0]].body == twin.vertices[ids[0]].body);
    if (done) twin.triangles[t] = ids;
  }
  void remove_triangle(SceneEdit& edit, Twin& twin) {
    const TriangleId t = triangle(twin);
    const auto done = attempt([&] { return edit.remove_triangle(t), true; });
    ASSERT_EQ(done.has_value(), twin.triangle(t));
    if (done) twin.triangles[t] = kRemovedTriangle;
  }
  void split_vertex(SceneEdit& edit, Twin& twin) {
    const VertexId v = vertex(twin);
    std::vector<TriangleId> at = twin.all_with(v);
    std::shuffle(at.begin(), at.end(), random_);
    if (!at.empty()) at.resize(1 + below(at.size()));
    const bool wrong = below(6) == 0;
    if (wrong) at.push_back(at.empty() ? triangle(twin) : at.front());
    const bool legal = twin.vertex(v) && !wrong;
    const auto copy = attempt([&] { return edit.split_vertex(v, at); });
    ASSERT_EQ(copy.has_value(), legal);
    if (!copy) return;
    ASSERT_EQ(*copy, twin.copy(v, twin.vertices[v].body, at));
  }
  void tear(SceneEdit& edit, Twin& twin) {
    const auto [a, b] = edge(twin);
    const auto copies = attempt([&, a = a, b = b] { return edit.tear_edge(a, b); });
    ASSERT_EQ(copies, twin.tear(a, b));
  }
  void split_edge(SceneEdit& edit, Twin& twin) {
    const auto [a, b] = edge(twin);
    const Vec3 p = point();
    const auto middle = attempt([&, a = a, b = b] { return edit.split_edge(a, b, p); });
    ASSERT_EQ(middle, twin.split_edge(a, b, p));
  }
  void add_body(SceneEdit& edit, Twin& twin) {
    const std::vector<Vec3> points = {point(), point(), point(), point()};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {2, 1, 3}};
    const Motion motion = below(2) == 0 ? Motion::Rigid : Motion::Deforming;
    const std::uint32_t groups = 1U << below(4);
    ASSERT_EQ(edit.add_body({.positions = points, .triangles = triangles, .motion = motion, .groups = groups}),
              twin.bodies.size());
    const auto first = static_cast<VertexId>(twin.vertices.size());
    for (const Vec3& p : points) twin.vertices.push_back({static_cast<BodyId>(twin.bodies.size()), p});
    for (const Triangle& t : triangles) twin.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    twin.bodies.push_back({true, motion, groups});
  }
  void remove_body(SceneEdit& edit, Twin& twin) {
    const BodyId body = below(twin.bodies.size() + 1);
    const auto done = attempt([&] { return edit.remove_body(body), true; });
    ASSERT_EQ(done.has_value(), twin.body(body));
    if (!done) return;
    for (VertexId v = 0; v < twin.vertices.size(); ++v) {
      if (twin.vertices[v].body == body) twin.remove_vertex(v);
    }
    twin.bodies[body].alive = false;
  }
  void split_groups(SceneEdit& edit, Twin& twin) {
    const TriangleId start = triangle(twin);
    if (!twin.triangle(start)) return;
    const BodyId body = twin.vertices[twin.triangles[start][0]].body;
    std::vector<std::vector<TriangleId>> groups(1 + below(3));
    bool wrong = false;
    for (TriangleId t = 0; t < twin.triangles.size(); ++t) {
      if (!twin.triangle(t)) continue;
      const bool own = twin.vertices[twin.triangles[t][0]].body == body;
      if (!own && below(400) != 0) continue;
      if (own && below(2) == 0) continue;
      wrong = wrong || !own;
      groups[below(groups.size())].push_back(t);
    }
    for (const auto& group : groups) wrong = wrong || group.empty();
    const auto pieces = attempt([&] { return edit.split_body(body, groups); });
    ASSERT_EQ(pieces.has_value(), !wrong);
    if (!pieces) return;
    ASSERT_EQ(*pieces, twin.split(body, groups));
  }
  void split_pieces(SceneEdit& edit, Twin& twin) {
    const BodyId body = below(twin.bodies.size() + 1);
    const auto pieces = attempt([&] { return edit.split_body(body); });
    ASSERT_EQ(pieces.has_value(), twin.body(body));
    if (!pieces) return;
    auto groups = twin.pieces_of(body);
    if (!groups.empty()) groups.erase(groups.begin());
    ASSERT_EQ(*pieces, twin.split(body, groups));
  }

  std::mt19937 random_;
};

void expect_same(const Scene& scene, const Twin& twin) {
  ASSERT_EQ(scene.vertex_count(), twin.vertices.size());
  ASSERT_EQ(scene.triangle_count(), twin.triangles.size());
  ASSERT_EQ(scene.body_count(), twin.bodies.size());
  for (VertexId v = 0; v < twin.vertices.size(); ++v) {
    ASSERT_EQ(scene.body_of(v), twin.vertices[v].body) << "vertex " << v;
    ASSERT_EQ(scene.has_vertex(v), twin.vertex(v));
    ASSERT_EQ(scene.positions()[v], twin.vertices[v].position) << "vertex " << v;
  }
  for (TriangleId t = 0; t < twin.triangles.size(); ++t) {
    ASSERT_EQ(scene.triangles()[t], twin.triangles[t]) << "triangle " << t;
    ASSERT_EQ(scene.has_triangle(t), twin.triangle(t));
  }
  for (BodyId b = 0; b < twin.bodies.size(); ++b) {
    ASSERT_EQ(scene.has_body(b), twin.bodies[b].alive) << "body " << b;
    ASSERT_EQ(scene.motion(b), twin.bodies[b].motion) << "body " << b;
    ASSERT_EQ(scene.groups(b), twin.bodies[b].groups) << "body " << b;
  }
  const auto ignored = scene.ignored_pairs();
  ASSERT_EQ((std::vector<std::array<BodyId, 2>>(ignored.begin(), ignored.end())),
            (std::vector<std::array<BodyId, 2>>(twin.ignored.begin(), twin.ignored.end())));
}

/// The features of an edited scene are those of its existing triangles.
void expect_topology_of_the_living(const Scene& scene) {
  std::vector<Triangle> living;
  std::copy_if(scene.triangles().begin(), scene.triangles().end(), std::back_inserter(living),
               [](const Triangle& t) { return t != kRemovedTriangle; });
  const Topology topology = build_topology(scene.triangles(), scene.vertex_count());
  const Topology expected = build_topology(living, scene.vertex_count());
  ASSERT_EQ(topology.features.vertices, expected.features.vertices);
  ASSERT_EQ(topology.features.edges, expected.features.edges);
  ASSERT_EQ(topology.features.faces, expected.features.faces);
  const papers::Components components = papers::connected_components(scene.triangles(), scene.vertex_count());
  ASSERT_EQ(components.count, papers::connected_components(living, scene.vertex_count()).count);
  for (TriangleId t = 0; t < scene.triangle_count(); ++t) {
    ASSERT_EQ(topology.triangle_faces[t] == kNoFace, !scene.has_triangle(t));
    ASSERT_EQ(components.of_triangle[t] == papers::kNoComponent, !scene.has_triangle(t));
  }
  const Representatives representatives = make_representatives(scene.triangles(), topology);
  ASSERT_EQ(validate(representatives, scene.triangles()), "");
}

TEST(RandomSceneEdits, MakeWhatTheNaiveReferenceMakes) {
  constexpr unsigned kSoups = 420;
  constexpr int kEdits = 25;
  for (unsigned soup = 0; soup < kSoups; ++soup) {
    Player player(soup);
    Scene scene;
    Twin twin;
    for (BodyId body = 0; body < 3; ++body) {
      std::vector<Vec3> points(4 + player.below(8));
      for (Vec3& p : points) p = player.point();
      std::vector<Triangle> triangles(player.below(14));
      for (Triangle& t : triangles) {
        for (VertexId& id : t) id = player.below(points.size());
      }
      const auto first = static_cast<VertexId>(twin.vertices.size());
      scene.add_body({.positions = points, .triangles = triangles});
      for (const Vec3& p : points) twin.vertices.push_back({body, p});
      for (const Triangle& t : triangles) twin.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      twin.bodies.emplace_back();
    }
    for (const std::array<BodyId, 2> pair : {std::array<BodyId, 2>{0, 1}, std::array<BodyId, 2>{2, 2}}) {
      scene.ignore_pair(pair[0], pair[1]);
      twin.ignored.insert(pair);
    }
    Scene copy = scene;
    for (int step = 0; step < kEdits; ++step) {
      SceneEdit edit = scene.begin_edit();
      const std::uint32_t operations = 1 + player.below(8);
      for (std::uint32_t i = 0; i < operations && !::testing::Test::HasFatalFailure(); ++i) player.play(edit, twin);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "soup " << soup << ", edit " << step;
      ASSERT_EQ(edit.carry(scene.positions()).size(), twin.vertices.size());
      scene.apply(edit);
      copy.apply(edit);  // has no lists of its own yet
      expect_same(scene, twin);
      expect_same(copy, twin);
      expect_topology_of_the_living(scene);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "soup " << soup << ", edit " << step;
    }
  }
}

}  // namespace
}  // namespace graze
