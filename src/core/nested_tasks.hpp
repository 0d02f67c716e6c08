// Nested parallelism: runs a call that would ask for threads of its own (core/tasks.hpp) as one piece of a
// surrounding loop, for example one query of a batch of queries.
//
// Entering an arena inside another costs more than a small query, and keeps idle threads from helping with a large
// one. The implementation is beside parallel_for. Cost: one indirect call; with `alone` the scheduler is not
// involved.
#pragma once

#include "core/function_ref.hpp"

namespace graze::core {

/// Calls fn() inside a piece of a parallel_for. A with_threads that fn calls on this thread has no effect. Loops of
/// fn share the threads of the surrounding loop, or stay on this thread if `alone` is set; while this thread waits
/// for them it runs only tasks of fn. Exceptions propagate.
void run_nested(bool alone, FunctionRef<void()> fn);

}  // namespace graze::core
