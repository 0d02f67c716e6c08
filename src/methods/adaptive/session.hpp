// A session of Method::Adaptive: the steps that share one update and one traversal of the hierarchy (ADAPTIVE,
// sections 4, 6 and 7).
//
// Its first step gives every vertex a home and a reach (methods/adaptive/reference_positions.hpp), makes bounds
// around the homes, and keeps every pair of triangles whose bounds overlap and whose features are no farther apart
// at home than both can reach, with that distance (methods/adaptive/pair_store.hpp). A pair that is not kept can't
// touch while its vertices are within reach; one that is kept can't touch in a step in which both stray less than
// its distance. Vertices that leave their reach get new homes, and the pairs of their triangles are found anew; the
// old ones become void.
//
// So in every step of a session all contacts are among the feature pairs of the admissible pairs: those stored that
// the step's strays do not rule out. Each pair of leaves is stored once. Cost of a step: linear in vertices, leaves
// and stored pairs, with a small constant, and the tests of what is admissible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/methods.hpp>
#include <graze/stats.hpp>

#include "methods/adaptive/leaf_displacements.hpp"
#include "methods/adaptive/pair_store.hpp"
#include "query/leaf_pair_source.hpp"
#include "query/query.hpp"

namespace graze::methods {

class Session {
 public:
  /// Whether the session can take a step; or what to do instead.
  enum class Outcome : std::uint8_t {
    Ready,
    TooFar,   ///< too many vertices left their reach, or too many pairs: a new session, or a plain step
    NotHere,  ///< sizes, static bodies or other queries do not allow it: a new session, or a plain step
  };

  [[nodiscard]] bool is_running() const { return running_; }
  void end() { running_ = false; }
  /// Ends, and gives back all memory.
  void release() { *this = {}; }
  /// Another query has used the hierarchy: its bounds are no longer those of the session.
  void lose_bounds() { has_bounds_ = false; }
  /// The scene was edited: nothing that is known of it holds.
  void forget_scene();

  /// The first step of a session of `frames` steps. Precondition: contacts among static bodies are known.
  [[nodiscard]] Outcome begin(const AdaptiveStep& step, const AdaptiveOptions& options, unsigned frames,
                              MemoryBudget& budget, Stats& stats);
  /// A later one. Precondition: is_running.
  [[nodiscard]] Outcome advance(const AdaptiveStep& step, MemoryBudget& budget, Stats& stats);
  /// Whether leaves dangle in this step. When all pairs() have been looked at, rehome() gives them new homes and
  /// says which pairs are theirs: to be stored with store(), and looked at.
  [[nodiscard]] bool has_dangling() const { return !displacements_.dangling().empty(); }
  [[nodiscard]] LeafPairSource renew_references(const AdaptiveStep& step, Stats& stats);
  /// Measures and keeps pairs. TooFar if there are more than a session should have: none of them is kept then.
  [[nodiscard]] Outcome store(const AdaptiveStep& step, const LeafPairSource& source, MemoryBudget& budget,
                              Stats& stats);
  /// The step that begin or advance prepared is done, and nothing was left out: the session goes on. Without this
  /// call, as when a query is interrupted, it is over.
  void finish_step();

  /// The pending list.
  [[nodiscard]] std::span<StoredPair> pairs() { return store_.pairs(); }
  /// Whether a pending pair is admissible in this step. One of a leaf that dangles becomes void instead.
  [[nodiscard]] bool look(StoredPair& pair) const {
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
  double gap_ = 0.0;  ///< that pairs were kept for
  LeafDisplacements displacements_;
  std::vector<bool> renewed_;        ///< leaves whose pairs have been found anew; empty: none
  bool has_new_references_ = false;  ///< in this step: pairs that are stored now are theirs
  PairStore store_;
  std::size_t void_pairs_ = 0;  ///< of those in it, at a guess
};

}  // namespace graze::methods
