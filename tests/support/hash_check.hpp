// Shared code of the tests of method hash: random options, and the answers of all queries, to the last bit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/results.hpp>

#include "environment.hpp"
#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"

namespace graze::testing {

/// Whether this is one of the slow builds that check contracts, which run fewer rounds.
#if defined(GRAZE_ASSERTS)
inline constexpr bool kIsSlow = true;
#else
inline constexpr bool kIsSlow = false;
#endif

/// Random options of the method except the lossy one; 1, 2 or 7 threads. No thickness.
DetectorOptions random_hash_choice(oracle::Random& random);
/// "hash, levels, 0.2 voxels, ...".
std::string described(const DetectorOptions& options);

Scene scene_of(const oracle::SceneStep& step);

/// Answers of every query to a step.
struct Answers {
  Impacts impacts;
  Impacts streamed;  ///< sorted
  FirstImpact first;
  Intersections intersections;  ///< at the start
  Proximities proximities;      ///< at the end
};
Answers ask(Detector& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double distance);
inline Answers ask(Detector&& detector, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double distance) {
  return ask(detector, x_t0, x_t1, distance);
}

/// Empty if everything is equal to the last bit, including remembered sides; else the difference.
std::string difference(const Answers& actual, const Answers& expected);

}  // namespace graze::testing
