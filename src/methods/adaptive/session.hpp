// A session of Method::Adaptive: consecutive steps that share one refit and one traversal of the hierarchy
// (temporal coherence; ADAPTIVE, sections 4, 6 and 7).
//
// The first step gives every vertex a reference position and a displacement bound
// (methods/adaptive/reference_positions.hpp) and builds bounds around the reference positions. It stores every
// triangle pair whose bounds overlap and whose features, at their reference positions, are no farther apart than
// the sum of both displacement bounds, together with that distance (methods/adaptive/pair_store.hpp). A pair that
// is not stored can't touch while its vertices stay within their displacement bounds. A stored pair can't touch in
// a step in which the displacements of its two triangles add up to less than its distance. Vertices that leave
// their displacement bounds (dangling vertices) get new reference positions; the session finds the pairs of their
// triangles again and marks the old pairs void.
//
// So in every step of a session all contacts are among the feature pairs of the admissible pairs: the stored pairs
// that the displacements of the step do not rule out. Each pair of leaves is stored once. Cost of a step: linear in
// vertices, leaves and stored pairs, with a small constant, plus the elementary tests of the admissible pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/methods.hpp>
#include <graze/research.hpp>
#include <graze/stats.hpp>

#include "methods/adaptive/leaf_displacements.hpp"
#include "methods/adaptive/pair_store.hpp"
#include "query/leaf/leaf_pair_source.hpp"
#include "query/waves.hpp"

namespace graze::methods {

class Session {
 public:
  /// Whether the session can process a step, or what the caller does instead.
  enum class Outcome : std::uint8_t {
    Ready,
    TooFar,   ///< too many dangling leaves or too many pairs: begin a new session, or make a plain step
    NotHere,  ///< sizes, static bodies or other queries rule it out: begin a new session, or make a plain step
  };

  [[nodiscard]] bool is_running() const { return running_; }
  void end() { running_ = false; }
  /// Ends the session and frees all memory.
  void release() { *this = {}; }
  /// Another query has used the hierarchy: its bounds no longer belong to this session.
  void lose_bounds() { has_bounds_ = false; }
  /// The scene was edited: the session ends, and everything stored about the scene is invalid.
  void forget_scene();

  /// Begins a session of `frames` steps with this step. Precondition: contacts among static bodies are known.
  [[nodiscard]] Outcome begin(const AdaptiveStep& step, const research::AdaptiveOptions& options, unsigned frames,
                              MemoryBudget& budget, Stats& stats);
  /// Processes a later step of the session. Precondition: is_running.
  [[nodiscard]] Outcome advance(const AdaptiveStep& step, MemoryBudget& budget, Stats& stats);
  /// Whether leaves dangle in this step. After all pairs() have been visited, renew_references() gives their
  /// dangling vertices new reference positions and returns the source of their pairs, which the caller stores with
  /// store() and visits.
  [[nodiscard]] bool has_dangling() const { return !displacements_.dangling().empty(); }
  [[nodiscard]] LeafPairSource renew_references(const AdaptiveStep& step, Stats& stats);
  /// Measures the pairs of `source` and stores them. Returns TooFar, and stores none, if the session would then
  /// hold more pairs than it should.
  [[nodiscard]] Outcome store(const AdaptiveStep& step, const LeafPairSource& source, MemoryBudget& budget,
                              Stats& stats);
  /// Confirms that the step prepared by begin or advance is complete and left nothing out: the session continues.
  /// Without this call, for example after an interrupted query, the session is over.
  void finish_step();

  /// The pending list: all stored pairs.
  [[nodiscard]] std::span<StoredPair> pairs() { return store_.pairs(); }
  /// Whether a pending pair is admissible in this step. A pair with a dangling leaf becomes void instead.
  [[nodiscard]] bool is_admissible(StoredPair& pair) const {
    if (displacements_.rules_out(pair) || pair.distance == kVoid) return false;
    if (!displacements_.dangles(pair)) return true;
    pair.distance = kVoid;
    return false;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return displacements_.memory_bytes() + renewed_.capacity() / 8 + pair_bytes();
  }
  [[nodiscard]] std::size_t pair_bytes() const { return store_.memory_bytes(); }

 private:
  static constexpr float kVoid = std::numeric_limits<float>::infinity();

  [[nodiscard]] static bool has_proofs(const AdaptiveStep& step);

  bool running_ = false;
  bool has_bounds_ = false;
  double gap_ = 0.0;  ///< the gap that the stored pairs are valid for: no test reports pairs farther apart
  LeafDisplacements displacements_;
  std::vector<bool> renewed_;        ///< leaves whose pairs were found again; empty if none
  bool has_new_references_ = false;  ///< set in this step: pairs stored from now on belong to renewed leaves
  PairStore store_;
  std::size_t void_pairs_ = 0;  ///< estimate of the void pairs in store_
};

}  // namespace graze::methods
