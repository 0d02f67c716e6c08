// Shared code of the tests of method adaptive: its options, and the comparison of impacts to the last bit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/results.hpp>

#include "support/adaptive_sequences.hpp"

namespace graze::testing {

struct AdaptiveChoice {
  std::string name;
  DetectorOptions options;  ///< method adaptive
};

/// Every option by itself, with sessions that make it matter. Every sequence should run with the first
/// kCoreChoices; a thickness is for a scene of size 1.
inline constexpr std::size_t kCoreChoices = 5;
std::vector<AdaptiveChoice> adaptive_choices();

/// Random options of method adaptive, several changed at once.
DetectorOptions random_adaptive_choice(std::uint64_t seed);

/// Empty if all fields except remembered_side are equal to the last bit, and the hashes too; else the difference.
std::string difference(const Impacts& actual, const Impacts& expected);

/// Impacts of every step of a sequence, by one detector.
std::vector<Impacts> all_impacts(const Sequence& sequence, const DetectorOptions& options);
std::size_t total(const std::vector<Impacts>& steps);

std::vector<int> remembered_sides(const Impacts& impacts);

/// Impacts of a step from the streaming query, sorted.
Impacts streamed(Detector& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

}  // namespace graze::testing
