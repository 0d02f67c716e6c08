// Setup, the loop of a frame, and prediction (scenes/sim/simulation.hpp). Cost: linear in particles and triangles
// per step, apart from the detector.
#include "scenes/sim/simulation.hpp"

#include <algorithm>
#include <utility>

#include <graze/error.hpp>

namespace graze::scenes::sim {

PartId Simulation::add_body(const Shape& shape, Kind kind, const Material& material) {
  const auto id = static_cast<PartId>(model_.parts.size());
  const auto offset = static_cast<VertexId>(model_.x.size());
  Part part;
  part.kind = kind;
  part.material = material;
  model_.parts.push_back(part);
  const bool free = kind == Kind::Cloth || kind == Kind::Soft;
  for (const Vec3& p : shape.positions) {
    model_.x.push_back(p);
    model_.v.emplace_back();
    model_.rest.push_back(p);
    model_.inverse_mass.push_back(free ? 1.0 / material.mass : 0.0);
    model_.part.push_back(id);
  }
  for (const Triangle& t : shape.triangles) {
    model_.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    model_.triangle_part.push_back(id);
    model_.triangle_piece.push_back(0);
  }
  BodyRange range;
  range.first_vertex = offset;
  range.last_vertex = model_.x.size();
  range.first_triangle = model_.triangles.size() - shape.triangles.size();
  range.last_triangle = model_.triangles.size();
  range.motion = kind == Kind::Static ? Motion::Static : kind == Kind::Rigid ? Motion::Rigid : Motion::Deforming;
  bodies_.push_back(range);
  return id;
}

PartId Simulation::add_static(const Shape& shape) {
  return add_body(shape, Kind::Static, {});
}

PartId Simulation::add_kinematic(const Shape& shape, Path path) {
  const PartId id = add_body(shape, Kind::Kinematic, {});
  Follower follower;
  for (std::size_t i = bodies_.back().first_vertex; i < bodies_.back().last_vertex; ++i) {
    follower.vertices.push_back(static_cast<VertexId>(i));
  }
  follower.path = std::move(path);
  followers_.push_back(std::move(follower));
  return id;
}

PartId Simulation::add_cloth(const Shape& shape, const Material& material) {
  return add_body(shape, Kind::Cloth, material);
}

PartId Simulation::add_soft(const Shape& shape, const Material& material) {
  return add_body(shape, Kind::Soft, material);
}

PartId Simulation::add_rigid(const Shape& shape, const Material& material) {
  const PartId id = add_body(shape, Kind::Rigid, material);
  std::vector<VertexId> members;
  for (std::size_t i = bodies_.back().first_vertex; i < bodies_.back().last_vertex; ++i) {
    members.push_back(static_cast<VertexId>(i));
  }
  make_rigid(model_, id, members);
  return id;
}

void Simulation::pin(std::span<const VertexId> own_ids, Path path) {
  Follower follower;
  for (const VertexId own : own_ids) {
    const auto i = static_cast<VertexId>(bodies_.back().first_vertex + own);
    model_.inverse_mass[i] = 0.0;
    follower.vertices.push_back(i);
  }
  follower.path = std::move(path);
  followers_.push_back(std::move(follower));
}

void Simulation::set_pieces(std::span<const std::uint32_t> piece_of_triangle) {
  std::copy(piece_of_triangle.begin(), piece_of_triangle.end(),
            model_.triangle_piece.begin() + static_cast<std::ptrdiff_t>(bodies_.back().first_triangle));
}

void Simulation::set_velocity(const Vec3& velocity) {
  model_.parts.back().velocity = velocity;
  for (std::size_t i = bodies_.back().first_vertex; i < bodies_.back().last_vertex; ++i) model_.v[i] = velocity;
}

std::vector<BodyRange> Simulation::bodies() const {
  std::vector<BodyRange> result;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    result.push_back(bodies_[b]);
    if (b == first_breaking_) {
      // New vertices are appended at the end, so all bodies from the first that breaks on form one body.
      result.back().last_vertex = model_.x.size();
      result.back().last_triangle = model_.triangles.size();
      result.back().motion = Motion::Deforming;
      break;
    }
  }
  return result;
}

void Simulation::rebuild_detector() {
  Scene scene;
  std::vector<Triangle> own;
  for (const BodyRange& body : bodies()) {
    const auto offset = static_cast<VertexId>(body.first_vertex);
    own.clear();
    for (std::size_t t = body.first_triangle; t < body.last_triangle; ++t) {
      const Triangle& triangle = model_.triangles[t];
      own.push_back({triangle[0] - offset, triangle[1] - offset, triangle[2] - offset});
    }
    scene.add_body({.positions = std::span<const Vec3>(model_.x).subspan(body.first_vertex,
                                                                         body.last_vertex - body.first_vertex),
                    .triangles = own,
                    .motion = body.motion});
  }
  DetectorOptions options;
  options.threads = options_.threads;
  options.progress = [this](double) { return !options_.keep_going || options_.keep_going(); };
  detector_ = std::make_unique<Detector>(scene, options);
}

void Simulation::rebuild_rigid_members() {
  rigid_members_.assign(model_.parts.size(), {});
  for (std::size_t i = 0; i < model_.x.size(); ++i) {
    const PartId id = model_.part[i];
    if (model_.parts[id].kind == Kind::Rigid) rigid_members_[id].push_back(static_cast<VertexId>(i));
  }
}

