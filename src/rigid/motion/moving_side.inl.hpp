// One of the two trees of a traversal over a slab of time (rigid/motion/moving_traversal.cpp): ends of its root, of
// children by their cuts, and of tightened leaf groups, at both ends of the slab. Included inside of namespace
// HWY_NAMESPACE once for each instruction set; therefore it has no include guard and no namespace.

/// One of the two trees of a traversal, projected on the directions of a frame.
class MovingSide {
 public:
  /// `before` and `beyond` are added to lower and to upper ends.
  MovingSide(const MovingObject& object, const SlabFrame::Slopes& slopes,
             const std::array<SlabFrame::Row, 2>& before, const std::array<SlabFrame::Row, 2>& beyond)
      : object_(object), slopes_(slopes), before_(before), beyond_(beyond) {}

  [[nodiscard]] const MovingObject& object() const { return object_; }
  [[nodiscard]] const BoxNode* nodes() const { return object_.object.boxtree.nodes.data(); }
  [[nodiscard]] float size(const NodeBounds& node) const {
    return static_cast<float>(object_.unit) * node.extent();
  }

  void of_root(NodeBounds& root) const {
    root.lo = object_.object.boxtree.lo;
    root.hi = object_.object.boxtree.hi;
    of_box(root);
  }

  /// Ends of a box from its relative coordinates.
  void of_box(NodeBounds& node) const {
    const RowTag d;
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
        auto lo = hn::Load(d, before_[end].data() + k);
        auto hi = hn::Load(d, beyond_[end].data() + k);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto slope = hn::Load(d, slopes_[end][axis].data() + k);
          const auto one = hn::Mul(slope, hn::Set(d, node.lo[axis]));
          const auto other = hn::Mul(slope, hn::Set(d, node.hi[axis]));
          lo = hn::Add(lo, hn::Min(one, other));
          hi = hn::Add(hi, hn::Max(one, other));
        }
        hn::Store(lo, d, node.ends.lo[end].data() + k);
        hn::Store(hi, d, node.ends.hi[end].data() + k);
      }
    }
  }

  /// A child loses a slab: an upper child at its lower side, which moves lower ends up where the slope is positive.
  HWY_INLINE void of_child(const NodeBounds& parent, const BoxNode& node, NodeBounds& child) const {
    const RowTag d;
    const auto zero = hn::Zero(d);
    const std::size_t axis = node.axis();
    const auto cut = hn::Set(d, node.upper() ? node.cut() : -node.cut());
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
        const auto moved = hn::Mul(cut, hn::Load(d, slopes_[end][axis].data() + k));
        hn::Store(hn::Add(hn::Load(d, parent.ends.lo[end].data() + k), hn::Max(moved, zero)), d,
                  child.ends.lo[end].data() + k);
        hn::Store(hn::Add(hn::Load(d, parent.ends.hi[end].data() + k), hn::Min(moved, zero)), d,
                  child.ends.hi[end].data() + k);
      }
    }
    child.lo = parent.lo;
    child.hi = parent.hi;
    (node.upper() ? child.lo : child.hi)[axis] += node.upper() ? node.cut() : -node.cut();
  }

  /// Relative coordinates of the corners of a triangle.
  [[nodiscard]] HWY_INLINE std::array<FloatPoint, 3> corners(TriangleId id) const {
    const Triangle& triangle = object_.object.triangles[id];
    std::array<FloatPoint, 3> u;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const auto point = object_.object.boxtree.local_frame.relative(object_.object.positions[triangle[corner]]);
      for (std::size_t axis = 0; axis < 3; ++axis) u[corner][axis] = static_cast<float>(point[axis]);
    }
    return u;
  }

  HWY_INLINE void of_triangle(const std::array<FloatPoint, 3>& u, TimedEnds& ends) const {
    const RowTag d;
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
        const auto x = hn::Load(d, slopes_[end][0].data() + k);
        const auto y = hn::Load(d, slopes_[end][1].data() + k);
        const auto z = hn::Load(d, slopes_[end][2].data() + k);
        const auto at = [&](const FloatPoint& p) HWY_ATTR {
          return hn::Add(hn::Add(hn::Mul(hn::Set(d, p[0]), x), hn::Mul(hn::Set(d, p[1]), y)),
                         hn::Mul(hn::Set(d, p[2]), z));
        };
        const auto first = at(u[0]);
        const auto second = at(u[1]);
        const auto third = at(u[2]);
        hn::Store(hn::Add(hn::Min(first, hn::Min(second, third)), hn::Load(d, before_[end].data() + k)), d,
                  ends.lo[end].data() + k);
        hn::Store(hn::Add(hn::Max(first, hn::Max(second, third)), hn::Load(d, beyond_[end].data() + k)), d,
                  ends.hi[end].data() + k);
      }
    }
  }

  /// Projects the triangles of a leaf group.
  HWY_NOINLINE void tighten(const BoxNode& root, GroupSlot& slot) const {
    slot.leaves = 0;
    std::array<const BoxNode*, kGroupNodes> from;
    from[0] = &root;
    std::uint32_t count = 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const BoxNode& node = *from[i];
      if (node.leaf()) {
        slot.leaves |= std::uint64_t{1} << i;
        slot.place[i] = node.place();
        continue;
      }
      slot.place[i] = count;
      from[count] = nodes() + node.place();
      from[count + 1] = nodes() + node.place() + 1;
      count += 2;
    }
    const RowTag d;
    slot.leaf_count = 0;
    float extents = 0.0F;
    for (std::uint32_t i = count; i-- > 0;) {
      if ((slot.leaves >> i & 1U) != 0) {
        const std::array<FloatPoint, 3> u = corners(slot.place[i]);
        of_triangle(u, slot.ends[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          for (std::size_t corner = 0; corner < 3; ++corner)
            slot.corners[corner][axis][slot.leaf_count] = u[corner][axis];
          extents +=
              std::max({u[0][axis], u[1][axis], u[2][axis]}) - std::min({u[0][axis], u[1][axis], u[2][axis]});
        }
        slot.leaf[slot.leaf_count++] = static_cast<std::uint8_t>(i);
        continue;
      }
      const TimedEnds& one = slot.ends[slot.place[i]];
      const TimedEnds& other = slot.ends[slot.place[i] + 1];
      for (std::size_t end = 0; end < 2; ++end) {
        for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
          hn::Store(hn::Min(hn::Load(d, one.lo[end].data() + k), hn::Load(d, other.lo[end].data() + k)), d,
                    slot.ends[i].lo[end].data() + k);
          hn::Store(hn::Max(hn::Load(d, one.hi[end].data() + k), hn::Load(d, other.hi[end].data() + k)), d,
                    slot.ends[i].hi[end].data() + k);
        }
      }
    }
    slot.triangle_size = static_cast<float>(object_.unit) * extents / static_cast<float>(slot.leaf_count);
    for (auto& corner : slot.corners) {
      for (LaneRow& row : corner)
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(slot.leaf_count), row.end(), 0.0F);
    }
  }

  /// The tightened nodes of a leaf group, from the table if they are there.
  HWY_INLINE const GroupSlot& group(const BoxNode& root, GroupTable& table) const {
    const auto number = static_cast<std::uint32_t>(&root - nodes());
    const std::size_t place = (number * 2654435761U) >> 27U;
    static_assert(kSlots == 32);
    if (table.roots[place] != number) {
      if (table.roots[place] == kNoGroup) table.slot_of[place] = table.used++;
      table.roots[place] = number;
      tighten(root, table.slots[table.slot_of[place]]);
    }
    return table.slots[table.slot_of[place]];
  }

 private:
  const MovingObject& object_;
  const SlabFrame::Slopes& slopes_;
  const std::array<SlabFrame::Row, 2>& before_;
  const std::array<SlabFrame::Row, 2>& beyond_;
};
