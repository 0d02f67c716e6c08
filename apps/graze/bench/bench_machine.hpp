// What the figures were taken on.
#pragma once

#include "output/output.hpp"

namespace graze::app {

/// {"cpu", "cores", "simd", "compiler", "graze"}; "unknown" where the system does not tell.
Json machine_json();

}  // namespace graze::app
