// The message of a call that must be refused.
#pragma once

#include <functional>
#include <string>

#include <graze/error.hpp>

namespace graze::testing {

/// The message of the Refused that `call` throws; "not refused" if it throws nothing.
template <typename Refused = InputError>
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Refused& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace graze::testing
