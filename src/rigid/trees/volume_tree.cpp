// Trees of volumes: built over a common topology (SAH), traversed in pairs. See the header.
#include "rigid/trees/volume_tree.hpp"

#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "rigid/trees/aabb_volume.hpp"
#include "rigid/trees/dop_volume.hpp"
#include "rigid/trees/obb_volume.hpp"
#include "rigid/trees/paired_traversal.hpp"
#include "rigid/trees/sphere_volume.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

namespace {

constexpr std::uint32_t kLeafBit = 0x80000000U;

template <class Volume>
struct VolumeNode {
  Volume volume;
  std::uint32_t child;  ///< index of the first of two children, or a triangle and kLeafBit

  [[nodiscard]] bool leaf() const { return (child & kLeafBit) != 0; }
  [[nodiscard]] std::uint32_t place() const { return child & ~kLeafBit; }
};
static_assert(sizeof(VolumeNode<AabbVolume>) == 28 && sizeof(VolumeNode<ObbVolume>) == 64);
static_assert(sizeof(VolumeNode<Dop18Volume>) == 76 && sizeof(VolumeNode<Dop26Volume>) == 108);
static_assert(sizeof(VolumeNode<SphereVolume>) == 20);

/// The overlap test of two nodes, as PairedTraversal needs it.
template <class Volume, class Real>
class NodeTest {
 public:
  using Test = typename Volume::template Test<Real>;
  using Nodes = std::span<const VolumeNode<Volume>>;
  static constexpr bool kCounts = !std::is_same_v<Real, float>;

  struct A {
    typename Test::PlacedA placed;
    std::uint32_t place;
    bool leaf;
  };
  struct B {
    typename Test::PlacedB placed;
    std::uint32_t place;
    bool leaf;
  };

  NodeTest(const Test& test, Nodes a, Nodes b) : test_(test), a_(a), b_(b) {}

  [[nodiscard]] A root_a() const { return at_a(0); }
  [[nodiscard]] B root_b() const { return at_b(0); }
  [[nodiscard]] A child_a(const A& parent, unsigned which) const { return at_a(parent.place + which); }
  [[nodiscard]] B child_b(const B& parent, unsigned which) const { return at_b(parent.place + which); }
  [[nodiscard]] bool separated(const A& a, const B& b, bool /*a_is_new*/, bool /*b_is_new*/) const {
    return test_.separated(a.placed, b.placed);
  }

 private:
  [[nodiscard]] A at_a(std::size_t i) const { return {test_.place_a(a_[i].volume), a_[i].place(), a_[i].leaf()}; }
  [[nodiscard]] B at_b(std::size_t i) const { return {test_.place_b(b_[i].volume), b_[i].place(), b_[i].leaf()}; }

  const Test& test_;
  Nodes a_;
  Nodes b_;
};

template <class Volume>
class TreeOf final : public VolumeTree {
 public:
  TreeOf(std::span<const Vec3> positions, std::span<const Triangle> triangles, const SplitTree* topology)
      : local_frame_(make_local_frame(positions, triangles)) {
    std::vector<Corners> corners;
    corners.reserve(triangles.size());
    for (const Triangle& triangle : triangles) corners.push_back(relative(positions, triangle));
    const SplitTree shape = topology != nullptr ? *topology : build_split_tree(corners);
    depth_ = shape.depth;
    // In leaf order the triangles below a node are contiguous.
    std::vector<Corners> ordered;
    ordered.reserve(corners.size());
    for (const std::uint32_t triangle : shape.order) ordered.push_back(corners[triangle]);
    nodes_.reserve(shape.nodes.size());
    for (const SplitTree::Node& node : shape.nodes) {
      const std::span below(ordered.data() + node.first, node.last - node.first);
      const std::uint32_t child = node.child != 0 ? node.child : shape.order[node.first] | kLeafBit;
      nodes_.push_back({Volume::fit(below), child});
    }
  }

