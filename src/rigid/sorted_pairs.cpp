// Sorts the pairs of a query by (a, b): a radix sort on the bits that triangle ids have, from the low digits of b
// to the high digits of a, each pass stable (LSD radix sort, e.g. Knuth, The Art of Computer Programming 3, 5.2.5).
//
// Copies in one pose have some fifteen intersecting pairs per triangle, in an order close to that of the tree:
// sorting them by comparisons took a third of such a query. All digits are counted in one pass over the pairs, and
// a digit that all pairs have in common takes no pass of its own. Few pairs are sorted by comparisons. Runs on the
// calling thread, as a query does. Cost: linear in pairs times digits of ten bits, and one more array of pairs.
#include "rigid/collide.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace graze::rigid {

namespace {

constexpr std::size_t kMinForDigits = 2048;
constexpr unsigned kDigitBits = 10;
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;
constexpr std::size_t kMaxDigits = (64 + kDigitBits - 1) / kDigitBits;

/// The ids of a pair as one number of as few bits as all pairs need.
class Key {
 public:
  explicit Key(std::span<const TrianglePair> pairs) {
    TriangleId all_a = 0;
    TriangleId all_b = 0;
    for (const TrianglePair& pair : pairs) {
      all_a |= pair.a;
      all_b |= pair.b;
    }
    bits_b_ = static_cast<unsigned>(std::bit_width(all_b));
    bits_ = bits_b_ + static_cast<unsigned>(std::bit_width(all_a));
  }
  std::uint64_t operator()(const TrianglePair& pair) const { return std::uint64_t{pair.a} << bits_b_ | pair.b; }
  std::size_t digits() const { return (bits_ + kDigitBits - 1) / kDigitBits; }
  std::size_t digit(const TrianglePair& pair, std::size_t place) const {
    return (*this)(pair) >> (place * kDigitBits) & (kDigitValues - 1);
  }

 private:
  unsigned bits_b_ = 0;
  unsigned bits_ = 0;
};

using Counts = std::array<std::uint32_t, kDigitValues>;

void sort_by_digits(std::vector<TrianglePair>& pairs) {
  const Key key(pairs);
  std::array<Counts, kMaxDigits> counts;
  for (std::size_t place = 0; place < key.digits(); ++place) counts[place].fill(0);
  for (const TrianglePair& pair : pairs) {
    for (std::size_t place = 0; place < key.digits(); ++place) ++counts[place][key.digit(pair, place)];
  }
  std::vector<TrianglePair> buffer(pairs.size());
  for (std::size_t place = 0; place < key.digits(); ++place) {
    Counts& next = counts[place];
    if (next[key.digit(pairs.front(), place)] == pairs.size()) continue;
    std::uint32_t begin = 0;
    for (std::uint32_t& count : next) begin += std::exchange(count, begin);
    for (const TrianglePair& pair : pairs) buffer[next[key.digit(pair, place)]++] = pair;
    pairs.swap(buffer);
  }
}

}  // namespace

std::vector<TrianglePair> sorted_pairs(std::span<const TrianglePair> found) {
  std::vector<TrianglePair> sorted(found.begin(), found.end());
  // Counts are 32 bits wide.
  if (sorted.size() >= kMinForDigits && sorted.size() <= 0xffffffffU) {
    sort_by_digits(sorted);
  } else {
    std::sort(sorted.begin(), sorted.end());
  }
  return sorted;
}

}  // namespace graze::rigid
