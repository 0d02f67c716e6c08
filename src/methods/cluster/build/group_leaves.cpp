// Groups leaves by component and size, and divides large groups; group_leaves.hpp describes both.
#include "methods/cluster/build/group_leaves.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "core/sort.hpp"
#include "core/tasks.hpp"
#include "methods/cluster/build/connected_pieces.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kGrain = 8192;

/// Bounding box of a leaf.
struct LeafBox {
  std::array<double, 3> lo;
  std::array<double, 3> hi;

  LeafBox(const ClusterInput& input, std::uint32_t leaf) {
    const Triangle& v = input.leaves.vertices(leaf);
    const Vec3& p = input.x[v[0]];
    const Vec3& q = input.x[v[1]];
    const Vec3& r = input.x[v[2]];
    const auto low = [](double a, double b, double c) { return std::min(std::min(a, b), c); };
    const auto high = [](double a, double b, double c) { return std::max(std::max(a, b), c); };
    lo = {low(p.x, q.x, r.x), low(p.y, q.y, r.y), low(p.z, q.z, r.z)};
    hi = {high(p.x, q.x, r.x), high(p.y, q.y, r.y), high(p.z, q.z, r.z)};
  }
  [[nodiscard]] double size() const { return std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}); }
  [[nodiscard]] std::array<double, 3> centre() const {
    return {0.5 * lo[0] + 0.5 * hi[0], 0.5 * lo[1] + 0.5 * hi[1], 0.5 * lo[2] + 0.5 * hi[2]};
  }
};

/// The median size of a sample of the leaves.
double typical_size(const ClusterInput& input, std::span<const std::uint32_t> leaves) {
  constexpr std::size_t kMaxSamples = 4095;
  const std::size_t count = std::min(kMaxSamples, leaves.size());
  if (count == 0) return 0.0;
  std::vector<double> sizes(count);
  for (std::size_t i = 0; i < count; ++i) sizes[i] = LeafBox(input, leaves[i * leaves.size() / count]).size();
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

constexpr std::size_t kClasses = 8;

/// Class of a size: 0 up to 8 times the typical size, then one class per factor of 8.
std::size_t class_of(double size, double typical) {
  std::size_t result = 0;
  for (double limit = 8.0 * typical; result + 1 < kClasses && size > limit; limit *= 8.0) ++result;
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

/// A tree of planes that divides leaves into 2^levels parts: node i has the children 2 i + 1 and 2 i + 2.
class PlaneTree {
 public:
  /// Divides so that a part has at most kLargestPart leaves of class 0, about.
  PlaneTree(const ClusterInput& input, std::span<const std::uint32_t> leaves, double typical) {
    constexpr std::size_t kStride = 32;
    std::vector<Point> sample(leaves.size() / kStride);
    std::vector<std::uint8_t> classes(sample.size());
    parallel_for(0, sample.size(), kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const LeafBox box(input, leaves[i * kStride]);
        sample[i] = {box.centre(), leaves[i * kStride]};
        classes[i] = static_cast<std::uint8_t>(class_of(box.size(), typical));
      }
    });
    std::size_t count = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      if (classes[i] == 0) sample[count++] = sample[i];
    }
    sample.resize(count);
    while (kStride * sample.size() >> levels_ > kLargestPart) ++levels_;
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
  /// Part of a leaf, given the centre of its box.
  [[nodiscard]] std::uint32_t part_of(const std::array<double, 3>& centre, std::uint32_t leaf) const {
    std::size_t node = 0;
    for (unsigned level = 0; level < levels_; ++level) {
      const Plane& plane = planes_[node];
      const double x = centre[plane.axis];
      const bool upper = x > plane.x || (x == plane.x && leaf >= plane.leaf);
      node = 2 * node + (upper ? 2 : 1);
    }
    return static_cast<std::uint32_t>(node - planes_.size());
  }

 private:
  struct Point {
    std::array<double, 3> centre;
    std::uint32_t leaf;
  };
  struct Plane {
    double x;
    std::uint32_t axis;
    std::uint32_t leaf;  ///< separates leaves on the plane, so that any number of them can be divided
  };

  /// Finds the plane before the point at `middle` along the longest axis, and sorts the points of both sides apart.
  static Plane split(std::span<Point> points, std::size_t middle) {
    std::array<double, 3> lo;
    std::array<double, 3> hi;
    lo.fill(std::numeric_limits<double>::infinity());
    hi.fill(-std::numeric_limits<double>::infinity());
    for (const Point& point : points) {
      for (std::size_t k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], point.centre[k]);
        hi[k] = std::max(hi[k], point.centre[k]);
      }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
    const auto at = points.begin() + static_cast<std::ptrdiff_t>(middle);
    std::nth_element(points.begin(), at, points.end(), [axis](const Point& a, const Point& b) {
      return std::pair(a.centre[axis], a.leaf) < std::pair(b.centre[axis], b.leaf);
    });
    return {at->centre[axis], static_cast<std::uint32_t>(axis), at->leaf};
  }

  unsigned levels_ = 0;
  std::vector<Plane> planes_;
};

