// Many scenes in one call: each is answered as by a call of its own, side by side on all cores.
//
// For those who step thousands of small worlds at once. Small scenes have a core each; large ones are begun first,
// and cores that find no scene any more help with them.
#pragma once

#include <span>
#include <vector>

#include <graze/detector.hpp>
#include <graze/export.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

namespace graze {

/// One step of a triangle soup: a scene of one body that may touch itself. The views must last for the call.
struct SoupStep {
  std::span<const Triangle> triangles = {};
  std::span<const Vec3> x_t0 = {};
  std::span<const Vec3> x_t1 = {};
};

/// One step of a scene whose detector the caller keeps.
struct DetectorStep {
  Detector* detector = nullptr;
  std::span<const Vec3> x_t0 = {};
  std::span<const Vec3> x_t1 = {};
};

/// Every impact of each soup, in the order of the soups: the same bits as of one call each, counters included, for
/// any number of threads. Nothing is kept. Throws InputError "scene 17: ..." of the lowest number that there is one
/// of. Of the options, progress gets the share of scenes that are done, now and then, on any thread, one at a time;
/// memory_cap is for the whole batch, counted as if scenes came one after the other, the results of those before
/// being held. (Each further thread holds the work space of one more scene.)
[[nodiscard]] GRAZE_API std::vector<Impacts> find_impacts(std::span<const SoupStep> soups,
                                                          const DetectorOptions& options = {});
/// The earliest impact of each; the same otherwise.
[[nodiscard]] GRAZE_API std::vector<FirstImpact> first_impacts(std::span<const SoupStep> soups,
                                                               const DetectorOptions& options = {});

/// The same of scenes with detectors, on `threads` threads (0: all cores) instead of their own; each detector at
/// most once. All input is checked before any detector begins. Other options are each detector's: memory_cap is for
/// its own query, and several may call their progress at the same time. After an exception, also Interrupted, all
/// detectors answer as before; which of them have seen the step is not said.
[[nodiscard]] GRAZE_API std::vector<Impacts> find_impacts(std::span<const DetectorStep> steps,
                                                          unsigned threads = 0);
[[nodiscard]] GRAZE_API std::vector<FirstImpact> first_impacts(std::span<const DetectorStep> steps,
                                                               unsigned threads = 0);

}  // namespace graze
