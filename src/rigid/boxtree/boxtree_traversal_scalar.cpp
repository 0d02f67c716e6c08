// Scalar traversal: intervals of boxes along 3, 6 or 15 directions, one end at a time (BOXTREE, sections 3.2.1 to
// 3.2.4). See the header.
//
// A cut moves one end of the interval along each direction, except directions perpendicular to its axis. Along its
// own axes a tree uses its own units (rigid/axis_view.hpp), so the end moves by the cut itself; along other
// directions by a product. Only the ends that moved are compared, with the opposite end of the other node.
// Operations in the worst case, with those of the paper's Table 1 in parentheses:
//   3 directions  b: 3 products, 3 sums; a: 1 sum; comparisons: 3 ends of b, 1 of a          11   (12)
//   6             twice the operations of 3 directions                                       22   (24)
//   15            and 6 products, 6 sums, 6 comparisons for the cross products of each       58   (82)
// The paper has one more comparison for 3 directions, which we find no use for. All margins are in the interval of
// b, or of a along the axes of b. The placement covers rounding: 2^-22 a step, where a product and a sum take
// 2^-23. It counts the offset for the steps of b; along the axes of b the offset is in the ends of a, and is
// counted for the steps of a.
//
// Lookup tables (3.2.2): for an axis on which the root is w wide, entry c belongs to a cut of (1 - 2^-20) c w /
// 999. A cut is looked up at c = floor(998.5 cut / w), so that never too much is cut off. One product finds c for
// three directions.
#include "rigid/boxtree/boxtree_traversal_scalar.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

#include "geometry/volume.hpp"
#include "rigid/axis_view.hpp"
#include "rigid/trees/paired_traversal.hpp"

namespace graze::rigid {

namespace {

/// Side of a root: all ends are new. No axis has this number.
constexpr unsigned kAllSides = 3;

/// Data of one tree for a query: how cuts move the ends of intervals.
template <std::size_t Directions>
struct Sides {
  std::array<std::array<float, Directions>, 3> slope{};  ///< [axis][direction]: magnitudes
  std::array<std::uint32_t, 8> low{};   ///< [side]: bit mask of the directions whose lower end a cut moves
  std::array<std::uint32_t, 8> high{};  ///< [side]: bit mask of the directions whose upper end a cut moves
  std::array<float, Directions> root_lo{};
  std::array<float, Directions> root_hi{};

  /// Sets direction s, along which the tree lies at offset + the sum of slopes u, plus or minus `margin`.
  void set(const Boxtree& tree, std::size_t s, const std::array<double, 3>& slopes, double offset, double margin) {
    double lo = offset - margin;
    double hi = offset + margin;
    for (std::size_t i = 0; i < 3; ++i) {
      const double at_lo = slopes[i] * static_cast<double>(tree.lo[i]);
      const double at_hi = slopes[i] * static_cast<double>(tree.hi[i]);
      lo += std::min(at_lo, at_hi);
      hi += std::max(at_lo, at_hi);
      slope[i][s] = static_cast<float>(std::abs(slopes[i]));
      if (slopes[i] == 0.0) continue;
      const std::uint32_t bit = 1U << s;
      // The cut of a lower child moves the upper end along a direction with a positive slope on its axis.
      (slopes[i] > 0.0 ? high : low)[i] |= bit;
      (slopes[i] > 0.0 ? low : high)[i + BoxNode::kUpper] |= bit;
    }
    low[kAllSides] |= 1U << s;
    high[kAllSides] |= 1U << s;
    // A NaN end never separates, because every comparison with it is false.
    root_lo[s] = std::isnan(lo) ? std::numeric_limits<float>::quiet_NaN() : round_down(lo);
    root_hi[s] = std::isnan(hi) ? std::numeric_limits<float>::quiet_NaN() : round_up(hi);
  }
};

/// Moves the end that a node's cut moves along the axis of the cut.
template <class Real>
void cut_own(const BoxNode& node, Real& lo, Real& hi) {
  if (node.upper()) {
    lo = lo + Real(node.cut());
  } else {
    hi = hi - Real(node.cut());
  }
}

constexpr std::size_t kEntries = 1000;
struct Tables {
  std::array<std::array<std::array<float, kEntries>, 3>, 3> products;  ///< [axis][direction][cut]
  std::array<float, 3> entries_per_unit;                               ///< [axis]

