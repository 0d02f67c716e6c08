// The columns of impacts as members of graze::Impact, for arrays that are made by the name of a column: in GPU
// memory, and of batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <graze/results.hpp>

namespace graze::python {

/// One column: `width` values of one type in each impact; width 0 makes an array of one dimension.
struct ImpactColumn {
  const char* name;
  const char* type;  ///< in the notation of numpy
  std::size_t item;  ///< bytes of a value
  std::size_t offset;
  std::size_t width;
  const char* text;

  [[nodiscard]] std::vector<std::int64_t> shape(std::size_t rows) const {
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(rows)};
    if (width > 0) shape.push_back(static_cast<std::int64_t>(width));
    return shape;
  }
  /// Bytes from a value to the next one in each dimension.
  [[nodiscard]] std::vector<std::int64_t> strides() const {
    std::vector<std::int64_t> strides{static_cast<std::int64_t>(sizeof(Impact))};
    if (width > 0) strides.push_back(static_cast<std::int64_t>(item));
    return strides;
  }
  /// The address of the first value in an array of impacts.
  [[nodiscard]] const void* first(const Impact* impacts) const {
    return reinterpret_cast<const char*>(impacts) + offset;
  }
};

static_assert(std::is_standard_layout_v<Impact>);
static_assert(sizeof(Impact) % sizeof(double) == 0, "DLPack counts strides in values");

inline constexpr std::size_t kPairOffset = offsetof(Impact, pair);
inline constexpr std::array kImpactColumns = {
    ImpactColumn{"kind", "|u1", 1, kPairOffset + offsetof(FeaturePair, kind), 0, "VERTEX_FACE or EDGE_EDGE, n."},
    ImpactColumn{"vertices", "<u4", sizeof(VertexId), kPairOffset + offsetof(FeaturePair, vertices), 4,
                 "Vertex ids of each pair, n x 4: the vertex and the face, or two edges."},
    ImpactColumn{"toi", "<f8", sizeof(double), offsetof(Impact, toi_lo), 0,
                 "Times of impact, n: no contact of the pair before it."},
    ImpactColumn{"toi_hi", "<f8", sizeof(double), offsetof(Impact, toi_hi), 0,
                 "Upper ends of the time-of-impact intervals, n."},
    ImpactColumn{"weights", "<f8", sizeof(double), offsetof(Impact, weights), 4,
                 "Barycentric weights of the contact points, n x 4, in the order of `vertices`."},
    ImpactColumn{"normal", "<f8", sizeof(double), offsetof(Impact, normal), 3,
                 "Unit normals towards the first feature, n x 3; zero where undefined."},
    ImpactColumn{"side", "<i4", sizeof(std::int32_t), offsetof(Impact, side), 0,
                 "Side of the first feature before the contact, n: 1, -1, or 0."},
    ImpactColumn{"remembered_side", "<i4", sizeof(std::int32_t), offsetof(Impact, remembered_side), 0,
                 "The side before the contact began, in an earlier step, n."}};

}  // namespace graze::python
