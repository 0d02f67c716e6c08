// Narrow phase kernels: vectors of three components (triple.inl.hpp) for a single lane, on the host or on a CUDA
// device.
#pragma once

#include "narrow/kernels/scalar_lanes.hpp"

namespace graze::narrow::scalar {

#define GRAZE_LANES GRAZE_HOST_DEVICE inline
#include "narrow/kernels/triple.inl.hpp"
#undef GRAZE_LANES

}  // namespace graze::narrow::scalar
