// Builds and solves the inner constraints of cloth and soft bodies (scenes/sim/elastic.hpp).
#include "scenes/sim/elastic.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace graze::scenes::sim {

namespace {

double volume_of(std::span<const Triangle> triangles, std::span<const Vec3> x) {
  double six = 0.0;
  for (const Triangle& t : triangles) six += dot(x[t[0]], cross(x[t[1]], x[t[2]]));
  return six / 6.0;
}

/// One side of a triangle: its ends in order, the opposite corner, the triangle.
struct Side {
  VertexId a = 0;
  VertexId b = 0;
  VertexId across = 0;
  std::uint32_t triangle = 0;
};

}  // namespace

void Elastic::rebuild(Model& model) {
  links_.clear();
  bodies_.clear();
  members_.clear();
  member_rest_.clear();
  triangles_.clear();
  add_links(model);
  add_long_links(model);
  order_links(model.x.size());
  add_bodies(model);
  gradient_.assign(model.x.size(), {});
}

void Elastic::add_links(const Model& model) {
  std::vector<Side> sides;
  for (std::size_t t = 0; t < model.triangles.size(); ++t) {
    const Kind kind = model.parts[model.triangle_part[t]].kind;
    if (kind != Kind::Cloth && kind != Kind::Soft) continue;
    const Triangle& triangle = model.triangles[t];
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = triangle[k];
      const VertexId b = triangle[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), triangle[(k + 2) % 3], static_cast<std::uint32_t>(t)});
    }
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& p, const Side& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  const auto rest_length = [&](VertexId a, VertexId b) { return length(model.rest[b] - model.rest[a]); };
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
    const Side& side = sides[i];
    const Material& material = model.parts[model.triangle_part[side.triangle]].material;
    const double own = rest_length(side.a, side.b);
    bool longest = true;  // longest edge of its triangles: a diagonal, which resists shear
    for (std::size_t k = i; k < end; ++k) {
      longest = longest && own > rest_length(side.a, sides[k].across) && own > rest_length(side.b, sides[k].across);
    }
    links_.push_back({side.a, side.b, own, longest ? material.shear : material.stretch});
    if (end == i + 2 && sides[i].across != sides[i + 1].across) {
      const VertexId p = sides[i].across;
      const VertexId q = sides[i + 1].across;
      links_.push_back({p, q, rest_length(p, q), longest ? material.shear : material.bend});
    }
    i = end;
  }
}

void Elastic::add_long_links(const Model& model) {
  // The stretch links of cloth, as neighbours of each vertex.
  std::vector<std::array<VertexId, 2>> directed;
  for (const Link& link : links_) {
    const Part& part = model.parts[model.part[link.a]];
    if (part.kind != Kind::Cloth || link.compliance != part.material.stretch) continue;
    directed.push_back({link.a, link.b});
    directed.push_back({link.b, link.a});
  }
  std::sort(directed.begin(), directed.end());
  std::vector<std::size_t> first(model.x.size() + 1, 0);
  for (const auto& edge : directed) ++first[edge[0] + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());

  /// Returns the neighbour straight ahead, or the vertex itself where the line ends.
  const auto straight_on = [&](VertexId from, VertexId at) {
    const Vec3 direction = model.rest[at] - model.rest[from];
    VertexId best = at;
    double least = 0.95;
    for (std::size_t k = first[at]; k < first[at + 1]; ++k) {
      const Vec3 next = model.rest[directed[k][1]] - model.rest[at];
      const double cosine = dot(direction, next) / (length(direction) * length(next));
      if (cosine > least) {
        least = cosine;
        best = directed[k][1];
      }
    }
    return best;
  };
  constexpr int kShort = 8;
  constexpr int kLong = 32;
  for (const auto& edge : directed) {
    VertexId from = edge[0];
    VertexId at = edge[1];
    double distance = length(model.rest[at] - model.rest[from]);
    for (int steps = 2; steps <= kLong; ++steps) {
      const VertexId next = straight_on(from, at);
      if (next == at) break;
      distance += length(model.rest[next] - model.rest[at]);
      from = at;
      at = next;
      // Each line is traversed from both ends; only one of them adds the link.
      if ((steps == kShort || steps == kLong) && edge[0] < at) {
        links_.push_back({edge[0], at, distance, 0.0, 0.0, true});
      }
    }
  }
}

void Elastic::order_links(std::size_t vertex_count) {
  std::vector<std::uint64_t> used(vertex_count, 0);
  std::vector<std::uint8_t> colour(links_.size(), 0);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    std::uint64_t& a = used[links_[i].a];
    std::uint64_t& b = used[links_[i].b];
    // The 64th colour takes all remaining links; links are solved one after the other, so sharing particles is
    // harmless.
    const int free = std::min(std::countr_one(a | b), 63);
    a |= 1ULL << static_cast<unsigned>(free);
    b |= 1ULL << static_cast<unsigned>(free);
    colour[i] = static_cast<std::uint8_t>(free);
  }
  std::vector<std::size_t> order(links_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return colour[p] < colour[q]; });
  std::vector<Link> sorted;
  sorted.reserve(links_.size());
  for (const std::size_t i : order) sorted.push_back(links_[i]);
  links_ = std::move(sorted);
}

