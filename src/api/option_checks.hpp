// Checks of the options and numbers of a query; each throws InputError with one line that names the culprit.
#pragma once

#include <graze/detector.hpp>

namespace graze::api {

/// Requires: thickness finite and >= 0, tolerance in [2^-40, 1], every enumerator known, every share in its range.
void validate_options(const DetectorOptions& options);

/// Requires: keep in [1/64, 1), min_distance finite and >= 0.
void validate_safe_step(const SafeStepOptions& options);

/// Requires that d is finite and >= 0.
void validate_distance(double d);

}  // namespace graze::api
