// Groups leaves by component and size, and divides large groups; group_leaves.hpp describes both.
#include "methods/cluster/group_leaves.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/sort.hpp"
#include "core/tasks.hpp"
#include "methods/cluster/connected_pieces.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kGrain = 8192;

/// Bounding box of a leaf, in floats of the local frame.
struct LeafBox {
  std::array<float, 3> lo;
  std::array<float, 3> hi;

  LeafBox(const ClusterInput& input, const ClusterLocalFrame& local_frame, const Leaf& leaf) {
    std::array<std::array<float, 3>, 3> p;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& x = input.x[leaf.vertices[k]];
      p[k] = {local_frame.x(x), local_frame.y(x), local_frame.z(x)};
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(std::min(p[0][axis], p[1][axis]), p[2][axis]);
      hi[axis] = std::max(std::max(p[0][axis], p[1][axis]), p[2][axis]);
    }
  }
  [[nodiscard]] float size() const { return std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}); }
};

/// The median size of a sample of the leaves.
float typical_size(const ClusterInput& input, const ClusterLocalFrame& local_frame,
                   std::span<const std::uint32_t> leaves) {
  constexpr std::size_t kMaxSamples = 4095;
  const std::size_t count = std::min(kMaxSamples, leaves.size());
  if (count == 0) return 0.0F;
  std::vector<float> sizes(count);
  for (std::size_t i = 0; i < count; ++i) {
    sizes[i] = LeafBox(input, local_frame, input.leaves[leaves[i * leaves.size() / count]]).size();
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// Class of a size: 0 up to 8 times the typical size, then one class per factor of 8, up to 7.
std::uint8_t class_of(float size, float typical) {
  std::uint8_t result = 0;
  for (float limit = 8.0F * typical; result < 7 && size > limit; limit *= 8.0F) ++result;
  return result;
}

/// By lowest vertex of a component: its number of vertices.
UninitializedVector<std::uint32_t> piece_sizes_of(std::span<const VertexId> pieces) {
  UninitializedVector<std::uint32_t> sizes(pieces.size());
  parallel_for(0, sizes.size(), 8 * kGrain, [&](std::size_t first, std::size_t last) {
    std::fill(sizes.data() + first, sizes.data() + last, 0U);
  });
  parallel_for(0, pieces.size(), 8 * kGrain, [&](std::size_t first, std::size_t last) {
    // Vertices of a component mostly follow one another: one addition for each run keeps threads apart.
    for (std::size_t begin = first, v = first; v < last; begin = v) {
      while (v < last && pieces[v] == pieces[begin]) ++v;
      std::atomic_ref(sizes[pieces[begin]])
          .fetch_add(static_cast<std::uint32_t>(v - begin), std::memory_order_relaxed);
    }
  });
  return sizes;
}

/// A tree of planes that divides items into 2^levels parts: node i has the children 2 i + 1 and 2 i + 2.
class PlaneTree {
 public:
  /// Divides so that a part has at most kLargestPart items, about.
  explicit PlaneTree(std::span<const ClusterItem> items) {
    while (items.size() >> levels_ > kLargestPart) ++levels_;
    constexpr std::size_t kStride = 32;
    std::vector<ClusterItem> sample(items.size() / kStride);
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = items[i * kStride];
    planes_.resize((std::size_t{1} << levels_) - 1);
    for (unsigned level = 0; level < levels_; ++level) {
      const std::size_t width = std::size_t{1} << level;
      parallel_for(0, width, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          const std::size_t begin = i * sample.size() / width;
          const std::size_t end = (i + 1) * sample.size() / width;
          planes_[width - 1 + i] = split(std::span(sample).subspan(begin, end - begin),
                                         (2 * i + 1) * sample.size() / (2 * width) - begin);
        }
      });
    }
  }

  [[nodiscard]] std::size_t part_count() const { return std::size_t{1} << levels_; }
  [[nodiscard]] std::uint32_t part_of(const ClusterItem& item) const {
    std::size_t node = 0;
    for (unsigned level = 0; level < levels_; ++level) {
      const Plane& plane = planes_[node];
      const float x = item.centre[plane.axis];
      const bool upper = x > plane.x || (x == plane.x && item.place >= plane.place);
      node = 2 * node + (upper ? 2 : 1);
    }
    return static_cast<std::uint32_t>(node - planes_.size());
  }

 private:
  struct Plane {
    float x;
    std::uint32_t axis;
    std::uint32_t place;  ///< separates items on the plane, so that any number of them can be divided
  };

  /// Finds the plane before the item at `middle` along the longest axis, and sorts the items of both sides apart.
  static Plane split(std::span<ClusterItem> items, std::size_t middle) {
    std::array<float, 3> lo;
    std::array<float, 3> hi;
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
    for (const ClusterItem& item : items) {
      for (std::size_t k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], item.centre[k]);
        hi[k] = std::max(hi[k], item.centre[k]);
      }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
    const auto at = items.begin() + static_cast<std::ptrdiff_t>(middle);
    std::nth_element(items.begin(), at, items.end(), [axis](const ClusterItem& a, const ClusterItem& b) {
      return std::pair(a.centre[axis], a.place) < std::pair(b.centre[axis], b.place);
    });
    return {at->centre[axis], static_cast<std::uint32_t>(axis), at->place};
  }

  unsigned levels_ = 0;
  std::vector<Plane> planes_;
};

