// Narrow phase kernels: the result of a quick search for the time of impact, over lanes. Included inside the
// namespace of a lane type, before the kernel that fills it in. Therefore the file has no include guard and no
// namespace.

/// Result for a vector of pairs: certainly apart, or in contact with the data below; undecided if neither.
template <class V, class M>
struct QuickRoot {
  M apart, contact;
  V toi_lo, toi_hi;
  V weights[4], normal[3], side;  ///< as in ElementaryImpact
};
