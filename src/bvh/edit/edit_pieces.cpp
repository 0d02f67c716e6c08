// Finds and splits off disconnected pieces after an edit (edit_pieces.hpp).
#include "bvh/edit/edit_pieces.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh/detached_pieces.hpp"

namespace graze::bvh::detail {

namespace {

/// For each connected patch of touched leaves, returns the untouched leaves around it: a component can break only
/// there.
std::vector<std::vector<std::uint32_t>> leaves_round_patches(const EditableBvh& lower, const TreeEdit& edit) {
  const std::span<const std::uint32_t> touched = edit.touched;
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
  for (const LeafLink& link : edit.lost) {
    const std::uint32_t a = place(link.a);
    const std::uint32_t b = place(link.b);
    if (a != kNoNode && b != kNoNode) up[std::max(find(a), find(b))] = std::min(find(a), find(b));
  }
  std::vector<std::vector<std::uint32_t>> groups(touched.size());
  for (const LeafLink& link : edit.lost) {
    const std::uint32_t a = place(link.a);
    const std::uint32_t b = place(link.b);
    if ((a == kNoNode) == (b == kNoNode)) continue;
    const std::uint32_t stayed = a == kNoNode ? link.a : link.b;
    if (lower.has(stayed)) groups[find(a == kNoNode ? b : a)].push_back(stayed);
  }
  for (std::vector<std::uint32_t>& group : groups) {
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
  }
  return groups;
}

}  // namespace

void split_components(EditableBvh& lower, const TreeEdit& edit, const EditedLeaves& leaves) {
  std::vector<std::uint32_t> around;
  std::vector<std::vector<std::uint32_t>> groups = leaves_round_patches(lower, edit);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> groups_of;  // groups that contain a leaf
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t leaf : groups[g]) groups_of[leaf].push_back(g);
  }
  const auto visit_neighbours = [&](std::uint32_t leaf, const auto& visit) {
    around.clear();
    leaves.neighbours(leaf, around);
    for (const std::uint32_t other : around) visit(other);
  };
  const auto root_of = [&](std::uint32_t leaf) { return lower.root_of(lower.places[leaf]); };
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    // Leaves of different components need separate searches.
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
        lower.add_root(lower.split_off(piece));
        for (const std::uint32_t leaf : piece) {
          const auto reached = groups_of.find(leaf);
          if (reached == groups_of.end()) continue;
          for (const std::uint32_t other : reached->second) {
            if (other != g) together.insert(together.end(), groups[other].begin(), groups[other].end());
          }
          groups_of.erase(reached);  // the leaf is in its final tree
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

}  // namespace graze::bvh::detail
