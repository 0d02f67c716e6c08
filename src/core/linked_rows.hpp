// Intrusive doubly linked lists of items, one list per row, kept up to date under edits: the triangles around a
// vertex (its fan), the triangles of an edge.
//
// Each item has one link of eight bytes, whichever row it is in, so an item joins or leaves a row in O(1)
// regardless of the row's length. Memory is allocated only when items or rows are added. A row is read from the
// most recently added item to the oldest. Functions marked noexcept never allocate: a caller that grows the arrays
// first can then edit the rows without running out of memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "core/namespaces.hpp"

namespace graze::core {

/// Linked lists of items; an item is in at most one row. Adding, erasing and finding the first item cost O(1).
class LinkedRows {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// Reserves capacity for a total number of rows and items; sizes never shrink. Amortised: the capacity at least
  /// doubles.
  void reserve(std::size_t rows, std::size_t items) {
    if (rows > first_.capacity()) first_.reserve(std::max(rows, 2 * first_.capacity()));
    if (items > links_.capacity()) links_.reserve(std::max(items, 2 * links_.capacity()));
  }
  void grow_rows(std::size_t rows) { first_.resize(std::max(rows, first_.size()), kNone); }
  void grow_items(std::size_t items) { links_.resize(std::max(items, links_.size())); }
  [[nodiscard]] std::size_t row_count() const noexcept { return first_.size(); }
  [[nodiscard]] std::size_t item_count() const noexcept { return links_.size(); }

  void add(std::size_t row, std::uint32_t item) noexcept {
    const std::uint32_t next = first_[row];
    links_[item] = {next, kNone};
    if (next != kNone) links_[next].previous = item;
    first_[row] = item;
  }
  void erase(std::size_t row, std::uint32_t item) noexcept {
    const Link link = std::exchange(links_[item], Link{});
    if (link.previous == kNone) {
      GRAZE_ASSERT(first_[row] == item);
      first_[row] = link.next;
    } else {
      links_[link.previous].next = link.next;
    }
    if (link.next != kNone) links_[link.next].previous = link.previous;
  }
  /// Precondition: row `to` is empty.
  void move_row(std::size_t from, std::size_t to) noexcept {
    GRAZE_ASSERT(first_[to] == kNone);
    first_[to] = std::exchange(first_[from], kNone);
  }

  /// The first item of a row, and the item that follows an item; kNone marks the end of the row.
  [[nodiscard]] std::uint32_t first(std::size_t row) const noexcept { return first_[row]; }
  [[nodiscard]] std::uint32_t next(std::uint32_t item) const noexcept { return links_[item].next; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::uint32_t*;
    using reference = std::uint32_t;

    Iterator() = default;
    Iterator(const LinkedRows* rows, std::uint32_t item) : rows_(rows), item_(item) {}
    std::uint32_t operator*() const { return item_; }
    Iterator& operator++() {
      item_ = rows_->next(item_);
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.item_ == b.item_; }

   private:
    const LinkedRows* rows_ = nullptr;
    std::uint32_t item_ = kNone;
  };
  /// The items of a row, for a range-based for loop. The row must not change during the loop.
  struct Row {
    Iterator first;
    [[nodiscard]] Iterator begin() const { return first; }
    [[nodiscard]] Iterator end() const { return {}; }
  };
  [[nodiscard]] Row operator[](std::size_t row) const { return {Iterator(this, first_[row])}; }

  [[nodiscard]] std::size_t memory_bytes() const {
    return first_.capacity() * sizeof(std::uint32_t) + links_.capacity() * sizeof(Link);
  }

 private:
  struct Link {
    std::uint32_t next = kNone;
    std::uint32_t previous = kNone;
  };
  std::vector<std::uint32_t> first_;
  std::vector<Link> links_;
};

}  // namespace graze::core
