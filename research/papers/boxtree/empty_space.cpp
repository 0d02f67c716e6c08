// BOXTREE, section 3.1: an AABB resembles its parent, so that storing all six of its sides wastes memory.
//
// The AABB tree has the paper's splits: the tight boxes of the triangles below each node of a boxtree that is built
// by volume. As in the paper, the side on which a node was split off is left out: the parent is cut there first.
// Cost: linear in the nodes.
#include "research/papers/boxtree/boxtree.hpp"

#include <algorithm>
#include <array>

#include "research/papers/figures.hpp"
#include "rigid/boxtree/boxtree.hpp"
#include "rigid/object.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr double kLittle = 0.1;     // "only about 10%"
constexpr double kAboutHalf = 0.4;  // of the nodes

struct TightBox {
  std::array<double, 3> lo{1.0, 1.0, 1.0};
  std::array<double, 3> hi{-1.0, -1.0, -1.0};

  void add(const std::array<double, 3>& u) {
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], u[k]);
      hi[k] = std::max(hi[k], u[k]);
    }
  }
  [[nodiscard]] double volume() const { return (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]); }
};

/// The tight box of every node of the tree.
std::vector<TightBox> tight_boxes(const rigid::ObjectState& object) {
  const rigid::Boxtree& tree = object.boxtree;
  std::vector<TightBox> boxes(tree.nodes.size());
  std::vector<std::uint32_t> order;  // parents before children
  if (!tree.nodes.empty()) order.push_back(0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const rigid::BoxNode& node = tree.nodes[order[i]];
    if (!node.leaf()) order.insert(order.end(), {node.place(), node.place() + 1});
  }
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const rigid::BoxNode& node = tree.nodes[*at];
    if (node.leaf()) {
      for (const VertexId vertex : object.triangles[node.place()]) {
        boxes[*at].add(tree.local_frame.relative(object.positions[vertex]));
      }
      continue;
    }
    for (const std::uint32_t child : {node.place(), node.place() + 1}) {
      boxes[*at].add(boxes[child].lo);
      boxes[*at].add(boxes[child].hi);
    }
  }
  return boxes;
}

struct EmptySpace {
  std::vector<double> shares;  ///< empty share by node, for nodes whose parent has a volume
  std::uint64_t flat = 0;      ///< number of nodes whose parent has no volume
  std::uint64_t sides = 0;     ///< sides of nodes that coincide with a side of the parent
  std::uint64_t nodes = 0;     ///< without the root
};

EmptySpace empty_space(const rigid::ObjectState& object) {
  const rigid::Boxtree& tree = object.boxtree;
  const std::vector<TightBox> boxes = tight_boxes(object);
  EmptySpace result;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].leaf()) continue;
    for (const std::size_t c : {tree.nodes[i].place(), tree.nodes[i].place() + 1}) {
      const rigid::BoxNode& child = tree.nodes[c];
      TightBox parent = boxes[i];
      const TightBox& box = boxes[c];
      ++result.nodes;
      for (std::size_t k = 0; k < 3; ++k) {
        result.sides += (box.lo[k] == parent.lo[k] ? 1U : 0U) + (box.hi[k] == parent.hi[k] ? 1U : 0U);
      }
      const unsigned axis = child.axis();
      (child.upper() ? parent.lo : parent.hi)[axis] = (child.upper() ? box.lo : box.hi)[axis];
      const double volume = parent.volume();
      if (volume > 0.0) {
        result.shares.push_back(1.0 - box.volume() / volume);
      } else {
        ++result.flat;
      }
    }
  }
  std::sort(result.shares.begin(), result.shares.end());
  return result;
}

/// The share of `shares`, sorted, that is at most `limit`.
double share_up_to(const std::vector<double>& shares, double limit) {
  const auto count = std::upper_bound(shares.begin(), shares.end(), limit) - shares.begin();
  return quotient(static_cast<double>(count), static_cast<double>(shares.size()));
}