/// Sorts the leaves of a large range into parts, and those larger than class 0 by class; returns the ranges.
std::vector<LeafRange> divide(const ClusterInput& input, const LeafRange& range, double typical,
                              std::span<std::uint32_t> leaves) {
  constexpr std::size_t kMaxBlocks = 64;
  const std::span<std::uint32_t> all = leaves.subspan(range.begin, range.size());
  const PlaneTree tree(input, all, typical);
  const std::size_t parts = tree.part_count();
  const std::size_t kinds = parts + kClasses - 1;  // parts, and classes but the first
  const std::size_t block = std::max(kGrain, (all.size() + kMaxBlocks - 1) / kMaxBlocks);
  const std::size_t blocks = (all.size() + block - 1) / block;
  std::vector<std::uint32_t> places(blocks * kinds, 0);  // first counts, then next places
  UninitializedVector<std::uint32_t> kind_of(all.size());
  UninitializedVector<std::uint32_t> before(all.size());
  const auto for_blocks = [&](const auto& visit) {
    parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        const std::size_t end = std::min((b + 1) * block, all.size());
        for (std::size_t i = b * block; i < end; ++i) visit(places.data() + b * kinds, i);
      }
    });
  };
  for_blocks([&](std::uint32_t* counts, std::size_t i) {
    const LeafBox box(input, all[i]);
    const std::size_t size_class = class_of(box.size(), typical);
    before[i] = all[i];
    kind_of[i] =
        size_class == 0 ? tree.part_of(box.centre(), all[i]) : static_cast<std::uint32_t>(parts + size_class - 1);
    ++counts[kind_of[i]];
  });
  std::vector<LeafRange> ranges;
  ranges.reserve(kinds);
  std::uint32_t next = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::size_t first = range.begin + next;
    for (std::size_t b = 0; b < blocks; ++b) next += std::exchange(places[b * kinds + kind], next);
    if (range.begin + next > first) ranges.push_back({first, range.begin + next, kind < parts});
  }
  for_blocks([&](std::uint32_t* place, std::size_t i) { all[place[kind_of[i]]++] = before[i]; });
  // Many leaves of a class are divided in turn.
  std::vector<LeafRange> done;
  done.reserve(ranges.size());
  for (const LeafRange& some : ranges) {
    if (some.is_part || some.size() <= kLargestPart) {
      done.push_back(some);
      continue;
    }
    const std::vector<LeafRange> more = divide(input, some, std::numeric_limits<double>::infinity(), leaves);
    done.insert(done.end(), more.begin(), more.end());
  }
  return done;
}

/// Sorts the leaves of a range that is not large by class, and returns a range for each class that is there;
/// nothing if that is the whole range.
std::vector<LeafRange> separate_classes(const ClusterInput& input, const LeafRange& range, double typical,
                                        std::span<std::uint32_t> leaves) {
  const std::span<std::uint32_t> all = leaves.subspan(range.begin, range.size());
  const auto class_here = [&](std::uint32_t leaf) { return class_of(LeafBox(input, leaf).size(), typical); };
  const std::size_t first_class = class_here(all[0]);
  if (std::all_of(all.begin(), all.end(), [&](std::uint32_t leaf) { return class_here(leaf) == first_class; })) {
    return {};
  }
  std::array<std::vector<std::uint32_t>, kClasses> by_class;
  for (const std::uint32_t leaf : all) by_class[class_here(leaf)].push_back(leaf);
  std::vector<LeafRange> ranges;
  std::size_t next = range.begin;
  for (const std::vector<std::uint32_t>& some : by_class) {
    if (some.empty()) continue;
    std::copy(some.begin(), some.end(), leaves.begin() + static_cast<std::ptrdiff_t>(next));
    ranges.push_back({next, next + some.size()});
    next += some.size();
  }
  return ranges;
}

