// Duplicate-test check: builds with assertions record every feature pair that a query tests, and stop if a pair is
// tested twice. In other builds the class is empty.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "core/assert.hpp"
#include "core/namespaces.hpp"

#if defined(GRAZE_ASSERTS)
#include <mutex>
#include <set>
#include <tuple>
#endif

namespace graze::query {

#if defined(GRAZE_ASSERTS)

class DuplicateTestCheck {
 public:
  static constexpr bool kOn = true;
  /// `watch` is false for methods that may test a pair twice.
  explicit DuplicateTestCheck(bool watch) : watch_(watch) {}

  void tested(FeatureKind kind, const std::array<VertexId, 4>& vertices) {
    if (!watch_) return;
    Shard& shard = shards_[(vertices[0] * 31U + vertices[2]) % shards_.size()];
    const std::scoped_lock lock(shard.mutex);
    const bool first_time = shard.seen.emplace(kind, vertices).second;
    GRAZE_ASSERT(first_time);
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::set<std::tuple<FeatureKind, std::array<VertexId, 4>>> seen;
  };
  bool watch_;
  std::array<Shard, 16> shards_;
};

#else

class DuplicateTestCheck {
 public:
  static constexpr bool kOn = false;
  explicit DuplicateTestCheck(bool /*watch*/) {}
  void tested(FeatureKind /*kind*/, const std::array<VertexId, 4>& /*vertices*/) {}
};

#endif

}  // namespace graze::query
