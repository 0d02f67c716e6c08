// Lane-by-lane lookup in tables of 32 entries: two registers with AVX-512, gather from memory elsewhere. Included
// by sources that Highway compiles once per instruction set, inside their namespace HWY_NAMESPACE, after
// cluster_bounds.hpp outside of it; therefore no include guard and no namespace here.

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBlock = 16;
using FloatTag = hn::CappedTag<float, kBlock>;
using IntTag = hn::RebindToSigned<FloatTag>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;
using Words = hn::Vec<WordTag>;
using FloatMask = hn::Mask<FloatTag>;

/// Looks up entries of a table of 32.
HWY_INLINE Floats look_up(const float* table, Ints places) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const FloatTag d;
  const Floats low = hn::Load(d, table);
  const Floats high = hn::Load(d, table + kBlock);
  return Floats{_mm512_permutex2var_ps(low.raw, places.raw, high.raw)};
#else
  return hn::GatherIndex(FloatTag(), table, places);
#endif
}
HWY_INLINE Ints look_up(const std::uint32_t* table, Ints places) {
  return hn::BitCast(IntTag(), look_up(reinterpret_cast<const float*>(table), places));
}

/// Returns the mask of negative lanes. x < y exactly if x - y is negative; combining sign bits is cheaper than
/// combining masks.
HWY_INLINE FloatMask by_sign(Floats x) {
  return hn::RebindMask(FloatTag(), hn::Lt(hn::BitCast(IntTag(), x), hn::Zero(IntTag())));
}

/// Returns the vertex index of the corner-th vertex of each feature word (cluster.hpp), lane by lane.
HWY_INLINE Ints corner_of(Words words, int corner) {
  switch (corner) {
    case 1:
      words = hn::ShiftRight<8>(words);
      break;
    case 2:
      words = hn::ShiftRight<16>(words);
      break;
    case 3:
      words = hn::ShiftRight<24>(words);
      break;
    default:
      break;
  }
  return hn::BitCast(IntTag(), hn::And(words, hn::Set(WordTag(), 31U)));
}

/// Returns the coordinates of vertices [at, at + lanes) along a direction, at the end of the step whose rows begin
/// at `row`. kSlabErrors (cluster_bounds.hpp) bounds their errors.
HWY_INLINE Floats along(FloatTag d, const std::array<float, 3>& direction, const Cluster& cluster, std::size_t row,
                        std::size_t at) {
  const Floats x = hn::Mul(hn::Set(d, direction[0]), hn::Load(d, &cluster.x[row][at]));
  const Floats y = hn::Mul(hn::Set(d, direction[1]), hn::Load(d, &cluster.x[row + 1][at]));
  const Floats z = hn::Mul(hn::Set(d, direction[2]), hn::Load(d, &cluster.x[row + 2][at]));
  return hn::Add(hn::Add(x, y), z);
}
