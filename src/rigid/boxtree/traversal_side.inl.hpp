// One of the two trees of a SIMD traversal (rigid/boxtree/boxtree_traversal.cpp): intervals of its root, of
// children by their cuts, and of tightened leaf groups. Included inside of namespace HWY_NAMESPACE once for each
// instruction set; therefore it has no include guard and no namespace.

/// The vector type for one row of lanes, and the number of lanes in a register.
template <std::size_t kLanes>
struct Rows {
  using Tag = hn::CappedTag<float, kLanes>;
#if HWY_TARGET == HWY_SCALAR
  static constexpr std::size_t kStep = 1;
#else
  static constexpr std::size_t kStep = hn::MaxLanes(Tag());
#endif
};

/// Lower ends and upper ends, by direction.
using Ends = std::array<std::array<float, kDirections>, 2>;
struct alignas(64) Interval {
  Ends ends;
};

template <std::size_t kLanes>
HWY_INLINE bool are_separated(const Ends& a, const Ends& b) {
  const typename Rows<kLanes>::Tag d;
  for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
    const auto one = hn::Gt(hn::Load(d, a[0].data() + k), hn::Load(d, b[1].data() + k));
    const auto other = hn::Gt(hn::Load(d, b[0].data() + k), hn::Load(d, a[1].data() + k));
    if (!hn::AllFalse(d, hn::Or(one, other))) return true;
  }
  return false;
}

