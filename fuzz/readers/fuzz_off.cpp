// Fuzzes the OFF reader: any bytes give a valid mesh or a clean error.
#include "readers/check_reader.hpp"

#include "io/readers.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-naming)
  graze::fuzz::check_mesh_reader(data, size, graze::io::read_off);
  return 0;
}
