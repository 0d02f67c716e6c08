// Groups leaves by component and size, and computes the coordinates for splitting; group_leaves.hpp describes both.
#include "methods/cluster/group_leaves.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/permute.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kAlignmentBytes = 256;  // spare bytes for the alignment of lists

/// Connected components, by vertex: vertices connected by leaves have the same number, the lowest vertex of the
/// component.
std::pmr::vector<VertexId> pieces_of(const ClusterInput& input, std::span<const std::uint32_t> leaves,
                                     std::pmr::memory_resource& memory) {
  std::pmr::vector<VertexId> parent(input.x.size(), &memory);
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
  for (VertexId& v : parent) v = parent[v];  // parents are lower: theirs are roots already
  return parent;
}

/// Converts a coordinate or size; what floats do not reach becomes the largest float.
float to_float(double x) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(x, -kLargest, kLargest));
}

/// Bounding box of a leaf.
struct LeafBox {
  std::array<double, 3> lo;
  std::array<double, 3> hi;

  LeafBox(const ClusterInput& input, const Leaf& leaf) {
    const Vec3& p = input.x[leaf.vertices[0]];
    const Vec3& q = input.x[leaf.vertices[1]];
    const Vec3& r = input.x[leaf.vertices[2]];
    std::tie(lo[0], hi[0]) = std::minmax({p.x, q.x, r.x});
    std::tie(lo[1], hi[1]) = std::minmax({p.y, q.y, r.y});
    std::tie(lo[2], hi[2]) = std::minmax({p.z, q.z, r.z});
  }
};

/// Sizes of leaves: the median, and by leaf a class: 0 up to 8 times the median, then one class per factor of 8, up
/// to 7.
struct LeafSizes {
  float typical = 0.0F;
  std::pmr::vector<std::uint8_t> classes;

  LeafSizes(const ClusterInput& input, const ClusterLocalFrame& local_frame, std::span<const std::uint32_t> leaves,
            ClusterWork& work)
      : classes(leaves.size(), &work.lists()) {
    if (leaves.empty()) return;
    std::pmr::memory_resource& scratch = work.scratch();
    std::pmr::vector<float> sizes(leaves.size(), &scratch);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const LeafBox box(input, input.leaves[leaves[i]]);
      double size = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) size = std::max(size, box.hi[axis] - box.lo[axis]);
      sizes[i] = to_float(size * local_frame.scale);
    }
    std::pmr::vector<float> order(sizes, &scratch);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    std::nth_element(order.begin(), middle, order.end());
    typical = *middle;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      for (float limit = 8.0F * typical; classes[i] < 7 && sizes[i] > limit; limit *= 8.0F) ++classes[i];
    }
  }
};

/// Sorts items by key(place), unless they are sorted already, and splits them where the key changes.
template <typename Key>
std::vector<ItemRange> ranges_by(const Key& key, std::span<ClusterItem> items) {
  std::vector<ItemRange> ranges;
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
  permute(items, std::span(order));
  return ranges;
}

}  // namespace

ClusterWork::ClusterWork(const SurfaceMesh& mesh)
    : list_bytes_(mesh.numbers.size() * (1 + sizeof(SurfaceCoordinates)) +
                  2 * mesh.vertex_count * sizeof(VertexId) + kAlignmentBytes),
      other_bytes_(std::max(mesh.numbers.size() * sizeof(ClusterItem) + kAlignmentBytes, landmark_bytes(mesh))),
      block_(std::make_unique_for_overwrite<std::byte[]>(list_bytes_ + other_bytes_)),
      lists_(block_.get(), list_bytes_),
      other_(block_.get() + list_bytes_, other_bytes_),
      items_(&other_) {}

std::pmr::memory_resource& ClusterWork::scratch() {
  other_.release();
  return other_;
}

void ClusterWork::make_items(std::size_t count) {
  other_.release();
  items_.resize(count);
}

void set_centre(const ClusterInput& input, const Leaf& leaf, const Vec3& origin, double unit, ClusterItem& item) {
  const LeafBox box(input, leaf);
  const std::array<double, 3> from = {origin.x, origin.y, origin.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    item.centre[axis] = to_float((0.5 * box.lo[axis] + 0.5 * box.hi[axis] - from[axis]) / unit);
  }
}

std::vector<ItemRange> group_leaves(const ClusterInput& input, const ClusterLocalFrame& local_frame,
                                    std::span<const std::uint32_t> leaves, ClusterWork& work) {
  constexpr std::size_t kOwnPiece = 12;  ///< minimum faces of a component that is not mixed with others
  const LeafSizes sizes(input, local_frame, leaves, work);
  const std::pmr::vector<VertexId> pieces = pieces_of(input, leaves, work.lists());
  const auto piece_of = [&](std::size_t i) { return pieces[input.leaves[leaves[i]].vertices[0]]; };
  std::pmr::vector<std::uint32_t> piece_sizes(pieces.size(), &work.lists());
  for (std::size_t i = 0; i < leaves.size(); ++i) ++piece_sizes[piece_of(i)];
  std::pmr::vector<SurfaceCoordinates> surface(leaves.size(), &work.lists());
  if (sizes.typical > 0.0F) {
    std::vector<PieceSeed> seeds;
    for (VertexId v = 0; v < piece_sizes.size(); ++v) {
      if (piece_sizes[v] > kClusterFaces) seeds.push_back(v);
    }
    // A leaf halfway between two landmarks gets 0. The sums are over three vertices, hence 6 = 2 * 3.
    const auto note = [&](std::size_t landmark, std::size_t i, float sum) {
      surface[i][landmark / 2] += (landmark % 2 == 0 ? sum : -sum) / 6.0F;
    };
    for_landmarks({input.leaves, input.x.size(), leaves}, seeds, note, work.scratch());
  }
  work.make_items(leaves.size());
  const std::span<ClusterItem> items = work.items();
  work.set_unit(sizes.typical > 0.0F ? static_cast<double>(sizes.typical) / local_frame.scale : 1.0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    set_centre(input, input.leaves[leaves[i]], local_frame.origin_t0, work.unit(), items[i]);
    std::copy(surface[i].begin(), surface[i].end(), items[i].centre.begin() + 3);
    items[i].place = static_cast<std::uint32_t>(i);
  }
  // Key: first the caller's groups, then the component, then the size class.
  const auto key = [&](std::size_t i) {
    const VertexId piece = piece_of(i);
    const bool own = piece_sizes[piece] >= kOwnPiece;
    const std::uint8_t separate_by = input.separate_by.empty() ? std::uint8_t{0} : input.separate_by[piece];
    return std::uint64_t{separate_by} << 40U | (own ? std::uint64_t{piece} + 1 : 0) << 3U | sizes.classes[i];
  };
  return ranges_by(key, items);
}

}  // namespace graze::methods
