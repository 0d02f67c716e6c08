// Runs what asks for threads of its own (core/tasks.hpp) as one piece of a loop around it: a query in a batch of
// them.
//
// Entering an arena inside another costs more than a small query, and keeps threads that are free from helping with
// a large one. Implemented beside parallel_for; cost: one indirect call, and for `alone` nothing of the scheduler.
#pragma once

#include <memory>
#include <type_traits>

#include "core/namespaces.hpp"

namespace graze::core {

namespace detail {

void on_present_threads_erased(bool alone, void (*call)(void* context), void* context);

}  // namespace detail

/// Calls fn() in a piece of a parallel_for: with_threads in it, on this thread, changes nothing. Its loops share
/// the threads around it, but if `alone` stay on this one; while it waits for them this thread takes up nothing
/// that is not fn's. Exceptions pass through.
template <typename Fn>
void on_present_threads(bool alone, Fn&& fn) {
  using Plain = std::remove_reference_t<Fn>;
  detail::on_present_threads_erased(
      alone, [](void* context) { (*static_cast<Plain*>(context))(); },
      const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
}

}  // namespace graze::core
