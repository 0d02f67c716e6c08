// The folder of the public data, for tests that need it; these skip, and say so, if it is absent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace graze::testing {

/// $GRAZE_DATA if set, else ../shared/data beside the project.
inline std::filesystem::path public_data() {
  const char* folder = std::getenv("GRAZE_DATA");
  return folder != nullptr ? folder : GRAZE_DEFAULT_DATA;
}

}  // namespace graze::testing

#define GRAZE_SKIP_WITHOUT_DATA()                              \
  if (!std::filesystem::exists(graze::testing::public_data())) \
  GTEST_SKIP() << "public data not found at " << graze::testing::public_data() << "; set GRAZE_DATA"
