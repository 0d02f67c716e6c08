// Rows of `graze bench`: which answers are compared, and how a wrong answer is reported.
#include "bench/rows.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace graze::app {
namespace {

BenchRow row(const std::string& method, unsigned threads, std::uint64_t vf, std::uint64_t hash,
             std::uint64_t toi_hash) {
  return {.scene = "s",
          .method = method,
          .threads = threads,
          .vf = vf,
          .ee = 2,
          .triangle_pairs = {},
          .hash = hash,
          .toi_hash = toi_hash,
          .median_ms = 1.0,
          .min_ms = 1.0,
          .bytes_per_triangle = {},
          .stats = {},
          .funnel = {}};
}

TEST(BenchRows, TheMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3.0}), 3.0);
  EXPECT_EQ(median({5.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({8.0, 1.0, 2.0, 4.0}), 3.0);
}

TEST(BenchRows, EqualHashesAreNoDisagreement) {
  EXPECT_TRUE(disagreements({}).empty());
  EXPECT_TRUE(disagreements({row("auto", 1, 7, 5, 6), row("basic", 1, 7, 5, 6), row("auto", 2, 7, 5, 6)}).empty());
}

TEST(BenchRows, OtherContactsAreNamedWithThoseWhoFoundThem) {
  const auto lines =
      disagreements({row("auto", 1, 7, 5, 6), row("basic", 1, 8, 0xff, 0xfe), row("auto", 2, 7, 5, 6)});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "s: contacts differ: auto (1), auto (2): 7 vf + 2 ee, 0000000000000005; "
            "basic (1): 8 vf + 2 ee, 00000000000000ff");
}

TEST(BenchRows, TheSameContactsAtOtherTimesDisagreeToo) {
  const auto lines = disagreements({row("auto", 1, 7, 5, 6), row("basic", 1, 7, 5, 9)});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].rfind("s: times of impact differ: auto (1): ", 0), 0U) << lines[0];
}

TEST(BenchRows, RowsOfDifferentQueriesAreNotCompared) {
  BenchRow first = row("auto", 1, 1, 50, 60);
  first.query = "first";
  EXPECT_TRUE(disagreements({row("auto", 1, 7, 5, 6), first}).empty());
  BenchRow other = first;
  other.hash = 51;
  EXPECT_EQ(disagreements({row("auto", 1, 7, 5, 6), first, other}).size(), 1U);
}

TEST(BenchRows, RowsWithoutAHashAreNotCompared) {
  BenchRow peer = row("peer:x", 1, 100, 0, 0);
  peer.hash.reset();
  peer.toi_hash.reset();
  EXPECT_TRUE(disagreements({row("auto", 1, 7, 5, 6), peer}).empty());
}

}  // namespace
}  // namespace graze::app
