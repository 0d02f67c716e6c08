// Threads, behind two calls: parallel_for cuts a range into pieces, with_threads limits how many run at once.
//
// oneTBB does the work (core/tasks.cpp); nothing of it shows here, and thread-sanitizer builds replace that one
// file. Results must not depend on how a range is cut: write to slots that belong to an index, and merge the slots
// in a fixed order. Cost: one indirect call a piece.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "core/namespaces.hpp"

namespace graze::core {

namespace detail {

using RangeCall = void (*)(void* context, std::size_t begin, std::size_t end);
void parallel_for_erased(std::size_t begin, std::size_t end, std::size_t grain, RangeCall call, void* context);

using PlainCall = void (*)(void* context);
void with_threads_erased(unsigned threads, PlainCall call, void* context);

}  // namespace detail

/// Calls fn(first, last) for pieces that together cover [begin, end) once, at the same time on several threads. No
/// piece is longer than `grain` (0 counts as 1). Returns when all are done; an exception of fn stops pieces that
/// have not begun, and is thrown on.
template <typename Fn>
void parallel_for(std::size_t begin, std::size_t end, std::size_t grain, Fn&& fn) {
  using Plain = std::remove_reference_t<Fn>;
  detail::parallel_for_erased(
      begin, end, grain,
      [](void* context, std::size_t first, std::size_t last) { (*static_cast<Plain*>(context))(first, last); },
      const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
}

/// Calls fn() so that every parallel_for in it uses at most `threads` threads (0: all cores), also more than there
/// are cores. Exceptions pass through.
template <typename Fn>
void with_threads(unsigned threads, Fn&& fn) {
  using Plain = std::remove_reference_t<Fn>;
  detail::with_threads_erased(
      threads, [](void* context) { (*static_cast<Plain*>(context))(); },
      const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
}

}  // namespace graze::core
