// Box arithmetic of the boxtree builders: a polygon's box in 32 bytes, lower ends and negated upper ends in two
// rows of four lanes, so that a union is two minima. Sums, products and comparisons of floats each round once:
// every machine builds the same tree. Constant cost.
//
// Rows are the vector types of GCC and Clang, which compile for any instruction set; other compilers use plain
// loops. (Highway has four lanes only behind a dispatch, and a builder has no hot loop long enough to pay for one.)
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "geometry/packed_box.hpp"

namespace graze::rigid {

/// Four floats. Comparisons return masks, all bits or none of each lane, for & | and select.
class Row4 {
 public:
#if defined(__GNUC__)
  using Lanes __attribute__((vector_size(16))) = float;
#else
  struct Lanes {
    alignas(16) float lane[4];
    float operator[](std::size_t k) const { return lane[k]; }
    float& operator[](std::size_t k) { return lane[k]; }
  };
#endif

  Row4() = default;
  Row4(float x, float y, float z, float w) : lanes_{x, y, z, w} {}
  explicit Row4(float all) : Row4(all, all, all, all) {}
  static Row4 load(const void* floats) {
    Row4 row;
    std::memcpy(&row.lanes_, floats, 16);
    return row;
  }
  void store(void* floats) const {
    std::memcpy(floats, &lanes_, 16);
  }
  [[nodiscard]] float operator[](std::size_t k) const {
    return lanes_[k];
  }

#if defined(__GNUC__)
  friend Row4 operator+(Row4 a, Row4 b) {
    return Row4(a.lanes_ + b.lanes_);
  }
  friend Row4 operator-(Row4 a, Row4 b) {
    return Row4(a.lanes_ - b.lanes_);
  }
  friend Row4 operator*(Row4 a, Row4 b) {
    return Row4(a.lanes_ * b.lanes_);
  }
  friend Row4 min(Row4 a, Row4 b) {
    return Row4(a.lanes_ < b.lanes_ ? a.lanes_ : b.lanes_);
  }
  friend Row4 max(Row4 a, Row4 b) {
    return Row4(a.lanes_ > b.lanes_ ? a.lanes_ : b.lanes_);
  }
  friend Row4 less(Row4 a, Row4 b) {
    return Row4(std::bit_cast<Lanes>(a.lanes_ < b.lanes_));
  }
  friend Row4 equal(Row4 a, Row4 b) {
    return Row4(std::bit_cast<Lanes>(a.lanes_ == b.lanes_));
  }
  friend Row4 operator&(Row4 a, Row4 b) {
    return Row4(std::bit_cast<Lanes>(a.bits() & b.bits()));
  }
  friend Row4 operator|(Row4 a, Row4 b) {
    return Row4(std::bit_cast<Lanes>(a.bits() | b.bits()));
  }
  friend Row4 select(Row4 mask, Row4 yes, Row4 no) {
    return Row4(std::bit_cast<Lanes>((mask.bits() & yes.bits()) | (~mask.bits() & no.bits())));
  }
#else
  template <typename Op>
  static Row4 each(Row4 a, Row4 b, Op op) {
    for (std::size_t k = 0; k < 4; ++k) a.lanes_[k] = op(a.lanes_[k], b.lanes_[k]);
    return a;
  }
  friend Row4 operator+(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return x + y; });
  }
  friend Row4 operator-(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return x - y; });
  }
  friend Row4 operator*(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return x * y; });
  }
  friend Row4 min(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return x < y ? x : y; });
  }
  friend Row4 max(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return x > y ? x : y; });
  }
  friend Row4 less(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return from_bits(x < y ? ~0U : 0U); });
  }
  friend Row4 equal(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return from_bits(x == y ? ~0U : 0U); });
  }
  friend Row4 operator&(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return from_bits(bits_of(x) & bits_of(y)); });
  }
  friend Row4 operator|(Row4 a, Row4 b) {
    return each(a, b, [](float x, float y) { return from_bits(bits_of(x) | bits_of(y)); });
  }
  friend Row4 select(Row4 mask, Row4 yes, Row4 no) {
    for (std::size_t k = 0; k < 4; ++k) no.lanes_[k] = bits_of(mask.lanes_[k]) != 0 ? yes.lanes_[k] : no.lanes_[k];
    return no;
  }
#endif

 private:
#if defined(__GNUC__)
  using Bits __attribute__((vector_size(16))) = std::int32_t;
  explicit Row4(Lanes lanes) : lanes_(lanes) {}
  [[nodiscard]] Bits bits() const {
    return std::bit_cast<Bits>(lanes_);
  }
#else
  static std::uint32_t bits_of(float x) {
    return std::bit_cast<std::uint32_t>(x);
  }
  static float from_bits(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
  }
#endif
  Lanes lanes_;
};

/// A box in registers. The fourth lanes are meaningless.
struct RowBox {
  static constexpr float kEmpty = 8.0F;  ///< beyond all relative coordinates

  Row4 lo{kEmpty};
  Row4 minus_hi{kEmpty};

  static RowBox load(const PackedBox& box) {
    return {Row4::load(&box), Row4::load(reinterpret_cast<const std::byte*>(&box) + 16)};
  }
  void include(const RowBox& other) {
    lo = min(lo, other.lo);
    minus_hi = min(minus_hi, other.minus_hi);
  }
  /// Twice the centre.
  [[nodiscard]] Row4 middle() const { return lo - minus_hi; }
  [[nodiscard]] Row4 sides() const { return Row4(0.0F) - (lo + minus_hi); }
};

}  // namespace graze::rigid
