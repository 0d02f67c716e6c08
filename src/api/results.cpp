// Counts and hashes of results.
//
// hash(): the words of core/hash.hpp are, for each impact in order, kind (0 vertex-face, 1 edge-edge), then the
// four vertex ids as two words (first id in the lower half). toi_hash() has the words of hash(), each impact
// followed by the bit patterns of toi_lo and toi_hi. O(impacts).
#include <graze/results.hpp>

#include <algorithm>

#include "core/hash.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace hash;
using namespace query;
using namespace methods;

namespace {

void add_pair(Hash64& hash, const FeaturePair& pair) {
  hash.add(static_cast<std::uint64_t>(pair.kind));
  hash.add(pair.vertices[0], pair.vertices[1]);
  hash.add(pair.vertices[2], pair.vertices[3]);
}

std::uint64_t count_kind(const std::vector<Impact>& impacts, FeatureKind kind) {
  return static_cast<std::uint64_t>(
      std::count_if(impacts.begin(), impacts.end(), [&](const Impact& i) { return i.pair.kind == kind; }));
}

}  // namespace

std::array<Vec3, 2> closest_points(const FeaturePair& pair, const std::array<double, 4>& weights,
                                   std::span<const Vec3> x) {
  const std::size_t first = pair.kind == FeatureKind::VertexFace ? 1 : 2;
  std::array<Vec3, 2> points{};
  for (std::size_t i = 0; i < 4; ++i) {
    Vec3& point = points[i < first ? 0 : 1];
    const Vec3& p = x[pair.vertices[i]];
    point = {point.x + weights[i] * p.x, point.y + weights[i] * p.y, point.z + weights[i] * p.z};
  }
  return points;
}

Vec3 contact_point(const Impact& impact, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  const double t = impact.toi_hi;
  Vec3 sum;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3& a = x_t0[impact.pair.vertices[i]];
    const Vec3& b = x_t1[impact.pair.vertices[i]];
    const double w = 0.5 * impact.weights[i];
    sum.x += w * ((1.0 - t) * a.x + t * b.x);
    sum.y += w * ((1.0 - t) * a.y + t * b.y);
    sum.z += w * ((1.0 - t) * a.z + t * b.z);
  }
  return sum;
}

std::uint64_t Impacts::vf_count() const {
  return count_kind(impacts, FeatureKind::VertexFace);
}

std::uint64_t Impacts::ee_count() const {
  return count_kind(impacts, FeatureKind::EdgeEdge);
}

std::uint64_t Impacts::hash() const {
  Hash64 hash;
  for (const Impact& impact : impacts) add_pair(hash, impact.pair);
  return hash.value();
}

std::uint64_t Impacts::toi_hash() const {
  Hash64 hash;
  for (const Impact& impact : impacts) {
    add_pair(hash, impact.pair);
    hash.add(impact.toi_lo);
    hash.add(impact.toi_hi);
  }
  return hash.value();
}

}  // namespace graze
