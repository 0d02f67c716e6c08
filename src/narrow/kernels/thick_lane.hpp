// Narrow phase with thickness: the quick search (thick_kernel.inl.hpp) for a single lane, on the host or on a CUDA
// device. The scalar twin (thick_scalar.cpp) and the device code (cuda/kernels/elementary_device.cuh) are made of
// it.
#pragma once

#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/kernels/quick_root_scalar.hpp"
#include "narrow/kernels/triple_scalar.hpp"
#include "narrow/toi_width.hpp"

namespace graze::narrow::scalar {

#define GRAZE_LANES GRAZE_HOST_DEVICE inline
#include "narrow/kernels/thick_kernel.inl.hpp"
#undef GRAZE_LANES

}  // namespace graze::narrow::scalar
