// Narrow phase, tier c (exact arithmetic): root isolation and signs at roots. See exact_polynomial.hpp.
#include "narrow/exact/exact_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/assert.hpp"
#include "narrow/toi_width.hpp"

namespace graze::narrow::exact {
namespace {

using std::size_t;

/// A positive multiple of the remainder of a by b: each step scales a by the leading coefficient of b, and the end
/// undoes an odd number of negative scalings.
Polynomial positive_remainder(Polynomial a, const Polynomial& b) {
  GRAZE_ASSERT(!b.is_zero());
  const Integer& lead = b.c[static_cast<size_t>(b.degree)];
  bool flip = false;
  while (a.degree >= b.degree) {
    const Integer top = a.c[static_cast<size_t>(a.degree)];
    const auto shift = static_cast<size_t>(a.degree - b.degree);
    for (size_t i = 0; i < static_cast<size_t>(a.degree); ++i) {
      a.c[i] *= lead;
      if (i >= shift) a.c[i] -= top * b.c[i - shift];
    }
    a.c[static_cast<size_t>(a.degree)] = 0;
    a.trim();
    flip ^= lead.sign() < 0;
  }
  if (flip) {
    for (int i = 0; i <= a.degree; ++i) a.c[static_cast<size_t>(i)].backend().negate();
  }
  return a;
}

Polynomial negated(Polynomial a) {
  for (int i = 0; i <= a.degree; ++i) a.c[static_cast<size_t>(i)].backend().negate();
  return a;
}

/// Divides all coefficients by their largest common power of two, which is large for scaled doubles.
void strip_twos(Polynomial& a) {
  if (a.is_zero()) return;
  unsigned twos = ~0U;
  for (int i = 0; i <= a.degree; ++i) {
    const Integer& c = a.c[static_cast<size_t>(i)];
    if (!c.is_zero()) twos = std::min(twos, static_cast<unsigned>(lsb(abs(c))));
  }
  if (twos == 0) return;
  for (int i = 0; i <= a.degree; ++i) {
    Integer& c = a.c[static_cast<size_t>(i)];
    if (!c.is_zero()) c = c.sign() < 0 ? Integer(-(-c >> twos)) : Integer(c >> twos);
  }
}

Polynomial derivative(const Polynomial& a) {
  Polynomial d;
  d.degree = std::max(a.degree - 1, -1);
  for (int i = 1; i <= a.degree; ++i) d.c[static_cast<size_t>(i - 1)] = a.c[static_cast<size_t>(i)] * i;
  return d;
}

/// A constant multiple of a / b. Precondition: b divides a.
Polynomial exact_quotient(Polynomial a, const Polynomial& b) {
  const Integer& lead = b.c[static_cast<size_t>(b.degree)];
  Polynomial quotient;
  quotient.degree = a.degree - b.degree;
  const auto b_degree = static_cast<size_t>(b.degree);
  for (size_t step = static_cast<size_t>(quotient.degree) + 1; step-- > 0;) {
    const Integer top = a.c[step + b_degree];
    for (size_t i = 0; i <= step + b_degree; ++i) a.c[i] *= lead;
    for (size_t i = 0; i <= b_degree; ++i) a.c[step + i] -= top * b.c[i];
    for (auto& c : quotient.c) c *= lead;
    quotient.c[step] += top;
  }
  quotient.trim();
  return quotient;
}

int sign_of(const Integer& x) {
  return x.sign();
}

constexpr unsigned kRelativeBits = 10;
static_assert(kRelativeWidth == 1.0 / (1U << kRelativeBits));

/// The number of low bits of x >= 0 that a double cannot hold beside the others, for the number x / 2^depth. Spans
/// of roots that lie close together may be finer than the smallest double.
unsigned excess_bits(const Integer& x, unsigned depth) {
  constexpr unsigned kDoubleBits = 53;
  constexpr unsigned kSmallestExponent = 1074;
  if (x.is_zero()) return 0;
  const auto bits = static_cast<unsigned>(msb(x)) + 1;
  const unsigned beyond = depth > kSmallestExponent ? depth - kSmallestExponent : 0;
  return std::max(beyond, bits > kDoubleBits ? bits - kDoubleBits : 0U);
}

}  // namespace

void Polynomial::trim() {
  degree = std::min(degree, kMaxDegree);
  while (degree >= 0 && c[static_cast<size_t>(degree)].is_zero()) --degree;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial s;
  s.degree = std::max(a.degree, b.degree);
  for (int i = 0; i <= s.degree; ++i) {
    const auto k = static_cast<size_t>(i);
    s.c[k] = a.c[k] + b.c[k];
  }
  s.trim();
  return s;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial s;
  s.degree = std::max(a.degree, b.degree);
  for (int i = 0; i <= s.degree; ++i) {
    const auto k = static_cast<size_t>(i);
    s.c[k] = a.c[k] - b.c[k];
  }
  s.trim();
  return s;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial p;
  if (a.is_zero() || b.is_zero()) return p;
  p.degree = a.degree + b.degree;
  GRAZE_ASSERT(p.degree <= Polynomial::kMaxDegree);
  const auto a_degree = static_cast<size_t>(a.degree);
  const auto b_degree = static_cast<size_t>(b.degree);
  for (size_t i = 0; i <= a_degree; ++i) {
    for (size_t j = 0; j <= b_degree; ++j) p.c[i + j] += a.c[i] * b.c[j];
  }
  return p;
}

Polynomial gcd(Polynomial a, Polynomial b) {
  while (!b.is_zero()) {
    Polynomial r = a.degree < b.degree ? a : positive_remainder(a, b);
    strip_twos(r);
    a = std::exchange(b, std::move(r));
  }
  return a;
}

int sign_at(const Polynomial& p, const Dyadic& x) {
  if (p.is_zero()) return 0;
  Integer value = p.c[static_cast<size_t>(p.degree)];
  for (int i = p.degree - 1; i >= 0; --i) {
    value *= x.numerator;
    value += p.c[static_cast<size_t>(i)] << (x.bits * static_cast<unsigned>(p.degree - i));
  }
  return sign_of(value);
}

RootFinder::Chain RootFinder::remainder_sequence(const Polynomial& a, const Polynomial& b) {
  Chain chain;
  chain.reserve(5);
  chain.push_back(a);
  Polynomial next = b;
  while (!next.is_zero()) {
    strip_twos(next);
    chain.push_back(std::move(next));
    next = negated(positive_remainder(chain[chain.size() - 2], chain.back()));
  }
  return chain;
}

int RootFinder::variations(const Chain& chain, const Dyadic& x) {
  int count = 0;
  int last = 0;
  for (const Polynomial& p : chain) {
    const int sign = sign_at(p, x);
    if (sign == 0) continue;
    count += static_cast<int>(last != 0 && sign != last);
    last = sign;
  }
  return count;
}

RootFinder::RootFinder(const Polynomial& p, unsigned bits) : p_(p), bits_(bits) {
  GRAZE_ASSERT(!p.is_zero());
  strip_twos(p_);
  if (p_.degree < 1) return;
  chain_ = remainder_sequence(p_, derivative(p_));
  if (chain_.back().degree > 0) {  // P has a multiple root: continue with the square-free part
    p_ = exact_quotient(p_, chain_.back());
    strip_twos(p_);
    chain_ = remainder_sequence(p_, derivative(p_));
  }
  at_zero_ = p_.c[0].is_zero();
  Span whole{0, 1, 0, variations(chain_, {0, 0}), variations(chain_, {1, 0})};
  if (whole.variations_l > whole.variations_r) pending_.push_back(std::move(whole));
}

bool RootFinder::next() {
  if (at_zero_) {
    at_zero_ = false;
    l_ = r_ = 0;
    depth_ = 0;
    exact_ = true;
    return true;
  }
  if (pending_.empty()) return false;
  Span span = std::move(pending_.back());
  pending_.pop_back();
  isolate(std::move(span));
  return true;
}

/// Bisects the span until its first root is isolated, keeps the other roots in pending_, then narrows the interval.
void RootFinder::isolate(Span span) {
  while (span.variations_l - span.variations_r > 1) {
    const Integer m = span.l + span.r;
    const unsigned bits = span.bits + 1;
    const int variations_m = variations(chain_, {m, bits});
    Span left{span.l << 1, m, bits, span.variations_l, variations_m};
    Span right{m, span.r << 1, bits, variations_m, span.variations_r};
    if (left.variations_l == left.variations_r) {
      span = std::move(right);
      continue;
    }
    if (right.variations_l > right.variations_r) pending_.push_back(std::move(right));
    span = std::move(left);
  }
  l_ = span.l;
  r_ = span.r;
  depth_ = span.bits;
  sign_r_ = sign_at(p_, {r_, depth_});
  exact_ = sign_r_ == 0;
  if (exact_) {
    l_ = r_;
    return;
  }
  if (!guess()) {
    // Tarski's query needs ends that are not roots: bisect until the lower end, possibly the previous root, has
    // moved.
    while (!exact_ && (depth_ < bits_ || sign_at(p_, {l_, depth_}) == 0)) bisect();
  }
  while (!exact_ && depth_ < kMaxDepth && !is_relatively_narrow()) bisect();
}

/// One bit stricter than the rule, for the rounding of lo() and hi().
bool RootFinder::is_relatively_narrow() const {
  return Integer((r_ - l_) << (kRelativeBits + 1)) <= l_;
}

void RootFinder::bisect() {
  const Integer m = l_ + r_;
  ++depth_;
  const int sign_m = sign_at(p_, {m, depth_});
  if (sign_m == 0) {
    l_ = r_ = m;
    exact_ = true;
  } else if (sign_m == sign_r_) {
    l_ <<= 1;
    r_ = m;
  } else {
    l_ = m;
    r_ <<= 1;
  }
}

/// Guesses the root in doubles; two exact signs prove or refute the cell of width 2^-bits that contains the guess.
bool RootFinder::guess() {
  if (depth_ >= bits_ || bits_ > 40) return false;
  unsigned top = 0;
  for (int i = 0; i <= p_.degree; ++i) {
    const Integer& c = p_.c[static_cast<size_t>(i)];
    if (!c.is_zero()) top = std::max(top, static_cast<unsigned>(msb(abs(c))));
  }
  const unsigned shift = top > 900 ? top - 900 : 0;
  std::array<double, Polynomial::kMaxDegree + 1> c{};
  for (int i = 0; i <= p_.degree; ++i) {
    const auto k = static_cast<size_t>(i);
    const Integer magnitude = abs(p_.c[k]) >> shift;
    c[k] = magnitude.convert_to<double>() * sign_of(p_.c[k]);
  }
  const double scale = std::ldexp(1.0, -static_cast<int>(depth_));
  double l = l_.convert_to<double>() * scale;
  double r = r_.convert_to<double>() * scale;
  for (int i = 0; i < 52; ++i) {
    const double m = 0.5 * (l + r);
    double value = 0.0;
    for (int k = p_.degree; k >= 0; --k) value = value * m + c[static_cast<size_t>(k)];
    (value < 0) == (sign_r_ < 0) ? r = m : l = m;
  }
  const auto cell = static_cast<std::int64_t>(std::floor(std::ldexp(0.5 * (l + r), static_cast<int>(bits_))));
  const Integer low = cell;
  const Integer high = cell + 1;
  const unsigned up = bits_ - depth_;
  if (low < (l_ << up) || high > (r_ << up)) return false;
  const int sign_low = sign_at(p_, {low, bits_});
  const int sign_high = sign_at(p_, {high, bits_});
  if (sign_high == 0) {  // the root is the upper end of the cell
    l_ = r_ = high;
    depth_ = bits_;
    exact_ = true;
    return true;
  }
  // The lower end of the cell must lie after any earlier root and before the current one, so its sign must be
  // opposite to sign_r_. At l_ itself the sign may be 0 (an earlier root); bisection handles that case.
  if (sign_low == 0 || sign_low == sign_high || sign_high != sign_r_) return false;
  l_ = low;
  r_ = high;
  depth_ = bits_;
  return true;
}

double RootFinder::lo() const {
  const unsigned excess = excess_bits(l_, depth_);
  return std::ldexp(Integer(l_ >> excess).convert_to<double>(),
                    static_cast<int>(excess) - static_cast<int>(depth_));
}

double RootFinder::hi() const {
  const unsigned excess = excess_bits(r_, depth_);
  const Integer ceiling = (r_ + (Integer(1) << excess) - 1) >> excess;
  return std::ldexp(ceiling.convert_to<double>(), static_cast<int>(excess) - static_cast<int>(depth_));
}

int RootFinder::sign_before(const Polynomial& p) const {
  if (!exact_) return sign_at(p, {l_, depth_});
  // To the left of a root, the first nonvanishing derivative decides, times (-1)^order.
  Polynomial d = p;
  for (int order = 0; !d.is_zero(); ++order, d = derivative(d)) {
    const int sign = sign_at(d, {r_, depth_});
    if (sign != 0) return order % 2 == 0 ? sign : -sign;
  }
  return 0;
}

int RootFinder::sign(const Polynomial& q) {
  if (q.degree < 1 || exact_) return sign_at(q, {r_, depth_});
  const int at_l = sign_at(q, {l_, depth_});
  const int at_r = sign_at(q, {r_, depth_});
  if (at_l == at_r && at_l != 0) {
    if (q.degree == 1) return at_l;
    // Middle Bernstein coefficient: c0 + c1 (l+r)/2 + c2 l r, times 2^(2 depth + 1).
    const Integer middle =
        (q.c[0] << (2 * depth_ + 1)) + ((q.c[1] * (l_ + r_)) << depth_) + ((q.c[2] * l_ * r_) << 1);
    if (sign_of(middle) == at_l) return at_l;
  }
  const Chain chain = remainder_sequence(p_, positive_remainder(derivative(p_) * q, p_));
  return variations(chain, {l_, depth_}) - variations(chain, {r_, depth_});
}

}  // namespace graze::narrow::exact
