// A vector whose new elements are not initialized, so that threads can fill it in parallel.
//
// std::vector writes every new element on the calling thread. For a large array that is the first touch of fresh
// memory, which costs more than the pass that fills it, and it does not scale with threads. Here resize(n) only
// reserves memory; the code that fills the elements touches them first. Cost of resize: that of an allocation, and
// a move of old elements.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::core {

/// Allocator that leaves value-initialized elements as they are in memory; elements with arguments are constructed
/// as usual.
template <typename T>
class UninitializedAllocator : public std::allocator<T> {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): a name of the standard
    using other = UninitializedAllocator<U>;
  };

  UninitializedAllocator() = default;
  template <typename U>
  UninitializedAllocator(const UninitializedAllocator<U>& /*other*/) noexcept {}  // NOLINT(google-explicit-*)

  template <typename U>
  void construct(U* /*at*/) noexcept {}
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    std::construct_at(at, std::forward<Arguments>(arguments)...);
  }
};

/// Vector of trivially copyable values. After resize(n), write every new element before you read it.
template <typename T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

}  // namespace graze::core
