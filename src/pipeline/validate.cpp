// Checks of what a query is given (pipeline/validate.hpp).
#include "pipeline/validate.hpp"

#include <fmt/format.h>

#include <graze/error.hpp>

namespace graze {

void validate_options(const DetectorOptions& options) {
  if (!std::isfinite(options.thickness) || options.thickness < 0.0) {
    throw InputError(fmt::format("thickness is {}; it must be finite and not negative", options.thickness));
  }
  if (!(options.tolerance >= 0x1p-40 && options.tolerance <= 1.0)) {
    throw InputError(fmt::format("tolerance is {}; it must lie in [2^-40, 1]", options.tolerance));
  }
  method_name(options.method);  // these throw for a value outside the enumeration
  if (options.hierarchy.volume) name_of(*options.hierarchy.volume);
  if (options.hierarchy.builder) name_of(*options.hierarchy.builder);
  name_of(options.hierarchy.edge_bounds);
  if (options.hierarchy.cones) name_of(*options.hierarchy.cones);
}

void validate_positions(const Scene& scene, std::span<const Vec3> x, std::string_view name) {
  if (x.size() != scene.vertex_count()) {
    throw InputError(
        fmt::format("{} has {} positions, the scene has {} vertices", name, x.size(), scene.vertex_count()));
  }
  for (std::size_t v = 0; v < x.size(); ++v) {
    const char axis = axis_not_finite(x[v]);
    if (axis != 0) {
      const BodyId body = scene.body_of(static_cast<VertexId>(v));
      throw InputError(fmt::format("{}: vertex {} (body {}, its vertex {}): {} is {}, not a finite number", name, v,
                                   body, v - scene.vertices(body).first, axis, coordinate(x[v], axis)));
    }
  }
}

void validate_step(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  validate_positions(scene, x_t0, "x_t0");
  validate_positions(scene, x_t1, "x_t1");
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    if (scene.motion(body) != Motion::Static) continue;
    const auto [first, last] = scene.vertices(body);
    for (VertexId v = first; v < last; ++v) {
      if (x_t0[v] == x_t1[v]) continue;
      for (const char axis : {'x', 'y', 'z'}) {
        const double from = coordinate(x_t0[v], axis);
        const double to = coordinate(x_t1[v], axis);
        if (from != to) {
          throw InputError(
              fmt::format("body {} is static, but its vertex {} (scene vertex {}) moves: {} from {} to {}", body,
                          v - first, v, axis, from, to));
        }
      }
    }
  }
}

void validate_distance(double d) {
  if (!std::isfinite(d) || d < 0.0) {
    throw InputError(fmt::format("distance is {}; it must be finite and not negative", d));
  }
}

}  // namespace graze
