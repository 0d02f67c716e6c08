// Tree edits (edit_tree.hpp). The levels are edited one after the other as editable BVHs (editable_bvh.hpp).
#include "bvh/edit/edit_tree.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "bvh/edit/edit_layout.hpp"
#include "bvh/edit/edit_pieces.hpp"
#include "bvh/edit/editable_bvh.hpp"
#include "bvh/sampled_boxes.hpp"
#include "core/assert.hpp"

namespace graze::bvh {

namespace {

using detail::EditableBvh;
using detail::half_area;
using detail::SampledBoxes;

/// Up to this many components the upper level is rebuilt when components come or go: bvh_restructure_top rebuilds a
/// level of this size in every step anyway.
constexpr std::size_t kMaxComponents = 512;
/// Maximum number of links per leaf that the builder gets: all pairs would be too many if very many faces share an
/// edge.
constexpr std::size_t kMaxLinks = 32;

/// Connected groups of added leaves up to this size are inserted leaf by leaf, each at its best place. Larger
/// groups are first built as a tree of their own, because chains of single insertions would be deep.
constexpr std::size_t kMinAddedForGroups = 64;
/// Up to this many groups of added leaves without an old neighbour are inserted by their boxes; more are built as
/// one tree. The same limit applies to new and removed components: beyond it the upper level is rebuilt.
constexpr std::size_t kMinGroups = 128;

class TreeEditor {
 public:
  TreeEditor(TwoLevelTree& two_level, const TreeEdit& edit, const EditedLeaves& leaves)
      : two_level_(two_level), edit_(edit), leaves_(leaves) {}

  TreeEditResult run() {
    make_editable();
    take_out_touched();
    insert_added();
    if (edit_.connected) {
      join_components();
      detail::split_components(lower_, edit_, leaves_);
    }
    for (std::uint32_t r = 0; r < lower_.roots.size(); ++r) {
      lower_.rebuild_changed(kLeaf | r, [&](std::vector<std::uint32_t>& items) { return build(items); });
    }
    edit_upper_level();
    result_.old_block = detail::lay_out_edited(two_level_, lower_, upper_, old_roots_);
    return std::move(result_);
  }

 private:
  /// Converts the tree into two editable BVHs, one per level.
  void make_editable() {
    BvhTree& tree = two_level_.tree;
    if (tree.upper_blocks == 0 && tree.leaf_count > 0) {
      // A one-level tree: block 0 holds the root in both forms.
      const auto n = static_cast<std::uint32_t>(tree.leaf_count);
      tree.upper_blocks = 1;
      const std::uint32_t smallest = detail::smallest_leaf_in(tree.words);
      two_level_.components.assign(1, {1, n - 1, tree.words[0], n, tree.depth, smallest});
      two_level_.calibration.assign(1, 1.0F);
    }
    const std::uint32_t upper = tree.upper_blocks;
    const std::size_t blocks = tree.block_count();
    old_leaf_count_ = tree.leaf_count;

    std::uint32_t limit = edit_.touched.empty() ? 0 : edit_.touched.back() + 1;
    for (const std::uint32_t word : tree.words) {
      if (word != kNoNode && (word & kLeaf) != 0) limit = std::max(limit, (word & ~kLeaf) + 1);
    }
    lower_.places.assign(limit, kNoNode);
    waits_.assign(limit, false);
    upper_.words.assign(tree.words.begin(), tree.words.begin() + std::ptrdiff_t{2} * upper);
    upper_.parent.assign(tree.parent.begin(), tree.parent.begin() + upper);
    lower_.words = std::move(tree.words);
    lower_.parent = std::move(tree.parent);
    lower_.changes = std::move(two_level_.changes);
    lower_.changes.resize(blocks);
    lower_.counts.resize(blocks);
    lower_.dirty.resize(blocks);
    lower_.reserve(blocks + 2 * edit_.touched.size());
    upper_.changes.assign(lower_.changes.begin(), lower_.changes.begin() + upper);
    upper_.counts.resize(upper);
    upper_.dirty.resize(upper);
    upper_.places.resize(two_level_.components.size());

    for (auto b = static_cast<std::uint32_t>(blocks); b-- > std::max(upper, 1U);) {
      std::uint32_t below = 0;
      for (std::uint32_t slot = 2 * b; slot < 2 * b + 2; ++slot) {
        const std::uint32_t word = lower_.words[slot];
        if ((word & kLeaf) == 0) {
          below += lower_.counts[word];
        } else {
          ++below;
          lower_.places[word & ~kLeaf] = slot;
        }
      }
      lower_.counts[b] = below;
    }
    for (std::uint32_t c = 0; c < two_level_.components.size(); ++c) lower_.add_root(two_level_.components[c].root);
    old_roots_ = lower_.roots;

    // The roots of components become the items of the upper level.
    for (std::uint32_t b = upper; b-- > 0;) {
      for (std::uint32_t slot = 2 * b; slot < 2 * b + 2; ++slot) {
        std::uint32_t& word = upper_.words[slot];
        if (word == kNoNode) continue;
        if (word < upper) {
          upper_.counts[b] += upper_.counts[word];
        } else {
          const std::uint32_t component = lower_.place_of(word) & ~kLeaf;
          word = kLeaf | component;
          upper_.places[component] = slot;
          ++upper_.counts[b];
        }
      }
    }
    if (upper > 0) upper_.add_root(upper_.words[0]);
    boxes_.emplace(lower_, upper_, leaves_, edit_.connected);
  }

