// Poses with common corners, edges and planes (scenes/pose_sets.hpp). The turns by other angles have quaternions of
// small integers, so that no sine or cosine is needed.
#include "scenes/pose_sets.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace graze::scenes {
namespace {

/// Size of the box of the vertices that triangles use; zero without triangles.
Vec3 size_of(const Shape& shape) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (shape.triangles.empty()) return {0.0, 0.0, 0.0};
  Vec3 low{kInfinity, kInfinity, kInfinity};
  Vec3 high{-kInfinity, -kInfinity, -kInfinity};
  for (const Triangle& triangle : shape.triangles) {
    for (const VertexId v : triangle) {
      const Vec3& p = shape.positions[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  return {high.x - low.x, high.y - low.y, high.z - low.z};
}

std::vector<PosePair> aligned(const Vec3& size) {
  std::vector<PosePair> poses;
  for (int k = 1; k <= 16; ++k) {
    const double share = k / 16.0;
    for (const Vec3& t :
         {Vec3{share * size.x, 0.0, 0.0}, Vec3{0.0, share * size.y, 0.0}, Vec3{0.0, 0.0, share * size.z}}) {
      PosePair pair;
      pair.b.translation = t;
      poses.push_back(pair);
    }
  }
  return poses;
}

std::vector<PosePair> shifted(const Vec3& size) {
  std::vector<PosePair> poses;
  for (const double i : {-1.0, 0.0, 1.0}) {
    for (const double j : {-1.0, 0.0, 1.0}) {
      for (const double k : {-1.0, 0.0, 1.0}) {
        if (i == 0.0 && j == 0.0 && k == 0.0) continue;
        PosePair pair;
        pair.b.translation = {i * (size.x / 3.0), j * (size.y / 3.0), k * (size.z / 3.0)};
        poses.push_back(pair);
      }
    }
  }
  return poses;
}

std::vector<PosePair> same(const Vec3& size) {
  const Vec3 shift{size.x / 3.0, size.y / 7.0, -size.z / 5.0};
  std::vector<PosePair> poses;
  for (const auto& [w, x, y, z] : {std::array{1.0, 0.0, 0.0, 0.0}, std::array{1.0, 0.0, 0.0, 1.0},
                                   std::array{0.0, 1.0, 0.0, 0.0}, std::array{3.0, 1.0, -2.0, 5.0}}) {
    for (const Vec3& t : {Vec3{0.0, 0.0, 0.0}, shift}) {
      const Pose pose = pose_from_quaternion({w, x, y, z}, t);
      poses.push_back({pose, pose});
    }
  }
  return poses;
}

}  // namespace

std::string_view name_of(PoseSet set) {
  switch (set) {
    case PoseSet::Aligned:
      return "aligned";
    case PoseSet::Shifted:
      return "shifted";
    case PoseSet::Same:
      break;
  }
  return "same";
}

std::vector<PosePair> pose_set(PoseSet set, const Shape& shape) {
  const Vec3 size = size_of(shape);
  switch (set) {
    case PoseSet::Aligned:
      return aligned(size);
    case PoseSet::Shifted:
      return shifted(size);
    case PoseSet::Same:
      break;
  }
  return same(size);
}

}  // namespace graze::scenes
