// What the tests of method adaptive share: its choices, and the comparison of impacts to the last bit.
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

/// Every choice by itself, with sessions where it takes them to matter. The first kCoreChoices are those that every
/// sequence should see; thickness, where there is one, is for a scene of size 1.
inline constexpr std::size_t kCoreChoices = 5;
std::vector<AdaptiveChoice> adaptive_choices();

/// Some of them, all in turn.
DetectorOptions random_adaptive_choice(std::uint64_t seed);

/// Empty if all fields but remembered_side are the same to the last bit, and hashes with them; else what is not.
std::string difference(const Impacts& actual, const Impacts& expected);

/// Impacts of every step of a sequence, by one detector.
std::vector<Impacts> all_impacts(const Sequence& sequence, const DetectorOptions& options);
std::size_t total(const std::vector<Impacts>& steps);

std::vector<int> remembered_sides(const Impacts& impacts);

/// Impacts of a step, streamed, sorted.
Impacts streamed(const Detector& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

}  // namespace graze::testing
