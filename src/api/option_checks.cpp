// Checks of a detector's options (api/option_checks.hpp).
#include "api/option_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "methods/adaptive/skip_controller.hpp"

namespace graze::api {

namespace {

/// Throws InputError for a value outside its enumeration.
template <typename Enum>
void require_known(Enum value) {
  static_cast<void>(name_of(value));
}

void validate_adaptive(const research::AdaptiveOptions& options) {
  constexpr unsigned kMaxFrames = methods::SkipController::kMaxFrames;
  if (options.frames > kMaxFrames) {
    throw InputError(
        fmt::format("adaptive.frames is {}; a session has at most {} steps", options.frames, kMaxFrames));
  }
  if (!std::isfinite(options.alpha)) {  // a negative value selects the method's default
    throw InputError(fmt::format("adaptive.alpha is {}; it must be finite", options.alpha));
  }
  const auto require_not_negative = [](const char* name, double value) {
    if (!std::isfinite(value) || value < 0.0) {
      throw InputError(fmt::format("adaptive.{} is {}; it must be finite and not negative", name, value));
    }
  };
  require_not_negative("beta", options.beta);
  require_not_negative("gamma", options.gamma);
  if (!(options.low_curvature > 0.0 && options.low_curvature < 90.0)) {
    throw InputError(
        fmt::format("adaptive.low_curvature is {}; it must lie between 0 and 90 degrees", options.low_curvature));
  }
}

void validate_hash(const research::HashOptions& options) {
  require_known(options.cells);
  require_known(options.neighbours);
  constexpr double kMaxVoxels = 1024.0;
  if (!(options.voxels >= 0.0 && options.voxels <= kMaxVoxels)) {
    throw InputError(fmt::format("hash.voxels is {}; it must lie in [0, {}]", options.voxels, kMaxVoxels));
  }
  if (!(options.normal_threshold >= -1.0 && options.normal_threshold <= 1.0)) {
    throw InputError(fmt::format("hash.normal_threshold is {}; it must lie in [-1, 1]", options.normal_threshold));
  }
}

}  // namespace

void validate_options(const DetectorOptions& options) {
  if (!std::isfinite(options.thickness) || options.thickness < 0.0) {
    throw InputError(fmt::format("thickness is {}; it must be finite and not negative", options.thickness));
  }
  if (!(options.tolerance >= 0x1p-40 && options.tolerance <= 1.0)) {
    throw InputError(fmt::format("tolerance is {}; it must lie in [2^-40, 1]", options.tolerance));
  }
  require_known(options.method);
  require_known(options.device);
  if (options.research->hierarchy.volume) require_known(*options.research->hierarchy.volume);
  if (options.research->hierarchy.builder) require_known(*options.research->hierarchy.builder);
  require_known(options.research->hierarchy.edge_bounds);
  if (options.research->hierarchy.cones) require_known(*options.research->hierarchy.cones);
  validate_adaptive(options.research->adaptive);
  validate_hash(options.research->hash);
}

void validate_safe_step(const SafeStepOptions& options) {
  if (!(options.keep >= 1.0 / 64.0 && options.keep < 1.0)) {
    throw InputError(fmt::format("keep is {}; it must be in [1/64, 1)", options.keep));
  }
  if (!std::isfinite(options.min_distance) || options.min_distance < 0.0) {
    throw InputError(fmt::format("min_distance is {}; it must be finite and not negative", options.min_distance));
  }
}

void validate_distance(double d) {
  if (!std::isfinite(d) || d < 0.0) {
    throw InputError(fmt::format("distance is {}; it must be finite and not negative", d));
  }
}

}  // namespace graze::api
