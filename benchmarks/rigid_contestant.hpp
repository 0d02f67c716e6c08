// Who takes part in the benchmark of rigid objects: graze with one of its trees and overlap tests, or a peer,
// behind one interface. Both objects are the same mesh.
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
  [[nodiscard]] virtual std::uint64_t tree_bytes() const = 0;   ///< 0 if it is not told apart
  [[nodiscard]] virtual std::uint64_t total_bytes() const = 0;  ///< tree and mesh
  /// 0 or 1, or how many pairs. The call that is measured.
  virtual std::size_t ask(RigidQuery query, const PosePair& poses) = 0;
  /// The pairs of the last call for them, sorted.
  [[nodiscard]] virtual std::vector<TrianglePair> last_pairs() const = 0;
};

struct GrazeVariant {
  RigidObjectOptions object = {};
  ColliderOptions collider = {};
};
/// Of a boxtree: "boxtree/sat", "boxtree/axis+coherence", with a split other than the usual "boxtree:volume/sat",
/// without lifting "boxtree/sat-unlifted"; of other trees their name.
[[nodiscard]] std::string name_of(const GrazeVariant& variant);

[[nodiscard]] std::unique_ptr<RigidContestant> make_graze(const GrazeVariant& variant, const scenes::Shape& mesh);
/// InputError as make_rigid_peer.
[[nodiscard]] std::unique_ptr<RigidContestant> make_peer(std::string_view name, const scenes::Shape& mesh);

}  // namespace graze::benchmarks
