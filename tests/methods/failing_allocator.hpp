// An operator new that fails when it is told to. It takes the place of the program's own: for programs that test
// nothing else, and no sanitizer builds.
#pragma once

namespace graze::testing {

/// Allocations that still succeed, then one fails, and all after it succeed; below 0: all do. Not for several
/// threads.
extern long until_failure;

}  // namespace graze::testing
