// Doubles and points as C++ source with hex floats: exact, and ready to paste into a test.
#pragma once

#include <graze/elementary.hpp>

#include <string>

namespace graze::oracle {

std::string to_source(double value);
std::string to_source(const Vec3& point);
std::string to_source(const PairStep& pair);

}  // namespace graze::oracle
