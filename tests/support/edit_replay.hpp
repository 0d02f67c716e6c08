// Detectors in use through a script of edits: after every edit each must hold what a new one would make, and answer
// as a new one does.
//
// What is asked, how often and where the vertices are come from the seed. A failure is a text; replay() shrinks
// nothing, report() does. Cost: about that of a new detector for each edit and detector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/scene.hpp>

#include "support/edit_script.hpp"

namespace graze::testing {

/// What a replay went through: a test that met nothing shows nothing.
struct ReplayCounts {
  std::size_t edits = 0;  ///< times detectors
  std::size_t queries = 0;
  std::size_t contacts = 0;
  std::size_t by_oracle = 0;
  std::size_t refused = 0;  ///< edits made for another state

  ReplayCounts& operator+=(const ReplayCounts& other);
};

struct ReplayFailure {
  std::string text;          ///< empty: none
  std::uint32_t round = 0;   ///< of the script
  std::size_t detector = 0;  ///< of the list
};

/// All detectors must have the same thickness.
ReplayFailure replay(const Scene& start, const EditScript& script, const std::vector<DetectorOptions>& detectors,
                     std::uint64_t seed, ReplayCounts& counts);

/// Empty if all is right; else what is wrong with the smallest script that was found to fail.
std::string report(const Scene& start, const EditScript& script, const std::vector<DetectorOptions>& detectors,
                   std::uint64_t seed, ReplayCounts& counts);

/// "iccd, sah, dop18, ..., 2 threads".
std::string to_string(const DetectorOptions& options);

/// Some of all choices there are, every method in turn; the same thickness for all.
std::vector<DetectorOptions> some_detectors(std::uint64_t seed, std::size_t count);

}  // namespace graze::testing
