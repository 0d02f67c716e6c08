// Many poses of two rigid objects: each asked and, on one thread, timed; what came of all of them.
//
// On one thread a collider sees the poses in order, with the clock read before and after each. On several the
// library takes them in blocks, and only the time of a block is known. Linear in poses beside the queries; answers
// are handed on pose by pose, so that nothing grows with the contacts of all.
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

enum class RigidQueryKind : std::uint8_t { First, Pairs, Contacts };

struct RigidQuery {
  RigidQueryKind kind = RigidQueryKind::First;
  ColliderOptions collider;
  unsigned threads = 1;  ///< > 0; contacts are always those of one
};

/// What one pose gave.
struct RigidAnswer {
  std::optional<TrianglePair> pair;        ///< some that meet
  std::span<const TrianglePair> pairs;     ///< all, but of First
  std::span<const RigidContact> contacts;  ///< of Contacts
  std::uint64_t hash = 0;                  ///< of First whether they meet, else of the pairs
  RigidStats stats;
  std::optional<double> us;

  [[nodiscard]] bool hit() const { return pair.has_value(); }
};
using RigidAnswerSink = std::function<void(std::size_t pose, const RigidAnswer&)>;

struct RigidTotals {
  std::uint64_t poses = 0;
  std::uint64_t hits = 0;
  std::uint64_t pairs = 0;  ///< but of First
  std::uint64_t hash = 0;   ///< of one pose its own, else of theirs in order
  RigidStats stats;
  double total_us = 0.0;
  std::optional<double> max_us;

  [[nodiscard]] double mean_us() const { return poses > 0 ? total_us / static_cast<double>(poses) : 0.0; }
};

/// Throws Interrupted after a signal. `label` is of the progress.
RigidTotals run_poses(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                      const RigidQuery& query, const std::string& label, Progress& progress,
                      const RigidAnswerSink& sink = {});

/// The keys that every answer of a rigid query ends with.
Json rigid_counters_json(const RigidStats& stats);
/// {"mean", "max", "total"} in microseconds.
Json rigid_times_json(const RigidTotals& totals);
Json triangle_pair_json(const std::optional<TrianglePair>& pair);  ///< [a, b] or null

}  // namespace graze::app
