// Detectors in use through a script of edits: after every edit each must have the state that a new detector would
// build, and give the same answers.
//
// The seed determines the queries, their number and the positions of the vertices. A failure is a text; replay()
// does not shrink the script, report() does. Cost: about that of a new detector for each edit and detector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/scene.hpp>

#include "support/edit_script.hpp"

namespace graze::testing {

/// Counts of what a replay contained, to check that the test covered it.
struct ReplayCounts {
  std::size_t edits = 0;  ///< edits times detectors
  std::size_t queries = 0;
  std::size_t contacts = 0;
  std::size_t by_oracle = 0;
  std::size_t refused = 0;  ///< edits made for another revision

  ReplayCounts& operator+=(const ReplayCounts& other);
};

struct ReplayFailure {
  std::string text;          ///< empty: no failure
  std::uint32_t round = 0;   ///< round of the script
  std::size_t detector = 0;  ///< index in the list
};

/// Replays a script on all detectors, which must have the same thickness.
ReplayFailure replay(const Scene& start, const EditScript& script, const std::vector<DetectorOptions>& detectors,
                     std::uint64_t seed, ReplayCounts& counts);

/// Empty if everything is right; else the fault, with the smallest failing script that was found.
std::string report(const Scene& start, const EditScript& script, const std::vector<DetectorOptions>& detectors,
                   std::uint64_t seed, ReplayCounts& counts);

/// "iccd, sah, kdop18, ..., 2 threads".
std::string to_string(const DetectorOptions& options);

/// A selection of all options, every method in turn; the same thickness for all.
std::vector<DetectorOptions> some_detectors(std::uint64_t seed, std::size_t count);

}  // namespace graze::testing
