// The memory budget of a query: charges up to the cap, refusals beyond it, and what releasing gives back.
#include "core/memory_budget.hpp"

#include <graze/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>

#include "core/tasks.hpp"

namespace graze::core {
namespace {

TEST(MemoryBudget, TakesChargesUpToTheCapAndRefusesOneByteMore) {
  MemoryBudget budget(100);
  budget.charge(60);
  EXPECT_TRUE(budget.fits(40));
  EXPECT_FALSE(budget.fits(41));
  budget.charge(40);
  try {
    budget.charge(1);
    FAIL() << "the cap was exceeded";
  } catch (const ResourceError& error) {
    EXPECT_STREQ(error.what(), "memory cap exceeded: the query needs more than 100 bytes");
  }
}

TEST(MemoryBudget, ARefusedTryChargesNothing) {
  MemoryBudget budget(100);
  EXPECT_TRUE(budget.try_charge(90));
  EXPECT_FALSE(budget.try_charge(11));
  EXPECT_TRUE(budget.try_charge(10));
}

TEST(MemoryBudget, GivesBackWhatIsReleasedAndChargesOnlyTheRestOfAPlan) {
  MemoryBudget budget(100);
  budget.charge(100);
  budget.release(30);
  budget.charge_rest(50, 80);
  EXPECT_FALSE(budget.fits(1));
  budget.charge_rest(80, 20);  // took less than planned: nothing more
  EXPECT_THROW(budget.charge(1), ResourceError);
}

TEST(MemoryBudget, HasNoLimitWithoutACap) {
  MemoryBudget budget(0);
  budget.charge(std::uint64_t{1} << 62U);
  EXPECT_TRUE(budget.fits(std::uint64_t{1} << 61U));
}

TEST(MemoryBudget, SumsChargesOfManyThreads) {
  MemoryBudget budget(10'000);
  parallel_for(0, 10'000, 16, [&](std::size_t first, std::size_t last) { budget.charge(last - first); });
  EXPECT_FALSE(budget.fits(1));
}

}  // namespace
}  // namespace graze::core
