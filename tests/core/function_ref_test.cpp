// FunctionRef calls what it refers to, by reference, with arguments and results passed through.
#include "core/function_ref.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace graze::core {
namespace {

int apply(FunctionRef<int(int)> fn, int x) {
  return fn(x);
}

TEST(FunctionRef, CallsLambdasAndCallableObjects) {
  struct Adder {
    int more;
    int operator()(int x) const { return x + more; }
  };
  EXPECT_EQ(apply([](int x) { return x + 1; }, 4), 5);
  EXPECT_EQ(apply(Adder{10}, 4), 14);
}

TEST(FunctionRef, RefersToTheCallableInsteadOfCopyingIt) {
  int calls = 0;
  auto count = [&calls, own = 0]() mutable {
    ++calls;
    return ++own;
  };
  const FunctionRef<int()> ref(count);
  EXPECT_EQ(ref(), 1);
  const FunctionRef<int()> copy = ref;  // refers to the lambda, not to the first reference
  EXPECT_EQ(copy(), 2);
  EXPECT_EQ(count(), 3);
  EXPECT_EQ(calls, 3);
}

TEST(FunctionRef, ForwardsArgumentsAndDropsAResultThatNobodyAsksFor) {
  std::string text;
  const auto append = [&](std::unique_ptr<std::string> more) { return text += *more; };
  const FunctionRef<void(std::unique_ptr<std::string>)> ref(append);
  ref(std::make_unique<std::string>("abc"));
  EXPECT_EQ(text, "abc");
}

}  // namespace
}  // namespace graze::core
