// File names of frame sequences: natural sort order, and glob patterns with * and ?.
#pragma once

#include <string_view>

#include "core/namespaces.hpp"

namespace graze::io {

/// Natural order: true if a comes before b when runs of digits compare as numbers (frame2 before frame10). A strict
/// total order: names whose numbers differ only in leading zeros are compared by characters. O(length).
bool natural_less(std::string_view a, std::string_view b);

/// Glob: true if the whole name matches. '*' matches any characters, '?' exactly one. O(name x pattern) in the
/// worst case, not exponential.
bool glob_match(std::string_view pattern, std::string_view name);

}  // namespace graze::io
