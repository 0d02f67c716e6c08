// See build_clusters.hpp.
#include "cluster/build_clusters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "cluster/surface_places.hpp"
#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze {

namespace {

constexpr std::size_t kAxes = 5;

/// A triangle by what tells who lies together: its centre, in edge lengths; and where it is between two pairs of
/// landmarks on the surface of its piece of mesh, in edges. Along the surface is as far as through space or
/// farther, so folds are told apart by the latter.
struct Item {
  std::array<float, kAxes> centre;
  std::uint32_t place;  ///< in the list of leaves
};

/// Numbers of items that are to be clustered among themselves.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Ids that have been met, with the places they got.
class LocalIds {
 public:
  /// The place of an id; a new one if it was not met before. kFull if there is no room.
  std::size_t place(VertexId id, Cluster& cluster, std::size_t room) {
    for (std::size_t i = hash(id);; i = (i + 1) % kSlots) {
      if (used_[i] == 0) {
        if (count_ == room) return kFull;
        cluster.ids[count_] = id;
        used_[i] = static_cast<std::uint8_t>(++count_);
        return count_ - 1;
      }
      const std::size_t place = used_[i] - 1U;
      if (cluster.ids[place] == id) return place;
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }

  static constexpr std::size_t kFull = ~std::size_t{0};

 private:
  static constexpr std::size_t kSlots = 128;
  static std::size_t hash(VertexId id) { return (id * 0x9e3779b1U) >> 25U; }

  std::array<std::uint8_t, kSlots> used_{};
  std::size_t count_ = 0;
};

/// Makes a cluster of leaves, unless they have too many vertices or edges for one.
bool make_cluster(const ClusterInput& input, std::span<const std::uint32_t> leaves, Cluster& cluster) {
  cluster = {};
  LocalIds ids;
  // The vertices that the leaves represent first.
  for (const std::uint32_t number : leaves) {
    const Leaf& leaf = input.leaves[number];
    for (std::size_t k = 0; k < represented_vertex_count(leaf.id); ++k) {
      if (ids.place(leaf.vertices[k], cluster, kClusterVertices) == LocalIds::kFull) return false;
    }
  }
  cluster.owned_vertices = static_cast<std::uint8_t>(ids.count());
  std::size_t edges = 0;
  std::size_t faces = 0;
  for (const std::uint32_t number : leaves) {
    const Leaf& leaf = input.leaves[number];
    const Face face = leaf.face();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t place = ids.place(face[k], cluster, kClusterVertices);
      if (place == LocalIds::kFull) return false;
      cluster.faces[faces] |= static_cast<std::uint32_t>(place) << (8 * k);
    }
    ++faces;
    for (const std::uint32_t e : leaf.represented_edges()) {
      if (edges == kClusterEdges) return false;
      const Edge& ends = input.edges[e];
      cluster.edges[edges++] = static_cast<std::uint32_t>(ids.place(ends[0], cluster, kClusterVertices)) |
                               static_cast<std::uint32_t>(ids.place(ends[1], cluster, kClusterVertices)) << 8U;
    }
  }
  cluster.vertex_count = static_cast<std::uint8_t>(ids.count());
  cluster.edge_count = static_cast<std::uint8_t>(edges);
  cluster.face_count = static_cast<std::uint8_t>(faces);
  for (std::size_t i = ids.count(); i < kClusterVertices; ++i) cluster.ids[i] = cluster.ids[ids.count() - 1];
  return true;
}

/// Where a range is cut: items are put in order so that those before the cut come first along the longest axis.
std::size_t cut(std::span<Item> items, const Range& range) {
  std::array<float, kAxes> lo;
  std::array<float, kAxes> hi;
  lo.fill(std::numeric_limits<float>::infinity());
  hi.fill(-std::numeric_limits<float>::infinity());
  for (const Item& item : items.subspan(range.begin, range.size())) {
    for (std::size_t k = 0; k < kAxes; ++k) {
      lo[k] = item.centre[k] < lo[k] ? item.centre[k] : lo[k];
      hi[k] = item.centre[k] > hi[k] ? item.centre[k] : hi[k];
    }
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < kAxes; ++k) axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
  const std::size_t half = range.size() / 2;
  const std::size_t full =
      range.size() > kClusterFaces
          ? std::max<std::size_t>((half + kClusterFaces / 2) / kClusterFaces, 1) * kClusterFaces
          : half;
  const auto begin = items.begin() + static_cast<std::ptrdiff_t>(range.begin);
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(full),
                   begin + static_cast<std::ptrdiff_t>(range.size()), [axis](const Item& a, const Item& b) {
                     return std::pair(a.centre[axis], a.place) < std::pair(b.centre[axis], b.place);
                   });
  return range.begin + full;
}

