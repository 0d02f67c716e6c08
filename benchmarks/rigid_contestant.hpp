// A contestant of the benchmark of rigid objects: graze with one of its trees and overlap tests, or a peer, behind
// one interface. Both objects are the same mesh, unless two are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::benchmarks {

enum class RigidQuery : std::uint8_t { FirstHit, TrianglePairs };

class RigidContestant {
 public:
  RigidContestant() = default;
  virtual ~RigidContestant() = default;
  RigidContestant(const RigidContestant&) = delete;
  RigidContestant& operator=(const RigidContestant&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool exact() const = 0;  ///< graze: its answers must agree with those of the others
  [[nodiscard]] virtual double build_ms() const = 0;
  [[nodiscard]] virtual std::uint64_t tree_bytes() const = 0;   ///< 0 if not known separately
  [[nodiscard]] virtual std::uint64_t total_bytes() const = 0;  ///< tree and mesh
  /// Answers a query: 0 or 1, or the number of pairs. The measured call.
  virtual std::size_t ask(RigidQuery query, const PosePair& poses) = 0;
  /// The pairs of the last query for pairs, sorted.
  [[nodiscard]] virtual std::vector<TrianglePair> last_pairs() const = 0;
};

struct GrazeVariant {
  RigidObjectOptions object = {};
  ColliderOptions collider = {};
};
/// Name of a boxtree: "boxtree/sat", "boxtree/axis+coherence", with a split other than the default
/// "boxtree:volume/sat", without lift "boxtree/sat-unlifted"; the name of any other tree.
[[nodiscard]] std::string name_of(const GrazeVariant& variant);

[[nodiscard]] std::unique_ptr<RigidContestant> make_graze(const GrazeVariant& variant, const scenes::Shape& mesh);
[[nodiscard]] std::unique_ptr<RigidContestant> make_graze(const GrazeVariant& variant, const scenes::Shape& a,
                                                          const scenes::Shape& b);
/// Throws InputError like make_rigid_peer.
[[nodiscard]] std::unique_ptr<RigidContestant> make_peer(std::string_view name, const scenes::Shape& mesh);
/// Also throws InputError for a peer that takes only one mesh.
[[nodiscard]] std::unique_ptr<RigidContestant> make_peer(std::string_view name, const scenes::Shape& a,
                                                         const scenes::Shape& b);

}  // namespace graze::benchmarks
