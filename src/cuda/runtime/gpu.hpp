// The GPU that queries use. No type of CUDA, so that the rest of the library needs no CUDA compiler.
#pragma once

#include <span>
#include <string>

#include <graze/results.hpp>
#include <graze/types.hpp>

namespace graze::cuda {

/// Returns why no GPU can be used, in one line; empty if one can. Asks the driver once.
[[nodiscard]] const std::string& why_no_gpu();

/// Copies impacts from GPU memory. Throws ResourceError if the copy fails.
void copy_to_host(const Impact* from, std::span<Impact> to);
/// Copies positions from GPU memory, after the work of a stream. Throws ResourceError if the copy fails.
void copy_to_host(const Vec3* from, std::span<Vec3> to, void* stream);

/// Returns the number of the current device.
[[nodiscard]] int current_device();

}  // namespace graze::cuda
