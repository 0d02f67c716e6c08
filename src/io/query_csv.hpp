// Query files: eight rows a query, each "xn,xd,yn,yd,zn,zd,truth" with integers of any length.
//
// A coordinate must be a double exactly, or the exact truth in the file would be that of another query. Integers of
// up to 64 bits over a power of two, nearly all, are decided with a few shifts; the rest in Boost.Multiprecision.
// Cost: O(n) in the bytes (a number has at most 4,000 digits).
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
/// The double that equals numerator / denominator; the denominator must be positive.
RationalStatus parse_rational(std::string_view numerator, std::string_view denominator, double& value);

}  // namespace graze::io
