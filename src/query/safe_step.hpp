// Safe step (collision-free step, step size filter of a line search): how far a solver may go from x_t0 towards
// x_t1, and positions there that are proved free of contact on the way.
//
// The first impact bounds the step; a share of the way to it is kept. Positions at the shortened step are rounded,
// so they lie on another straight line than x_t0 to x_t1: the proof is a second search, on the very step from x_t0
// to these doubles. If rounding itself makes a contact, the step is shortened again. Cost: two searches for the
// first impact, one if there is none.
#pragma once

#include <graze/detector.hpp>

#include "query/contact_method.hpp"

namespace graze::query {

/// Finds the safe step. `query.options.thickness` is the distance that must be exceeded on the way.
SafeStep find_safe_step(ContactMethod& method, const QueryContext& query, const StepPositions& x, double keep);

}  // namespace graze::query
