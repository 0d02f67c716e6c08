// The structures of DLPack, by which libraries hand arrays to each other without a copy: version 0 of its binary
// interface (https://dmlc.github.io/dlpack), which a capsule named "dltensor" holds. Names are ours; the layout and
// the numbers are those of the interface.
#pragma once

#include <cstddef>
#include <cstdint>

namespace graze::python::dlpack {

/// Name of a capsule whose array nobody has taken yet, and the name that who takes it gives to the capsule.
inline constexpr const char* kName = "dltensor";
inline constexpr const char* kUsedName = "used_dltensor";

/// Kinds of memory. Queries on a GPU read both kinds of CUDA's memory; the host reads pinned memory.
inline constexpr std::int32_t kHost = 1;
inline constexpr std::int32_t kCuda = 2;
inline constexpr std::int32_t kPinned = 3;
inline constexpr std::int32_t kCudaManaged = 13;

/// Kinds of values.
inline constexpr std::uint8_t kInt = 0;
inline constexpr std::uint8_t kUnsigned = 1;
inline constexpr std::uint8_t kFloat = 2;

/// Where an array lies: the kind of memory, and the number of the device.
struct Place {
  std::int32_t kind;
  std::int32_t number;
};

/// Type of one value: its kind and its bits. An element may have several values ("lanes").
struct ValueType {
  std::uint8_t kind;
  std::uint8_t bits;
  std::uint16_t lanes;
};

/// An array. Strides count elements, not bytes; without strides it is contiguous, the last index fastest.
struct Tensor {
  void* data;
  Place place;
  std::int32_t dimensions;
  ValueType type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< may be null
  std::uint64_t byte_offset;
};

/// An array with the function that gives it back to the library that owns it.
struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*give_back)(ManagedTensor* self);  ///< may be null
};

static_assert(sizeof(Place) == 8 && sizeof(ValueType) == 4);
static_assert(sizeof(void*) != 8 || (offsetof(Tensor, shape) == 24 && sizeof(Tensor) == 48));
static_assert(sizeof(void*) != 8 || sizeof(ManagedTensor) == 64);

}  // namespace graze::python::dlpack
