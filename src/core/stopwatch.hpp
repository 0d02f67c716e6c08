// Wall time since construction, in milliseconds: what Stats reports of each stage.
#pragma once

#include <chrono>

#include "core/namespaces.hpp"

namespace graze::core {

class Stopwatch {
 public:
  [[nodiscard]] double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace graze::core