  void set(const Boxtree& tree, const std::array<std::array<float, 3>, 3>& slope) {
    for (std::size_t i = 0; i < 3; ++i) {
      const float wide = tree.hi[i] - tree.lo[i];
      entries_per_unit[i] = wide > 0x1p-100F ? 998.5F / wide : 0.0F;
      const float step = wide / 999.0F * (1.0F - 0x1p-20F);
      for (std::size_t s = 0; s < 3; ++s) {
        const float change = step * slope[i][s];
        for (std::size_t c = 0; c < kEntries; ++c) products[i][s][c] = static_cast<float>(c) * change;
      }
    }
  }
};
struct NoTables {};

template <class Real, std::size_t Directions, bool Lookup>
class BoxTest {
 public:
  static constexpr bool kCounts = !std::is_same_v<Real, float>;

  struct Ends {
    std::array<Real, Directions> lo;
    std::array<Real, Directions> hi;
    std::uint32_t place;
    std::uint8_t side;
    bool leaf;
  };
  using A = Ends;
  using B = Ends;

  BoxTest(const Boxtree& a, const Boxtree& b, const Placement& placement) : a_(a), b_(b) {
    const LocalView from_a = local_view_of_a(placement, a.depth);
    for (std::size_t k = 0; k < 3; ++k) set_axes(a, sides_a_, b, sides_b_, from_a, k, k);
    if constexpr (Directions >= 6) {
      const LocalView from_b = local_view_of_b(placement, b.depth);
      for (std::size_t k = 0; k < 3; ++k) set_axes(b, sides_b_, a, sides_a_, from_b, k, 3 + k);
    }
    for (std::size_t s = 6; s < Directions; ++s) {
      auto slopes_a = row(placement.slope_a, s);
      auto slopes_b = row(placement.slope_b, s);
      // A cross product is perpendicular to one axis of each tree, apart from rounding.
      double& along_a = slopes_a[(s - 6) / 3];
      double& along_b = slopes_b[(s - 6) % 3];
      const double margin = static_cast<double>(placement.margin[s]) + std::abs(along_a) + std::abs(along_b);
      along_a = along_b = 0.0;
      sides_a_.set(a, s, slopes_a, 0.0, 0.0);
      sides_b_.set(b, s, slopes_b, static_cast<double>(placement.offset[s]), margin);
    }
    if constexpr (Lookup) tables_.set(b, sides_b_.slope);
  }

  [[nodiscard]] Ends root_a() const { return root(a_, sides_a_); }
  [[nodiscard]] Ends root_b() const { return root(b_, sides_b_); }

  [[nodiscard]] Ends child_a(const Ends& parent, unsigned which) const {
    const BoxNode& node = a_.nodes[parent.place + which];
    Ends ends = below(parent, node);
    cut_own(node, ends.lo[node.axis()], ends.hi[node.axis()]);
    if constexpr (Directions > 3) cut_turned(ends, node, sides_a_, ~(1U << node.axis()));
    return ends;
  }
  [[nodiscard]] Ends child_b(const Ends& parent, unsigned which) const {
    const BoxNode& node = b_.nodes[parent.place + which];
    Ends ends = below(parent, node);
    if constexpr (Lookup) {
      cut_by_table(ends, node);
    } else {
      if constexpr (Directions > 3) cut_own(node, ends.lo[3 + node.axis()], ends.hi[3 + node.axis()]);
      cut_turned(ends, node, sides_b_, ~(8U << node.axis()));
    }
    return ends;
  }

  [[nodiscard]] bool separated(const Ends& a, const Ends& b, bool a_is_new, bool b_is_new) const {
    std::uint32_t a_above = (a_is_new ? sides_a_.low[a.side] : 0U) | (b_is_new ? sides_b_.high[b.side] : 0U);
    for (; a_above != 0; a_above &= a_above - 1) {
      const auto s = static_cast<std::size_t>(std::countr_zero(a_above));
      if (a.lo[s] > b.hi[s]) return true;
    }
    std::uint32_t b_above = (a_is_new ? sides_a_.high[a.side] : 0U) | (b_is_new ? sides_b_.low[b.side] : 0U);
    for (; b_above != 0; b_above &= b_above - 1) {
      const auto s = static_cast<std::size_t>(std::countr_zero(b_above));
      if (b.lo[s] > a.hi[s]) return true;
    }
    return false;
  }

 private:
  using SidesOf = Sides<Directions>;

