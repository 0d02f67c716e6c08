// See edit_tree.hpp. The levels are edited one after the other as loose forests (loose_forest.hpp).
#include "bvh/edit_tree.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "bvh/loose_forest.hpp"
#include "bvh/sampled_boxes.hpp"
#include "core/assert.hpp"
#include "mesh/detached_pieces.hpp"

namespace graze {

namespace {

using detail::half_area;
using detail::LaidOut;
using detail::LooseForest;
using detail::SampledBoxes;

/// Up to this many components the upper level is built anew when components came or went: restructure_top looks at
/// all of it in every step anyway.
constexpr std::size_t kFewComponents = 512;
/// Links of a leaf that the builder is told of: where very many faces meet in an edge, all pairs would be too many.
constexpr std::size_t kMostLinks = 32;

class TreeEditor {
 public:
  TreeEditor(TwoLevelTree& two_level, const TreeEdit& edit, const EditedLeaves& leaves)
      : two_level_(two_level), edit_(edit), leaves_(leaves) {}

  TreeEditResult run() {
    loosen();
    take_out_touched();
    hang_in_added();
    if (edit_.connected) {
      join_components();
      split_components();
    }
    for (std::uint32_t r = 0; r < lower_.roots.size(); ++r) {
      lower_.rebuild_changed(kLeaf | r, [&](std::vector<std::uint32_t>& items) { return build(items); });
    }
    edit_upper_level();
    lay_out();
    return std::move(result_);
  }

 private:
  /// Takes the tree apart into its two levels.
  void loosen() {
    BvhTree& tree = two_level_.tree;
    if (tree.upper_blocks == 0 && tree.leaf_count > 0) {
      // Of one level: block 0 is the root's in both forms.
      const auto n = static_cast<std::uint32_t>(tree.leaf_count);
      tree.upper_blocks = 1;
      const std::uint32_t smallest = smallest_in(tree.words, 0, tree.words.size());
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
    local_.assign(limit, kNoNode);
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

    // In the upper level, roots of components become items.
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

  static std::uint32_t smallest_in(std::span<const std::uint32_t> words, std::size_t begin, std::size_t end) {
    // Words of inner nodes and of none come after all leaves.
    std::uint32_t smallest = kLeaf;
    for (std::size_t i = begin; i < end; ++i) smallest = std::min(smallest, words[i] ^ kLeaf);
    return smallest;
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
    // So much has changed that nothing would stay: all leaves count as added.
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

  void hang_in_added() {
    // Beside old leaves first, then beside those, and so on. local_: 0 for those that wait, 1 in the queue.
    std::vector<std::uint32_t> queue;
    for (const std::uint32_t leaf : added_) local_[leaf] = 0;
    for (const std::uint32_t leaf : added_) {
      const auto around = neighbours(leaf);
      if (std::any_of(around.begin(), around.end(), [&](std::uint32_t other) { return lower_.has(other); })) {
        local_[leaf] = 1;
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
          if (local_[other] == 0) {
            local_[other] = 1;
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
      lower_.hang(lower_.places[beside], kLeaf | leaf);
    }

    std::vector<std::uint32_t> all;  // that nothing old leads to
    for (const std::uint32_t leaf : added_) {
      if (local_[leaf] == 0) all.push_back(leaf);
      if (local_[leaf] == 1) local_[leaf] = kNoNode;
    }
    const bool empty =
        std::all_of(lower_.roots.begin(), lower_.roots.end(), [](std::uint32_t word) { return word == kNoNode; });
    if (!edit_.connected && empty && !all.empty()) {
      for (const std::uint32_t leaf : all) local_[leaf] = kNoNode;
      lower_.add_root(build(all));
      return;
    }
    std::vector<std::uint32_t> group;
    for (const std::uint32_t leaf : all) {
      if (local_[leaf] != 0) continue;
      local_[leaf] = kNoNode;
      group.assign(1, leaf);
      for (std::size_t next = 0; next < group.size(); ++next) {
        for (const std::uint32_t other : neighbours(group[next])) {
          if (local_[other] != 0) continue;
          local_[other] = kNoNode;
          group.push_back(other);
        }
      }
      const std::uint32_t node = build(group);
      if (edit_.connected) {
        lower_.add_root(node);
      } else {
        hang_by_box(node, group);
      }
    }
  }

  /// Goes down to where a node fits: always to the child whose box grows less.
  void hang_by_box(std::uint32_t node, std::span<const std::uint32_t> group) {
    Aabb box;
    for (const std::uint32_t leaf : group) box.include(leaves_.box(leaf));
    const auto root =
        std::find_if(lower_.roots.begin(), lower_.roots.end(), [](std::uint32_t word) { return word != kNoNode; });
    const auto place = static_cast<std::uint32_t>(root - lower_.roots.begin());
    lower_.hang(boxes_->fitting_place(kLeaf | place, box, lower_.count(node)), node);
  }

  /// A tree over leaves, in new blocks.
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
    // The places of leaves within `items`; others keep what they have in local_.
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
        if (++count == kMostLinks) break;
      }
    }
    for (std::size_t i = 0; i < items.size(); ++i) lower_.places[items[i]] = kept[i];
    const ConnectedForest forest = bvh_build_connected(boxes, normals, links, two_level_.options.weights);
    nodes = lower_.graft(forest, items);
    if (nodes.size() == 1) return nodes[0];
    // Parts of the mesh that meet elsewhere.
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

  /// Makes components one that added leaves lie between: the smaller is hung beside the lowest node of the larger
  /// that holds the joint and is as large.
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
        lower_.hang(place, node);
      }
    }
  }

