// Checks of the options and numbers that a query is given; each throws InputError with one line that names the
// culprit.
#pragma once

#include <graze/detector.hpp>

namespace graze::api {

/// Thickness finite and >= 0, tolerance in [2^-40, 1], every enumerator known, every share within its range.
void validate_options(const DetectorOptions& options);

/// A distance: finite and >= 0.
void validate_distance(double d);

}  // namespace graze::api
