// An operator new that fails on request. It replaces the program's own: only for programs that test nothing else,
// and not for sanitizer builds.
#pragma once

namespace graze::testing {

/// Number of allocations that succeed before one fails; all after it succeed. Negative: none fails. Not
/// thread-safe.
extern long until_failure;

}  // namespace graze::testing
