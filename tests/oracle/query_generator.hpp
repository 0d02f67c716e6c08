// Seeded adversarial queries for the elementary tests, in named families.
//
// Many families construct a contact exactly: they choose all points and velocities at a dyadic time as small
// integers, so that the doubles at both ends are exact and the contact is certain. Equal seeds and indices give
// equal queries on every machine.
#pragma once

#include "oracle/random.hpp"

#include <graze/elementary.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace graze::oracle {

struct QueryFamily {
  std::string_view name;
  std::string_view summary;
  PairStep (*make)(FeatureKind kind, Random& random);
};

/// All families, in a fixed order.
std::span<const QueryFamily> query_families();
/// Null if there is no family of that name.
const QueryFamily* find_query_family(std::string_view name);

/// Query `index` of a family, with its points in a random equivalent order and its axes permuted and mirrored.
PairStep make_query(const QueryFamily& family, FeatureKind kind, std::uint64_t seed, std::uint64_t index);

}  // namespace graze::oracle
