// Random scripts (support/random_edits.hpp): combinations of operations, chosen by weight, each based on the scene
// as the previous operations leave it.
#include "support/random_edits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace graze::testing {

namespace {

class ScriptMaker {
 public:
  ScriptMaker(const Scene& start, std::uint64_t seed, std::size_t most_triangles)
      : random_(seed, 1), most_triangles_(most_triangles), scene_(start) {}

  EditRound make_round(std::uint32_t number) {
    EditRound round{.round = number};
    SceneEdit edit = scene_.begin_edit();
    edit_ = &edit;
    ops_ = &round.ops;
    const std::uint32_t kind = random_.below(100);
    // Mostly few operations, sometimes many, sometimes none.
    const int combinations = kind < 2 ? 0 : kind < 65 ? random_.between(1, 3) : random_.between(4, 20);
    look();
    if (!is_large() && random_.below(40) == 0) start_again();
    if (!is_large() && random_.below(16) == 0) change_a_third();
    for (int i = 0; i < combinations; ++i) {
      look();
      combination();
    }
    look();
    if (living_.size() > most_triangles_) thin_out();
    scene_.apply(edit);
    return round;
  }

 private:
  using Member = void (ScriptMaker::*)();

  /// Updates the scene as the edit would leave it now, and the list of its existing triangles.
  void look() {
    now_ = scene_;
    now_.apply(*edit_);
    living_.clear();
    for (TriangleId t = 0; t < now_.triangle_count(); ++t) {
      if (now_.has_triangle(t)) living_.push_back(t);
    }
    bodies_.clear();
    for (BodyId body = 0; body < now_.body_count(); ++body) {
      if (now_.has_body(body)) bodies_.push_back(body);
    }
  }

  /// Whether the mesh is large: scripts neither remove its bodies nor replace it.
  [[nodiscard]] bool is_large() const { return living_.size() > 1000; }

  bool make(EditOp op) {
    const bool taken = perform(*edit_, op);
    ops_->push_back(std::move(op));
    return taken;
  }

  template <typename T>
  const T& any_of(const std::vector<T>& list) {
    return list[random_.below(static_cast<std::uint32_t>(list.size()))];
  }
  Triangle ids_of(TriangleId t) const { return now_.triangles()[t]; }
  BodyId body_of(TriangleId t) const { return now_.body_of(ids_of(t)[0]); }
  Vec3 near(const Vec3& p) {
    const double x = random_.symmetric();
    const double y = random_.symmetric();
    return {p.x + 0.3 * x, p.y + 0.3 * y, p.z + 0.3 * random_.symmetric()};
  }
  VertexId any_vertex_of(BodyId body) {
    std::vector<VertexId> own;
    for (VertexId v = 0; v < now_.vertex_count(); ++v) {
      if (now_.body_of(v) == body) own.push_back(v);
    }
    return own.empty() ? 0 : any_of(own);
  }
  std::vector<TriangleId> fan(VertexId v) const {
    std::vector<TriangleId> at;
    for (const TriangleId t : living_) {
      const Triangle ids = ids_of(t);
      if (std::find(ids.begin(), ids.end(), v) != ids.end()) at.push_back(t);
    }
    return at;
  }
  std::array<VertexId, 2> any_edge() {
    Triangle ids = ids_of(any_of(living_));
    std::rotate(ids.begin(), ids.begin() + random_.below(3), ids.end());
    return {ids[0], ids[1]};
  }

