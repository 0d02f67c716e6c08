// Progress, counters and the reported gap of a query (query/query.hpp).
#include "query/query.hpp"

#include <graze/error.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "core/parallel_fold.hpp"

namespace graze::query {

void report_progress(const DetectorOptions& options, double share) {
  if (options.progress && !options.progress(share)) throw Interrupted();
}

DetectorOptions stage_options(const DetectorOptions& options, double begin, double end) {
  DetectorOptions stage = options;
  if (!options.progress) return stage;
  stage.progress = [progress = &options.progress, begin, end](double share) {
    return (share == 0.0 && begin > 0.0) || (*progress)(begin + share * (end - begin));  // no share comes twice
  };
  return stage;
}

void add_counters(Stats& sum, const Stats& part) {
  sum.bv_tests += part.bv_tests;
  sum.triangle_pairs += part.triangle_pairs;
  sum.vf_tests += part.vf_tests;
  sum.ee_tests += part.ee_tests;
  sum.tiers += part.tiers;
  sum.culled += part.culled;
  sum.coherence += part.coherence;
  sum.hash += part.hash;
  sum.cluster += part.cluster;
}

double reported_gap(const ElementaryOptions& options, const StepPositions& x) {
  if (options.thickness == 0.0) return 0.0;
  struct Extent {
    std::array<double, 3> lo;
    std::array<double, 3> hi;
  };
  constexpr std::array kAxes = {&Vec3::x, &Vec3::y, &Vec3::z};
  Extent nothing;
  nothing.lo.fill(std::numeric_limits<double>::infinity());
  nothing.hi.fill(-std::numeric_limits<double>::infinity());
  const Extent extent = parallel_fold(
      x.size(), nothing,
      [&](std::size_t first, std::size_t last) {
        Extent piece = nothing;
        for (const std::span<const Vec3> positions : {x.x_t0, x.x_t1}) {
          for (std::size_t v = first; v < last; ++v) {
            for (std::size_t k = 0; k < 3; ++k) {
              piece.lo[k] = std::min(piece.lo[k], positions[v].*kAxes[k]);
              piece.hi[k] = std::max(piece.hi[k], positions[v].*kAxes[k]);
            }
          }
        }
        return piece;
      },
      [](Extent all, const Extent& piece) {
        for (std::size_t k = 0; k < 3; ++k) {
          all.lo[k] = std::min(all.lo[k], piece.lo[k]);
          all.hi[k] = std::max(all.hi[k], piece.hi[k]);
        }
        return all;
      });
  double size = 0.0;
  for (std::size_t k = 0; k < 3; ++k) size = std::max(size, extent.hi[k] - extent.lo[k]);
  const double slack = std::max(options.tolerance * std::min(1.0, options.thickness), 0x1p-43 * size);
  return (options.thickness + slack) * (1.0 + 0x1p-40);  // the factor covers a few roundings
}

}  // namespace graze::query
