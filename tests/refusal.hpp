// The message of a call that must be refused.
#pragma once

#include <functional>
#include <string>

#include <graze/error.hpp>

namespace graze::testing {

/// The message of the InputError that `call` throws; "not refused" if there is none.
inline std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace graze::testing
