// The proofs in floats about pairs of features and about a cluster with itself (float_proof_kernel.inl.hpp,
// self_proof_kernel.inl.hpp) for a single lane, on the host or on a CUDA device. The SIMD versions do the same
// operations in the same order, and so prove the same.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "narrow/kernels/filter_scalar.hpp"

namespace graze::methods::scalar {

using namespace graze::narrow::scalar;

#define GRAZE_LANES GRAZE_HOST_DEVICE inline
#include "methods/cluster/float_proof_kernel.inl.hpp"

#include "methods/cluster/self_proof_kernel.inl.hpp"
#undef GRAZE_LANES

}  // namespace graze::methods::scalar
