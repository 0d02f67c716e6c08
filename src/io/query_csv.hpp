// Query file reader (CSV): eight rows a query, each "xn,xd,yn,yd,zn,zd,truth" with integers of any length.
//
// Each coordinate must equal a double exactly; otherwise the truth in the file would be that of a different query.
// Nearly all coordinates are integers of up to 64 bits over a power of two, and take a few shifts; the others use
// Boost.Multiprecision. Cost: O(n) in the bytes (a number has at most 4,000 digits).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <graze/io.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

std::vector<Query> parse_queries(std::string_view data, const std::string& name);

enum class RationalStatus : std::uint8_t { Ok, NotAnInteger, TooLong, BadDenominator, NotADouble };
/// The double that equals numerator / denominator exactly; the denominator must be positive.
RationalStatus parse_rational(std::string_view numerator, std::string_view denominator, double& value);

}  // namespace graze::io
