// Numbers to and from bytes of either byte order (endianness). Compiles to one load or store, and a byte swap if
// the order differs from the machine's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

#include "core/namespaces.hpp"

namespace graze::io {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);

template <class T>
T load(const char* bytes, std::endian order) {
  std::array<char, sizeof(T)> raw{};
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

template <class T>
void append(std::string& bytes, T value, std::endian order) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
  bytes.append(raw.data(), raw.size());
}

}  // namespace graze::io
