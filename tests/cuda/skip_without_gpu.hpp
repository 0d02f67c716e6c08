// Skips a test where there is no GPU.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include <graze/device.hpp>

#define GRAZE_SKIP_WITHOUT_GPU() \
  if (const std::string why = graze::why_no_cuda(); !why.empty()) GTEST_SKIP() << "no GPU: " << why
