// Simultaneous traversal of two trees (BOXTREE, section 3, `traverse`): visits all pairs of children of two nodes
// that are not separated. With `lift` (section 3.3) the data of a child node is computed once at the pair of its
// parents, for all pairs there; without, for every pair again. Both give the same answers.
//
// Test provides types A and B, the data of a node of either tree, with `place` and `leaf` as in BoxNode; root_a(),
// child_a(A, which), root_b() and child_b(B, which); and separated(A, B, a_is_new, b_is_new), where a node that is
// not new was part of the pair above. kCounts says whether its numbers are CountingFloats.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "rigid/leaf_sink.hpp"
#include "rigid/trees/operation_count.hpp"

namespace graze::rigid {

template <class Test>
class PairedTraversal {
 public:
  using A = typename Test::A;
  using B = typename Test::B;

  PairedTraversal(const Test& test, bool lift, LeafSink& sink) : test_(test), lift_(lift), sink_(sink) {}

  /// Returns the number of node tests.
  std::uint64_t run() {
    const std::uint64_t mark = operations();
    const A a = test_.root_a();
    const B b = test_.root_b();
    if (separated(a, b, true, true, operations() - mark) || !visit(a, b)) sink_.flush();
    return tests_;
  }
  [[nodiscard]] std::uint64_t worst() const { return worst_; }

 private:
  static std::uint64_t operations() {
    if constexpr (Test::kCounts) {
      return CountingFloat::counts().total();
    } else {
      return 0;
    }
  }
  /// `shared`: operations that were spent on this test beforehand.
  bool separated(const A& a, const B& b, bool a_is_new, bool b_is_new, std::uint64_t shared) {
    ++tests_;
    if constexpr (!Test::kCounts) return test_.separated(a, b, a_is_new, b_is_new);
    const std::uint64_t mark = operations();
    const bool result = test_.separated(a, b, a_is_new, b_is_new);
    worst_ = std::max(worst_, operations() - mark + shared);
    return result;
  }
  /// Visits a pair that is not separated. Returns true to end the traversal.
  bool visit(const A& a, const B& b) {
    if (a.leaf && b.leaf) return sink_.put(a.place, b.place);
    return lift_ ? visit_lifted(a, b) : visit_plain(a, b);
  }
  bool visit_lifted(const A& a, const B& b) {
    const unsigned count_a = a.leaf ? 1 : 2;
    const unsigned count_b = b.leaf ? 1 : 2;
    const std::uint64_t mark = operations();
    const std::array<A, 2> below_a =
        a.leaf ? std::array<A, 2>{a, a} : std::array<A, 2>{test_.child_a(a, 0), test_.child_a(a, 1)};
    const std::array<B, 2> below_b =
        b.leaf ? std::array<B, 2>{b, b} : std::array<B, 2>{test_.child_b(b, 0), test_.child_b(b, 1)};
    const std::uint64_t pairs = std::uint64_t{count_a} * count_b;
    const std::uint64_t share = (operations() - mark + pairs - 1) / pairs;
    for (unsigned i = 0; i < count_a; ++i) {
      for (unsigned j = 0; j < count_b; ++j) {
        if (separated(below_a[i], below_b[j], !a.leaf, !b.leaf, share)) continue;
        if (visit(below_a[i], below_b[j])) return true;
      }
    }
    return false;
  }
  bool visit_plain(const A& a, const B& b) {
    const unsigned count_a = a.leaf ? 1 : 2;
    const unsigned count_b = b.leaf ? 1 : 2;
    for (unsigned i = 0; i < count_a; ++i) {
      for (unsigned j = 0; j < count_b; ++j) {
        const std::uint64_t mark = operations();
        const A below_a = a.leaf ? a : test_.child_a(a, i);
        const B below_b = b.leaf ? b : test_.child_b(b, j);
        if (separated(below_a, below_b, !a.leaf, !b.leaf, operations() - mark)) continue;
        if (visit(below_a, below_b)) return true;
      }
    }
    return false;
  }

  const Test& test_;
  bool lift_;
  LeafSink& sink_;
  std::uint64_t tests_ = 0;
  std::uint64_t worst_ = 0;
};

/// Traverses two trees, and adds the operations that a counting test counted to `flops`.
template <class Test>
std::uint64_t traverse_pair(const Test& test, bool lift, LeafSink& sink, FlopCounts* flops) {
  if constexpr (Test::kCounts) CountingFloat::counts() = {};
  PairedTraversal<Test> traversal(test, lift, sink);
  const std::uint64_t tests = traversal.run();
  if constexpr (Test::kCounts) {
    const FlopCounts& counts = CountingFloat::counts();
    flops->multiplications += counts.multiplications;
    flops->additions += counts.additions;
    flops->comparisons += counts.comparisons;
    flops->tests += tests;
    flops->worst = std::max(flops->worst, traversal.worst());
  }
  return tests;
}

}  // namespace graze::rigid