  void take_out_touched() {
    for (const std::uint32_t leaf : edit_.touched) {
      if (leaves_.has(leaf)) added_.push_back(leaf);
    }
    if (2 * edit_.touched.size() < old_leaf_count_) {
      for (const std::uint32_t leaf : edit_.touched) {
        if (lower_.has(leaf)) lower_.take_out(kLeaf | leaf);
      }
      return;
    }
    // At least half of the leaves are touched: rebuilds everything, so all leaves count as added.
    for (const std::uint32_t leaf : edit_.touched) lower_.places[leaf] = kNoNode;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t leaf = 0; leaf < lower_.places.size(); ++leaf) {
      if (lower_.has(leaf)) kept.push_back(leaf);
      lower_.places[leaf] = kNoNode;
    }
    std::fill(lower_.roots.begin(), lower_.roots.end(), kNoNode);
    const auto middle = static_cast<std::ptrdiff_t>(added_.size());
    added_.insert(added_.end(), kept.begin(), kept.end());
    std::inplace_merge(added_.begin(), added_.begin() + middle, added_.end());
  }

  std::span<const std::uint32_t> neighbours(std::uint32_t leaf) {
    neighbours_.clear();
    leaves_.neighbours(leaf, neighbours_);
    return neighbours_;
  }

  void insert_added() {
    std::vector<std::uint32_t> few;                // leaves of groups that are inserted leaf by leaf
    std::vector<std::vector<std::uint32_t>> lone;  // groups without an old neighbour
    for (const std::uint32_t leaf : added_) waits_[leaf] = true;
    for (const std::uint32_t leaf : added_) {
      if (!waits_[leaf]) continue;
      std::uint32_t joint = kNoNode;
      std::vector<std::uint32_t> group = group_of(leaf, joint);
      if (joint == kNoNode && !edit_.connected) {
        lone.push_back(std::move(group));
      } else if (joint == kNoNode) {
        lower_.add_root(build(group));
      } else if (group.size() > kMinAddedForGroups) {
        insert_subtree(build(group), joint);
      } else {
        few.insert(few.end(), group.begin(), group.end());
      }
    }
    std::sort(few.begin(), few.end());
    insert_beside_neighbours(few);
    if (lone.empty()) return;
    const bool empty =
        std::all_of(lower_.roots.begin(), lower_.roots.end(), [](std::uint32_t word) { return word == kNoNode; });
    if (empty || lone.size() > kMinGroups) {
      for (std::size_t k = 1; k < lone.size(); ++k) lone[0].insert(lone[0].end(), lone[k].begin(), lone[k].end());
      lone.resize(1);
    }
    for (std::vector<std::uint32_t>& group : lone) {
      const std::uint32_t node = build(group);
      if (empty) {
        lower_.add_root(node);
      } else {
        insert_by_box(node, group);
      }
    }
  }

  /// Returns the added leaves connected with `leaf`; `joint` becomes the smallest old leaf beside the group, if
  /// there is one.
  std::vector<std::uint32_t> group_of(std::uint32_t leaf, std::uint32_t& joint) {
    std::vector<std::uint32_t> group{leaf};
    waits_[leaf] = false;
    for (std::size_t next = 0; next < group.size(); ++next) {
      for (const std::uint32_t other : neighbours(group[next])) {
        if (waits_[other]) {
          waits_[other] = false;
          group.push_back(other);
        } else if (lower_.has(other)) {
          joint = std::min(joint, other);
        }
      }
    }
    return group;
  }

