// Batches: queries of many scenes in one call, in parallel on all cores; each result equals that of a single call.
//
// Meant for thousands of small scenes that advance at the same time. A small scene runs on one core. Large scenes
// start first, and cores that have no scene left help with them. Cost beside the scenes: sorting their sizes.
#pragma once

#include <span>
#include <vector>

#include <graze/detector.hpp>
#include <graze/export.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

namespace graze {

/// One step of a triangle soup, treated as one body with self-collision. The views must stay valid during the call.
struct SoupStep {
  std::span<const Triangle> triangles = {};  ///< triangles in ids of the positions
  std::span<const Vec3> x_t0 = {};           ///< positions at the start of the step
  std::span<const Vec3> x_t1 = {};           ///< positions at the end of the step
};

/// One step of a scene whose detector the caller owns. Detector and views must stay valid during the call.
struct DetectorStep {
  Detector* detector = nullptr;     ///< not null, not owned; at most once per batch
  std::span<const Vec3> x_t0 = {};  ///< positions of all scene vertices at the start of the step
  std::span<const Vec3> x_t1 = {};  ///< positions of all scene vertices at the end of the step
};

/// Finds every impact of each soup, in the order of the soups. Results and counters equal those of one call per
/// soup, bit for bit, for any number of threads. Throws InputError or ResourceError with "scene N: " before the
/// message, for the failing scene with the lowest index N. options.progress gets the share of finished scenes, on
/// any thread, one call at a time, and in long scenes again and again, so that it can stop them. options.memory_cap
/// covers the whole batch as if scenes ran one after the other while earlier results are held; each further thread
/// holds the work arrays of one more scene, which do not count.
[[nodiscard]] GRAZE_API std::vector<Impacts> find_impacts(std::span<const SoupStep> soups,
                                                          const DetectorOptions& options = {});
/// Finds the earliest impact of each soup. Order, determinism, options and errors as for find_impacts of soups.
[[nodiscard]] GRAZE_API std::vector<FirstImpact> first_impacts(std::span<const SoupStep> soups,
                                                               const DetectorOptions& options = {});

/// Finds every impact of each step with its detector, on `threads` threads (0: all cores) in place of the
/// detectors' own number. All input is checked before any query starts. Other options are those of each detector:
/// memory_cap holds for its own query, and several detectors may call their progress at the same time. Throws as
/// for soups, and InputError for a null or repeated detector. After an exception, Interrupted included, all
/// detectors stay valid, but it is unspecified which of them have processed the step.
[[nodiscard]] GRAZE_API std::vector<Impacts> find_impacts(std::span<const DetectorStep> steps,
                                                          unsigned threads = 0);
/// Finds the earliest impact of each step with its detector. Threads, options and errors as for find_impacts.
[[nodiscard]] GRAZE_API std::vector<FirstImpact> first_impacts(std::span<const DetectorStep> steps,
                                                               unsigned threads = 0);

}  // namespace graze