/// Pieces of mesh, by vertex: those that hang together by leaves have the same number, the lowest vertex of the
/// piece.
std::vector<VertexId> pieces_of(const ClusterInput& input, std::span<const std::uint32_t> leaves) {
  std::vector<VertexId> parent(input.x.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](VertexId v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const std::uint32_t number : leaves) {
    const auto& v = input.leaves[number].vertices;
    const VertexId a = root(v[0]);
    const VertexId b = root(v[1]);
    const VertexId c = root(v[2]);
    const VertexId lowest = std::min({a, b, c});
    parent[a] = parent[b] = parent[c] = lowest;
  }
  for (VertexId& v : parent) v = parent[v];  // a parent is lower: its own is a root by now
  return parent;
}

/// 0 of none.
float median(std::vector<float> sizes) {
  if (sizes.empty()) return 0.0F;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// Places and sizes of leaves, in floats of the frame; not where they are on a surface.
void place_items(const ClusterInput& input, const ClusterFrame& frame, std::span<const std::uint32_t> leaves,
                 std::span<Item> items, std::span<float> sizes) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto& v = input.leaves[leaves[i]].vertices;
    std::array<std::array<float, 3>, 3> p;
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = {frame.x(input.x[v[k]]), frame.y(input.x[v[k]]), frame.z(input.x[v[k]])};
    float size = 0.0F;
    items[i].centre = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] = std::minmax({p[0][axis], p[1][axis], p[2][axis]});
      items[i].centre[axis] = 0.5F * low + 0.5F * high;
      if (!std::isfinite(items[i].centre[axis])) items[i].centre[axis] = 0.0F;
      size = std::max(size, high - low);
    }
    sizes[i] = size;
    items[i].place = static_cast<std::uint32_t>(i);
  }
}

/// Puts items, which are in the order of their places, into another one: order[i] is the place of the i-th. Spoils
/// `order`.
void put_in_order(std::span<Item> items, std::span<std::uint32_t> order) {
  for (std::size_t start = 0; start < items.size(); ++start) {
    const Item first = items[start];
    std::size_t at = start;
    while (order[at] != start) {
      const std::size_t from = std::exchange(order[at], static_cast<std::uint32_t>(at));
      items[at] = items[from];
      at = from;
    }
    items[at] = first;
    order[at] = static_cast<std::uint32_t>(at);
  }
}

/// Sorts items by key(place), where they are not, and cuts them where it changes.
template <typename Key>
std::vector<Range> ranges_by(const Key& key, std::span<Item> items) {
  std::vector<Range> ranges;
  const auto add = [&](std::size_t i, bool other) {
    if (other) ranges.push_back({i, i});
    ranges.back().end = i + 1;
  };
  bool sorted = true;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < items.size() && sorted; ++i) {
    const std::uint64_t here = key(i);
    sorted = i == 0 || last <= here;
    add(i, i == 0 || last != here);
    last = here;
  }
  if (sorted) return ranges;
  ranges.clear();
  std::vector<std::uint64_t> keys(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) keys[i] = key(i);
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) add(i, i == 0 || keys[order[i]] != keys[order[i - 1]]);
  put_in_order(items, order);
  return ranges;
}

