// Lane type of two vectors: a kernel over lanes runs twice at once, so that the processor computes one vector while
// it waits for the other. Each lane does what it does in one vector. Sources include this file after lanes.inl.hpp,
// before their kernels, inside HWY_NAMESPACE. Therefore the file has no include guard and no namespace.

struct TwoLanes {
  Lanes at[2];
};
struct TwoMasks {
  Mask at[2];
};

HWY_INLINE TwoLanes add(TwoLanes a, TwoLanes b) {
  return {{hn::Add(a.at[0], b.at[0]), hn::Add(a.at[1], b.at[1])}};
}
HWY_INLINE TwoLanes sub(TwoLanes a, TwoLanes b) {
  return {{hn::Sub(a.at[0], b.at[0]), hn::Sub(a.at[1], b.at[1])}};
}
HWY_INLINE TwoLanes mul(TwoLanes a, TwoLanes b) {
  return {{hn::Mul(a.at[0], b.at[0]), hn::Mul(a.at[1], b.at[1])}};
}
HWY_INLINE TwoLanes div(TwoLanes a, TwoLanes b) {
  return {{hn::Div(a.at[0], b.at[0]), hn::Div(a.at[1], b.at[1])}};
}
HWY_INLINE TwoLanes min(TwoLanes a, TwoLanes b) {
  return {{hn::Min(a.at[0], b.at[0]), hn::Min(a.at[1], b.at[1])}};
}
HWY_INLINE TwoLanes max(TwoLanes a, TwoLanes b) {
  return {{hn::Max(a.at[0], b.at[0]), hn::Max(a.at[1], b.at[1])}};
}
HWY_INLINE TwoLanes abs(TwoLanes a) {
  return {{hn::Abs(a.at[0]), hn::Abs(a.at[1])}};
}
HWY_INLINE TwoLanes sqrt(TwoLanes a) {
  return {{hn::Sqrt(a.at[0]), hn::Sqrt(a.at[1])}};
}
HWY_INLINE TwoMasks gt(TwoLanes a, TwoLanes b) {
  return {{hn::Gt(a.at[0], b.at[0]), hn::Gt(a.at[1], b.at[1])}};
}
HWY_INLINE TwoMasks both(TwoMasks a, TwoMasks b) {
  return {{hn::And(a.at[0], b.at[0]), hn::And(a.at[1], b.at[1])}};
}
HWY_INLINE TwoMasks either(TwoMasks a, TwoMasks b) {
  return {{hn::Or(a.at[0], b.at[0]), hn::Or(a.at[1], b.at[1])}};
}
HWY_INLINE TwoMasks without(TwoMasks a, TwoMasks b) {
  return {{hn::AndNot(b.at[0], a.at[0]), hn::AndNot(b.at[1], a.at[1])}};
}
HWY_INLINE bool none(TwoMasks a) {
  return hn::AllFalse(Tag(), hn::Or(a.at[0], a.at[1]));
}
HWY_INLINE TwoLanes select(TwoMasks mask, TwoLanes yes, TwoLanes no) {
  return {{hn::IfThenElse(mask.at[0], yes.at[0], no.at[0]), hn::IfThenElse(mask.at[1], yes.at[1], no.at[1])}};
}
template <class V>
requires std::is_same_v<V, TwoLanes> HWY_INLINE V splat(double value) {
  const Lanes lanes = hn::Set(Tag(), value);
  return {{lanes, lanes}};
}