/// Sorts items into parts; `from` and `to` are the same range of two arrays. Appends the parts to `ranges`.
void divide(std::span<const ClusterItem> from, std::span<ClusterItem> to, std::size_t begin,
            std::vector<ItemRange>& ranges) {
  constexpr std::size_t kMaxBlocks = 64;
  const PlaneTree tree(from);
  const std::size_t parts = tree.part_count();
  const std::size_t block = std::max(kGrain, (from.size() + kMaxBlocks - 1) / kMaxBlocks);
  const std::size_t blocks = (from.size() + block - 1) / block;
  std::vector<std::uint32_t> places(blocks * parts, 0);  // first counts, then next places
  UninitializedVector<std::uint32_t> part_of(from.size());
  const auto for_blocks = [&](const auto& visit) {
    parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        const std::size_t end = std::min((b + 1) * block, from.size());
        for (std::size_t i = b * block; i < end; ++i) visit(places.data() + b * parts, i);
      }
    });
  };
  for_blocks([&](std::uint32_t* counts, std::size_t i) {
    part_of[i] = tree.part_of(from[i]);
    ++counts[part_of[i]];
  });
  std::uint32_t next = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = begin + next;
    for (std::size_t b = 0; b < blocks; ++b) next += std::exchange(places[b * parts + part], next);
    if (begin + next > first) ranges.push_back({first, begin + next, true});
  }
  for_blocks([&](std::uint32_t* place, std::size_t i) { to[place[part_of[i]]++] = from[i]; });
}

/// Sorts the items by key(place), unless they are sorted already, and splits them where the key changes.
std::vector<ItemRange> ranges_by(UninitializedVector<std::uint64_t> keys, UninitializedVector<ClusterItem>& items) {
  const std::size_t count = items.size();
  const std::size_t blocks = (count + kGrain - 1) / kGrain;
  std::vector<std::vector<std::size_t>> starts(blocks);  // where the key changes
  std::atomic<bool> sorted = true;
  const auto find_starts = [&] {
    parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        starts[b].clear();
        for (std::size_t i = b * kGrain; i < std::min((b + 1) * kGrain, count); ++i) {
          if (i > 0 && keys[i - 1] == keys[i]) continue;
          if (i > 0 && keys[i - 1] > keys[i]) {
            sorted = false;
            return;
          }
          starts[b].push_back(i);
        }
      }
    });
  };
  find_starts();
  if (!sorted) {
    struct Keyed {
      std::uint64_t key;
      std::uint32_t place;
    };
    std::vector<Keyed> order(count);
    parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) order[i] = {keys[i], static_cast<std::uint32_t>(i)};
    });
    parallel_sort(order, [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    UninitializedVector<ClusterItem> moved(count);
    parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        keys[i] = order[i].key;
        moved[i] = items[order[i].place];
      }
    });
    items.swap(moved);
    find_starts();
  }
  std::vector<ItemRange> ranges;
  for (const std::vector<std::size_t>& some : starts) {
    for (const std::size_t start : some) {
      if (!ranges.empty()) ranges.back().end = start;
      ranges.push_back({start, count});
    }
  }
  return ranges;
}

}  // namespace

LeafGroups group_leaves(const ClusterInput& input, const ClusterLocalFrame& local_frame,
                        std::span<const std::uint32_t> leaves) {
  constexpr std::size_t kOwnPieceVertices = kOwnPiece / 2 + 2;  // of a closed surface with kOwnPiece faces
  LeafGroups groups;
  groups.items.resize(leaves.size());
  std::vector<ItemRange> whole;
  {
    const float typical = typical_size(input, local_frame, leaves);
    const float unit = typical > 0.0F ? 1.0F / typical : 1.0F;
    const UninitializedVector<VertexId> pieces = connected_pieces(input.leaves, leaves, input.x.size());
    const UninitializedVector<std::uint32_t> piece_sizes = piece_sizes_of(pieces);
    UninitializedVector<std::uint64_t> keys(leaves.size());
    parallel_for(0, leaves.size(), kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Leaf& leaf = input.leaves[leaves[i]];
        const LeafBox box(input, local_frame, leaf);
        ClusterItem& item = groups.items[i];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          item.centre[axis] = 0.5F * box.lo[axis] + 0.5F * box.hi[axis];
          item.centre[axis] *= unit;
          if (!std::isfinite(item.centre[axis])) item.centre[axis] = 0.0F;
        }
        item.place = static_cast<std::uint32_t>(i);
        // Key: first the caller's groups, then the component, then the size class.
        const VertexId piece = pieces[leaf.vertices[0]];
        const bool own = piece_sizes[piece] >= kOwnPieceVertices;
        const std::uint8_t separate_by = input.separate_by.empty() ? std::uint8_t{0} : input.separate_by[piece];
        keys[i] = std::uint64_t{separate_by} << 40U | (own ? std::uint64_t{piece} + 1 : 0) << 3U |
                  class_of(box.size(), typical);
      }
    });
    whole = ranges_by(std::move(keys), groups.items);
  }
  UninitializedVector<ClusterItem> divided;
  for (const ItemRange& range : whole) {
    if (range.size() <= kLargestPart) {
      groups.ranges.push_back(range);
      continue;
    }
    divided.resize(range.size());
    const std::span<ClusterItem> items = std::span(groups.items).subspan(range.begin, range.size());
    divide(items, divided, range.begin, groups.ranges);
    parallel_for(0, range.size(), kGrain, [&](std::size_t first, std::size_t last) {
      std::copy(divided.begin() + static_cast<std::ptrdiff_t>(first),
                divided.begin() + static_cast<std::ptrdiff_t>(last),
                items.begin() + static_cast<std::ptrdiff_t>(first));
    });
  }
  return groups;
}

}  // namespace graze::methods