void Simulation::start() {
  while (first_breaking_ < bodies_.size() && !(model_.parts[first_breaking_].material.strength > 0.0)) {
    ++first_breaking_;
  }
  move_kinematic(0.0, model_.x);
  for (const Follower& follower : followers_) {
    for (const VertexId i : follower.vertices) model_.rest[i] = model_.x[i];
  }
  elastic_.rebuild(model_);
  rebuild_rigid_members();
  rebuild_detector();
  hits_.assign(model_.parts.size(), {});
  const Intersections found = detector_->intersections(model_.x);
  if (!found.edge_face.empty()) {
    const Intersection& hit = found.edge_face.front();
    throw InputError("the scene intersects itself before it starts: " + std::to_string(found.edge_face.size()) +
                     " pairs, the first is edge " + std::to_string(hit.edge[0]) + "-" +
                     std::to_string(hit.edge[1]) + " of body " + std::to_string(model_.part[hit.edge[0]]) +
                     " with a face of body " + std::to_string(model_.part[hit.face[0]]));
  }
}

std::optional<TopologyChange> Simulation::advance() {
  std::optional<TopologyChange> change = break_parts();
  hits_.assign(model_.parts.size(), {});
  const double dt = options_.frame_time / static_cast<double>(options_.substeps);
  for (unsigned step = 0; step < options_.substeps; ++step) {
    contacts_.clear_pushes(model_.parts.size());
    predict(dt);
    solve_step(dt);
    const double share = make_safe(dt);
    accept(dt);
    clock_ += share * dt;
    for (std::size_t p = 0; p < hits_.size(); ++p) {
      const Contacts::Push& push = contacts_.pushes()[p];
      if (push.size / dt > hits_[p].size) hits_[p] = {push.size / dt, push.where};
    }
    ++counts_.steps;
  }
  ++frame_;
  return change;
}

void Simulation::move_kinematic(double time, std::span<Vec3> y) const {
  std::vector<Vec3> moved;
  for (const Follower& follower : followers_) {
    moved.resize(follower.vertices.size());
    follower.path(time, moved);
    for (std::size_t k = 0; k < moved.size(); ++k) y[follower.vertices[k]] = moved[k];
  }
}

void Simulation::place_rigid() {
  for (std::size_t id = 0; id < model_.parts.size(); ++id) {
    if (model_.parts[id].kind != Kind::Rigid) continue;
    const Mat3 rotation = matrix(poses_[id].rotation);
    for (const VertexId i : rigid_members_[id]) y_[i] = placed(poses_[id], rotation, model_.rest[i]);
  }
}

void Simulation::add_air(double dt) {
  // The relative wind pushes each triangle along its normal, in proportion to its area.
  const Vec3 wind = options_.wind ? options_.wind(clock_) : Vec3{};
  for (std::size_t t = 0; t < model_.triangles.size(); ++t) {
    if (model_.parts[model_.triangle_part[t]].kind != Kind::Cloth) continue;
    const Triangle& triangle = model_.triangles[t];
    const Vec3 doubled =
        cross(model_.x[triangle[1]] - model_.x[triangle[0]], model_.x[triangle[2]] - model_.x[triangle[0]]);
    const double size = length(doubled);
    if (!(size > 0.0)) continue;
    const Vec3 normal = (1.0 / size) * doubled;
    const Vec3 rest = cross(model_.rest[triangle[1]] - model_.rest[triangle[0]],
                            model_.rest[triangle[2]] - model_.rest[triangle[0]]);
    const double share = size / std::max(length(rest), 1e-30);  // of the mass that the triangle represents
    for (const VertexId i : triangle) {
      if (!(model_.inverse_mass[i] > 0.0)) continue;
      const double speed = dot(normal, wind - model_.v[i]);
      model_.v[i] += std::min(dt * options_.air * share / 6.0, 0.5) * speed * normal;
    }
  }
}

void Simulation::predict(double dt) {
  if (options_.air > 0.0) add_air(dt);
  const Vec3 fall = dt * options_.gravity;
  y_ = model_.x;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (!(model_.inverse_mass[i] > 0.0)) continue;
    model_.v[i] += fall;
    y_[i] += dt * model_.v[i];
  }
  poses_.resize(model_.parts.size());
  for (std::size_t id = 0; id < model_.parts.size(); ++id) {
    Part& part = model_.parts[id];
    poses_[id] = part.pose;
    if (part.kind != Kind::Rigid) continue;
    part.velocity += fall;
    poses_[id].centre += dt * part.velocity;
    poses_[id].rotation = turned(part.pose.rotation, dt * part.spin);
  }
  place_rigid();
  move_kinematic(clock_ + dt, y_);
}

void Simulation::solve_step(double dt) {
  contacts_.clear();
  // Contacts of pairs that are near at the start, and of impacts on the predicted path.
  contacts_.add(model_, detector_->proximities(model_.x, options_.thickness).proximities, options_.thickness);
  contacts_.add(model_, y_, find_impacts(), options_.thickness);
  elastic_.begin_step();
  for (unsigned round = 0; round < options_.iterations; ++round) {
    elastic_.solve(model_, y_, dt);
    contacts_.solve(model_, y_, poses_, options_.friction);
  }
  place_rigid();
}

void Simulation::accept(double dt) {
  const double keep = std::max(0.0, 1.0 - dt * options_.damping) / dt;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    model_.v[i] = keep * (y_[i] - model_.x[i]);
  }
  for (std::size_t id = 0; id < model_.parts.size(); ++id) {
    Part& part = model_.parts[id];
    if (part.kind != Kind::Rigid) continue;
    part.velocity = keep * (poses_[id].centre - part.pose.centre);
    Quat turn = poses_[id].rotation * conjugate(part.pose.rotation);
    const double sign = turn.w < 0.0 ? -2.0 : 2.0;
    part.spin = (sign * keep) * turn.v;
    part.pose = poses_[id];
  }
  model_.x.swap(y_);
}

}  // namespace graze::scenes::sim
