// Narrow phase kernels: vectors of three components over lanes. Kernels (*.inl.hpp) include this file inside their
// own namespace, after the operations of their lane type. Therefore the file has no include guard and no namespace.

/// A vector of three components.
template <class V>
struct Triple {
  V x[3];
};

template <class V>
GRAZE_LANES Triple<V> minus(const Triple<V>& a, const Triple<V>& b) {
  return {{sub(a.x[0], b.x[0]), sub(a.x[1], b.x[1]), sub(a.x[2], b.x[2])}};
}

/// The point a + s b.
template <class V>
GRAZE_LANES Triple<V> along(const Triple<V>& a, V s, const Triple<V>& b) {
  return {{add(a.x[0], mul(s, b.x[0])), add(a.x[1], mul(s, b.x[1])), add(a.x[2], mul(s, b.x[2]))}};
}

/// The point a - s b.
template <class V>
GRAZE_LANES Triple<V> back_along(const Triple<V>& a, V s, const Triple<V>& b) {
  return {{sub(a.x[0], mul(s, b.x[0])), sub(a.x[1], mul(s, b.x[1])), sub(a.x[2], mul(s, b.x[2]))}};
}

template <class V>
GRAZE_LANES V dot(const Triple<V>& a, const Triple<V>& b) {
  return add(add(mul(a.x[0], b.x[0]), mul(a.x[1], b.x[1])), mul(a.x[2], b.x[2]));
}

template <class V>
GRAZE_LANES Triple<V> cross(const Triple<V>& a, const Triple<V>& b) {
  return {{sub(mul(a.x[1], b.x[2]), mul(a.x[2], b.x[1])), sub(mul(a.x[2], b.x[0]), mul(a.x[0], b.x[2])),
           sub(mul(a.x[0], b.x[1]), mul(a.x[1], b.x[0]))}};
}
