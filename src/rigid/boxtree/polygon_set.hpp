// What the splits of a boxtree's builder work on: the polygons of one node as boxes that are moved, not indexed,
// and the node's own box. Boxes are parted in place.
#pragma once

#include <array>
#include <cstddef>

#include "rigid/boxtree/box_rows.hpp"

namespace graze::rigid {

/// The box of a node, in relative coordinates: the root's less the slabs, in doubles.
struct NodeBox {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
};

/// The polygons below a node. A split moves those of the first child to the front.
struct PolygonSet {
  PackedBox* boxes = nullptr;  ///< `first` is the triangle
  std::size_t count = 0;
  RowBox tight;      ///< of all
  Row4 middle_lo{};  ///< of twice the middles
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

/// Moves the boxes that is_first(box, place) says to the front, and returns how many. Asks for each once, in order,
/// with the place it had. Without branches, which would be a coin toss: every box is swapped, with itself or one
/// that stays behind.
template <typename IsFirst>
std::size_t part_in_place(const PolygonSet& set, IsFirst&& is_first) {
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

/// Into halves at the median of the longest extent of the middles; always possible for two or more. Returns the
/// axis. O(n).
std::size_t split_half(const PolygonSet& set);

class ChildMeasure;
/// Ours: see rigid/boxtree/split_free.cpp. Returns how many go to the first child, or 0 if all middles are one.
/// O(n).
std::size_t split_free(const PolygonSet& set, const ChildMeasure& measure);

/// The paper's: see rigid/boxtree/split_volume.cpp. `first` is 0 if there is no good split.
struct VolumeSplit {
  std::size_t first = 0;
  std::array<unsigned, 2> sides{};  ///< of the two children, axis, + 4 if upper
};
VolumeSplit split_volume(const PolygonSet& set, const NodeBox& box, bool longest);

}  // namespace graze::rigid
