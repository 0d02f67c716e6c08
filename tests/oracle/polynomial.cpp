// Polynomials of degree <= 3: Euclid by pseudo-division (no fractions), Bernstein form by a Taylor shift.
#include "oracle/polynomial.hpp"

#include <algorithm>
#include <utility>

namespace graze::oracle {

namespace {

// Divides all coefficients by their common power of two: cheap, and keeps the pseudo-remainders short.
Polynomial without_common_twos(const Polynomial& p) {
  unsigned common = ~0U;
  for (int i = 0; i <= p.degree(); ++i) {
    if (!p[i].is_zero()) common = std::min(common, static_cast<unsigned>(lsb(abs(p[i]))));
  }
  Polynomial result;
  for (int i = 0; i <= p.degree(); ++i) {
    // Shifts the magnitude, because a right shift of a negative number rounds down.
    const Integer magnitude = abs(p[i]) >> common;
    result.set(i, p[i].sign() < 0 ? Integer(-magnitude) : magnitude);
  }
  return result;
}

struct Division {
  Polynomial quotient;
  Polynomial remainder;
};

// constant * p = quotient * q + remainder with deg(remainder) < deg(q); constant is a power of q's leading
// coefficient.
Division pseudo_divide(Polynomial p, const Polynomial& q) {
  Division result;
  const Integer& lead = q[q.degree()];
  while (p.degree() >= q.degree()) {
    const int gap = p.degree() - q.degree();
    const Integer top = p[p.degree()];
    Polynomial quotient;
    for (int i = 0; i <= result.quotient.degree(); ++i) quotient.set(i, result.quotient[i] * lead);
    quotient.set(gap, top);
    result.quotient = quotient;
    Polynomial next;
    for (int i = 0; i < p.degree(); ++i) {
      Integer value = p[i] * lead;
      if (i >= gap) value -= top * q[i - gap];
      next.set(i, std::move(value));
    }
    p = next;
  }
  result.remainder = p;
  return result;
}

}  // namespace

Polynomial::Polynomial(Integer constant, Integer slope) {
  coefficients_[0] = std::move(constant);
  coefficients_[1] = std::move(slope);
  degree_ = 1;
  trim();
}

void Polynomial::set(int power, Integer value) {
  coefficients_[static_cast<std::size_t>(power)] = std::move(value);
  degree_ = std::max(degree_, power);
  trim();
}

void Polynomial::trim() {
  while (degree_ >= 0 && coefficients_[static_cast<std::size_t>(degree_)].is_zero()) --degree_;
}

int Polynomial::sign_at(const Dyadic& t) const {
  if (is_zero()) return 0;
  if (t.mantissa.is_zero()) return (*this)[0].sign();
  // Horner's rule on the integers 2^(-exponent * degree) p(t); for an exponent >= 0 t itself is an integer.
  const int depth = std::max(0, -t.exponent);
  const Integer k = t.exponent > 0 ? Integer(t.mantissa << static_cast<unsigned>(t.exponent)) : t.mantissa;
  Integer value = (*this)[degree_];
  for (int i = degree_ - 1; i >= 0; --i) {
    value *= k;
    value += (*this)[i] << static_cast<unsigned>(depth * (degree_ - i));
  }
  return value.sign();
}

Polynomial Polynomial::derivative() const {
  Polynomial result;
  for (int i = 1; i <= degree_; ++i) result.set(i - 1, (*this)[i] * i);
  return result;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  for (int i = 0; i <= b.degree_; ++i) result.coefficients_[static_cast<std::size_t>(i)] += b[i];
  result.degree_ = std::max(a.degree_, b.degree_);
  result.trim();
  return result;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  for (int i = 0; i <= b.degree_; ++i) result.coefficients_[static_cast<std::size_t>(i)] -= b[i];
  result.degree_ = std::max(a.degree_, b.degree_);
  result.trim();
  return result;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  if (a.is_zero() || b.is_zero()) return result;
  for (int i = 0; i <= a.degree_; ++i) {
    for (int j = 0; j <= b.degree_; ++j)
      result.coefficients_[static_cast<std::size_t>(i) + static_cast<std::size_t>(j)] += a[i] * b[j];
  }
  result.degree_ = a.degree_ + b.degree_;
  return result;
}

int BernsteinSigns::variations() const {
  int changes = 0;
  int last = 0;
  for (int i = 0; i < count; ++i) {
    const int sign = signs[static_cast<std::size_t>(i)];
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++changes;
    last = sign;
  }
  return changes;
}

int BernsteinSigns::constant_sign() const {
  for (int i = 1; i < count; ++i) {
    if (signs[static_cast<std::size_t>(i)] != signs[0]) return 0;
  }
  return signs[0];
}

BernsteinSigns bernstein_signs(const Polynomial& p, const Integer& first, int depth) {
  const int n = p.degree();
  BernsteinSigns result;
  result.count = n + 1;
  if (n < 0) return result;
  // c(s) = 2^(depth * n) p((first + s) * 2^-depth), s in [0, 1]: stretch, then a Taylor shift by `first`.
  std::array<Integer, Polynomial::kMaxDegree + 1> c;
  for (int i = 0; i <= n; ++i) {
    c[static_cast<std::size_t>(i)] = p[i] << static_cast<unsigned>(depth * (n - i));
  }
  if (!first.is_zero()) {
    for (int i = 0; i < n; ++i) {
      for (int j = n - 1; j >= i; --j) {
        c[static_cast<std::size_t>(j)] += first * c[static_cast<std::size_t>(j) + 1];
      }
    }
  }
  // Bernstein coefficient i is sum over j <= i of C(i, j) / C(n, j) c_j; each is scaled by a positive constant.
  auto& s = result.signs;
  s[0] = c[0].sign();
  if (n == 1) s[1] = (c[0] + c[1]).sign();
  if (n == 2) {
    s[1] = (2 * c[0] + c[1]).sign();
    s[2] = (c[0] + c[1] + c[2]).sign();
  }
  if (n == 3) {
    s[1] = (3 * c[0] + c[1]).sign();
    s[2] = (3 * c[0] + 2 * c[1] + c[2]).sign();
    s[3] = (c[0] + c[1] + c[2] + c[3]).sign();
  }
  return result;
}

Polynomial gcd(const Polynomial& p, const Polynomial& q) {
  Polynomial a = without_common_twos(p);
  Polynomial b = without_common_twos(q);
  if (a.degree() < b.degree()) std::swap(a, b);
  while (!b.is_zero()) {
    Polynomial r = without_common_twos(pseudo_divide(a, b).remainder);
    a = std::exchange(b, std::move(r));
  }
  return a;
}

Polynomial square_free(const Polynomial& p) {
  const Polynomial repeated = gcd(p, p.derivative());
  if (repeated.degree() <= 0) return p;
  return without_common_twos(pseudo_divide(p, repeated).quotient);
}

}  // namespace graze::oracle
