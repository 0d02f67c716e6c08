// Candidates of a query about pairs of objects: the pairs whose boxes overlap and that groups and ignored pairs
// allow, sorted by slots.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <graze/rigid_world.hpp>

#include "rigid/world/world_state.hpp"

namespace graze::rigid {

/// Which pairs a query is about: all against all, an object against all, or a probe against all. The probe must
/// have been checked.
struct PairScope {
  std::optional<std::uint32_t> slot = {};
  const WorldProbe* probe = nullptr;

  [[nodiscard]] bool one_against_all() const { return slot.has_value() || probe != nullptr; }
};

/// Two slots, or kProbe and a slot.
struct Candidate {
  std::uint32_t a;
  std::uint32_t b;
};
inline constexpr std::uint32_t kProbe = 0xffffffffU;

struct Candidates {
  std::vector<Candidate> pairs;
  std::uint64_t box_tests = 0;
};

/// An object of the world, or the probe.
struct PairSide {
  const ObjectState& state;
  const Pose& pose;
  ObjectId id;
};

/// A query with its scope and options, all of which must outlive it.
class PairQuery {
 public:
  PairQuery(const WorldState& world, const PairScope& scope, const WorldOptions& options)
      : world_(world), scope_(scope), options_(options) {}

  /// Finds the pairs whose boxes overlap, by parallel_for: all against all in the stored pairs.
  [[nodiscard]] Candidates candidates() const { return scope_.one_against_all() ? of_one(0.0) : of_stored(); }
  /// Finds the pairs whose boxes are within d >= 0 along each axis, by parallel_for.
  [[nodiscard]] Candidates candidates_within(double d) const {
    return scope_.one_against_all() ? of_one(d) : of_all(d);
  }
  /// Object a or b of a candidate.
  [[nodiscard]] PairSide side(std::uint32_t slot) const;

  [[nodiscard]] const WorldState& world() const { return world_; }
  [[nodiscard]] const WorldOptions& options() const { return options_; }

 private:
  [[nodiscard]] bool in_groups(std::uint32_t a, std::uint32_t b) const {
    return ((a & options_.groups_a) != 0 && (b & options_.groups_b) != 0) ||
           ((b & options_.groups_a) != 0 && (a & options_.groups_b) != 0);
  }
  [[nodiscard]] Candidates of_one(double d) const;
  [[nodiscard]] Candidates of_stored() const;
  [[nodiscard]] Candidates of_all(double d) const;

  const WorldState& world_;
  const PairScope& scope_;
  const WorldOptions& options_;
};

/// Throws InputError unless the probe has an object of the world's kind of tree, a valid pose, and stands for no
/// object or one of the world.
void check_probe(const WorldState& world, const WorldProbe& probe);

}  // namespace graze::rigid