  /// The leaves that stayed around each patch of touched ones: what came apart, came apart there.
  std::vector<std::vector<std::uint32_t>> leaves_round_patches() {
    const std::span<const std::uint32_t> touched = edit_.touched;
    std::vector<std::uint32_t> up(touched.size());
    std::iota(up.begin(), up.end(), 0U);
    const auto find = [&](std::uint32_t i) {
      while (up[i] != i) i = up[i] = up[up[i]];
      return i;
    };
    const auto place = [&](std::uint32_t leaf) {
      const auto at = std::lower_bound(touched.begin(), touched.end(), leaf);
      return at != touched.end() && *at == leaf ? static_cast<std::uint32_t>(at - touched.begin()) : kNoNode;
    };
    for (const LeafLink& link : edit_.lost) {
      const std::uint32_t a = place(link.a);
      const std::uint32_t b = place(link.b);
      if (a != kNoNode && b != kNoNode) up[std::max(find(a), find(b))] = std::min(find(a), find(b));
    }
    std::vector<std::vector<std::uint32_t>> groups(touched.size());
    for (const LeafLink& link : edit_.lost) {
      const std::uint32_t a = place(link.a);
      const std::uint32_t b = place(link.b);
      if ((a == kNoNode) == (b == kNoNode)) continue;
      const std::uint32_t stayed = a == kNoNode ? link.a : link.b;
      if (lower_.has(stayed)) groups[find(a == kNoNode ? b : a)].push_back(stayed);
    }
    for (std::vector<std::uint32_t>& group : groups) {
      std::sort(group.begin(), group.end());
      group.erase(std::unique(group.begin(), group.end()), group.end());
    }
    return groups;
  }

