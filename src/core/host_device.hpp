// Functions that are compiled for the host and, in sources that a CUDA compiler reads, for the device, too.
//
// A function with this mark computes the same bits on both: sources are compiled without fused multiply-add, and
// division and square root are those of IEEE 754. It must not allocate, throw, or call anything without the mark
// except constexpr functions and those of <cmath> that round exactly (abs, sqrt, ldexp, ...).
#pragma once

#if defined(__CUDACC__)
#define GRAZE_HOST_DEVICE __host__ __device__
#else
#define GRAZE_HOST_DEVICE
#endif
