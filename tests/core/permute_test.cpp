// permute moves every value to its place, for all cycle shapes, for lengths near the task size, and on several
// threads.
#include "core/permute.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace graze {

using namespace core;
namespace {

using Places = std::vector<std::uint32_t>;

constexpr std::uint32_t kItemsPerTask = 4096;  // as in permute

Places identity(std::size_t count) {
  Places places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

Places shuffled(std::size_t count, unsigned seed) {
  Places places = identity(count);
  std::mt19937 random(seed);
  for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[random() % i]);
  return places;
}

/// Adds a cycle through the places in `through`, in their order.
void close_cycle(const Places& through, Places& places) {
  for (std::size_t i = 0; i < through.size(); ++i) places[through[i]] = through[(i + 1) % through.size()];
}

/// Distinct strings, too long for the small-string optimization.
std::string text(std::size_t i) {
  return "value number " + std::to_string(i) + ", and more than fits";
}

template <typename T, typename Make>
void expect_permuted(const Places& places, const Make& make) {
  std::vector<T> values;
  for (std::size_t i = 0; i < places.size(); ++i) values.push_back(make(i));
  Places used = places;
  permute(std::span(values), std::span(used));
  ASSERT_EQ(values.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i) ASSERT_EQ(values[i], make(places[i])) << i;
}

void expect_permuted(const Places& places) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    SCOPED_TRACE(std::to_string(places.size()) + " values, threads: " + std::to_string(threads));
    with_threads(threads, [&] {
      expect_permuted<std::uint64_t>(places, [](std::size_t i) { return 3 * std::uint64_t{i} + 1; });
      expect_permuted<std::string>(places, text);
    });
  }
}

TEST(Permute, PutsUpToSevenValuesInEveryOrder) {
  std::size_t orders = 0;
  for (std::size_t count = 0; count <= 7; ++count) {
    Places places = identity(count);
    do {
      expect_permuted<std::string>(places, text);
      ++orders;
    } while (std::next_permutation(places.begin(), places.end()));
  }
  EXPECT_EQ(orders, 1U + 1U + 2U + 6U + 24U + 120U + 720U + 5040U);
}

TEST(Permute, PutsAnyOrderRightAboutTheLengthOfPieces) {
  unsigned seed = 0;
  for (const std::uint32_t count : {kItemsPerTask - 1, kItemsPerTask, kItemsPerTask + 1, 2 * kItemsPerTask - 1,
                                    2 * kItemsPerTask, 3 * kItemsPerTask, 3 * kItemsPerTask + 1}) {
    for (int i = 0; i < 2; ++i) expect_permuted(shuffled(count, ++seed));
  }
}

TEST(Permute, FollowsOneCycleThroughAllPieces) {
  for (const std::uint32_t count : {kItemsPerTask, kItemsPerTask + 1, 3 * kItemsPerTask, 3 * kItemsPerTask + 1}) {
    Places places(count);
    close_cycle(shuffled(count, count), places);
    expect_permuted(places);
    Places turned = identity(count);  // by one either way: neighbouring moves
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    expect_permuted(turned);
    std::rotate(turned.begin(), turned.end() - 2, turned.end());
    expect_permuted(turned);
  }
}

TEST(Permute, ExchangesTwoAndTwoAcrossTheEndsOfPieces) {
  for (const std::uint32_t count : {2 * kItemsPerTask, 2 * kItemsPerTask + 2, 3 * kItemsPerTask + 1}) {
    Places reversed = identity(count);
    std::reverse(reversed.begin(), reversed.end());
    expect_permuted(reversed);
    Places halves = identity(count);
    for (std::uint32_t i = 0; i < count / 2; ++i) std::swap(halves[i], halves[count / 2 + i]);
    expect_permuted(halves);
  }
}

TEST(Permute, ClosesCyclesAtAndAboutTheEndsOfPieces) {
  // The first cycle ends 3 moves before to 3 moves after the end of a task, and the next cycle has few moves or
  // more than a task.
  for (std::uint32_t before = kItemsPerTask - 3; before <= kItemsPerTask + 3; ++before) {
    for (const std::uint32_t then :
         {2U, 3U, kItemsPerTask - 1, kItemsPerTask, kItemsPerTask + 1, 2 * kItemsPerTask}) {
      Places places = identity(before + then + 2);
      Places through = identity(before);
      close_cycle(through, places);
      through = identity(then);
      for (std::uint32_t& place : through) place += before;
      close_cycle(through, places);
      std::swap(places[before + then], places[before + then + 1]);
      with_threads(2, [&] { expect_permuted<std::string>(places, text); });
    }
  }
}

TEST(Permute, LeavesWhatIsInItsPlace) {
  expect_permuted(identity(2 * std::size_t{kItemsPerTask} + 1));
  // All values are in place except a few that are far apart.
  Places places = identity(5 * std::size_t{kItemsPerTask});
  close_cycle({1, 4 * kItemsPerTask, 17, 2 * kItemsPerTask + 5}, places);
  std::swap(places[0], places.back());
  expect_permuted(places);
}

}  // namespace
}  // namespace graze
