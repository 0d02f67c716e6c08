// The machine that figures were measured on.
#pragma once

#include "output/output.hpp"

namespace graze::app {

/// {"cpu", "cores", "simd", "compiler", "graze"}; "unknown" where the system does not say.
Json machine_json();

}  // namespace graze::app
