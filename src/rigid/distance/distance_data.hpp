// What distance queries keep with an object: its hierarchy for distances and its topology as a solid, each made by
// the first query that needs it, from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/namespaces.hpp"

namespace graze::rigid {

struct ObjectState;
struct ProximityTree;
struct SolidTopology;

/// Made on demand; safe to use concurrently.
class DistanceData {
 public:
  /// The hierarchy of the object that this belongs to.
  const ProximityTree& tree(const ObjectState& object) const;
  /// Its components and whether it is closed.
  const SolidTopology& topology(const ObjectState& object) const;
  /// Bytes of what has been made so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // Shared pointers know how to destroy what is declared only.
  mutable std::once_flag tree_once_;
  mutable std::once_flag topology_once_;
  mutable std::shared_ptr<const ProximityTree> tree_;
  mutable std::shared_ptr<const SolidTopology> topology_;
  mutable std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace graze::rigid
