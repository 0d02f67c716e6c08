// The hash is fixed by its documentation: the expected values were computed from the text, independently of the
// code.
#include "core/hash.hpp"

#include <gtest/gtest.h>

namespace graze {

using namespace core;
namespace {

TEST(Hash64, GivesTheDocumentedValues) {
  EXPECT_EQ(Hash64{}.value(), 0xb2e1a542c679759eU);
  Hash64 words;
  words.add(std::uint64_t{1});
  words.add(2U, 3U);
  words.add(0.5);
  EXPECT_EQ(words.value(), 0x6e9494e122b76a5eU);
}

TEST(Hash64, SeesOrderLengthAndTheSignOfZero) {
  const auto hash_of = [](auto... values) {
    Hash64 hash;
    (hash.add(values), ...);
    return hash.value();
  };
  EXPECT_NE(hash_of(1.0, 2.0), hash_of(2.0, 1.0));
  EXPECT_NE(hash_of(0.0), hash_of(0.0, 0.0));
  EXPECT_NE(hash_of(0.0), hash_of(-0.0));
  EXPECT_NE(hash_of(), hash_of(0.0));
}

}  // namespace
}  // namespace graze