  [[nodiscard]] const LocalFrame& local_frame() const override { return local_frame_; }
  [[nodiscard]] std::size_t node_count() const override { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes_per_node() const override { return sizeof(VolumeNode<Volume>); }
  [[nodiscard]] std::uint32_t depth() const override { return depth_; }

  [[nodiscard]] std::string validate(std::span<const Vec3> positions,
                                     std::span<const Triangle> triangles) const override {
    if (nodes_.size() != (triangles.empty() ? 0 : 2 * triangles.size() - 1))
      return fmt::format("the tree has {} nodes, which is wrong for {} triangles", nodes_.size(), triangles.size());
    std::vector<std::size_t> parents(nodes_.size(), nodes_.size());
    std::vector<bool> seen(triangles.size(), false);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t place = nodes_[i].place();
      if (!nodes_[i].leaf()) {
        if (place <= i || place + 1 >= nodes_.size())
          return fmt::format("node {} has an invalid child {}", i, place);
        for (const std::size_t child : {place, place + 1}) {
          if (parents[child] != nodes_.size()) return fmt::format("node {} has two parents", child);
          parents[child] = i;
        }
        continue;
      }
      if (place >= triangles.size() || seen[place])
        return fmt::format("leaf node {} has triangle {}, which does not exist or is in another leaf", i, place);
      seen[place] = true;
      const Corners corners = relative(positions, triangles[place]);
      for (std::size_t node = i; node != nodes_.size(); node = parents[node]) {
        for (const Point& corner : corners) {
          if (!nodes_[node].volume.contains(corner))
            return fmt::format("the volume of node {} does not hold triangle {}", node, place);
        }
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Corners relative(std::span<const Vec3> positions, const Triangle& triangle) const {
    return {local_frame_.relative(positions[triangle[0]]), local_frame_.relative(positions[triangle[1]]),
            local_frame_.relative(positions[triangle[2]])};
  }
  std::uint64_t traverse_with(const VolumeTree& other, const Placement& placement, LeafSink& sink,
                              FlopCounts* flops, bool lift) const override {
    const auto& b = static_cast<const TreeOf&>(other);
    if (nodes_.empty() || b.nodes_.empty()) return 0;
    return flops != nullptr ? traverse_in<CountingFloat>(b, placement, sink, flops, lift)
                            : traverse_in<float>(b, placement, sink, nullptr, lift);
  }
  template <class Real>
  std::uint64_t traverse_in(const TreeOf& b, const Placement& placement, LeafSink& sink, FlopCounts* flops,
                            bool lift) const {
    const typename Volume::template Test<Real> test(placement, depth_, b.depth_);
    if (test.beyond()) {
      sink.flush();
      return 1;
    }
    return traverse_pair(NodeTest<Volume, Real>(test, nodes_, b.nodes_), lift, sink, flops);
  }

  LocalFrame local_frame_;
  std::uint32_t depth_ = 0;
  std::vector<VolumeNode<Volume>> nodes_;
};

}  // namespace

std::unique_ptr<VolumeTree> build_volume_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                              RigidTree tree, const SplitTree* topology) {
  if (triangles.size() > std::size_t{1} << 30U)
    throw InputError(fmt::format("{} triangles are too many: a tree of kind {} holds at most 2^30",
                                 triangles.size(), name_of(tree)));
  switch (tree) {
    case RigidTree::Obb:
      return std::make_unique<TreeOf<ObbVolume>>(positions, triangles, topology);
    case RigidTree::Kdop18:
      return std::make_unique<TreeOf<Dop18Volume>>(positions, triangles, topology);
    case RigidTree::Kdop26:
      return std::make_unique<TreeOf<Dop26Volume>>(positions, triangles, topology);
    case RigidTree::Sphere:
      return std::make_unique<TreeOf<SphereVolume>>(positions, triangles, topology);
    case RigidTree::Aabb:
    case RigidTree::Boxtree:
      break;
  }
  return std::make_unique<TreeOf<AabbVolume>>(positions, triangles, topology);
}

}  // namespace graze::rigid