  /// Inserts a node beside the lowest node that contains `leaf` and has at least as many leaves.
  void insert_subtree(std::uint32_t node, std::uint32_t leaf) {
    std::uint32_t place = lower_.places[leaf];
    while ((place & kLeaf) == 0 && lower_.count(lower_.at(place)) < lower_.count(node)) {
      place = lower_.parent[place / 2];
    }
    lower_.insert(place, node);
  }

  /// Inserts leaves one by one: first those beside old leaves, then their neighbours, and so on (breadth-first).
  void insert_beside_neighbours(std::span<const std::uint32_t> added) {
    std::vector<std::uint32_t> queue;
    for (const std::uint32_t leaf : added) waits_[leaf] = true;
    for (const std::uint32_t leaf : added) {
      const auto around = neighbours(leaf);
      if (std::any_of(around.begin(), around.end(), [&](std::uint32_t other) { return lower_.has(other); })) {
        waits_[leaf] = false;
        queue.push_back(leaf);
      }
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t leaf = queue[next];
      const Aabb box = leaves_.box(leaf);
      std::uint32_t beside = kNoNode;
      double least = 0.0;
      for (const std::uint32_t other : neighbours(leaf)) {
        if (!lower_.has(other)) {
          if (waits_[other]) {
            waits_[other] = false;
            queue.push_back(other);
          }
          continue;
        }
        Aabb both = leaves_.box(other);
        both.include(box);
        const double area = half_area(both);
        if (beside == kNoNode || area < least || (area == least && other < beside)) {
          beside = other;
          least = area;
        }
      }
      lower_.insert(lower_.places[beside], kLeaf | leaf);
    }
  }

  /// Inserts a node by its box: descends always to the child whose box grows less.
  void insert_by_box(std::uint32_t node, std::span<const std::uint32_t> group) {
    Aabb box;
    for (const std::uint32_t leaf : group) box.include(leaves_.box(leaf));
    const auto root =
        std::find_if(lower_.roots.begin(), lower_.roots.end(), [](std::uint32_t word) { return word != kNoNode; });
    const auto place = static_cast<std::uint32_t>(root - lower_.roots.begin());
    lower_.insert(boxes_->fitting_place(kLeaf | place, box, lower_.count(node)), node,
                  detail::kInsertedByBoxWeight);
  }

