// The simplex of the search of gjk.hpp: up to four differences a - b of points of two cores, and the point of their
// hull that is nearest to the origin, as weights >= 0 that sum to 1 but for rounding.
//
// `contains` proves that the cores share a point: the origin lies in the tetrahedron of four differences. The four
// determinants that say so have entries below 2 L that err by 64 u L, and cofactors below 8 L^2: 9 64 u L 8 L^2 =
// 4608 u L^3, and their arithmetic errs by at most 8 u (the sum of six products below 8 L^3) = 384 u L^3. If all
// exceed 2^-40 L^3 = 8192 u L^3, the origin is inside. L and u as of body.hpp. Constant cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "narrow/closest.hpp"
#include "rigid/shapes/relative.hpp"

namespace graze::rigid {

template <class T>
class Simplex {
 public:
  struct Vertex {
    narrow::Vec<T> w;  ///< a - b
    narrow::Vec<T> a;
    narrow::Vec<T> b;
    std::array<std::uint32_t, 2> pair{};
  };

  explicit Simplex(const Vertex& first) : vertices_{first}, weights_{T(1.0)}, count_(1), x_(first.w) {
    x2_ = narrow::dot(x_, x_);
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const Vertex& vertex(std::size_t i) const { return vertices_[i]; }
  [[nodiscard]] const T& weight(std::size_t i) const { return weights_[i]; }
  /// The point nearest to the origin, and its square.
  [[nodiscard]] const narrow::Vec<T>& x() const { return x_; }
  [[nodiscard]] const T& x2() const { return x2_; }
  /// Whether the origin is certainly inside; set by an insert() of a fourth vertex.
  [[nodiscard]] bool contains() const { return contains_; }

  /// Adds a vertex and keeps those that the point nearest to the origin needs. Returns false, and changes nothing,
  /// if that point is not nearer. Precondition: count() < 4.
  bool insert(const Vertex& vertex, double extent) {
    vertices_[count_] = vertex;
    best2_ = x2_;
    improved_ = false;
    const std::size_t last = count_;
    if (last == 1) try_edge(0, 1);
    if (last == 2) try_face(0, 1, 2);
    if (last == 3) {
      try_inside(extent);
      for (std::size_t i = 0; i < 3; ++i) try_face(i, (i + 1) % 3, 3);
    }
    if (!improved_) return false;
    std::size_t kept = 0;
    for (std::size_t i = 0; i <= last; ++i) {
      if (!(best_weights_[i] > T(0.0))) continue;
      vertices_[kept] = vertices_[i];
      weights_[kept++] = best_weights_[i];
    }
    count_ = kept;
    x_ = best_;
    x2_ = best2_;
    return true;
  }

 private:
  using Weights = std::array<T, 4>;

  void consider(const Weights& weights) {
    narrow::Vec<T> x;
    for (std::size_t i = 0; i < 4; ++i) {
      if (weights[i] > T(0.0)) x = x + weights[i] * vertices_[i].w;
    }
    const T square = narrow::dot(x, x);
    if (!(square < best2_)) return;
    improved_ = true;
    best2_ = square;
    best_ = x;
    best_weights_ = weights;
  }
  void try_edge(std::size_t i, std::size_t j) {
    const T s = narrow::nearest_on_segment(vertices_[i].w, vertices_[j].w);
    Weights weights{};
    weights[i] = T(1.0) - s;
    weights[j] = s;
    consider(weights);
  }
  void try_face(std::size_t i, std::size_t j, std::size_t k) {
    const auto closest =
        narrow::VertexFace::closest<T>(narrow::Relative<T>{vertices_[i].w, vertices_[j].w, vertices_[k].w});
    Weights weights{};
    weights[i] = closest.weights[1];
    weights[j] = closest.weights[2];
    weights[k] = closest.weights[3];
    consider(weights);
  }
  void try_inside(double extent) {
    const auto& v = vertices_;
    const auto determinant = [](const narrow::Vec<T>& p, const narrow::Vec<T>& q, const narrow::Vec<T>& r) {
      return narrow::dot(p, narrow::cross(q, r));
    };
    Weights d{determinant(v[1].w, v[2].w, v[3].w), -determinant(v[0].w, v[2].w, v[3].w),
              determinant(v[0].w, v[1].w, v[3].w), -determinant(v[0].w, v[1].w, v[2].w)};
    T all = d[0] + d[1] + d[2] + d[3];
    if (all < T(0.0)) {
      all = -all;
      for (T& one : d) one = -one;
    }
    if (!(narrow::to_double(all) > narrow::kNoWeights)) return;
    T least = d[0];
    for (const T& one : d) least = one < least ? one : least;
    if (!(least >= T(0.0))) return;
    contains_ = least > T(0x1p-40 * extent * extent * extent);
    for (T& one : d) one = one / all;
    consider(d);
  }

  std::array<Vertex, 4> vertices_;
  std::array<T, 4> weights_;
  std::size_t count_;
  narrow::Vec<T> x_;
  T x2_;
  bool contains_ = false;
  bool improved_ = false;
  Weights best_weights_{};
  narrow::Vec<T> best_;
  T best2_{};
};

}  // namespace graze::rigid
