// All contestants on the same poses, interleaved: in each round they take turns, a hundred poses at a time, so that
// other load on the machine affects all of them.
//
// Before the rounds each answers once, not measured: graze's variants must give equal hits and pairs, and peers are
// compared with them pair by pair. Cost: rounds + 1 queries per pose and contestant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid_contestant.hpp"

namespace graze::benchmarks {

/// Results of one contestant at one distance.
struct RaceRow {
  std::string name;
  bool exact = true;
  double mean_us = 0.0;    ///< per pose: the median over the rounds of the round's mean
  double median_us = 0.0;  ///< per pose: the median over the rounds of the round's median
  double cpu_us = 0.0;     ///< per pose: processor time, for each turn the minimum of all rounds
  double worst = 0.0;      ///< processor time of the first contestant over that of this one in the pose where it is
                           ///< largest, each the minimum of all rounds; 0 if not measured
  std::size_t worst_pose = 0;
  std::size_t hits = 0;     ///< colliding poses
  std::uint64_t pairs = 0;  ///< number of pairs of all poses; equal to hits for first-hit queries
  std::uint64_t hash = 0;   ///< hash of all answers
  // Differences from the first exact contestant:
  std::size_t false_hits = 0;
  std::size_t missed_hits = 0;
  std::uint64_t false_pairs = 0;
  std::uint64_t missed_pairs = 0;

  [[nodiscard]] bool agrees() const {
    return false_hits == 0 && missed_hits == 0 && false_pairs == 0 && missed_pairs == 0;
  }
};

using Contestants = std::vector<std::unique_ptr<RigidContestant>>;

/// Preconditions: the first contestant is exact, and the others are compared with it; at least one round.
[[nodiscard]] std::vector<RaceRow> race(const Contestants& contestants, RigidQuery query,
                                        std::span<const PosePair> poses, std::size_t rounds);

/// Measures each pose by itself and sets `worst` of the rows of a race. Cost: rounds queries per pose and
/// contestant.
void find_worst_poses(const Contestants& contestants, RigidQuery query, std::span<const PosePair> poses,
                      std::size_t rounds, std::vector<RaceRow>& rows);

}  // namespace graze::benchmarks
