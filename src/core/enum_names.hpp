// Tables of enumerators and their names on the command line: name of a value, value of a name, all values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/namespaces.hpp"

namespace graze::core {

/// An enumerator, its name, and one line on what it means where a table has one.
template <typename Value>
struct Named {
  Value value;
  std::string_view name;
  std::string_view summary = {};
};
template <typename Value, typename... Texts>
Named(Value, Texts...) -> Named<Value>;  // clang 14 does not deduce aggregates

/// The entry of a value. Throws InputError for a value outside the table; `what` is what the table names.
template <typename Table, typename Value>
const auto& entry_of(const Table& table, std::string_view what, Value value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry;
  }
  throw InputError(fmt::format("{} {} is unknown", what, static_cast<unsigned>(value)));
}

template <typename Table, typename Value>
std::string_view name_in(const Table& table, std::string_view what, Value value) {
  return entry_of(table, what, value).name;
}

/// The value of a name. Throws InputError, listing the names there are.
template <typename Table>
auto value_named(const Table& table, std::string_view what, std::string_view name) {
  std::string known;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  throw InputError(fmt::format("{} '{}' is unknown; there are: {}", what, name, known));
}

/// All values of a table, in its order.
template <typename Value, std::size_t kCount>
constexpr std::array<Value, kCount> values_of(const std::array<Named<Value>, kCount>& table) {
  std::array<Value, kCount> values{};
  for (std::size_t i = 0; i < kCount; ++i) values[i] = table[i].value;
  return values;
}

}  // namespace graze::core