  void combination() {
    struct Choice {
      std::uint32_t weight;
      Member member;
    };
    static constexpr std::array kChoices = {
        Choice{8, &ScriptMaker::grow},
        Choice{3, &ScriptMaker::add_faces_to_edge},
        Choice{4, &ScriptMaker::join_any_three},
        Choice{3, &ScriptMaker::duplicate},
        Choice{4, &ScriptMaker::turn},
        Choice{4, &ScriptMaker::rewire},
        Choice{2, &ScriptMaker::repeat_ids},
        Choice{8, &ScriptMaker::remove_triangle},
        Choice{3, &ScriptMaker::remove_vertex},
        Choice{6, &ScriptMaker::split_vertex},
        Choice{8, &ScriptMaker::tear},
        Choice{5, &ScriptMaker::split_edge},
        Choice{2, &ScriptMaker::add_body},
        Choice{1, &ScriptMaker::remove_body},
        Choice{2, &ScriptMaker::split_groups},
        Choice{3, &ScriptMaker::split_pieces},
        Choice{3, &ScriptMaker::cut_in_two},
        Choice{3, &ScriptMaker::bridge},
        Choice{1, &ScriptMaker::hub},
        Choice{3, &ScriptMaker::weld},
        Choice{3, &ScriptMaker::remove_and_add},
        Choice{1, &ScriptMaker::turn_body},
        Choice{2, &ScriptMaker::nonsense},
        Choice{2, &ScriptMaker::swap_two},
    };
    if (living_.empty()) return random_.coin() ? add_body() : nonsense();
    std::uint32_t total = 0;
    for (const Choice& choice : kChoices) total += choice.weight;
    std::uint32_t drawn = random_.below(total);
    for (const Choice& choice : kChoices) {
      if (drawn < choice.weight) return (this->*choice.member)();
      drawn -= choice.weight;
    }
  }

