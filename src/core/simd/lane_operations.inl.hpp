// SIMD operations that kernels over lanes (narrow/kernels/*.inl.hpp) use and that are written alike for doubles and
// floats. Sources that Highway compiles once per instruction set include this file inside their namespace
// HWY_NAMESPACE, where hn is an alias of Highway's namespace. Therefore the file has no include guard and no
// namespace.

template <class V>
HWY_INLINE V add(V a, V b) {
  return hn::Add(a, b);
}
template <class V>
HWY_INLINE V sub(V a, V b) {
  return hn::Sub(a, b);
}
template <class V>
HWY_INLINE V mul(V a, V b) {
  return hn::Mul(a, b);
}
template <class V>
HWY_INLINE V min(V a, V b) {
  return hn::Min(a, b);
}
template <class V>
HWY_INLINE V max(V a, V b) {
  return hn::Max(a, b);
}
template <class V>
HWY_INLINE V abs(V a) {
  return hn::Abs(a);
}
template <class V>
HWY_INLINE auto gt(V a, V b) {
  return hn::Gt(a, b);
}
template <class M>
HWY_INLINE M both(M a, M b) {
  return hn::And(a, b);
}
template <class M>
HWY_INLINE M either(M a, M b) {
  return hn::Or(a, b);
}
template <class V>
HWY_INLINE V splat(double value) {
  return hn::Set(hn::DFromV<V>(), static_cast<hn::TFromV<V>>(value));
}