  /// A piece that is split off is like a patch that went: the leaves round all patches it reached were held
  /// together by it, perhaps, and are looked at together.
  void split_components() {
    std::vector<std::vector<std::uint32_t>> groups = leaves_round_patches();
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> groups_of;  // by leaf
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const std::uint32_t leaf : groups[g]) groups_of[leaf].push_back(g);
    }
    const auto visit_neighbours = [&](std::uint32_t leaf, const auto& visit) {
      for (const std::uint32_t other : neighbours(leaf)) visit(other);
    };
    const auto root_of = [&](std::uint32_t leaf) { return lower_.root_of(lower_.places[leaf]); };
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      // Leaves of several components are no matter of one search.
      std::vector<std::pair<std::uint32_t, std::uint32_t>> seeds;
      for (const std::uint32_t leaf : groups[g]) seeds.emplace_back(root_of(leaf), leaf);
      std::sort(seeds.begin(), seeds.end());
      std::vector<std::uint32_t> of_one;
      for (std::size_t i = 0; i < seeds.size();) {
        of_one.clear();
        const std::uint32_t root = seeds[i].first;
        for (; i < seeds.size() && seeds[i].first == root; ++i) of_one.push_back(seeds[i].second);
        if (of_one.size() < 2) continue;
        const DetachedPieces detached = detached_pieces(of_one, visit_neighbours);
        if (detached.pieces.empty()) continue;
        std::vector<std::uint32_t> together;
        for (const std::vector<std::uint32_t>& piece : detached.pieces) {
          lower_.add_root(lower_.split_off(piece));
          for (const std::uint32_t leaf : piece) {
            const auto reached = groups_of.find(leaf);
            if (reached == groups_of.end()) continue;
            for (const std::uint32_t other : reached->second) {
              if (other != g) together.insert(together.end(), groups[other].begin(), groups[other].end());
            }
            groups_of.erase(reached);  // it is where it belongs
          }
        }
        if (together.empty()) continue;
        together.insert(together.end(), of_one.begin(), of_one.end());
        std::erase_if(together, [&](std::uint32_t leaf) { return root_of(leaf) != root; });
        std::sort(together.begin(), together.end());
        together.erase(std::unique(together.begin(), together.end()), together.end());
        if (together.size() < 2) continue;
        const auto next = static_cast<std::uint32_t>(groups.size());
        for (const std::uint32_t leaf : together) groups_of[leaf].push_back(next);
        groups.push_back(std::move(together));
      }
    }
  }

  void edit_upper_level() {
    const std::size_t before = old_roots_.size();
    std::size_t moved = 0;  // components that came or went
    std::size_t count = 0;
    for (std::uint32_t c = 0; c < lower_.roots.size(); ++c) {
      const std::uint32_t root = lower_.roots[c];
      const bool here = root != kNoNode;
      if (here != (c < before)) ++moved;
      if (here) ++count;
      if (c < before && here && !unchanged(c)) upper_.touch(upper_.places[c]);
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
    if (count <= kFewComponents || 2 * moved > count) {
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
      upper_.hang(boxes_->fitting_upper_place(boxes_->component_box(c)), kLeaf | c);
    }
    upper_.rebuild_changed(kLeaf, regroup);
  }

  [[nodiscard]] bool unchanged(std::uint32_t c) const {
    return c < old_roots_.size() && lower_.roots[c] == old_roots_[c] && lower_.clean(lower_.roots[c]);
  }

  /// The components as they will be, by their smallest leaf; fills order_ with their numbers in lower_.roots.
  std::vector<TwoLevelTree::Component> list_components() {
    struct Changed {
      std::uint32_t smallest;
      std::uint32_t root;
    };
    std::vector<Changed> changed;
    for (std::uint32_t c = 0; c < lower_.roots.size(); ++c) {
      if (lower_.roots[c] == kNoNode || unchanged(c)) continue;
      changed.push_back({smallest_below(lower_.roots[c]), c});
    }
    std::sort(changed.begin(), changed.end(),
              [](const Changed& a, const Changed& b) { return a.smallest < b.smallest; });
    std::vector<TwoLevelTree::Component> components;
    const auto add_changed = [&](const Changed& next) {
      TwoLevelTree::Component component;
      component.leaf_count = lower_.count(lower_.roots[next.root]);
      component.smallest_leaf = next.smallest;
      components.push_back(component);
      order_.push_back(next.root);
    };
    auto next = changed.begin();
    for (std::uint32_t c = 0; c < old_roots_.size(); ++c) {
      if (!unchanged(c)) continue;
      const TwoLevelTree::Component& component = two_level_.components[c];
      while (next != changed.end() && next->smallest < component.smallest_leaf) add_changed(*next++);
      components.push_back(component);
      order_.push_back(c);
    }
    while (next != changed.end()) add_changed(*next++);
    return components;
  }

  [[nodiscard]] std::uint32_t smallest_below(std::uint32_t root) const {
    std::uint32_t smallest = kLeaf;
    std::vector<std::uint32_t> todo{root};
    while (!todo.empty()) {
      const std::uint32_t word = todo.back();
      todo.pop_back();
      if ((word & kLeaf) != 0) {
        smallest = std::min(smallest, word & ~kLeaf);
      } else if (lower_.clean(word)) {
        const std::size_t end = std::size_t{2} * (word + lower_.counts[word] - 1);
        smallest = std::min(smallest, smallest_in(lower_.words, std::size_t{2} * word, end));
      } else {
        todo.push_back(lower_.words[std::size_t{2} * word]);
        todo.push_back(lower_.words[std::size_t{2} * word + 1]);
      }
    }
    return smallest;
  }

  void lay_out() {
    std::vector<TwoLevelTree::Component> components = list_components();
    const auto upper = static_cast<std::uint32_t>(components.size());
    std::size_t leaf_count = 0;
    for (const TwoLevelTree::Component& component : components) leaf_count += component.leaf_count;
    LaidOut out(std::max<std::size_t>(leaf_count, 1));
    std::vector<std::uint32_t> words(lower_.roots.size());  // of the components' roots
    std::vector<std::uint32_t> depths;
    std::uint32_t block = upper;
    const auto put_leaf = [&](std::uint32_t slot, std::uint32_t word) { out.words[slot] = word; };
    for (std::uint32_t k = 0; k < upper; ++k) {
      TwoLevelTree::Component& component = components[k];
      const std::uint32_t root = lower_.roots[order_[k]];
      component.first_block = block;
      component.block_count = component.leaf_count - 1;
      component.root = component.block_count == 0 ? root : block;
      words[order_[k]] = component.root;
      out.add(lower_, root, block, put_leaf);
      block += component.block_count;
      if (!unchanged(order_[k])) component.depth = depth_of(out, component, depths);
    }
    const auto put_root = [&](std::uint32_t slot, std::uint32_t item) {
      const std::uint32_t word = words[item & ~kLeaf];
      out.words[slot] = word;
      if ((word & kLeaf) == 0) out.parent[word] = slot;
    };
    if (upper == 1) put_root(0, kLeaf | order_[0]);
    if (upper > 1) {
      out.words[0] = 1;
      out.parent[1] = 0;
      out.add(upper_, upper_.roots[0], 1, put_root);
    }

    std::vector<std::uint32_t> changes(out.parent.size());
    std::vector<float> calibration(upper, 1.0F);
    result_.old_block.assign(out.parent.size(), kNoNode);
    for (std::uint32_t b = 1; b < upper; ++b) {
      const std::uint32_t source = out.source[b];
      changes[b] = upper_.changes[source];
      if (source < two_level_.calibration.size()) calibration[b] = two_level_.calibration[source];
      if (upper_.dirty[source] == 0) result_.old_block[b] = source;
    }
    parallel_for(std::max(upper, 1U), changes.size(), 16384, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        const std::uint32_t source = out.source[b];
        changes[b] = lower_.changes[source];
        if (lower_.dirty[source] == 0) result_.old_block[b] = source;
      }
    });

    BvhTree& tree = two_level_.tree;
    tree.words = std::move(out.words);
    tree.parent = std::move(out.parent);
    tree.leaf_count = leaf_count;
    tree.upper_blocks = upper;
    tree.pieces.clear();
    tree.top.clear();
    two_level_.components = std::move(components);
    two_level_.calibration = std::move(calibration);
    two_level_.changes = std::move(changes);
    detail::finish_upper_level(two_level_);
    detail::cut_components(two_level_);
  }

  static std::uint32_t depth_of(const LaidOut& out, const TwoLevelTree::Component& component,
                                std::vector<std::uint32_t>& depths) {
    const std::uint32_t first = component.first_block;
    depths.resize(component.block_count);
    std::uint32_t deepest = 0;
    for (std::uint32_t i = 0; i < component.block_count; ++i) {
      depths[i] = i == 0 ? 1 : depths[out.parent[first + i] / 2 - first] + 1;
      deepest = std::max(deepest, depths[i]);
    }
    return deepest;
  }

  TwoLevelTree& two_level_;
  const TreeEdit& edit_;
  const EditedLeaves& leaves_;
  LooseForest lower_;
  LooseForest upper_;
  std::optional<SampledBoxes> boxes_;
  std::size_t old_leaf_count_ = 0;
  std::vector<std::uint32_t> old_roots_;
  std::vector<std::uint32_t> added_;       ///< leaves to hang in, ascending
  std::vector<std::uint32_t> local_;       ///< by leaf, while added ones are hung in
  std::vector<std::uint32_t> neighbours_;  ///< of one leaf
  std::vector<std::uint32_t> order_;
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

}  // namespace graze
