// Writes an edited two-level tree in the layout of tree.hpp (edit_layout.hpp).
#include "bvh/edit/edit_layout.hpp"

#include <algorithm>
#include <utility>

#include "core/tasks.hpp"

namespace graze::bvh::detail {

namespace {

class Layout {
 public:
  Layout(TwoLevelTree& two_level, const EditableBvh& lower, const EditableBvh& upper,
         std::span<const std::uint32_t> old_roots)
      : two_level_(two_level), lower_(lower), upper_(upper), old_roots_(old_roots) {}

  std::vector<std::uint32_t> run() {
    std::vector<TwoLevelTree::Component> components = list_components();
    const auto upper = static_cast<std::uint32_t>(components.size());
    std::size_t leaf_count = 0;
    for (const TwoLevelTree::Component& component : components) leaf_count += component.leaf_count;
    LaidOut out(std::max<std::size_t>(leaf_count, 1));
    std::vector<std::uint32_t> words(lower_.roots.size());  // words of the components' roots
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
      if (!root_unchanged(lower_, old_roots_, order_[k])) component.depth = depth_of(out, component, depths);
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
    old_block_.assign(out.parent.size(), kNoNode);
    for (std::uint32_t b = 1; b < upper; ++b) {
      const std::uint32_t source = out.source[b];
      changes[b] = upper_.changes[source];
      if (source < two_level_.calibration.size()) calibration[b] = two_level_.calibration[source];
      if (upper_.dirty[source] == 0) old_block_[b] = source;
    }
    parallel_for(std::max(upper, 1U), changes.size(), 16384, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        const std::uint32_t source = out.source[b];
        changes[b] = lower_.changes[source];
        if (lower_.dirty[source] == 0) old_block_[b] = source;
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
    finish_upper_level(two_level_);
    cut_components(two_level_);
    return std::move(old_block_);
  }

 private:
  /// Lists the components after the edit in the order of their smallest leaves; order_ receives their numbers in
  /// lower_.roots.
  std::vector<TwoLevelTree::Component> list_components() {
    struct Changed {
      std::uint32_t smallest;
      std::uint32_t root;
    };
    std::vector<Changed> changed;
    for (std::uint32_t c = 0; c < lower_.roots.size(); ++c) {
      if (lower_.roots[c] == kNoNode || root_unchanged(lower_, old_roots_, c)) continue;
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
      if (!root_unchanged(lower_, old_roots_, c)) continue;
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
        const std::size_t begin = std::size_t{2} * word;
        const std::size_t end = begin + std::size_t{2} * (lower_.counts[word] - 1);
        smallest = std::min(smallest, smallest_leaf_in(std::span(lower_.words).subspan(begin, end - begin)));
      } else {
        todo.push_back(lower_.words[std::size_t{2} * word]);
        todo.push_back(lower_.words[std::size_t{2} * word + 1]);
      }
    }
    return smallest;
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
  const EditableBvh& lower_;
  const EditableBvh& upper_;
  std::span<const std::uint32_t> old_roots_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> old_block_;
};

}  // namespace

std::uint32_t smallest_leaf_in(std::span<const std::uint32_t> words) {
  // With kLeaf flipped, the words of inner nodes and empty slots are greater than all leaf numbers.
  std::uint32_t smallest = kLeaf;
  for (const std::uint32_t word : words) smallest = std::min(smallest, word ^ kLeaf);
  return smallest;
}

bool root_unchanged(const EditableBvh& lower, std::span<const std::uint32_t> old_roots, std::uint32_t c) {
  return c < old_roots.size() && lower.roots[c] == old_roots[c] && lower.clean(lower.roots[c]);
}

std::vector<std::uint32_t> lay_out_edited(TwoLevelTree& two_level, const EditableBvh& lower,
                                          const EditableBvh& upper, std::span<const std::uint32_t> old_roots) {
  return Layout(two_level, lower, upper, old_roots).run();
}

}  // namespace graze::bvh::detail
