// Queries two rigid objects in many poses: the answer and, on one thread, the time of each pose, and their totals.
//
// On one thread a collider gets the poses in order, and each pose is timed. On several threads the library takes
// the poses in blocks, and only the time of a block is known. Cost besides the queries: linear in the poses.
// Answers are handed on pose by pose, so memory does not grow with the contacts of all poses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <graze/rigid.hpp>

#include "output/output.hpp"
#include "output/terminal.hpp"

namespace graze::app {

enum class RigidQueryKind : std::uint8_t { First, Pairs, Contacts, Distance };

struct RigidQuery {
  RigidQueryKind kind = RigidQueryKind::First;
  ColliderOptions collider;
  unsigned threads = 1;  ///< > 0; Contacts always runs on one thread
};

/// The answer of one pose.
struct RigidAnswer {
  std::optional<TrianglePair> pair;        ///< some intersecting pair, if there is one
  std::span<const TrianglePair> pairs;     ///< all intersecting pairs; empty for First
  std::span<const RigidContact> contacts;  ///< only for Contacts
  std::uint64_t hash = 0;                  ///< hash of the pairs; for First, hash of whether there is one
  RigidStats stats;
  std::optional<double> us;

  [[nodiscard]] bool hit() const { return pair.has_value(); }
};
using RigidAnswerSink = std::function<void(std::size_t pose, const RigidAnswer&)>;

struct RigidTotals {
  std::uint64_t poses = 0;
  std::uint64_t hits = 0;
  std::uint64_t pairs = 0;  ///< 0 for First
  std::uint64_t hash = 0;   ///< hash of a single pose, or hash of the hashes of all poses
  RigidStats stats;
  double total_us = 0.0;
  std::optional<double> max_us;

  [[nodiscard]] double mean_us() const { return poses > 0 ? total_us / static_cast<double>(poses) : 0.0; }
};

/// Runs all poses, in order. Precondition: the query is not Distance (rigid_distance.hpp). Throws Interrupted after
/// a signal. `label` names the work in the progress line.
RigidTotals run_poses(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                      const RigidQuery& query, const std::string& label, Progress& progress,
                      const RigidAnswerSink& sink = {});

/// Counters of a query, which every JSON answer ends with.
Json rigid_counters_json(const RigidStats& stats);
/// {"mean", "max", "total"} in microseconds.
Json rigid_times_json(const RigidTotals& totals);
Json triangle_pair_json(const std::optional<TrianglePair>& pair);  ///< [a, b] or null

}  // namespace graze::app
