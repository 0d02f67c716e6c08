// Where the walk of two trees puts the pairs of leaves it comes to: a small buffer that is drained in batches, so
// that triangles can be tested in SIMD lanes. The first batches are short: a first hit ends the walk soon.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/rigid.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

class LeafSink {
 public:
  static constexpr std::size_t kMaxPairs = 256;
  /// Takes a batch; returns true to end the walk.
  using Drain = bool (*)(void* context, std::span<const TrianglePair> batch);

  LeafSink(Drain drain, void* context, std::size_t first_batch)
      : drain_(drain), context_(context), limit_(first_batch) {}

  /// Returns true when the walk is to end.
  bool put(TriangleId a, TriangleId b) {
    pairs_[count_++] = {a, b};
    return count_ == limit_ && flush();
  }
  /// Drains what is left; at the end of a walk.
  bool flush() {
    if (count_ == 0) return ended_;
    const std::size_t count = count_;
    count_ = 0;
    limit_ = limit_ * 2 < kMaxPairs ? limit_ * 2 : kMaxPairs;
    ended_ = drain_(context_, std::span(pairs_.data(), count));
    return ended_;
  }

 private:
  Drain drain_;
  void* context_;
  std::size_t limit_;
  std::size_t count_ = 0;
  bool ended_ = false;
  std::array<TrianglePair, kMaxPairs> pairs_;
};

}  // namespace graze::rigid
