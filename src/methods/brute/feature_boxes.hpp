// Axis-aligned bounding boxes (AABB) of every feature over a step or at an instant, as structure of arrays, and the
// overlap test of one box against a run of others.
//
// The test uses minima, maxima and one subtraction per axis: rounding is monotonic, so fl(lo - hi) > gap proves
// lo - hi > gap, and a pair that is culled is farther apart than the gap for all t. Cost: O(features) to build; a
// test takes a few SIMD operations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/features.hpp"

namespace graze::methods {

struct Box {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
};

/// Boxes of one kind of feature; [axis][feature].
struct Boxes {
  std::array<std::vector<double>, 3> lo;
  std::array<std::vector<double>, 3> hi;

  [[nodiscard]] std::size_t size() const { return lo[0].size(); }
  [[nodiscard]] Box box(std::size_t i) const {
    return {{lo[0][i], lo[1][i], lo[2][i]}, {hi[0][i], hi[1][i], hi[2][i]}};
  }
};

struct FeatureBoxes {
  Boxes vertices;
  Boxes edges;
  Boxes faces;
};

/// Bytes of the boxes of these features.
inline std::size_t feature_boxes_bytes(const Features& features) {
  return sizeof(Box) * (features.vertices.size() + features.edges.size() + features.faces.size());
}

/// Computes boxes that bound each feature for all t in [0, until]; `until` in [0, 1]. Parallel. For one instant
/// pass the positions twice.
FeatureBoxes make_feature_boxes(const Features& features, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                double until = 1.0);

/// The longest run that boxes_within() accepts.
inline constexpr std::size_t kBoxRun = 512;

/// Writes, ascending, the ids in [first, last) whose box is no farther than gap from `box` on every axis; returns
/// their number. Preconditions: last - first <= kBoxRun; `found` has space for last - first ids.
std::size_t boxes_within(const Boxes& boxes, const Box& box, std::size_t first, std::size_t last, double gap,
                         std::uint32_t* found);

}  // namespace graze::methods
