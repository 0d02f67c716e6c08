// Union-find on all threads; connected_pieces.hpp describes the method.
#include "methods/cluster/build/connected_pieces.hpp"

#include <atomic>
#include <utility>

#include "core/tasks.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 15U;

class Forest {
 public:
  explicit Forest(std::span<VertexId> parents) : parents_(parents) {}

  [[nodiscard]] VertexId root(VertexId v) const {
    for (;;) {
      const VertexId parent = load(v);
      if (parent == v) return v;
      const VertexId next = load(parent);
      // Any ancestor is a valid parent, so that a concurrent write may be overwritten.
      if (next != parent) std::atomic_ref(parents_[v]).store(next, std::memory_order_relaxed);
      v = next;
    }
  }

  void unite(VertexId a, VertexId b) const {
    for (;;) {
      a = root(a);
      b = root(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      VertexId expected = a;
      if (std::atomic_ref(parents_[a]).compare_exchange_strong(expected, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  [[nodiscard]] VertexId load(VertexId v) const {
    return std::atomic_ref(parents_[v]).load(std::memory_order_relaxed);
  }

  std::span<VertexId> parents_;
};

}  // namespace

UninitializedVector<VertexId> connected_pieces(const LeafView& leaves, std::span<const std::uint32_t> numbers,
                                               std::size_t vertex_count) {
  UninitializedVector<VertexId> parents(vertex_count);
  parallel_for(0, vertex_count, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) parents[v] = static_cast<VertexId>(v);
  });
  const Forest forest(parents);
  parallel_for(0, numbers.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Triangle& v = leaves.vertices(numbers[i]);
      forest.unite(v[0], v[1]);
      forest.unite(v[0], v[2]);
    }
  });
  parallel_for(0, vertex_count, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const VertexId root = forest.root(static_cast<VertexId>(v));
      std::atomic_ref(parents[v]).store(root, std::memory_order_relaxed);
    }
  });
  return parents;
}

}  // namespace graze::methods