void Elastic::add_bodies(Model& model) {
  // Sort by part, so that each body finds its triangles in one pass.
  std::vector<std::uint32_t> triangle_order;
  for (std::uint32_t t = 0; t < model.triangles.size(); ++t) {
    if (model.parts[model.triangle_part[t]].kind == Kind::Soft) triangle_order.push_back(t);
  }
  const auto part_of = [&](std::uint32_t t) { return model.triangle_part[t]; };
  std::stable_sort(triangle_order.begin(), triangle_order.end(),
                   [&](std::uint32_t p, std::uint32_t q) { return part_of(p) < part_of(q); });
  for (std::size_t i = 0; i < triangle_order.size();) {
    Body body;
    body.part = part_of(triangle_order[i]);
    body.first_member = members_.size();
    body.first_triangle = triangles_.size();
    for (; i < triangle_order.size() && part_of(triangle_order[i]) == body.part; ++i) {
      triangles_.push_back(model.triangles[triangle_order[i]]);
      for (const VertexId v : triangles_.back()) members_.push_back(v);
    }
    const auto first = members_.begin() + static_cast<std::ptrdiff_t>(body.first_member);
    std::sort(first, members_.end());
    members_.erase(std::unique(first, members_.end()), members_.end());
    body.last_member = members_.size();
    body.last_triangle = triangles_.size();

    Vec3 centre;
    for (std::size_t k = body.first_member; k < body.last_member; ++k) centre += model.rest[members_[k]];
    centre = (1.0 / static_cast<double>(body.last_member - body.first_member)) * centre;
    for (std::size_t k = body.first_member; k < body.last_member; ++k) {
      member_rest_.push_back(model.rest[members_[k]] - centre);
    }
    const std::span<const Triangle> own(triangles_.data() + body.first_triangle,
                                        body.last_triangle - body.first_triangle);
    std::vector<std::array<VertexId, 2>> directed;
    for (const Triangle& t : own) {
      for (std::size_t k = 0; k < 3; ++k) directed.push_back({t[k], t[(k + 1) % 3]});
    }
    std::sort(directed.begin(), directed.end());
    body.closed = std::all_of(directed.begin(), directed.end(), [&](const std::array<VertexId, 2>& e) {
      return std::binary_search(directed.begin(), directed.end(), std::array<VertexId, 2>{e[1], e[0]});
    });
    body.rest_volume = volume_of(own, model.rest);
    bodies_.push_back(body);
  }
}

void Elastic::begin_step() {
  for (Link& link : links_) link.lambda = 0.0;
  for (Body& body : bodies_) body.lambda = 0.0;
}

void Elastic::solve(Model& model, std::span<Vec3> y, double dt) {
  const double per_dt2 = 1.0 / (dt * dt);
  for (Link& link : links_) {
    const double wa = model.inverse_mass[link.a];
    const double wb = model.inverse_mass[link.b];
    const double compliance = link.compliance * per_dt2;
    const double weight = wa + wb + compliance;
    if (!(weight > 0.0)) continue;
    const Vec3 between = y[link.b] - y[link.a];
    const double distance = length(between);
    if (!(distance > 0.0) || (link.one_sided && distance <= link.rest)) continue;
    const double change = (link.rest - distance - compliance * link.lambda) / weight;
    link.lambda += change;
    const Vec3 move = (change / distance) * between;
    y[link.a] -= wa * move;
    y[link.b] += wb * move;
  }
  for (Body& body : bodies_) {
    if (body.closed) solve_volume(model, y, body, dt);
    solve_shape(model, y, body);
  }
}

void Elastic::solve_volume(const Model& model, std::span<Vec3> y, Body& body, double dt) {
  const std::span<const Triangle> own(triangles_.data() + body.first_triangle,
                                      body.last_triangle - body.first_triangle);
  const std::span<const VertexId> members(members_.data() + body.first_member,
                                          body.last_member - body.first_member);
  const Vec3 origin = y[members.front()];  // near the body, which avoids cancellation in the sums below
  for (const VertexId i : members) gradient_[i] = {};
  double six = 0.0;
  for (const Triangle& t : own) {
    const Vec3 a = y[t[0]] - origin;
    const Vec3 b = y[t[1]] - origin;
    const Vec3 c = y[t[2]] - origin;
    const Vec3 bc = cross(b, c);
    six += dot(a, bc);
    gradient_[t[0]] += bc;
    gradient_[t[1]] += cross(c, a);
    gradient_[t[2]] += cross(a, b);
  }
  double weight = 0.0;
  for (const VertexId i : members) weight += model.inverse_mass[i] * dot(gradient_[i], gradient_[i]) / 36.0;
  const double compliance = model.parts[body.part].material.volume / (dt * dt);
  if (!(weight + compliance > 0.0)) return;
  const double change = (body.rest_volume - six / 6.0 - compliance * body.lambda) / (weight + compliance);
  body.lambda += change;
  for (const VertexId i : members) y[i] += (model.inverse_mass[i] * change / 6.0) * gradient_[i];
}

void Elastic::solve_shape(Model& model, std::span<Vec3> y, const Body& body) {
  Part& part = model.parts[body.part];
  if (!(part.material.shape > 0.0)) return;
  Vec3 centre;
  for (std::size_t k = body.first_member; k < body.last_member; ++k) centre += y[members_[k]];
  centre = (1.0 / static_cast<double>(body.last_member - body.first_member)) * centre;
  std::array<Vec3, 3> columns{};
  for (std::size_t k = body.first_member; k < body.last_member; ++k) {
    const Vec3 p = y[members_[k]] - centre;
    const Vec3& q = member_rest_[k];
    columns[0] += q.x * p;
    columns[1] += q.y * p;
    columns[2] += q.z * p;
  }
  part.rotation = rotation_part(columns, part.rotation);
  const Mat3 rotation = matrix(part.rotation);
  for (std::size_t k = body.first_member; k < body.last_member; ++k) {
    if (!(model.inverse_mass[members_[k]] > 0.0)) continue;
    Vec3& p = y[members_[k]];
    p += part.material.shape * (centre + rotation * member_rest_[k] - p);
  }
}

}  // namespace graze::scenes::sim