  /// Builds a tree over these leaves, in new blocks. Returns its root.
  std::uint32_t build(std::vector<std::uint32_t>& items) {
    if (items.size() == 1) return kLeaf | items[0];
    std::sort(items.begin(), items.end());
    result_.rebuilt_leaves += items.size();
    std::vector<Aabb> boxes(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) boxes[i] = leaves_.box(items[i]);
    std::vector<std::uint32_t> nodes(items.size());
    if (!edit_.connected) {
      std::transform(items.begin(), items.end(), nodes.begin(), [](std::uint32_t item) { return kLeaf | item; });
      return lower_.graft(bvh_build(boxes, two_level_.options.upper), nodes);
    }

    std::vector<Vec3> normals(items.size());
    std::vector<LeafLink> links;
    // Temporarily stores the index within `items` in lower_.places.
    std::vector<std::uint32_t> kept(items.size());
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      kept[i] = lower_.places[items[i]];
      lower_.places[items[i]] = i;
      normals[i] = leaves_.normal(items[i]);
    }
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      std::size_t count = 0;
      for (const std::uint32_t other : neighbours(items[i])) {
        const std::uint32_t j = lower_.places[other];
        if (j <= i || j >= items.size() || items[j] != other) continue;
        links.push_back({i, j});
        if (++count == kMaxLinks) break;
      }
    }
    for (std::size_t i = 0; i < items.size(); ++i) lower_.places[items[i]] = kept[i];
    const ConnectedForest forest = bvh_build_connected(boxes, normals, links, two_level_.options.weights);
    nodes = lower_.graft(forest, items);
    if (nodes.size() == 1) return nodes[0];
    // Several parts of the mesh, connected only through other leaves: joins their trees by boxes.
    std::vector<Aabb> merged(forest.merges.size());
    const auto box_of = [&](std::uint32_t node) -> const Aabb& {
      return node < items.size() ? boxes[node] : merged[node - items.size()];
    };
    for (std::size_t k = 0; k < merged.size(); ++k) {
      merged[k].include(box_of(forest.merges[k].left));
      merged[k].include(box_of(forest.merges[k].right));
    }
    std::vector<Aabb> part_boxes;
    part_boxes.reserve(nodes.size());
    for (const ConnectedForest::Component& part : forest.components) part_boxes.push_back(box_of(part.root));
    return lower_.graft(bvh_build(part_boxes, two_level_.options.upper), nodes);
  }

  /// Merges components that added leaves connect: inserts the smaller one beside the lowest node of the larger one
  /// that contains the joint and has at least as many leaves.
  void join_components() {
    for (const std::uint32_t leaf : added_) {
      for (const std::uint32_t other : neighbours(leaf)) {
        std::uint32_t from = lower_.root_of(lower_.places[other]);
        std::uint32_t to = lower_.root_of(lower_.places[leaf]);
        std::uint32_t joint = leaf;
        if (from == to) continue;
        if (lower_.count(lower_.roots[from]) > lower_.count(lower_.roots[to])) {
          std::swap(from, to);
          joint = other;
        }
        const std::uint32_t node = lower_.roots[from];
        lower_.take_out(node);
        std::uint32_t place = lower_.places[joint];
        while ((place & kLeaf) == 0 && lower_.count(lower_.at(place)) < lower_.count(node)) {
          place = lower_.parent[place / 2];
        }
        lower_.insert(place, node);
      }
    }
  }

  void edit_upper_level() {
    const std::size_t before = old_roots_.size();
    std::size_t moved = 0;  // number of components inserted or removed
    std::size_t count = 0;
    for (std::uint32_t c = 0; c < lower_.roots.size(); ++c) {
      const std::uint32_t root = lower_.roots[c];
      const bool here = root != kNoNode;
      if (here != (c < before)) ++moved;
      if (here) ++count;
      if (c < before && here && !detail::root_unchanged(lower_, old_roots_, c)) upper_.touch(upper_.places[c]);
    }
    if (moved == 0) return;
    upper_.places.resize(lower_.roots.size(), kNoNode);
    if (count == 0) return;
    const auto regroup = [&](const std::vector<std::uint32_t>& items) {
      std::vector<Aabb> boxes;
      std::vector<std::uint32_t> nodes;
      for (const std::uint32_t c : items) {
        boxes.push_back(boxes_->component_box(c));
        nodes.push_back(kLeaf | c);
      }
      return upper_.graft(bvh_build(boxes, two_level_.options.upper), nodes);
    };
    std::vector<std::uint32_t> items;
    if (upper_.roots.empty()) upper_.add_root(kNoNode);
    if (count <= kMaxComponents || 2 * moved > count || moved > kMinGroups) {
      for (std::uint32_t c = 0; c < lower_.roots.size(); ++c) {
        if (lower_.roots[c] != kNoNode) items.push_back(c);
      }
      upper_.put(kLeaf, regroup(items));
      return;
    }
    for (std::uint32_t c = 0; c < before; ++c) {
      if (lower_.roots[c] == kNoNode) upper_.take_out(kLeaf | c);
    }
    for (auto c = static_cast<std::uint32_t>(before); c < lower_.roots.size(); ++c) {
      if (lower_.roots[c] == kNoNode) continue;
      upper_.insert(boxes_->fitting_upper_place(boxes_->component_box(c)), kLeaf | c, detail::kInsertedByBoxWeight);
    }
    upper_.rebuild_changed(kLeaf, regroup);
  }

  TwoLevelTree& two_level_;
  const TreeEdit& edit_;
  const EditedLeaves& leaves_;
  EditableBvh lower_;
  EditableBvh upper_;
  std::optional<SampledBoxes> boxes_;
  std::size_t old_leaf_count_ = 0;
  std::vector<std::uint32_t> old_roots_;
  std::vector<std::uint32_t> added_;       ///< leaves to insert, ascending
  std::vector<bool> waits_;                ///< for each leaf, whether it is added and not in a tree yet
  std::vector<std::uint32_t> neighbours_;  ///< neighbours of one leaf (work space)
  TreeEditResult result_;
};

}  // namespace

TreeEditResult bvh_edit(TwoLevelTree& two_level, const TreeEdit& edit, const EditedLeaves& leaves) {
  GRAZE_ASSERT(std::is_sorted(edit.touched.begin(), edit.touched.end()));
  if (edit.touched.empty()) {
    TreeEditResult result;
    result.old_block.resize(two_level.tree.block_count());
    std::iota(result.old_block.begin(), result.old_block.end(), 0U);
    return result;
  }
  return TreeEditor(two_level, edit, leaves).run();
}

}  // namespace graze::bvh