/// Sorts items into ranges of what may be mixed. All else that it needs is gone when it returns.
std::vector<Range> group(const ClusterInput& input, const ClusterFrame& frame,
                         std::span<const std::uint32_t> leaves, std::vector<Item>& items) {
  constexpr std::size_t kOwnPiece = 12;  ///< faces from which a piece is not mixed with others
  items.resize(leaves.size());
  std::vector<float> sizes(leaves.size());
  place_items(input, frame, leaves, items, sizes);
  const float typical = median(sizes);
  const std::vector<VertexId> pieces = pieces_of(input, leaves);
  const auto piece_of = [&](std::size_t i) { return pieces[input.leaves[leaves[i]].vertices[0]]; };
  std::vector<std::uint32_t> piece_sizes(pieces.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) ++piece_sizes[piece_of(i)];
  if (typical > 0.0F) {
    std::vector<PieceSeed> seeds;
    for (VertexId v = 0; v < piece_sizes.size(); ++v) {
      if (piece_sizes[v] > kClusterFaces) seeds.push_back(v);
    }
    for (Item& item : items) {
      for (std::size_t axis = 0; axis < 3; ++axis) item.centre[axis] /= typical;
    }
    // Halfway between two landmarks is 0; sums over three vertices.
    for_landmarks({input.leaves, input.edges, input.x.size(), leaves}, seeds,
                  [&](std::size_t landmark, std::size_t i, float sum) {
                    items[i].centre[3 + landmark / 2] += (landmark % 2 == 0 ? sum : -sum) / 6.0F;
                  });
  }
  // By what must not be mixed, then by piece, then by size: eightfold and more are classes of their own.
  const auto key = [&](std::size_t i) {
    const VertexId piece = piece_of(i);
    const bool own = piece_sizes[piece] >= kOwnPiece;
    std::uint64_t klass = 0;
    for (float limit = 8.0F * typical; klass < 7 && sizes[i] > limit; limit *= 8.0F) ++klass;
    const std::uint8_t apart = input.apart.empty() ? std::uint8_t{0} : input.apart[piece];
    return std::uint64_t{apart} << 40U | (own ? std::uint64_t{piece} + 1 : 0) << 3U | klass;
  };
  return ranges_by(key, items);
}

}  // namespace

MadeClusters build_clusters(const ClusterInput& input, const ClusterFrame& frame,
                            std::vector<std::uint32_t> leaves) {
  constexpr std::size_t kTask = 4096;
  std::vector<Item> items;
  std::vector<Range> todo = group(input, frame, leaves, items);
  std::reverse(todo.begin(), todo.end());
  std::vector<Range> tasks;
  while (!todo.empty()) {
    const Range range = todo.back();
    todo.pop_back();
    if (range.size() <= kTask) {
      tasks.push_back(range);
      continue;
    }
    const std::size_t at = cut(items, range);
    todo.push_back({at, range.end});
    todo.push_back({range.begin, at});
  }
  // Where to cut first, then the clusters, each where it stays: there is no second copy of them.
  std::vector<std::vector<Range>> parts(tasks.size());
  parallel_for(0, tasks.size(), 8, [&](std::size_t first, std::size_t last) {
    std::vector<Range> stack;
    std::array<std::uint32_t, kClusterFaces> some{};
    Cluster cluster;
    const auto fits = [&](const Range& range) {
      for (std::size_t i = 0; i < range.size(); ++i) some[i] = leaves[items[range.begin + i].place];
      return make_cluster(input, std::span(some).first(range.size()), cluster);
    };
    for (std::size_t t = first; t < last; ++t) {
      stack.assign(1, tasks[t]);
      while (!stack.empty()) {
        const Range range = stack.back();
        stack.pop_back();
        if (range.size() <= kClusterFaces && fits(range)) {
          parts[t].push_back(range);
          continue;
        }
        const std::size_t at = cut(items, range);
        stack.push_back({at, range.end});
        stack.push_back({range.begin, at});
      }
    }
  });
  for (Item& item : items) item.place = leaves[item.place];
  for (std::size_t i = 0; i < items.size(); ++i) leaves[i] = items[i].place;
  std::vector<Item>().swap(items);  // before there are clusters
  std::vector<Range> ranges;
  for (const std::vector<Range>& part : parts) ranges.insert(ranges.end(), part.begin(), part.end());
  std::vector<std::vector<Range>>().swap(parts);
  MadeClusters all;
  all.leaves = std::move(leaves);
  all.clusters.resize(ranges.size());
  parallel_for(0, ranges.size(), 128, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      [[maybe_unused]] const bool fits =
          make_cluster(input, std::span(all.leaves).subspan(ranges[c].begin, ranges[c].size()), all.clusters[c]);
      GRAZE_ASSERT(fits);
    }
  });
  return all;
}

}  // namespace graze
