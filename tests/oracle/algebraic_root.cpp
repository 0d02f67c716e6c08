// Root isolation by Descartes' rule of signs in Bernstein form with bisection; exact signs and order of the roots.
//
// Bisection terminates for a square-free polynomial: a short enough interval around a simple root, or around none,
// has 1 or 0 sign variations. Cost: O(log(1 / root separation)) Taylor shifts.
#include "oracle/algebraic_root.hpp"

namespace graze::oracle {

namespace {

// Nearly always a few halvings prove that a polynomial has no root nearby; only otherwise a gcd is computed, once.
constexpr int kCheapTries = 4;

// Appends the roots strictly between the ends of [first, first + 1] * 2^-depth in ascending order.
void isolate(const Polynomial& p, const Integer& first, int depth, std::vector<Root>& roots) {
  const BernsteinSigns signs = bernstein_signs(p, first, depth);
  const int variations = signs.variations();
  if (variations == 0) return;
  const int at_lower = signs.signs[0];
  const int at_upper = signs.signs[static_cast<std::size_t>(signs.count) - 1];
  if (variations == 1 && at_lower * at_upper < 0) {
    roots.push_back(Root::isolated(p, first, depth));
    return;
  }
  // Also if there is one root inside and another on an end: the invariant requires nonzero values at the ends.
  const Integer middle = 2 * first + 1;
  isolate(p, 2 * first, depth + 1, roots);
  if (p.sign_at({middle, -(depth + 1)}) == 0) roots.push_back(Root::exactly(middle, depth + 1));
  isolate(p, middle, depth + 1, roots);
}

}  // namespace

Root Root::exactly(const Integer& first, int depth) {
  Root root;
  root.first_ = first;
  root.depth_ = depth;
  return root;
}

Root Root::isolated(const Polynomial& p, const Integer& first, int depth) {
  Root root;
  root.p_ = p;
  root.first_ = first;
  root.depth_ = depth;
  root.exact_ = false;
  root.sign_lower_ = p.sign_at(root.lower());
  return root;
}

Dyadic Root::upper() const {
  return exact_ ? lower() : Dyadic{first_ + 1, -depth_};
}

int Root::compare(const Dyadic& t) const {
  if (exact_) return oracle::compare(lower(), t);
  // The root is strictly inside the interval, so that the order is known at its ends and beyond.
  if (oracle::compare(t, lower()) <= 0) return 1;
  if (oracle::compare(t, upper()) >= 0) return -1;
  const int sign = p_.sign_at(t);
  if (sign == 0) return 0;
  return sign == sign_lower_ ? 1 : -1;
}

int Root::compare(const Rational& t) const {
  const Rational low = to_rational(lower());
  if (exact_) return low < t ? -1 : (low > t ? 1 : 0);
  if (t <= low) return 1;
  if (t >= to_rational(upper())) return -1;
  Rational value = 0;
  for (int i = p_.degree(); i >= 0; --i) value = value * t + Rational(boost::multiprecision::cpp_int(p_[i]));
  if (value.is_zero()) return 0;
  return value.sign() == sign_lower_ ? 1 : -1;
}

void Root::refine() {
  if (exact_) return;
  const Integer middle = 2 * first_ + 1;
  const int sign = p_.sign_at({middle, -(depth_ + 1)});
  ++depth_;
  if (sign == 0) {
    first_ = middle;
    exact_ = true;
  } else {
    first_ = sign == sign_lower_ ? middle : Integer(2 * first_);
  }
}

void Root::refine_to(int bits) {
  while (!exact_ && depth_ < bits) refine();
}

double Root::approximate_value() const {
  Root copy = *this;
  copy.refine_to(52);
  return approximate(copy.lower());
}

int Root::sign_of(const Polynomial& q) {
  if (q.degree() <= 0) return q.is_zero() ? 0 : q[0].sign();
  for (int tries = 0;; ++tries) {
    if (exact_) return q.sign_at(lower());
    const int sign = bernstein_signs(q, first_, depth_).constant_sign();
    if (sign != 0) return sign;
    if (tries == kCheapTries) {
      // g divides p_: in the interval it has either this root, as a simple one, or none, and no root at the ends.
      const Polynomial g = gcd(p_, q);
      if (g.degree() > 0 && g.sign_at(lower()) != g.sign_at(upper())) return 0;
    }
    refine();
  }
}

int compare(Root& a, Root& b) {
  for (int tries = 0;; ++tries) {
    if (b.exact_) return a.compare(b.lower());
    if (a.exact_) return -b.compare(a.lower());
    if (compare(a.upper(), b.lower()) <= 0) return -1;
    if (compare(b.upper(), a.lower()) <= 0) return 1;
    if (tries == 2) {
      // A common root of both polynomials within both intervals is this root of each. No end of an interval is a
      // root of g, because g divides both polynomials.
      const Polynomial g = gcd(a.p_, b.p_);
      const Dyadic low = compare(a.lower(), b.lower()) > 0 ? a.lower() : b.lower();
      const Dyadic high = compare(a.upper(), b.upper()) < 0 ? a.upper() : b.upper();
      if (g.degree() > 0 && g.sign_at(low) != g.sign_at(high)) return 0;
    }
    a.refine();
    b.refine();
  }
}

std::vector<Root> roots_in_unit_interval(const Polynomial& p) {
  std::vector<Root> roots;
  if (p.degree() <= 0) return roots;
  const BernsteinSigns signs = bernstein_signs(p, 0, 0);
  const int at_zero = signs.signs[0];
  const int at_one = signs.signs[static_cast<std::size_t>(signs.count) - 1];
  if (at_zero == 0) roots.push_back(Root::exactly(0, 0));
  // One variation means one simple root inside; only two or three may hide a multiple root.
  if (signs.variations() > 0) isolate(signs.variations() > 1 ? square_free(p) : p, 0, 0, roots);
  if (at_one == 0) roots.push_back(Root::exactly(1, 0));
  return roots;
}

}  // namespace graze::oracle
