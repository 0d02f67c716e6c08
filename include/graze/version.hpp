// The version of the library that was linked.
#pragma once

#include <string_view>

namespace graze {

/// "MAJOR.MINOR.PATCH".
std::string_view version();

}  // namespace graze
