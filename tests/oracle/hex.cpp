// Hex floats by "%a", which every compiler reads back to the same bits.
#include "oracle/hex.hpp"

#include <fmt/format.h>

namespace graze::oracle {

// Small integers stay readable; all other numbers are hex.
std::string to_source(double value) {
  if (value >= -4096.0 && value <= 4096.0 && value == static_cast<double>(static_cast<int>(value)) &&
      value != 0.0) {
    return fmt::format("{:.1f}", value);
  }
  return value == 0.0 ? "0.0" : fmt::format("{:a}", value);
}

std::string to_source(const Vec3& point) {
  return fmt::format("Vec3{{{}, {}, {}}}", to_source(point.x), to_source(point.y), to_source(point.z));
}

std::string to_source(const PairStep& pair) {
  std::string text = "PairStep{";
  for (const auto* points : {&pair.t0, &pair.t1}) {
    text += points == &pair.t0 ? "{" : ",\n         {";
    for (std::size_t i = 0; i < 4; ++i) text += (i == 0 ? "" : ",\n          ") + to_source((*points)[i]);
    text += "}";
  }
  return text + "}";
}

}  // namespace graze::oracle
