// The version of the headers, as macros, and of the library that was linked.
//
// Before 1.0 a minor version may change the API, and a patch version does not.
#pragma once

#include <string_view>

#include <graze/export.hpp>

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 2
#define GRAZE_VERSION_PATCH 0
/// For comparisons: 1000000 * major + 1000 * minor + patch.
#define GRAZE_VERSION_NUMBER (GRAZE_VERSION_MAJOR * 1000000 + GRAZE_VERSION_MINOR * 1000 + GRAZE_VERSION_PATCH)

namespace graze {

/// "MAJOR.MINOR.PATCH" of the library.
[[nodiscard]] GRAZE_API std::string_view version();

}  // namespace graze
