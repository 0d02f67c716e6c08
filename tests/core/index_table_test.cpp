// The index table against a map, under random insertions and erasures and under keys that collide on purpose.
#include "core/index_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace graze {

using namespace core;
namespace {

using Key = std::array<std::uint32_t, 2>;

TEST(IndexTable, FindsWhatAMapFinds) {
  std::mt19937 random(41);
  for (const std::uint32_t range : {3U, 12U, 200U}) {  // few keys: long and wrapped probe runs, many erasures
    std::vector<Key> keys;                             // by id
    const auto key_of = [&](std::uint32_t id) { return keys[id]; };
    IndexTable<2> table;
    std::map<Key, std::uint32_t> map;
    for (int step = 0; step < 20'000; ++step) {
      const auto word = [&] { return static_cast<std::uint32_t>(random() % range); };
      const Key key = {word(), word()};
      const auto known = map.find(key);
      ASSERT_EQ(table.find(key, key_of), known == map.end() ? IndexTable<2>::kNone : known->second);
      if (known == map.end()) {
        keys.push_back(key);
        map[key] = static_cast<std::uint32_t>(keys.size() - 1);
        table.insert(map[key], key_of);
      } else if (random() % 3 == 0) {
        keys.push_back(key);
        table.replace(known->second, static_cast<std::uint32_t>(keys.size() - 1), key_of);
        known->second = static_cast<std::uint32_t>(keys.size() - 1);
      } else {
        table.erase(known->second, key_of);
        map.erase(known);
      }
      ASSERT_EQ(table.size(), map.size());
    }
    for (const auto& [key, id] : map) ASSERT_EQ(table.find(key, key_of), id);
    EXPECT_EQ(table.reseed_count(), 0U);
  }
}

TEST(IndexTable, TakesEightBytesAnEntryThatItHasRoomFor) {
  IndexTable<1> table;
  const auto key_of = [](std::uint32_t id) { return std::array{id}; };
  table.reserve(1'000'000, key_of);
  const std::size_t bytes = table.memory_bytes();
  EXPECT_LE(bytes, 8'000'004U);
  std::size_t key_reads = 0;
  const auto counted = [&](std::uint32_t id) {
    ++key_reads;
    return std::array{id};
  };
  for (std::uint32_t id = 0; id < 1'000'000; ++id) table.insert(id, counted);
  EXPECT_EQ(table.memory_bytes(), bytes);
  key_reads = 0;
  for (std::uint32_t id = 0; id < 1'000'000; ++id) {
    if (table.find({id}, counted) != id) FAIL() << id;
  }
  EXPECT_LT(key_reads, 2'000'000U) << "a key found reads 1.5 on average at a load of one half";
}

TEST(IndexTable, KeysChosenToCollideMakeItTakeAnotherSeed) {
  // The initial seed of a table is public: keys whose hashes share the upper 8 bits would form one long run.
  constexpr std::uint64_t kSeed = 0x6772617A65ULL;
  std::vector<Key> keys;
  for (std::uint32_t a = 0; keys.size() < 8192; ++a) {
    const Key key = {a, a + 7};
    if (IndexTable<2>::hash(key, kSeed) >> 56U == 17) keys.push_back(key);
  }
  std::size_t key_reads = 0;
  const auto key_of = [&](std::uint32_t id) {
    ++key_reads;
    return keys[id];
  };
  IndexTable<2> table;
  for (std::uint32_t id = 0; id < keys.size(); ++id) table.insert(id, key_of);
  EXPECT_GE(table.reseed_count(), 1U);
  for (std::uint32_t id = 0; id < keys.size(); ++id) ASSERT_EQ(table.find(keys[id], key_of), id);
  EXPECT_LT(key_reads, 20 * keys.size()) << "one run of them would take half its length a key";
}

TEST(IndexTable, EndsEvenIfAllKeysAreEqual) {
  IndexTable<1> table;
  const auto key_of = [](std::uint32_t) { return std::array{1U}; };
  for (std::uint32_t id = 0; id < 3000; ++id) table.insert(id, key_of);
  EXPECT_EQ(table.size(), 3000U);
  EXPECT_LE(table.reseed_count(), 5U) << "each doubles what is taken for long";
}

}  // namespace
}  // namespace graze
