// Input of the split criteria of the boxtree builder: the polygons of one node, as boxes that are moved rather than
// indexed, and the node's own box. Boxes are partitioned in place.
#pragma once

#include <array>
#include <cstddef>

#include "rigid/boxtree/box_rows.hpp"

namespace graze::rigid {

/// Box of a node in relative coordinates: the root's box minus the slabs, in doubles.
struct NodeBox {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
};

/// The polygons below a node. A split moves the polygons of the first child to the front.
struct PolygonSet {
  PackedBox* boxes = nullptr;  ///< `first` is the triangle
  std::size_t count = 0;
  RowBox tight;      ///< union of all boxes
  Row4 middle_lo{};  ///< bounds of twice the box centres
  Row4 middle_hi{};

  PolygonSet() = default;
  PolygonSet(PackedBox* where, std::size_t how_many) : boxes(where), count(how_many) { measure(); }

 private:
  void measure() {
    RowBox all;
    Row4 lo(RowBox::kEmpty);
    Row4 hi(-RowBox::kEmpty);
    for (std::size_t i = 0; i < count; ++i) {
      const RowBox box = RowBox::load(boxes[i]);
      all.include(box);
      lo = min(lo, box.middle());
      hi = max(hi, box.middle());
    }
    tight = all;
    middle_lo = lo;
    middle_hi = hi;
  }
};

/// Moves the boxes for which is_first(box, index) returns true to the front, and returns their number. Calls
/// is_first once for each box, in order, with its original index. Branch-free, because a branch would be
/// unpredictable: every box is swapped, with itself or with one of the second part.
template <typename IsFirst>
std::size_t partition_in_place(const PolygonSet& set, IsFirst&& is_first) {
  PackedBox* low = set.boxes;
  for (std::size_t i = 0; i < set.count; ++i) {
    const PackedBox one = set.boxes[i];
    const std::size_t step = is_first(one, i) ? 1 : 0;
    set.boxes[i] = *low;
    *low = one;
    low += step;
  }
  return static_cast<std::size_t>(low - set.boxes);
}

/// Splits into halves at the median along the longest extent of the box centres; always possible for two or more
/// polygons. Returns the axis. O(n).
std::size_t split_half(const PolygonSet& set);
/// Moves the `rank` polygons with the lowest box centres along an axis to the front; 0 < rank < count. O(n).
void split_at_rank(const PolygonSet& set, std::size_t axis, std::size_t rank);

class ChildMeasure;
/// Our split criterion (rigid/boxtree/split_free.cpp). Returns the number of polygons of the first child, or 0 if
/// all box centres coincide. O(n).
std::size_t split_free(const PolygonSet& set, const ChildMeasure& measure);

/// A split by volume. `first` is the number of polygons of the first child, or 0 if there is no split.
struct VolumeSplit {
  std::size_t first = 0;
  std::array<unsigned, 2> sides{};  ///< cut sides of the two children: axis, + 4 if upper
};
/// The paper's split criterion as printed, or its variant that cuts the longest side of the box only
/// (rigid/boxtree/split_volume.cpp). O(n).
VolumeSplit split_volume(const PolygonSet& set, const NodeBox& box, bool longest);
/// The paper's criterion judged by a sample of the polygons (rigid/boxtree/split_volume_sampled.cpp). O(n).
VolumeSplit split_volume_sampled(const PolygonSet& set, const NodeBox& box);

}  // namespace graze::rigid
