// FunctionRef<R(Args...)>: a reference to something callable, for calls whose callee is compiled elsewhere.
//
// Two words, no allocation, no ownership: the callable must outlive the reference, which holds for a lambda passed
// as an argument. The only place of the library that erases a type by hand. Cost: one indirect call.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "core/namespaces.hpp"

namespace graze::core {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  // NOLINTBEGIN(google-explicit-constructor, bugprone-forwarding-reference-overload): the constraint excludes
  // copies.
  /// Implicit, so that a function taking a FunctionRef can be given a lambda.
  template <typename Fn>
  requires(!std::is_same_v<std::remove_cvref_t<Fn>, FunctionRef> && std::is_invocable_r_v<Result, Fn&, Args...>)
      FunctionRef(Fn&& fn)
  noexcept : object_(const_cast<void*>(static_cast<const void*>(std::addressof(fn)))), call_(&call<Fn>) {}
  // NOLINTEND(google-explicit-constructor, bugprone-forwarding-reference-overload)

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  template <typename Fn>
  static Result call(void* object, Args... args) {
    return static_cast<Result>((*static_cast<std::remove_reference_t<Fn>*>(object))(std::forward<Args>(args)...));
  }

  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace graze::core
