// Memory of the emulated GPU: how much is in use, how often it was asked for, and a limit.
#pragma once

#include <cstddef>

namespace graze::emulator {

/// Bytes that are allocated now.
std::size_t allocated_bytes();
/// Number of allocations so far.
std::size_t allocation_count();
/// Lets allocations fail that lead beyond `bytes`; 0: no limit.
void limit_memory(std::size_t bytes);

}  // namespace graze::emulator
