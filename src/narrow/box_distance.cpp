// Narrow phase, boxes: exact comparison and rounding of box distances. See narrow/box_distance.hpp.
#include "narrow/box_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "geometry/lattice.hpp"
#include "narrow/double_double.hpp"

namespace graze::narrow {

namespace {

/// The gap along an axis is from - to; from = to = 0 if the boxes overlap along the axis.
struct Gap {
  double from = 0.0;
  double to = 0.0;
};
using Gaps = std::array<Gap, 3>;

Gaps gaps_between(const Box& a, const Box& b) {
  Gaps gaps;
  std::size_t k = 0;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    if (a.lo.*axis > b.hi.*axis) gaps[k] = {a.lo.*axis, b.hi.*axis};
    if (b.lo.*axis > a.hi.*axis) gaps[k] = {b.lo.*axis, a.hi.*axis};
    ++k;
  }
  return gaps;
}

/// The sum of the squared gaps in squared lattice units. Precondition: the lattice contains the ends of the gaps.
ExactInt squared_distance(const Gaps& gaps, const Lattice& lattice) {
  ExactInt sum(0);
  for (const Gap& gap : gaps) {
    const ExactInt length = lattice(gap.from) - lattice(gap.to);
    sum += length * length;
  }
  return sum;
}

Lattice lattice_of(const Gaps& gaps) {
  Lattice lattice;
  for (const Gap& gap : gaps) {
    lattice.include(gap.from);
    lattice.include(gap.to);
  }
  return lattice;
}

bool exactly_within(const Gaps& gaps, double d) {
  Lattice lattice = lattice_of(gaps);
  lattice.include(d);
  const ExactInt limit = lattice(d);
  return squared_distance(gaps, lattice) <= limit * limit;
}

/// sqrt(square) * 2^exponent rounded to nearest, ties to even. Preconditions: square > 0, exponent >= -1074, no
/// overflow.
double rounded_root(const ExactInt& square, int exponent) {
  // The leading bit of the root has weight 2^(leading + exponent), so doubles near the root are multiples of
  // 2^unit.
  const int leading = static_cast<int>(msb(square)) / 2;
  const int unit = std::max(leading + exponent - 52, -1074);
  // Compute the root in half units: the last bit and the remainder decide how it rounds. A shift to the right may
  // drop nonzero bits.
  const int shift = 2 * (exponent - unit + 1);
  const ExactInt scaled = shift >= 0 ? ExactInt(square << static_cast<unsigned>(shift))
                                     : ExactInt(square >> static_cast<unsigned>(-shift));
  const bool dropped = shift < 0 && static_cast<int>(lsb(square)) < -shift;
  ExactInt rest(0);
  const auto halves = static_cast<std::uint64_t>(boost::multiprecision::sqrt(scaled, rest));
  std::uint64_t units = halves / 2;
  const bool beyond_half = dropped || !rest.is_zero();
  if (halves % 2 != 0 && (beyond_half || units % 2 != 0)) ++units;
  return std::ldexp(static_cast<double>(units), unit);
}

/// The correctly rounded root of the sum of the squared lengths; `largest` is the rounded value of the longest one.
double rounded_distance(const Gaps& gaps, const std::array<DoubleDouble, 3>& lengths, double largest) {
  // In this window no product overflows, and a product that underflows is too small to matter.
  if (largest >= 0x1p-400 && largest <= 0x1p400) {
    DoubleDouble sum;
    for (const DoubleDouble& length : lengths) sum = sum + length * length;
    const DoubleDouble root = square_root(sum);
    // At most six operations contribute, each with a relative error of at most 2^-100. If both ends of the error
    // interval of the root round to the same double, so does the root.
    const double error = 0x1p-90 * root.hi;
    const double low = root.hi + (root.lo - error);
    const double high = root.hi + (root.lo + error);
    if (low == high) return low;
  }
  const Lattice lattice = lattice_of(gaps);
  return rounded_root(squared_distance(gaps, lattice), lattice.exponent());
}

enum class Verdict { Within, Beyond, Unknown };

/// Floating-point filter: is the sum of squares <= d^2? Precondition: no length exceeds d by more than a rounding.
/// With u = 2^-53 the relative errors are u for a length, 3u for its square, 5u for the sum, u for d^2 and u more
/// for its product with a constant: together below 8u = 2^-50 up to O(u^2). An underflow loses less than 2^-1074,
/// and d^2 >= 2^-960.
Verdict filter(const std::array<DoubleDouble, 3>& lengths, double d) {
  if (!(d >= 0x1p-480 && d <= 0x1p500)) return Verdict::Unknown;
  const double x = lengths[0].hi;
  const double y = lengths[1].hi;
  const double z = lengths[2].hi;
  const double sum = x * x + y * y + z * z;
  const double limit = d * d;
  if (sum < limit * (1.0 - 0x1p-49)) return Verdict::Within;
  return sum > limit * (1.0 + 0x1p-49) ? Verdict::Beyond : Verdict::Unknown;
}

}  // namespace

std::optional<double> distance_within(const Box& a, const Box& b, double d, TierCounts& tiers) {
  const Gaps gaps = gaps_between(a, b);
  std::array<DoubleDouble, 3> lengths{};
  std::size_t axes = 0;
  std::size_t last = 0;
  double largest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (gaps[k].from == gaps[k].to) continue;
    lengths[k] = two_sum(gaps[k].from, -gaps[k].to);
    largest = std::max(largest, lengths[k].hi);
    last = k;
    ++axes;
  }
  // Rounding is monotone: a length whose rounded value exceeds d, or overflows, exceeds d; a length whose rounded
  // value is below d does not.
  ++tiers.filter;
  if (axes == 0) return 0.0;
  if (largest > d) return std::nullopt;
  const double rest = lengths[last].lo;  // not finite if an intermediate value of two_sum overflowed
  if (axes == 1 && (largest < d || std::isfinite(rest))) {
    return largest < d || rest <= 0.0 ? std::optional(largest) : std::nullopt;
  }
  Verdict verdict = filter(lengths, d);
  if (verdict == Verdict::Unknown) {
    --tiers.filter;
    ++tiers.exact;
    verdict = exactly_within(gaps, d) ? Verdict::Within : Verdict::Beyond;
  }
  if (verdict == Verdict::Beyond) return std::nullopt;
  return rounded_distance(gaps, lengths, largest);
}

}  // namespace graze::narrow
