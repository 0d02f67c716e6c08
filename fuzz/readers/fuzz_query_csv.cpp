// Fuzzes the query reader: any bytes give queries of finite coordinates or a clean error.
#include "readers/check_reader.hpp"

#include "io/query_csv.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-naming)
  graze::fuzz::check_reader(data, size, graze::io::parse_queries, [](const std::vector<graze::Query>& queries) {
    for (const graze::Query& query : queries) {
      graze::fuzz::check_positions({query.step.t0.begin(), query.step.t0.end()});
      graze::fuzz::check_positions({query.step.t1.begin(), query.step.t1.end()});
    }
  });
  return 0;
}
