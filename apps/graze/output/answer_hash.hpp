// The hash of the answers of a run: of a single step or pose its own hash, of several the hash of their hashes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/hash.hpp"

namespace graze::app {

/// Combines the hashes of answers, in order. Deterministic, the same on every platform.
class AnswerHash {
 public:
  void add(std::uint64_t hash) {
    all_.add(hash);
    last_ = hash;
    ++count_;
  }
  /// The hash of all answers; of a single answer its own. None if there is no answer.
  [[nodiscard]] std::optional<std::uint64_t> value() const {
    return count_ < 2 ? last_ : std::optional(all_.value());
  }
  /// The hash of the hashes, also of a single one.
  [[nodiscard]] std::uint64_t combined() const { return all_.value(); }

 private:
  core::Hash64 all_;
  std::optional<std::uint64_t> last_;
  std::uint64_t count_ = 0;
};

}  // namespace graze::app
