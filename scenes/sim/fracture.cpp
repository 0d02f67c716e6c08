// Fracture: a part that a contact stopped too fast breaks along the edges between its pieces, starting with the
// pieces near the contact. Vertices on a crack are duplicated, so that each piece has its own.
//
// The copies start at the same position, which is how the topology change is recorded; the simulation then shrinks
// each piece away from its cracks by a fraction of its own triangles, because touching is contact. If the shrunken
// pieces still intersect something, other fractions are tried; if all fail, the break is undone and the part holds
// until the next hit. The detector is edited, not rebuilt, unless a break is undone: an edit can't restore its
// vertex ids. Cost: linear in the model for each part that breaks.
#include <algorithm>
#include <map>
#include <set>

#include "scenes/sim/simulation.hpp"

namespace graze::scenes::sim {

namespace {

/// Groups of triangles that a part breaks into: group 0 stays together, the others are single pieces.
struct Groups {
  std::vector<std::uint32_t> triangles;  ///< triangles of the part
  std::vector<std::uint32_t> group;      ///< group of each entry of `triangles`
  std::uint32_t count = 0;
};

Groups group_triangles(const Model& model, PartId id, const Vec3& where, double radius) {
  Groups result;
  std::map<std::uint32_t, std::pair<Vec3, double>> centres;  // for each piece: sum of positions, number of
                                                             // positions
  for (std::uint32_t t = 0; t < model.triangles.size(); ++t) {
    if (model.triangle_part[t] != id) continue;
    result.triangles.push_back(t);
    auto& [sum, number] = centres[model.triangle_piece[t]];
    for (const VertexId i : model.triangles[t]) sum += model.x[i];
    number += 3.0;
  }
  std::map<std::uint32_t, std::uint32_t> group_of;
  std::uint32_t staying = 0;
  for (const auto& [piece, centre] : centres) {
    const Vec3 at = (1.0 / centre.second) * centre.first;
    const bool leaves = length(at - where) < radius;
    if (!leaves) ++staying;
    group_of[piece] = leaves ? ++result.count : 0;
  }
  if (staying <= 2) {  // too few pieces stay to hold together
    for (auto& [piece, group] : group_of) {
      if (group == 0) group = ++result.count;
    }
  }
  for (const std::uint32_t t : result.triangles) result.group.push_back(group_of[model.triangle_piece[t]]);
  return result;
}

struct Hit {
  Vec3 where;
  double radius = 0.0;
};

/// Splits one part of the model and appends the parents of new vertices. Returns false if the part stays whole.
bool split(Model& model, PartId id, const Hit& hit, double opening, std::vector<VertexId>& parents) {
  const Groups groups = group_triangles(model, id, hit.where, hit.radius);
  const std::set<std::uint32_t> present(groups.group.begin(), groups.group.end());
  if (present.size() < 2) return false;

  // Duplicate vertices: the lowest group at a vertex keeps the original.
  std::map<std::pair<VertexId, std::uint32_t>, VertexId> own;
  std::map<VertexId, std::uint32_t> lowest;
  std::set<VertexId> cracked;
  for (std::size_t k = 0; k < groups.triangles.size(); ++k) {
    for (const VertexId i : model.triangles[groups.triangles[k]]) {
      const auto [at, is_new] = lowest.try_emplace(i, groups.group[k]);
      if (!is_new && at->second != groups.group[k]) cracked.insert(i);
      at->second = std::min(at->second, groups.group[k]);
    }
  }
  const PartId first_new = static_cast<PartId>(model.parts.size());
  const Part parent = model.parts[id];
  const bool stays = present.contains(0);
  // The first group present takes over the part's own id, so that no part is left empty.
  const std::uint32_t heir = stays ? 0 : *present.begin();
  std::map<std::uint32_t, PartId> part_of;
  for (const std::uint32_t group : present) {
    if (group == heir) {
      part_of[group] = id;
      continue;
    }
    part_of[group] = static_cast<PartId>(model.parts.size());
    model.parts.push_back(parent);
  }
  std::map<VertexId, std::pair<Vec3, Vec3>> drawn;  // for each crack vertex: sums of triangle centres, now and at
                                                    // rest
  std::map<VertexId, double> drawn_count;
  for (std::size_t k = 0; k < groups.triangles.size(); ++k) {
    const std::uint32_t t = groups.triangles[k];
    const std::uint32_t group = groups.group[k];
    const Triangle old = model.triangles[t];
    Vec3 centre;
    Vec3 rest_centre;
    for (const VertexId i : old) {
      centre += (1.0 / 3.0) * model.x[i];
      rest_centre += (1.0 / 3.0) * model.rest[i];
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const VertexId i = old[c];
      VertexId mine = i;
      if (lowest[i] != group) {
        const auto [at, is_new] = own.try_emplace({i, group}, static_cast<VertexId>(model.x.size()));
        mine = at->second;
        if (is_new) {
          parents.push_back(i);
          model.x.push_back(model.x[i]);
          model.v.push_back(model.v[i]);
          model.rest.push_back(model.rest[i]);
          model.inverse_mass.push_back(model.inverse_mass[i]);
          model.part.push_back(id);
        }
      }
      model.triangles[t][c] = mine;
      model.part[mine] = part_of[group];
      if (cracked.contains(i)) {
        auto& [now, rest] = drawn[mine];
        now += centre;
        rest += rest_centre;
        drawn_count[mine] += 1.0;
      }
    }
    model.triangle_part[t] = part_of[group];
  }
  for (const auto& [i, sums] : drawn) {
    const double scale = 1.0 / drawn_count[i];
    model.x[i] += opening * (scale * sums.first - model.x[i]);
    model.rest[i] += opening * (scale * sums.second - model.rest[i]);
  }

  std::map<PartId, std::vector<VertexId>> members;
  for (const auto& [group, part] : part_of) members[part];
  for (std::size_t i = 0; i < model.x.size(); ++i) {
    const auto at = members.find(model.part[i]);
    if (at != members.end()) at->second.push_back(static_cast<VertexId>(i));
  }
  for (const auto& [part_id, vertices] : members) {
    Part& part = model.parts[part_id];
    if (part_id >= first_new || !stays) {
      part.kind = part.material.pieces_rigid ? Kind::Rigid : Kind::Soft;
      part.material.strength = 0.0;
    }
    const double mass = part.kind == Kind::Rigid ? 0.0 : 1.0 / part.material.mass;
    Vec3 momentum;
    for (const VertexId i : vertices) {
      if (parent.kind == Kind::Rigid) {
        model.v[i] = parent.velocity + cross(parent.spin, model.x[i] - parent.pose.centre);
        part.rotation = parent.pose.rotation;
      }
      momentum += model.v[i];
      model.inverse_mass[i] = mass;
    }
    if (part.kind == Kind::Rigid) {
      make_rigid(model, part_id, vertices);
      part.velocity = (1.0 / static_cast<double>(vertices.size())) * momentum;
      part.spin = parent.kind == Kind::Rigid ? parent.spin : Vec3{};
    }
  }
  return true;
}

double extent(const Model& model, PartId id) {
  Vec3 low{1e300, 1e300, 1e300};
  Vec3 high{-1e300, -1e300, -1e300};
  for (std::size_t i = 0; i < model.x.size(); ++i) {
    if (model.part[i] != id) continue;
    const Vec3& p = model.x[i];
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return length(high - low);
}

}  // namespace

std::optional<TopologyChange> Simulation::break_parts() {
  TopologyChange change;
  change.frame = frame_;
  bool any = false;
  const std::size_t part_count = hits_.size();
  for (PartId id = 0; id < part_count; ++id) {
    const double strength = model_.parts[id].material.strength;
    if (!(strength > 0.0) || !(hits_[id].size > strength)) continue;
    any = split_part(id, hits_[id].where, change) || any;
  }
  if (!any) return std::nullopt;
  change.triangles = model_.triangles;
  return change;
}

bool Simulation::split_part(PartId id, const Vec3& where, TopologyChange& change) {
  // A hit at exactly the part's strength affects a radius of a quarter of its extent, twice as hard a hit half.
  const double radius = 0.25 * extent(model_, id) * hits_[id].size / model_.parts[id].material.strength;
  const Model before = model_;
  const std::size_t parents_before = change.parents.size();
  bool edited = false;
  for (const double opening : {0.06, 0.03, 0.12}) {
    // Whether and where the part breaks does not depend on the opening.
    if (!split(model_, id, {where, radius}, opening, change.parents)) break;
    if (!edited) edit_detector(before);
    edited = true;
    if (detector_->intersections(model_.x).edge_face.empty()) {
      rebuild_rigid_members();
      elastic_.rebuild(model_);
      return true;
    }
    model_ = before;
    change.parents.resize(parents_before);
  }
  if (edited) rebuild_detector();
  return false;
}

/// Edits the detector's scene to match the model, which is `before` with vertices added and triangles changed.
void Simulation::edit_detector(const Model& before) {
  SceneEdit edit = detector_->begin_edit();
  const auto last = static_cast<BodyId>(detector_->scene().body_count() - 1);  // all breaking parts form one body
  for (std::size_t i = before.x.size(); i < model_.x.size(); ++i) edit.add_vertex(last, model_.x[i]);
  for (std::size_t t = 0; t < model_.triangles.size(); ++t) {
    if (model_.triangles[t] != before.triangles[t]) {
      edit.set_triangle(static_cast<TriangleId>(t), model_.triangles[t]);
    }
  }
  detector_->apply(edit);
}

}  // namespace graze::scenes::sim
