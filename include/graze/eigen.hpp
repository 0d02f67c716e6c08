// Eigen adapter: passes Eigen matrices as positions and triangles. Optional, not in the umbrella header; needs
// Eigen 3.
//
// A row-major, packed n x 3 matrix is viewed without a copy and must outlive the view. Any other matrix is copied
// once: column-major, which is Eigen's default, or a block with gaps.
//
//   Eigen::MatrixXd V;  Eigen::MatrixXi F;  ...
//   graze::Scene scene;
//   scene.add_body({.positions = graze::EigenPositions(V), .triangles = graze::EigenTriangles(F)});
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <graze/error.hpp>
#include <graze/types.hpp>

namespace graze {

namespace eigen_detail {

/// Throws InputError, naming `what`, unless a matrix has three columns.
inline void require_three_columns(Eigen::Index columns, const char* what) {
  if (columns == 3) return;
  throw InputError(std::string(what) + ": the matrix has " + std::to_string(columns) + " columns, not 3");
}

/// Whether the rows of a matrix with three columns are contiguous in memory, without gaps.
template <typename Derived>
bool is_packed_row_major(const Eigen::DenseBase<Derived>& matrix) {
  if constexpr ((Derived::Flags & Eigen::DirectAccessBit) != 0 && Derived::IsRowMajor) {
    return matrix.derived().innerStride() == 1 && (matrix.rows() <= 1 || matrix.derived().outerStride() == 3);
  }
  return false;
}

}  // namespace eigen_detail

/// Positions from an n x 3 matrix of doubles: a view of a row-major, packed matrix, which must outlive this object;
/// otherwise a copy. Neither copyable nor movable.
class EigenPositions {
 public:
  /// Views or copies the matrix. Throws InputError unless it has three columns.
  template <typename Derived>
  explicit EigenPositions(const Eigen::MatrixBase<Derived>& matrix) {
    static_assert(std::is_same_v<typename Derived::Scalar, double>, "positions are doubles");
    eigen_detail::require_three_columns(matrix.cols(), "positions");
    const auto count = static_cast<std::size_t>(matrix.rows());
    if constexpr ((Derived::Flags & Eigen::DirectAccessBit) != 0) {
      if (eigen_detail::is_packed_row_major(matrix)) {
        view_ = {reinterpret_cast<const Vec3*>(matrix.derived().data()), count};
        return;
      }
    }
    copy_.reserve(count);
    const auto& evaluated = matrix.derived().eval();
    for (Eigen::Index i = 0; i < evaluated.rows(); ++i) {
      copy_.push_back({evaluated(i, 0), evaluated(i, 1), evaluated(i, 2)});
    }
    view_ = copy_;
  }
  EigenPositions(const EigenPositions&) = delete;
  EigenPositions& operator=(const EigenPositions&) = delete;

  /// The positions; valid as long as this object.
  [[nodiscard]] std::span<const Vec3> span() const { return view_; }
  /// Same as span().
  operator std::span<const Vec3>() const { return view_; }  // NOLINT(google-explicit-constructor)
  /// Whether the positions are a copy; false for an empty matrix.
  [[nodiscard]] bool is_copy() const { return !copy_.empty(); }

 private:
  std::vector<Vec3> copy_;
  std::span<const Vec3> view_;
};

/// Triangles from an n x 3 matrix of vertex ids of any integer type: a view of a row-major, packed matrix of 32-bit
/// unsigned ids, which must outlive this object; otherwise a copy. Neither copyable nor movable.
class EigenTriangles {
 public:
  /// Views or copies the matrix. Throws InputError unless it has three columns, and, naming the row and the value,
  /// for an id that is negative or exceeds 32 bits.
  template <typename Derived>
  explicit EigenTriangles(const Eigen::MatrixBase<Derived>& matrix) {
    using Scalar = typename Derived::Scalar;
    static_assert(std::is_integral_v<Scalar>, "vertex ids are integers");
    eigen_detail::require_three_columns(matrix.cols(), "triangles");
    const auto count = static_cast<std::size_t>(matrix.rows());
    if constexpr ((Derived::Flags & Eigen::DirectAccessBit) != 0 && std::is_same_v<Scalar, VertexId>) {
      if (eigen_detail::is_packed_row_major(matrix)) {
        view_ = {reinterpret_cast<const Triangle*>(matrix.derived().data()), count};
        return;
      }
    }
    copy_.reserve(count);
    const auto& evaluated = matrix.derived().eval();
    for (Eigen::Index i = 0; i < evaluated.rows(); ++i) {
      copy_.push_back({id_at(evaluated(i, 0), i), id_at(evaluated(i, 1), i), id_at(evaluated(i, 2), i)});
    }
    view_ = copy_;
  }
  EigenTriangles(const EigenTriangles&) = delete;
  EigenTriangles& operator=(const EigenTriangles&) = delete;

  /// The triangles; valid as long as this object.
  [[nodiscard]] std::span<const Triangle> span() const { return view_; }
  /// Same as span().
  operator std::span<const Triangle>() const { return view_; }  // NOLINT(google-explicit-constructor)
  /// Whether the triangles are a copy; false for an empty matrix.
  [[nodiscard]] bool is_copy() const { return !copy_.empty(); }

 private:
  template <typename Scalar>
  static VertexId id_at(Scalar value, Eigen::Index row) {
    bool fits = true;
    if constexpr (std::is_signed_v<Scalar>) fits = value >= 0;
    if constexpr (sizeof(Scalar) > sizeof(VertexId)) {
      fits = fits && value <= static_cast<Scalar>(std::numeric_limits<VertexId>::max());
    }
    if (fits) return static_cast<VertexId>(value);
    throw InputError("triangles: row " + std::to_string(row) + " has the vertex id " + std::to_string(value));
  }

  std::vector<Triangle> copy_;
  std::span<const Triangle> view_;
};

/// Returns a row-major n x 3 map of the positions, without a copy. The positions must outlive the map.
[[nodiscard]] inline Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>> as_matrix(
    std::span<const Vec3> positions) {
  return {reinterpret_cast<const double*>(positions.data()), static_cast<Eigen::Index>(positions.size()), 3};
}

}  // namespace graze
