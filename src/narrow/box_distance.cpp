// See narrow/box_distance.hpp.
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

/// The gap along an axis is from - to; none where from = to = 0.
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

/// The sum of the squared gaps, in squares of the unit of a lattice that holds their ends.
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

/// sqrt(square) 2^exponent rounded to nearest, ties to even; square > 0, exponent >= -1074, no overflow.
double rounded_root(const ExactInt& square, int exponent) {
  // The root's leading bit has weight 2^(leading + exponent), so a double near it counts in units of 2^unit.
  const int leading = static_cast<int>(msb(square)) / 2;
  const int unit = std::max(leading + exponent - 52, -1074);
  // The root in half units: its last bit and the rest decide. A shift down drops bits: did one count?
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

/// The root of the sum of squares of lengths, whose largest is that long up to a rounding.
double rounded_distance(const Gaps& gaps, const std::array<DoubleDouble, 3>& lengths, double largest) {
  // Within this window products neither overflow nor, but for ones that count for nothing, underflow.
  if (largest >= 0x1p-400 && largest <= 0x1p400) {
    DoubleDouble sum;
    for (const DoubleDouble& length : lengths) sum = sum + length * length;
    const DoubleDouble root = square_root(sum);
    // Six operations of at most 2^-100 each: where both ends of what the root may be round to the same double, it
    // does too.
    const double error = 0x1p-90 * root.hi;
    const double low = root.hi + (root.lo - error);
    const double high = root.hi + (root.lo + error);
    if (low == high) return low;
  }
  const Lattice lattice = lattice_of(gaps);
  return rounded_root(squared_distance(gaps, lattice), lattice.exponent());
}

enum class Verdict { Within, Beyond, Unknown };

/// Whether the sum of squares is <= d^2, if doubles can tell. No length exceeds d up to a rounding. With u = 2^-53:
/// a length is off by u, its square by 3u, their sum by 5u, d^2 by u, and its product with a constant by u more;
/// all below 8u = 2^-50 up to squares of u. What underflows is below 2^-1074, and d^2 >= 2^-960.
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
  // A length that rounds to more than d, or overflows, is more than d, and one that rounds to less is not.
  ++tiers.filter;
  if (axes == 0) return 0.0;
  if (largest > d) return std::nullopt;
  const double rest = lengths[last].lo;  // not finite where two_sum overflowed on its way
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