  static std::array<double, 3> row(const std::array<Placement::Row, 3>& slopes, std::size_t s) {
    return {static_cast<double>(slopes[0][s]), static_cast<double>(slopes[1][s]),
            static_cast<double>(slopes[2][s])};
  }
  /// Sets direction s, the viewer's axis k, for both trees.
  static void set_axes(const Boxtree& viewer, SidesOf& own, const Boxtree& other, SidesOf& turned,
                       const LocalView& view, std::size_t k, std::size_t s) {
    std::array<double, 3> slopes{};
    slopes[k] = 1.0;
    own.set(viewer, s, slopes, 0.0, 0.0);
    for (std::size_t i = 0; i < 3; ++i) slopes[i] = static_cast<double>(view.slope[i][k]);
    const auto offset = static_cast<double>(view.offset[k]);
    const double rounding = s < 3 ? 0.0 : 0x1p-22 * other.depth * std::abs(offset);
    turned.set(other, s, slopes, offset, static_cast<double>(view.margin[k]) + rounding);
  }
  static Ends root(const Boxtree& tree, const SidesOf& sides) {
    Ends ends;
    for (std::size_t s = 0; s < Directions; ++s) {
      ends.lo[s] = Real(sides.root_lo[s]);
      ends.hi[s] = Real(sides.root_hi[s]);
    }
    ends.place = tree.nodes[0].place();
    ends.side = kAllSides;
    ends.leaf = tree.nodes[0].leaf();
    return ends;
  }
  static Ends below(const Ends& parent, const BoxNode& node) {
    Ends ends = parent;
    ends.place = node.place();
    ends.side = static_cast<std::uint8_t>(node.side());
    ends.leaf = node.leaf();
    return ends;
  }
  static void cut_turned(Ends& ends, const BoxNode& node, const SidesOf& sides, std::uint32_t directions) {
    const Real cut(node.cut());
    const auto& slope = sides.slope[node.axis()];
    for (std::uint32_t low = sides.low[node.side()] & directions; low != 0; low &= low - 1) {
      const auto s = static_cast<std::size_t>(std::countr_zero(low));
      ends.lo[s] = ends.lo[s] + cut * Real(slope[s]);
    }
    for (std::uint32_t high = sides.high[node.side()] & directions; high != 0; high &= high - 1) {
      const auto s = static_cast<std::size_t>(std::countr_zero(high));
      ends.hi[s] = ends.hi[s] - cut * Real(slope[s]);
    }
  }
  void cut_by_table(Ends& ends, const BoxNode& node) const {
    const unsigned axis = node.axis();
    const Real entry = Real(node.cut()) * Real(tables_.entries_per_unit[axis]);
    const std::size_t c = std::min<std::size_t>(whole(entry), kEntries - 1);
    for (std::size_t s = 0; s < 3; ++s) {
      const Real change(tables_.products[axis][s][c]);
      if ((sides_b_.low[node.side()] >> s & 1U) != 0) {
        ends.lo[s] = ends.lo[s] + change;
      } else {
        ends.hi[s] = ends.hi[s] - change;
      }
    }
  }

  const Boxtree& a_;
  const Boxtree& b_;
  SidesOf sides_a_;
  SidesOf sides_b_;
  [[no_unique_address]] std::conditional_t<Lookup, Tables, NoTables> tables_;
};

template <std::size_t Directions, bool Lookup>
std::uint64_t traverse(const Boxtree& a, const Boxtree& b, const Placement& placement, bool lift, LeafSink& sink,
                       FlopCounts* flops) {
  if (flops != nullptr)
    return traverse_pair(BoxTest<CountingFloat, Directions, Lookup>(a, b, placement), lift, sink, flops);
  return traverse_pair(BoxTest<float, Directions, Lookup>(a, b, placement), lift, sink, nullptr);
}

}  // namespace

std::uint64_t traverse_boxtrees_scalar(const Boxtree& a, const Boxtree& b, const Placement& placement,
                                       const TraversalOptions& options, LeafSink& sink, FlopCounts* flops) {
  if (a.nodes.empty() || b.nodes.empty()) return 0;
  if (options.overlap == BoxOverlap::Sat) return traverse<15, false>(a, b, placement, options.lift, sink, flops);
  if (options.overlap == BoxOverlap::SatLite) return traverse<6, false>(a, b, placement, options.lift, sink, flops);
  if (options.overlap == BoxOverlap::Axis) return traverse<3, false>(a, b, placement, options.lift, sink, flops);
  return traverse<3, true>(a, b, placement, options.lift, sink, flops);
}

}  // namespace graze::rigid
