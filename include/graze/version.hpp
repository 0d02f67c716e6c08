/// @file
/// Version of the headers, as macros, and version of the linked library. Before 1.0, a minor version may change the
/// API; a patch version does not.
#pragma once

#include <string_view>

#include <graze/export.hpp>

#define GRAZE_VERSION_MAJOR 0  ///< major version of the headers
#define GRAZE_VERSION_MINOR 2  ///< minor version of the headers
#define GRAZE_VERSION_PATCH 0  ///< patch version of the headers
/// Version of the headers as one number, for comparisons: 1000000 * major + 1000 * minor + patch.
#define GRAZE_VERSION_NUMBER (GRAZE_VERSION_MAJOR * 1000000 + GRAZE_VERSION_MINOR * 1000 + GRAZE_VERSION_PATCH)

namespace graze {

/// Returns the version of the linked library as "MAJOR.MINOR.PATCH".
[[nodiscard]] GRAZE_API std::string_view version();

}  // namespace graze
