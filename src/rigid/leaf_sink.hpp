// Buffer for the leaf pairs (candidate triangle pairs) that a traversal of two trees generates. It is drained in
// batches so that triangles can be tested in SIMD lanes. The first batches are small, because a first hit ends the
// traversal early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <graze/rigid.hpp>

#include "core/function_ref.hpp"

namespace graze::rigid {

class LeafSink {
 public:
  static constexpr std::size_t kMaxPairs = 256;
  /// Tests a batch; returns true to end the traversal.
  using Drain = FunctionRef<bool(std::span<const TrianglePair> batch)>;

  /// Batches double from the first one to the largest one. The pairs are not initialised: two kilobytes, which most
  /// queries of separated objects do not use.
  LeafSink(Drain drain, std::size_t first_batch, std::size_t largest_batch = kMaxPairs)
      : drain_(drain), limit_(first_batch), largest_(largest_batch) {}
  ~LeafSink() = default;
  LeafSink(const LeafSink&) = delete;
  LeafSink& operator=(const LeafSink&) = delete;

  /// Adds a pair; returns true if the traversal must end.
  bool put(TriangleId a, TriangleId b) {
    std::construct_at(pairs_ + count_++, TrianglePair{a, b});
    return count_ == limit_ && flush();
  }
  /// Number of pairs that wait to be drained.
  [[nodiscard]] std::size_t pending() const { return count_; }
  /// Drains the remaining pairs at the end of a traversal.
  bool flush() {
    if (count_ == 0) return ended_;
    const std::size_t count = count_;
    count_ = 0;
    limit_ = limit_ * 2 < largest_ ? limit_ * 2 : largest_;
    ended_ = drain_(std::span<const TrianglePair>(pairs_, count));
    return ended_;
  }

 private:
  Drain drain_;
  std::size_t limit_;
  std::size_t largest_;
  std::size_t count_ = 0;
  bool ended_ = false;
  union {
    TrianglePair pairs_[kMaxPairs];
  };
};

}  // namespace graze::rigid