/// Finds where the key of neighbouring leaves changes. Returns false if keys do not ascend.
template <typename Key>
bool find_starts(std::size_t count, const Key& key, std::vector<std::vector<std::size_t>>& starts) {
  starts.resize((count + kGrain - 1) / kGrain);
  std::atomic<bool> sorted = true;
  parallel_for(0, starts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      starts[b].clear();
      std::uint64_t before = b > 0 ? key(b * kGrain - 1) : 0;
      for (std::size_t i = b * kGrain; i < std::min((b + 1) * kGrain, count); ++i) {
        const std::uint64_t here = key(i);
        if (i > 0 && before > here) {
          sorted.store(false, std::memory_order_relaxed);
          return;
        }
        if (i == 0 || before < here) starts[b].push_back(i);
        before = here;
      }
    }
  });
  return sorted;
}

/// Sorts the leaves by key(leaf), unless they are sorted already, and splits them where the key changes.
template <typename Key>
std::vector<LeafRange> ranges_by(const Key& key, std::span<std::uint32_t> leaves) {
  const std::size_t count = leaves.size();
  std::vector<std::vector<std::size_t>> starts;
  if (!find_starts(
          count, [&](std::size_t i) { return key(leaves[i]); }, starts)) {
    struct Keyed {
      std::uint64_t key;
      std::uint32_t leaf;
    };
    std::vector<Keyed> order(count);
    parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) order[i] = {key(leaves[i]), leaves[i]};
    });
    parallel_sort(order, [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) leaves[i] = order[i].leaf;
    });
    find_starts(
        count, [&](std::size_t i) { return order[i].key; }, starts);
  }
  std::vector<LeafRange> ranges;
  for (const std::vector<std::size_t>& some : starts) {
    for (const std::size_t start : some) {
      if (!ranges.empty()) ranges.back().end = start;
      ranges.push_back({start, count});
    }
  }
  return ranges;
}

}  // namespace

LeafGroups group_leaves(const ClusterInput& input, UninitializedVector<std::uint32_t>& leaves) {
  constexpr std::size_t kOwnPieceVertices = kOwnPiece / 2 + 2;  // of a closed surface with kOwnPiece faces
  LeafGroups groups;
  const double typical = typical_size(input, leaves);
  if (typical > 0.0) groups.unit = typical;
  std::vector<LeafRange> whole;
  {
    const UninitializedVector<VertexId> pieces = connected_pieces(input.leaves, leaves, input.x.size());
    const UninitializedVector<std::uint32_t> piece_sizes = piece_sizes_of(pieces);
    // Key: first the caller's groups, then the component.
    const auto key = [&](std::uint32_t leaf) {
      const VertexId piece = pieces[input.leaves.vertices(leaf)[0]];
      const bool own = piece_sizes[piece] >= kOwnPieceVertices;
      const std::uint8_t separate_by = input.separate_by.empty() ? std::uint8_t{0} : input.separate_by[piece];
      return std::uint64_t{separate_by} << 40U | (own ? std::uint64_t{piece} + 1 : 0);
    };
    whole = ranges_by(key, leaves);
  }
  std::vector<std::size_t> large;
  for (std::size_t r = 0; r < whole.size(); ++r) {
    if (whole[r].size() > kLargestPart) large.push_back(r);
  }
  std::vector<std::vector<LeafRange>> parts(whole.size());  // nothing of a range that stays as it is
  parallel_for(0, large.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) parts[large[i]] = divide(input, whole[large[i]], typical, leaves);
  });
  parallel_for(0, whole.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      if (whole[r].size() <= kLargestPart) parts[r] = separate_classes(input, whole[r], typical, leaves);
    }
  });
  for (std::size_t r = 0; r < whole.size(); ++r) {
    if (parts[r].empty()) {
      groups.ranges.push_back(whole[r]);
    } else {
      groups.ranges.insert(groups.ranges.end(), parts[r].begin(), parts[r].end());
    }
  }
  return groups;
}

}  // namespace graze::methods