EmptySpace empty_space_of(const scenes::Shape& shape) {
  return empty_space(rigid::ObjectAccess::state(make_rigid(shape, RigidTree::Boxtree, BoxtreeSplit::Volume)));
}

/// The shape rotated, so that its planes are oblique to the axes.
scenes::Shape oblique(scenes::Shape shape) {
  const Pose pose = pose_from_axis_angle({1.0, 2.0, 3.0}, 1.0);
  for (Vec3& x : shape.positions) x = posed(pose, x);
  return shape;
}

}  // namespace

PaperSection boxtree_empty_space(const BoxtreePlan& plan, Json& json) {
  PaperSection section{
      .title = "Section 3.1: empty space between an AABB and its parent",
      .note =
          "AABBs over the splits of the paper's builder; the side of the split is not counted. \"sides\": sides "
          "that a box shares with its parent. \"little\": nodes that leave at most 10 % of the parent's volume "
          "empty. The paper says of three objects: 3 sides, and about 10 % for about half of all nodes. Flat "
          "nodes, whose parents have no volume, are left out. \"oblique\": little, for the object rotated by one "
          "radian about (1, 2, 3) before the tree is built.",
      .columns = {"object", "triangles", "nodes", "flat", "sides", "printed", "empty, median", "quarter below",
                  "three quarters", "little", "printed", "oblique"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  std::string holds;
  std::string fewer;
  double least_oblique = 1.0;
  double most_oblique = 0.0;
  for (const BoxtreeObject& object : plan.objects) {
    const EmptySpace empty = empty_space_of(object.shape());
    const auto quantile = [&](double share) {
      if (empty.shares.empty()) return 0.0;
      return empty.shares[static_cast<std::size_t>(share * static_cast<double>(empty.shares.size() - 1))];
    };
    const double little = share_up_to(empty.shares, kLittle);
    const double turned = share_up_to(empty_space_of(oblique(object.shape())).shares, kLittle);
    const double sides = quotient(static_cast<double>(empty.sides), static_cast<double>(empty.nodes));
    section.rows.push_back({object.name, with_separators(object.shape().triangles.size()),
                            with_separators(empty.nodes), with_separators(empty.flat), fmt::format("{:.2f}", sides),
                            "3", percent(100.0 * quantile(0.5)), percent(100.0 * quantile(0.25)),
                            percent(100.0 * quantile(0.75)), percent(100.0 * little), "≈ 50 %",
                            percent(100.0 * turned)});
    json.push_back({{"object", object.name},
                    {"nodes", empty.nodes},
                    {"flat", empty.flat},
                    {"sides", sides},
                    {"median", quantile(0.5)},
                    {"quarter", quantile(0.25)},
                    {"three_quarters", quantile(0.75)},
                    {"little", little},
                    {"little_oblique", turned},
                    {"printed", {{"sides", 3}, {"little", 0.5}}}});
    (little < kAboutHalf ? fewer : holds) +=
        fmt::format("{}{} ({})", (little < kAboutHalf ? fewer : holds).empty() ? "" : ", ", object.name,
                    percent(100.0 * little));
    least_oblique = std::min(least_oblique, turned);
    most_oblique = std::max(most_oblique, turned);
  }
  if (!fewer.empty() || least_oblique < kAboutHalf) {
    section.findings.push_back(
        fmt::format("About half of the nodes, or more, leave at most 10 % of their parents empty on: {}. Fewer do "
                    "on: {}. If the objects are rotated, {} to {} do. Where a surface is oblique to the axes, a "
                    "split along one axis also shortens the boxes along the others, so that the observation holds "
                    "for faces that follow the axes. This is why boxes that store one side are loose.",
                    holds.empty() ? "none" : holds, fewer.empty() ? "none" : fewer, percent(100.0 * least_oblique),
                    percent(100.0 * most_oblique)));
  }
  return section;
}

}  // namespace graze::papers