  void grow() {
    const TriangleId t = any_of(living_);
    const Triangle ids = ids_of(t);
    make({.kind = OpKind::AddVertex, .ids = {body_of(t)}, .position = near(now_.positions()[ids[2]])});
    const auto v = static_cast<VertexId>(edit_->vertex_count() - 1);
    make({.kind = OpKind::AddTriangle, .ids = {ids[1], ids[0], v}});
  }
  void add_faces_to_edge() {
    const auto [a, b] = any_edge();
    const BodyId body = now_.body_of(a);
    for (int i = random_.between(1, 4); i > 0; --i) {
      make({.kind = OpKind::AddTriangle, .ids = {a, b, any_vertex_of(body)}});
    }
  }
  void join_any_three() {
    const BodyId body = body_of(any_of(living_));
    const VertexId a = any_vertex_of(body);
    const VertexId b = any_vertex_of(body);
    make({.kind = OpKind::AddTriangle, .ids = {a, b, any_vertex_of(body)}});
  }
  void duplicate() {
    Triangle ids = ids_of(any_of(living_));
    std::rotate(ids.begin(), ids.begin() + random_.below(3), ids.end());
    if (random_.coin()) std::swap(ids[0], ids[1]);
    for (int i = random_.between(1, 3); i > 0; --i) {
      make({.kind = OpKind::AddTriangle, .ids = {ids[0], ids[1], ids[2]}});
    }
  }
  void turn() {
    const TriangleId t = any_of(living_);
    const Triangle ids = ids_of(t);
    switch (random_.below(3)) {
      case 0:
        make({.kind = OpKind::SetTriangle, .ids = {t, ids[1], ids[0], ids[2]}});
        return;
      case 1:
        make({.kind = OpKind::SetTriangle, .ids = {t, ids[1], ids[2], ids[0]}});
        return;
      default:
        make({.kind = OpKind::SetTriangle, .ids = {t, ids[0], ids[1], ids[2]}});  // unchanged
    }
  }
  void rewire() {
    const TriangleId t = any_of(living_);
    Triangle ids = ids_of(t);
    ids[random_.below(3)] = any_vertex_of(body_of(t));
    make({.kind = OpKind::SetTriangle, .ids = {t, ids[0], ids[1], ids[2]}});
  }
  void repeat_ids() {
    const TriangleId t = any_of(living_);
    const Triangle ids = ids_of(t);
    const VertexId third = random_.coin() ? ids[0] : ids[1];
    if (random_.coin()) {
      make({.kind = OpKind::SetTriangle, .ids = {t, ids[0], third, ids[0]}});
    } else {
      make({.kind = OpKind::AddTriangle, .ids = {ids[0], third, ids[1]}});
    }
  }
  void remove_triangle() {
    std::size_t i = random_.below(static_cast<std::uint32_t>(living_.size()));
    for (int count = random_.below(4) == 0 ? 8 : 1; count > 0 && i < living_.size(); --count, ++i) {
      make({.kind = OpKind::RemoveTriangle, .ids = {living_[i]}});
    }
  }
  void remove_vertex() { make({.kind = OpKind::RemoveVertex, .ids = {any_edge()[0]}}); }
  void split_vertex() {
    const VertexId v = any_edge()[0];
    std::vector<std::uint32_t> ids = {v};
    const std::uint32_t share = random_.below(4);  // in thirds of the fan: 0 none, 3 all
    for (const TriangleId t : fan(v)) {
      if (random_.below(3) < share) ids.push_back(t);
    }
    make({.kind = OpKind::SplitVertex, .ids = std::move(ids)});
  }
  void tear() {
    // Tears several consecutive edges: a single edge between two inner vertices does not come apart.
    auto [a, b] = any_edge();
    for (int i = random_.between(1, 4); i > 0; --i) {
      make({.kind = OpKind::TearEdge, .ids = {a, b}});
      look();
      const std::vector<TriangleId> next = fan(b);
      if (next.empty()) return;
      a = std::exchange(b, ids_of(any_of(next))[random_.below(3)]);
    }
  }
  void split_edge() {
    const auto [a, b] = any_edge();
    const Vec3 p = now_.positions()[a];
    const Vec3 q = now_.positions()[b];
    const Vec3 middle{0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    make({.kind = OpKind::SplitEdge, .ids = {a, b}, .position = random_.coin() ? middle : near(middle)});
  }
  void add_body() {
    EditOp op{.kind = OpKind::AddBody};
    if (random_.below(3) == 0) {
      Patch patch = grid_patch(static_cast<std::uint32_t>(random_.between(1, 3)), 0.1 * random_.symmetric());
      op.points = std::move(patch.points);
      op.triangles = std::move(patch.triangles);
    } else {
      const std::uint32_t vertices = random_.below(12);
      for (std::uint32_t v = 0; v < vertices; ++v) op.points.push_back(near({}));
      for (std::uint32_t t = vertices == 0 ? 0 : random_.below(10); t > 0; --t) {
        const VertexId a = random_.below(vertices);
        const VertexId b = random_.below(vertices);
        op.triangles.push_back({a, b, random_.below(vertices)});
      }
    }
    op.motion = static_cast<Motion>(random_.below(3));
    op.body_groups = random_.coin() ? 1U : 1U << random_.below(4);
    if (random_.below(4) == 0) op.meets = 1U + random_.below(15);
    make(std::move(op));
  }
  void remove_body() {
    if (!is_large()) make({.kind = OpKind::RemoveBody, .ids = {any_of(bodies_)}});
  }
  void split_groups() {
    if (is_large()) return;
    EditOp op{.kind = OpKind::SplitGroups, .ids = {body_of(any_of(living_))}};
    op.groups.resize(static_cast<std::size_t>(random_.between(1, 3)));
    const std::uint32_t rest = random_.below(3);
    for (const TriangleId t : living_) {
      if (body_of(t) != op.ids[0]) continue;
      const std::uint32_t to = random_.below(static_cast<std::uint32_t>(op.groups.size()) + rest);
      if (to < op.groups.size()) op.groups[to].push_back(t);
    }
    std::erase_if(op.groups, [](const auto& group) { return group.empty(); });
    make(std::move(op));
  }
  void split_pieces() { make({.kind = OpKind::SplitPieces, .ids = {body_of(any_of(living_))}}); }

  /// Tears along a plane: vertices with triangles on both sides get a copy for the triangles beyond it.
  void cut_in_two() {
    const BodyId body = body_of(any_of(living_));
    const Vec3 n = near({});
    const double offset = 0.2 * random_.symmetric();
    const auto beyond = [&](TriangleId t) {
      double sum = 0.0;
      for (const VertexId v : ids_of(t)) {
        const Vec3& p = now_.positions()[v];
        sum += n.x * p.x + n.y * p.y + n.z * p.z;
      }
      return sum > offset;
    };
    for (VertexId v = 0; v < now_.vertex_count(); ++v) {
      if (now_.body_of(v) != body) continue;
      const std::vector<TriangleId> at = fan(v);
      EditOp op{.kind = OpKind::SplitVertex, .ids = {v}};
      for (const TriangleId t : at) {
        if (beyond(t)) op.ids.push_back(t);
      }
      if (op.ids.size() > 1 && op.ids.size() <= at.size()) make(std::move(op));
    }
    if (random_.below(3) == 0) make({.kind = OpKind::SplitPieces, .ids = {body}});
  }
  /// Adds two triangles between two edges of a body, which joins its pieces if the edges are in different ones.
  void bridge() {
    const TriangleId from = any_of(living_);
    const TriangleId to = any_of(living_);
    if (body_of(from) != body_of(to)) return;
    const Triangle a = ids_of(from);
    const Triangle b = ids_of(to);
    make({.kind = OpKind::AddTriangle, .ids = {a[0], a[1], b[0]}});
    if (random_.coin()) make({.kind = OpKind::AddTriangle, .ids = {a[1], b[1], b[0]}});
  }
  /// Boundary edges of the body, with the direction they have in their triangle.
  [[nodiscard]] std::vector<std::array<VertexId, 2>> open_sides(BodyId body) const {
    std::map<std::array<VertexId, 2>, int> uses;
    const auto key = [](VertexId a, VertexId b) { return std::array{std::min(a, b), std::max(a, b)}; };
    for (const TriangleId t : living_) {
      const Triangle ids = ids_of(t);
      for (std::size_t k = 0; k < 3; ++k) ++uses[key(ids[k], ids[(k + 1) % 3])];
    }
    std::vector<std::array<VertexId, 2>> sides;
    for (const TriangleId t : living_) {
      const Triangle ids = ids_of(t);
      for (std::size_t k = 0; k < 3 && body_of(t) == body; ++k) {
        const VertexId a = ids[k];
        const VertexId b = ids[(k + 1) % 3];
        if (a != b && uses[key(a, b)] == 1) sides.push_back({a, b});
      }
    }
    return sides;
  }
  /// Joins two boundary edges: the mesh stays manifold, and pieces of opposite orientation must come to agree.
  void zip() {
    const std::vector<std::array<VertexId, 2>> sides = open_sides(body_of(any_of(living_)));
    if (sides.size() < 2) return;
    const auto [a, b] = any_of(sides);
    auto [c, d] = any_of(sides);
    if (c == a || c == b || d == a || d == b) return;
    if (random_.coin()) std::swap(c, d);
    make({.kind = OpKind::AddTriangle, .ids = {b, a, c}});
    make({.kind = OpKind::AddTriangle, .ids = {c, d, b}});
  }
  /// Reverses all triangles of a body on one side of a plane.
  void turn_half() {
    const BodyId body = body_of(any_of(living_));
    const double x = 0.3 * random_.symmetric();
    for (const TriangleId t : living_) {
      const Triangle ids = ids_of(t);
      if (body_of(t) != body || now_.positions()[ids[0]].x < x) continue;
      make({.kind = OpKind::SetTriangle, .ids = {t, ids[1], ids[0], ids[2]}});
    }
  }
  void hub() {
    const VertexId centre = any_edge()[0];
    const BodyId body = now_.body_of(centre);
    VertexId last = any_vertex_of(body);
    for (int i = 0; i < 28; ++i) {
      const VertexId next = any_vertex_of(body);
      make({.kind = OpKind::AddTriangle, .ids = {centre, last, next}});
      last = next;
    }
  }
  /// Replaces one vertex by another in all triangles.
  void weld() {
    const VertexId gone = any_edge()[0];
    const VertexId kept = any_vertex_of(now_.body_of(gone));
    for (const TriangleId t : fan(gone)) {
      Triangle ids = ids_of(t);
      std::replace(ids.begin(), ids.end(), gone, kept);
      make({.kind = OpKind::SetTriangle, .ids = {t, ids[0], ids[1], ids[2]}});
    }
    if (random_.coin() && gone != kept) make({.kind = OpKind::RemoveVertex, .ids = {gone}});
  }
  /// Gives a face another triangle id.
  void remove_and_add() {
    const TriangleId t = any_of(living_);
    const Triangle ids = ids_of(t);
    const EditOp addition{.kind = OpKind::AddTriangle, .ids = {ids[2], ids[0], ids[1]}};
    const bool first = random_.coin();
    if (first) make(addition);
    make({.kind = OpKind::RemoveTriangle, .ids = {t}});
    if (!first) make(addition);
  }
  void turn_body() {
    const BodyId body = body_of(any_of(living_));
    for (const TriangleId t : living_) {
      if (body_of(t) != body) continue;
      const Triangle ids = ids_of(t);
      make({.kind = OpKind::SetTriangle, .ids = {t, ids[0], ids[2], ids[1]}});
    }
  }
  /// Two triangles of a body exchange their vertices.
  void swap_two() {
    const TriangleId a = any_of(living_);
    const TriangleId b = any_of(living_);
    const Triangle of_a = ids_of(a);
    const Triangle of_b = ids_of(b);
    make({.kind = OpKind::SetTriangle, .ids = {a, of_b[0], of_b[1], of_b[2]}});
    make({.kind = OpKind::SetTriangle, .ids = {b, of_a[0], of_a[1], of_a[2]}});
  }
  /// Operations that must be refused, or nearly so.
  void nonsense() {
    const auto vertex = [&] { return random_.below(static_cast<std::uint32_t>(now_.vertex_count() + 2)); };
    const auto triangle = [&] { return random_.below(static_cast<std::uint32_t>(now_.triangle_count() + 2)); };
    const auto body = [&] { return random_.below(static_cast<std::uint32_t>(now_.body_count() + 1)); };
    const VertexId a = vertex();
    const VertexId b = vertex();
    switch (random_.below(8)) {
      case 0:
        make({.kind = OpKind::AddVertex, .ids = {body()}, .position = {0, NAN, 0}});
        return;
      case 1:
        make({.kind = OpKind::AddTriangle, .ids = {a, b, kNoVertex}});
        return;
      case 2:
        make({.kind = OpKind::SetTriangle, .ids = {triangle(), a, b, vertex()}});
        return;
      case 3:
        make({.kind = OpKind::SplitVertex, .ids = {a, triangle(), triangle()}});
        return;
      case 4:
        make({.kind = OpKind::TearEdge, .ids = {a, b}});
        return;
      case 5:
        make({.kind = OpKind::SplitEdge, .ids = {a, b}});
        return;
      case 6:
        make({.kind = OpKind::AddBody, .points = {{0, 0, 0}}, .triangles = {{0, 0, 1}}});
        return;
      default:
        make({.kind = OpKind::SplitGroups, .ids = {body()}, .groups = {{triangle()}, {triangle()}}});
    }
  }

  void start_again() {
    const bool triangles_only = random_.below(3) == 0;
    if (triangles_only) {
      for (const TriangleId t : living_) make({.kind = OpKind::RemoveTriangle, .ids = {t}});
    } else {
      for (const BodyId body : bodies_) make({.kind = OpKind::RemoveBody, .ids = {body}});
    }
    for (int i = random_.between(0, 2); i > 0; --i) add_body();
  }
  void change_a_third() {
    const std::uint32_t how = random_.below(4);
    for (const TriangleId t : living_) {
      if (random_.below(3) != 0) continue;
      const Triangle ids = ids_of(t);
      if (how == 0) make({.kind = OpKind::RemoveTriangle, .ids = {t}});
      if (how == 1) make({.kind = OpKind::SetTriangle, .ids = {t, ids[1], ids[0], ids[2]}});
      if (how == 2) make({.kind = OpKind::SplitVertex, .ids = {ids[random_.below(3)], t}});
      if (how == 3) make({.kind = OpKind::SetTriangle, .ids = {t, ids[0], ids[1], any_vertex_of(body_of(t))}});
    }
  }
  void thin_out() {
    for (const TriangleId t : living_) {
      if (random_.below(3) == 0) make({.kind = OpKind::RemoveTriangle, .ids = {t}});
    }
  }

  oracle::Random random_;
  std::size_t most_triangles_;
  Scene scene_;  ///< before the edit
  Scene now_;    ///< with the operations of the edit
  std::vector<TriangleId> living_;
  std::vector<BodyId> bodies_;
  SceneEdit* edit_ = nullptr;
  std::vector<EditOp>* ops_ = nullptr;
};

}  // namespace

EditScript random_script(const Scene& start, std::uint64_t seed, std::size_t edits, std::size_t most_triangles) {
  ScriptMaker maker(start, seed, most_triangles);
  EditScript script;
  for (std::uint32_t i = 0; i < edits; ++i) script.push_back(maker.make_round(i));
  return script;
}

}  // namespace graze::testing
