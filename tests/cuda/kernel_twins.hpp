// The kernels of the narrow phase and of the proofs in floats, run on the GPU for many inputs, for comparison with
// the host's. No type of CUDA, so that tests need no CUDA compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/elementary.hpp>

#include "methods/cluster/cluster_bounds.hpp"
#include "methods/cluster/proofs_lane.hpp"
#include "narrow/kernels/quick_root_scalar.hpp"

namespace graze::testing {

using FloatPoints = narrow::scalar::Points<float>;
using PlanePoint = methods::scalar::PlaneVector<float>;

/// Answers of the elementary kernels to one pair.
struct PairAnswer {
  bool filtered = false;       ///< the filter rejects the pair
  bool quickly_apart = false;  ///< the first steps of the search with thickness reject it; false without thickness
  narrow::QuickResult found;   ///< of the quick search
};

/// Input of the proofs in floats.
struct ProofInput {
  FloatPoints points;
  float delta = 0.0F;
  float gap = 0.0F;
};

/// Answers of the proofs in floats about one input.
struct ProofAnswer {
  std::uint32_t bits = 0;           ///< a bit for each yes or no
  std::array<float, 16> numbers{};  ///< bounds of an edge in a plane
};

/// Input of the bounds of a cluster.
struct BoundsInput {
  methods::ClusterLocalFrame frame;
  float error = 0.0F;
  methods::LinearBox box;
  std::array<std::array<float, 3>, 4> normals{};
};

struct BoundsAnswer {
  std::array<double, 12> box{};
  std::array<float, 3> normal{};
};

/// The proofs, on whichever side calls them.
GRAZE_HOST_DEVICE inline ProofAnswer prove(const ProofInput& input) {
  namespace s = methods::scalar;
  ProofAnswer answer;
  const FloatPoints& p = input.points;
  const auto note = [&](unsigned bit, bool yes) { answer.bits |= yes ? 1U << bit : 0U; };
  note(0, s::never_coplanar_in_floats<bool>(p, input.delta));
  note(1, s::beyond_gap_along_normal<true, bool>(p, input.delta, input.gap));
  note(2, s::beyond_gap_along_normal<false, bool>(p, input.delta, input.gap));
  note(3, s::separated_by_slabs<1, bool>(p, input.gap));
  note(4, s::separated_by_slabs<2, bool>(p, input.gap));
  const auto point = [&](int end, int i) -> s::Point<float> {
    return {{p.x[end][i][0], p.x[end][i][1], p.x[end][i][2]}};
  };
  const s::EdgeFacePoints<float> edge_face = {point(0, 0), point(0, 1), {point(0, 2), point(0, 3), point(1, 0)}};
  note(5, s::edge_beside_plane<bool>(edge_face, input.delta));
  const auto proof = s::prove_edge_face<bool>(edge_face, input.delta);
  note(6, proof.apart);
  note(7, proof.intersect);
  const PlanePoint from{{p.x[0][0][0], p.x[1][0][0]}, {p.x[0][0][1], p.x[1][0][1]}};
  const PlanePoint to{{p.x[0][1][0], p.x[1][1][0]}, {p.x[0][1][1], p.x[1][1][1]}};
  note(8, s::is_positive<bool>(s::cross(from, to, input.delta)));
  const auto edge = s::bounds_of_edge(from, to, input.delta);
  for (int k = 0; k < 8; ++k) {
    answer.numbers[static_cast<std::size_t>(k)] = edge.lo[k];
    answer.numbers[static_cast<std::size_t>(8 + k)] = edge.hi[k];
  }
  return answer;
}

GRAZE_HOST_DEVICE inline BoundsAnswer bound(const BoundsInput& input) {
  BoundsAnswer answer;
  const methods::SceneBox box = methods::scene_box(input.frame, input.error, input.box);
  for (std::size_t k = 0; k < 6; ++k) {
    answer.box[k] = box.lo[k];
    answer.box[6 + k] = box.hi[k];
  }
  methods::NormalSum sum;
  for (const auto& normal : input.normals) sum.add_turned(normal[0], normal[1], normal[2]);
  sum.add_oriented(input.normals[0][0], input.normals[0][1], input.normals[0][2], true);
  answer.normal = sum.unit();
  return answer;
}

/// Runs the kernels of elementary tests on the GPU. Throws ResourceError if the GPU fails.
std::vector<PairAnswer> answers_on_gpu(FeatureKind kind, std::span<const PairStep> pairs,
                                       const ElementaryOptions& options);
std::vector<ProofAnswer> proofs_on_gpu(std::span<const ProofInput> inputs);
std::vector<BoundsAnswer> bounds_on_gpu(std::span<const BoundsInput> inputs);

}  // namespace graze::testing