/// One of the two trees of a traversal.
template <std::size_t kLanes>
class Side {
 public:
  /// `before` and `beyond` are added to lower and to upper ends.
  Side(const TraversedTree& tree, const std::array<Placement::Row, 3>& slopes, const Placement::Row& before,
       const Placement::Row& beyond, ClusterTable& table)
      : before_(before),
        beyond_(beyond),
        origin_{tree.tree.local_frame.origin.x, tree.tree.local_frame.origin.y, tree.tree.local_frame.origin.z,
                0.0},
        slopes_(slopes),
        table_(table),
        tree_(tree) {
    const typename Rows<kLanes>::Tag d;
    const auto zero = hn::Zero(d);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
        const auto slope = hn::Load(d, slopes[axis].data() + k);
        const auto positive = hn::Max(slope, zero);
        const auto negative = hn::Max(hn::Sub(zero, slope), zero);
        // A lower child loses a slab at its upper side: the upper end moves where the slope is positive.
        hn::Store(negative, d, slabs_[axis][0].data() + k);
        hn::Store(positive, d, slabs_[axis][1].data() + k);
        hn::Store(positive, d, slabs_[axis + 4][0].data() + k);
        hn::Store(negative, d, slabs_[axis + 4][1].data() + k);
      }
    }
    table.roots.fill(kNoNode);
    table.used = 0;
  }

  [[nodiscard]] const BoxNode* nodes() const { return tree_.tree.nodes.data(); }

  void of_root(Interval& interval) const {
    const typename Rows<kLanes>::Tag d;
    for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
      auto lo = hn::Load(d, before_.data() + k);
      auto hi = hn::Load(d, beyond_.data() + k);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto slope = hn::Load(d, slopes_[axis].data() + k);
        const auto one = hn::Mul(slope, hn::Set(d, tree_.tree.lo[axis]));
        const auto other = hn::Mul(slope, hn::Set(d, tree_.tree.hi[axis]));
        lo = hn::Add(lo, hn::Min(one, other));
        hi = hn::Add(hi, hn::Max(one, other));
      }
      hn::Store(lo, d, interval.ends[0].data() + k);
      hn::Store(hi, d, interval.ends[1].data() + k);
    }
  }

  HWY_INLINE void of_child(const Ends& parent, const BoxNode& node, Interval& child) const {
    const typename Rows<kLanes>::Tag d;
    const auto cut = hn::Set(d, node.cut());
    const Ends& slab = slabs_[node.side()];
    for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
      hn::Store(hn::Add(hn::Load(d, parent[0].data() + k), hn::Mul(cut, hn::Load(d, slab[0].data() + k))), d,
                child.ends[0].data() + k);
      hn::Store(hn::Sub(hn::Load(d, parent[1].data() + k), hn::Mul(cut, hn::Load(d, slab[1].data() + k))), d,
                child.ends[1].data() + k);
    }
  }

  /// The tightened nodes of a leaf group.
  HWY_INLINE const ClusterSlot& cluster(const BoxNode& root) {
    const auto number = static_cast<std::uint32_t>(&root - nodes());
    const std::size_t place = (number * 2654435761U) >> 26U;
    static_assert(kSlots == 64);
    if (table_.roots[place] != number) {
      if (table_.roots[place] == kNoNode) table_.slot_of[place] = table_.used++;
      table_.roots[place] = number;
      tighten(number, table_.slots[table_.slot_of[place]]);
    }
    return table_.slots[table_.slot_of[place]];
  }

 private:
  HWY_NOINLINE void tighten(std::uint32_t number, ClusterSlot& slot) const {
    slot.leaves = 0;
    std::array<std::uint32_t, kClusterNodes> from;
    from[0] = number;
    std::uint32_t count = 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const BoxNode& node = nodes()[from[i]];
      if (node.leaf()) {
        slot.leaves |= std::uint64_t{1} << i;
        slot.place[i] = node.place();
        continue;
      }
      slot.place[i] = count;
      from[count] = node.place();
      from[count + 1] = node.place() + 1;
      count += 2;
    }
    for (std::uint32_t i = count; i-- > 0;) {
      if ((slot.leaves >> i & 1U) != 0) {
        of_triangle(slot.place[i], slot.ends[i]);
      } else {
        unite(slot.ends[slot.place[i]], slot.ends[slot.place[i] + 1], slot.ends[i]);
      }
    }
  }

  /// LocalFrame::relative, in floats.
  HWY_INLINE void relative(const Vec3& x, float* HWY_RESTRICT u) const {
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
    const hn::FixedTag<double, 4> d;
    const hn::Rebind<float, decltype(d)> half;
    const auto moved = hn::Sub(hn::MaskedLoad(hn::FirstN(d, 3), d, &x.x), hn::Load(d, origin_.data()));
    hn::Store(hn::DemoteTo(half, hn::Mul(moved, hn::Set(d, tree_.tree.local_frame.scale))), half, u);
#else
    const auto point = tree_.tree.local_frame.relative(x);
    for (std::size_t axis = 0; axis < 3; ++axis) u[axis] = static_cast<float>(point[axis]);
#endif
  }

  HWY_INLINE void of_triangle(TriangleId id, Ends& ends) const {
    const typename Rows<kLanes>::Tag d;
    const Triangle& triangle = tree_.triangles[id];
    alignas(64) float u[3][4];
    for (std::size_t corner = 0; corner < 3; ++corner) relative(tree_.positions[triangle[corner]], u[corner]);
    for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
      const auto x = hn::Load(d, slopes_[0].data() + k);
      const auto y = hn::Load(d, slopes_[1].data() + k);
      const auto z = hn::Load(d, slopes_[2].data() + k);
      const auto at = [&](const float* p) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(hn::Set(d, p[0]), x), hn::Mul(hn::Set(d, p[1]), y)),
                       hn::Mul(hn::Set(d, p[2]), z));
      };
      const auto first = at(u[0]);
      const auto second = at(u[1]);
      const auto third = at(u[2]);
      hn::Store(hn::Add(hn::Min(first, hn::Min(second, third)), hn::Load(d, before_.data() + k)), d,
                ends[0].data() + k);
      hn::Store(hn::Add(hn::Max(first, hn::Max(second, third)), hn::Load(d, beyond_.data() + k)), d,
                ends[1].data() + k);
    }
  }
  /// Union of two intervals. Both belong to one object: a lane that is NaN in one node is NaN in all nodes.
  static HWY_INLINE void unite(const Ends& one, const Ends& other, Ends& all) {
    const typename Rows<kLanes>::Tag d;
    for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
      hn::Store(hn::Min(hn::Load(d, one[0].data() + k), hn::Load(d, other[0].data() + k)), d, all[0].data() + k);
      hn::Store(hn::Max(hn::Load(d, one[1].data() + k), hn::Load(d, other[1].data() + k)), d, all[1].data() + k);
    }
  }

  alignas(64) Placement::Row before_;
  alignas(64) Placement::Row beyond_;
  // By side: amounts that a cut of 1 adds to lower ends and subtracts from upper ends.
  alignas(64) std::array<Ends, 8> slabs_;
  alignas(32) std::array<double, 4> origin_;  // origin of the local frame
  const std::array<Placement::Row, 3>& slopes_;
  ClusterTable& table_;
  TraversedTree tree_;
};
