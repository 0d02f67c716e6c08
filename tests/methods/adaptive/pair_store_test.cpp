// The pair store against a std::map, with random appends, removals and clears.
#include "methods/adaptive/pair_store.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <graze/error.hpp>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

using Key = std::pair<std::uint32_t, std::uint32_t>;

Key key_of(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Pairs of consecutive leaves with others nearby, each once, in the order of a traversal.
std::vector<StoredPair> strip(std::uint32_t leaf_count, std::uint32_t others) {
  std::vector<StoredPair> pairs;
  for (std::uint32_t a = 0; a < leaf_count; ++a) {
    for (std::uint32_t b = a + 1; b <= a + others; ++b) {
      pairs.push_back({.a = (a + b) % 2 == 0 ? a : b, .b = (a + b) % 2 == 0 ? b : a, .distance = 1.0F});
    }
  }
  return pairs;
}

TEST(PairStore, FindsNothingWhenItIsEmpty) {
  PairStore store;
  store.make_table();
  EXPECT_EQ(store.find({0, 1}), PairStore::kNone);
  EXPECT_EQ(store.size(), 0U);
}

TEST(PairStore, FindsPairsInBothOrdersAtTheirPlaces) {
  PairStore store;
  const std::vector<StoredPair> some = {{.a = 7, .b = 3}, {.a = 0, .b = 0xffffffffU}, {.a = 3, .b = 8}};
  store.append(some);
  store.make_table();
  EXPECT_EQ(store.find({7, 3}), 0U);
  EXPECT_EQ(store.find({3, 7}), 0U);
  EXPECT_EQ(store.find({0xffffffffU, 0}), 1U);
  EXPECT_EQ(store.find({8, 3}), 2U);
  EXPECT_EQ(store.find({7, 8}), PairStore::kNone);
}

TEST(PairStore, KeepsPairsInTheOrderInWhichTheyCame) {
  PairStore store;
  const std::vector<StoredPair> some = strip(1000, 5);
  store.append(std::span(some).first(1234));
  store.append(std::span(some).subspan(1234));
  ASSERT_EQ(store.size(), some.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(store.pairs()[i].a, some[i].a);
    EXPECT_EQ(store.pairs()[i].b, some[i].b);
  }
}

TEST(PairStore, KeepsItsTableWhenPairsAreAppended) {
  PairStore store;
  store.make_table();
  const std::vector<StoredPair> some = strip(3000, 7);
  for (std::size_t i = 0; i < some.size(); i += 100) {
    store.append(std::span(some).subspan(i, std::min<std::size_t>(100, some.size() - i)));
    ASSERT_EQ(store.find({some[i].b, some[i].a}), i);
    ASSERT_EQ(store.find({some[0].a, some[0].b}), 0U);
    ASSERT_EQ(store.find({some[i].a, 5000}), PairStore::kNone);
  }
  for (std::size_t i = 0; i < some.size(); ++i) ASSERT_EQ(store.find({some[i].a, some[i].b}), i);
}

TEST(PairStore, FindsManyAtOnceAsOneByOne) {
  const std::vector<StoredPair> some = strip(5000, 9);
  PairStore store;
  store.append(some);
  store.make_table();
  std::mt19937 random(7);
  std::vector<LeafPair> wanted(40'001);
  for (LeafPair& pair : wanted) {
    pair.a = static_cast<std::uint32_t>(random() % 5000);
    pair.b = pair.a + static_cast<std::uint32_t>(random() % 20) + 1;
    if (random() % 2 == 0) std::swap(pair.a, pair.b);
  }
  std::vector<std::uint32_t> places(wanted.size(), 12345);
  store.find_all(wanted, places.data());
  std::size_t found = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(places[i], store.find(wanted[i]));
    const std::uint32_t apart = std::max(wanted[i].a, wanted[i].b) - std::min(wanted[i].a, wanted[i].b);
    ASSERT_EQ(places[i] != PairStore::kNone, apart <= 9);
    found += places[i] != PairStore::kNone ? 1U : 0U;
  }
  EXPECT_GT(found, wanted.size() / 3);
}

TEST(PairStore, AgreesWithAMapThroughAppendsRemovalsAndClearings) {
  std::mt19937 random(3);
  PairStore store;
  std::map<Key, StoredPair> twin;
  bool has_table = false;
  for (int round = 0; round < 400; ++round) {
    const unsigned what = static_cast<unsigned>(random() % 16);
    if (what == 0) {
      store.clear();
      twin.clear();
      has_table = false;
    } else if (what < 4) {
      const auto remainder = static_cast<std::uint32_t>(random() % 3);
      const auto is_void = [&](const StoredPair& pair) { return (pair.a + pair.b) % 3 == remainder; };
      store.remove_if(is_void);
      std::erase_if(twin, [&](const auto& entry) { return is_void(entry.second); });
      has_table = false;
    } else if (what == 4) {
      store.release();
      twin.clear();
      has_table = false;
      EXPECT_EQ(store.memory_bytes(), 0U);
    } else if (what == 5) {
      store.make_table();
      has_table = true;
    } else {
      std::vector<StoredPair> some;
      const std::size_t count = random() % (round % 5 == 0 ? 2000 : 50);
      while (some.size() < count) {
        StoredPair pair{.a = static_cast<std::uint32_t>(random() % 500),
                        .b = static_cast<std::uint32_t>(random() % 500)};
        pair.mask = static_cast<std::uint16_t>(random());
        if (pair.a != pair.b && twin.emplace(key_of(pair.a, pair.b), pair).second) some.push_back(pair);
      }
      store.append(some);
    }
    ASSERT_EQ(store.size(), twin.size());
    if (!has_table && round % 3 != 0) continue;
    store.make_table();
    has_table = true;
    for (const auto& [key, pair] : twin) {
      const std::uint32_t place = store.find({key.first, key.second});
      ASSERT_NE(place, PairStore::kNone);
      EXPECT_EQ(key_of(store.pairs()[place].a, store.pairs()[place].b), key);
      EXPECT_EQ(store.pairs()[place].mask, pair.mask);
    }
    for (int i = 0; i < 200; ++i) {
      const LeafPair pair = {static_cast<std::uint32_t>(random() % 500),
                             static_cast<std::uint32_t>(random() % 500)};
      ASSERT_EQ(store.find(pair) != PairStore::kNone, twin.contains(key_of(pair.a, pair.b)));
    }
  }
}

TEST(PairStore, TakesAtMost31BytesAPairHoweverItGrew) {
  const std::vector<StoredPair> some = strip(20'000, 8);
  PairStore store;
  store.make_table();
  for (std::size_t i = 0; i < some.size(); i += 64) {
    store.append(std::span(some).subspan(i, 64));
    if (store.size() > 1000) {
      ASSERT_LE(store.memory_bytes(), 31 * store.size()) << store.size();
    }
  }
}

TEST(PairStore, KeepsItsMemoryWhenItIsClearedAndUsesItAgain) {
  const std::vector<StoredPair> some = strip(2000, 8);
  PairStore store;
  EXPECT_EQ(store.growth_bytes(some.size()), some.size() * sizeof(StoredPair));
  store.append(some);
  store.make_table();
  const std::size_t bytes = store.memory_bytes();
  store.clear();
  EXPECT_EQ(store.size(), 0U);
  store.append(std::span(some).first(10));
  store.make_table();
  EXPECT_EQ(store.find({some[9].a, some[9].b}), 9U);
  EXPECT_EQ(store.find({some[10].a, some[10].b}), PairStore::kNone);
  store.append(std::span(some).subspan(10));
  EXPECT_EQ(store.find({some[9].a, some[9].b}), 9U);
  EXPECT_EQ(store.find({some.back().a, some.back().b}), some.size() - 1);
  EXPECT_EQ(store.memory_bytes(), bytes);
}

TEST(PairStore, RefusesMorePairsThanItCanNumber) {
  PairStore store;
  const std::vector<StoredPair> some = {{.a = 1, .b = 2}};
  store.append(some);
  // Refused because of its length, before any pair is read.
  const std::span<const StoredPair> too_many(some.data(), std::size_t{PairStore::kNone} - 1);
  EXPECT_THROW(store.append(too_many), InputError);
  EXPECT_EQ(store.size(), 1U);
}

}  // namespace
}  // namespace graze
