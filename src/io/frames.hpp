// Names of frames: their natural order, and patterns with * and ?.
#pragma once

#include <string_view>

#include "core/namespaces.hpp"

namespace graze::io {

/// Is a before b when runs of digits compare as numbers (frame2 before frame10)? A strict total order: names whose
/// numbers differ in leading zeros only fall back to the order of their characters. O(length).
bool natural_less(std::string_view a, std::string_view b);

/// Does the whole name match? '*' stands for any characters, '?' for one. O(name x pattern) at worst, not
/// exponential.
bool glob_match(std::string_view pattern, std::string_view name);

}  // namespace graze::io
