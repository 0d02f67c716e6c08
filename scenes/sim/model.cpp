// Rigid state computed from particles as point masses (scenes/sim/model.hpp). Cost: linear in the particles.
#include "scenes/sim/model.hpp"

namespace graze::scenes::sim {

void make_rigid(Model& model, PartId id, std::span<const VertexId> members) {
  Part& part = model.parts[id];
  Vec3 sum;
  const auto count = static_cast<double>(members.size());
  for (const VertexId i : members) {
    sum += model.x[i];
  }
  const Vec3 centre = (1.0 / count) * sum;
  double xx = 0.0;
  double yy = 0.0;
  double zz = 0.0;
  double xy = 0.0;
  double xz = 0.0;
  double yz = 0.0;
  for (const VertexId i : members) {
    const Vec3 r = model.x[i] - centre;
    model.rest[i] = r;
    xx += r.x * r.x;
    yy += r.y * r.y;
    zz += r.z * r.z;
    xy += r.x * r.y;
    xz += r.x * r.z;
    yz += r.y * r.z;
  }
  // A needle has no inertia about its own axis: a fraction of the total keeps the matrix regular.
  const double least = 1e-3 * (xx + yy + zz) + 1e-30;
  const double m = part.material.mass;
  const Mat3 inertia = {{Vec3{m * (yy + zz + least), -m * xy, -m * xz},
                         Vec3{-m * xy, m * (xx + zz + least), -m * yz},
                         Vec3{-m * xz, -m * yz, m * (xx + yy + least)}}};
  part.inverse_inertia = inverse_of_symmetric(inertia);
  part.inverse_mass = 1.0 / (m * count);
  part.pose = {centre, {}};
  const Mat3 rotation = matrix(part.pose.rotation);
  // Use the exact positions that the pose gives: a body at rest then has a step without motion.
  for (const VertexId i : members) {
    model.x[i] = placed(part.pose, rotation, model.rest[i]);
  }
}

}  // namespace graze::scenes::sim
