// A small implicit cloth solver around Detector::safe_step: a sheet falls onto a static pyramid and drapes over it.
//
// Each time step minimises inertia + springs + a barrier on near pairs (incremental potential contact: Li et al.
// 2020) by Newton's method. The direction of each iteration is cut to the safe step, so no iterate ever intersects,
// however bad the direction is. Exits with 1 if a step stalls, if something intersects, or if the cloth is not on
// the pyramid.
#include <graze/graze.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using graze::Vec3;

double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
void add(Vec3& a, double s, const Vec3& b) {
  a = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

constexpr std::uint32_t kSide = 16;  // squares along a side of the cloth
constexpr double kSpacing = 1.0 / kSide;
constexpr double kTimeStep = 0.01;  // seconds
constexpr double kGravity = -9.8;
constexpr double kStiffness = 1e3;  // of a spring, per mass of a vertex
constexpr double kBarrier = 1e4;    // stiffness of the barrier
constexpr double kNear = 0.02;      // distance at which the barrier begins

struct Spring {
  std::uint32_t a, b;
  double length;
};

/// A near pair: gradient of its distance with respect to each of its vertices is weight times normal.
struct NearPair {
  std::array<graze::VertexId, 4> vertices;
  std::array<double, 4> weights;
  Vec3 normal;
  double slope, curvature;  // of the barrier at the distance
};

class Solver {
 public:
  Solver() {
    for (std::uint32_t i = 0; i <= kSide; ++i) {
      for (std::uint32_t j = 0; j <= kSide; ++j) x_.push_back({i * kSpacing - 0.5, j * kSpacing - 0.5, 0.55});
    }
    cloth_ = static_cast<std::uint32_t>(x_.size());
    std::vector<graze::Triangle> triangles;
    for (std::uint32_t i = 0; i < kSide; ++i) {
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const std::uint32_t a = i * (kSide + 1) + j;
        triangles.push_back({a, a + 1, a + kSide + 2});
        triangles.push_back({a, a + kSide + 2, a + kSide + 1});
        add_spring(a, a + kSide + 2);
        add_spring(a + 1, a + kSide + 1);
      }
    }
    for (std::uint32_t i = 0; i <= kSide; ++i) {
      for (std::uint32_t j = 0; j < kSide; ++j) {
        add_spring(i * (kSide + 1) + j, i * (kSide + 1) + j + 1);
        add_spring(j * (kSide + 1) + i, (j + 1) * (kSide + 1) + i);
      }
    }
    scene_.add_body({.positions = x_, .triangles = triangles});
    const std::vector<Vec3> pyramid = {
        {-0.4, -0.3, 0}, {0.4, -0.35, 0}, {0.4, 0.4, 0}, {-0.35, 0.4, 0}, {0.02, 0.03, 0.5}};
    const std::vector<graze::Triangle> sides = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    scene_.add_body({.positions = pyramid, .triangles = sides, .motion = graze::Motion::Static});
    x_.insert(x_.end(), pyramid.begin(), pyramid.end());
    velocity_.resize(cloth_);
    detector_.emplace_back(scene_);
  }

  /// Advances by one time step; false if a step is not positive.
  bool advance() {
    const std::vector<Vec3> start = x_;
    target_ = x_;
    for (std::uint32_t v = 0; v < cloth_; ++v) {
      add(target_[v], kTimeStep, velocity_[v]);
      target_[v].z += kTimeStep * kTimeStep * kGravity;
    }
    for (int iteration = 0; iteration < 12; ++iteration) {
      find_near_pairs();
      const std::vector<Vec3> direction = newton_direction();
      std::vector<Vec3> end = x_;
      double largest = 0.0;
      for (std::uint32_t v = 0; v < cloth_; ++v) {
        add(end[v], 1.0, direction[v]);
        largest = std::max(largest, std::sqrt(dot(direction[v], direction[v])));
      }
      if (largest < 1e-5) break;
      graze::SafeStep safe = detector().safe_step(x_, end);
      if (!(safe.step > 0.0)) return false;
      x_ = std::move(safe.positions);
    }
    for (std::uint32_t v = 0; v < cloth_; ++v) {
      velocity_[v] = {};
      add(velocity_[v], 0.99 / kTimeStep, x_[v]);
      add(velocity_[v], -0.99 / kTimeStep, start[v]);
    }
    return true;
  }

  graze::Detector& detector() { return detector_.front(); }
  const std::vector<Vec3>& positions() const { return x_; }
  std::size_t near_pairs() const { return near_.size(); }

 private:
  void add_spring(std::uint32_t a, std::uint32_t b) {
    const Vec3 d{x_[a].x - x_[b].x, x_[a].y - x_[b].y, x_[a].z - x_[b].z};
    springs_.push_back({a, b, std::sqrt(dot(d, d))});
  }

  /// The barrier -k (d - near)^2 ln(d / near) of each pair within `near`, and its derivatives.
  void find_near_pairs() {
    near_.clear();
    for (const graze::Proximity& p : detector().proximities(x_, kNear).proximities) {
      NearPair near{p.pair.vertices, p.weights, {}, 0.0, 0.0};
      const std::size_t split = p.pair.kind == graze::FeatureKind::VertexFace ? 1 : 2;
      for (std::size_t i = split; i < 4; ++i) near.weights[i] = -near.weights[i];
      for (std::size_t i = 0; i < 4; ++i) add(near.normal, near.weights[i], x_[near.vertices[i]]);
      const double d = p.distance;
      for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) near.normal.*axis /= d;
      const double gap = d - kNear;
      const double log = std::log(d / kNear);
      near.slope = -kBarrier * gap * (2 * log + gap / d);
      near.curvature = -kBarrier * (2 * log + 4 * gap / d - gap * gap / (d * d));
      near_.push_back(near);
    }
  }

  /// Solves (M / h^2 + K + barrier) p = -gradient by conjugate gradients; all terms are positive semidefinite.
  std::vector<Vec3> newton_direction() const {
    constexpr double kInertia = 1.0 / (kTimeStep * kTimeStep);
    std::vector<Vec3> residual(cloth_);
    for (std::uint32_t v = 0; v < cloth_; ++v) {
      add(residual[v], kInertia, target_[v]);
      add(residual[v], -kInertia, x_[v]);
    }
    for (const Spring& s : springs_) {
      const auto [n, length] = spring_state(s);
      add(residual[s.a], -kStiffness * (length - s.length), n);
      add(residual[s.b], kStiffness * (length - s.length), n);
    }
    for (const NearPair& near : near_) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (near.vertices[i] < cloth_) add(residual[near.vertices[i]], -near.slope * near.weights[i], near.normal);
      }
    }
    std::vector<Vec3> p(cloth_);
    std::vector<Vec3> search = residual;
    double norm = squared(residual);
    const double enough = 1e-10 * norm;
    for (int i = 0; i < 200 && norm > enough; ++i) {
      const std::vector<Vec3> image = apply(search, kInertia);
      double curvature = 0.0;
      for (std::uint32_t v = 0; v < cloth_; ++v) curvature += dot(search[v], image[v]);
      const double step = norm / curvature;
      for (std::uint32_t v = 0; v < cloth_; ++v) {
        add(p[v], step, search[v]);
        add(residual[v], -step, image[v]);
      }
      const double next = squared(residual);
      for (std::uint32_t v = 0; v < cloth_; ++v) {
        Vec3 d = residual[v];
        add(d, next / norm, search[v]);
        search[v] = d;
      }
      norm = next;
    }
    return p;
  }

  static double squared(const std::vector<Vec3>& r) {
    double sum = 0.0;
    for (const Vec3& v : r) sum += dot(v, v);
    return sum;
  }

  struct SpringState {
    Vec3 direction;
    double length;
  };
  SpringState spring_state(const Spring& s) const {
    Vec3 d = x_[s.a];
    add(d, -1.0, x_[s.b]);
    const double length = std::sqrt(dot(d, d));
    return {{d.x / length, d.y / length, d.z / length}, length};
  }

  std::vector<Vec3> apply(const std::vector<Vec3>& p, double inertia) const {
    std::vector<Vec3> image(cloth_);
    for (std::uint32_t v = 0; v < cloth_; ++v) add(image[v], inertia, p[v]);
    for (const Spring& s : springs_) {
      const auto [n, length] = spring_state(s);
      Vec3 d = p[s.a];
      add(d, -1.0, p[s.b]);
      const double across = std::max(0.0, 1.0 - s.length / length);  // no stiffness across a compressed spring
      const double along = (1.0 - across) * dot(n, d);
      for (const auto& [v, sign] : {std::pair{s.a, 1.0}, std::pair{s.b, -1.0}}) {
        add(image[v], sign * kStiffness * along, n);
        add(image[v], sign * kStiffness * across, d);
      }
    }
    for (const NearPair& near : near_) {
      double change = 0.0;
      for (std::size_t i = 0; i < 4; ++i) {
        if (near.vertices[i] < cloth_) change += near.weights[i] * dot(near.normal, p[near.vertices[i]]);
      }
      for (std::size_t i = 0; i < 4; ++i) {
        if (near.vertices[i] < cloth_) {
          add(image[near.vertices[i]], near.curvature * change * near.weights[i], near.normal);
        }
      }
    }
    return image;
  }

  graze::Scene scene_;
  std::vector<graze::Detector> detector_;
  std::uint32_t cloth_ = 0;  // vertices of the cloth; those of the pyramid follow
  std::vector<Vec3> x_, velocity_, target_;
  std::vector<Spring> springs_;
  std::vector<NearPair> near_;
};

}  // namespace

int main() {
  Solver solver;
  for (int step = 0; step < 60; ++step) {
    if (!solver.advance()) {
      std::printf("step %d stalls\n", step);
      return 1;
    }
  }
  const std::vector<Vec3>& x = solver.positions();
  const Vec3 corner = x[0];
  const Vec3 middle = x[std::size_t{kSide} / 2 * (kSide + 2)];
  std::printf("after 0.6 s: middle at %.3f, corner at %.3f, %zu near pairs\n", middle.z, corner.z,
              solver.near_pairs());
  if (!solver.detector().intersections(x).edge_face.empty()) return 1;
  return solver.near_pairs() > 0 && middle.z > 0.45 && corner.z < 0.3 ? 0 : 1;
}
