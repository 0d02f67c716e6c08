// Fits k-DOPs to triangles and aligns the k-DOPs of b with those of a. See the header.
#include "rigid/trees/dop_volume.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/volume.hpp"

namespace graze::rigid {

namespace {

double along(const std::array<int, 3>& direction, const Point& u) {
  return direction[0] * u[0] + direction[1] * u[1] + direction[2] * u[2];
}

/// Index of the plane with this outward direction.
std::uint8_t plane_of(const std::array<int, 3>& direction) {
  std::size_t plane = 0;
  for (std::size_t i = 0; i < kDopDirections.size(); ++i) {
    const auto& [x, y, z] = kDopDirections[i];
    if (direction == std::array<int, 3>{x, y, z}) plane = 2 * i;
    if (direction == std::array<int, 3>{-x, -y, -z}) plane = 2 * i + 1;
  }
  return static_cast<std::uint8_t>(plane);
}

/// The three planes whose weighted sum of directions is v. `corners` allows the eight corner planes of the 26-DOP.
void find_planes(const Point& v, bool corners, DopSlab& slab) {
  std::array<std::size_t, 3> by_size{0, 1, 2};
  std::sort(by_size.begin(), by_size.end(),
            [&](std::size_t i, std::size_t j) { return std::abs(v[i]) > std::abs(v[j]); });
  const std::array<double, 3> size{std::abs(v[by_size[0]]), std::abs(v[by_size[1]]), std::abs(v[by_size[2]])};
  const auto [x, y, z] = size;
  // Sum of the selected signed axes, which are ordered by magnitude, the largest first.
  const auto plane = [&](bool first, bool second, bool third) {
    std::array<int, 3> direction{};
    const std::array<bool, 3> use{first, second, third};
    for (std::size_t n = 0; n < 3; ++n) {
      if (use[n]) direction[by_size[n]] = v[by_size[n]] < 0.0 ? -1 : 1;
    }
    return plane_of(direction);
  };
  std::array<double, 3> weight{};
  if (corners) {
    weight = {x - y, y - z, z};
    slab.plane = {plane(true, false, false), plane(true, true, false), plane(true, true, true)};
  } else if (x >= y + z) {
    weight = {x - y - z, y, z};
    slab.plane = {plane(true, false, false), plane(true, true, false), plane(true, false, true)};
  } else {
    weight = {0.5 * (x + y - z), 0.5 * (x + z - y), 0.5 * (y + z - x)};
    slab.plane = {plane(true, true, false), plane(true, false, true), plane(false, true, true)};
  }
  for (std::size_t n = 0; n < 3; ++n) slab.weight[n] = static_cast<float>(std::max(weight[n], 0.0));
}

}  // namespace

void align_dops(const LocalView& view, std::span<DopSlab> slabs) {
  for (std::size_t n = 0; n < slabs.size(); ++n) {
    const std::array<int, 3>& direction = kDopDirections[n];
    Point v{};
    double offset = 0.0;
    double margin = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (direction[k] == 0) continue;
      for (std::size_t i = 0; i < 3; ++i) v[i] += direction[k] * static_cast<double>(view.slope[i][k]);
      offset += direction[k] * static_cast<double>(view.offset[k]);
      margin += static_cast<double>(view.margin[k]);
    }
    find_planes(v, slabs.size() == 13, slabs[n]);
    const bool finite = std::isfinite(offset) && std::isfinite(margin);
    slabs[n].offset = finite ? round_up(offset + margin) : std::numeric_limits<float>::infinity();
    slabs[n].offset_against = finite ? round_up(margin - offset) : std::numeric_limits<float>::infinity();
  }
}

template <std::size_t Planes>
DopVolume<Planes> DopVolume<Planes>::fit(std::span<const Corners> triangles) {
  DopVolume volume{};
  for (std::size_t i = 0; i < Planes / 2; ++i) {
    double lo = along(kDopDirections[i], triangles[0][0]);
    double hi = lo;
    for (const Corners& corners : triangles) {
      for (const Point& corner : corners) {
        const double now = along(kDopDirections[i], corner);
        lo = std::min(lo, now);
        hi = std::max(hi, now);
      }
    }
    // Two roundings of sums below 4, and three coordinates that err by at most 2^-53.
    volume.reach[2 * i] = round_up(hi + 0x1p-49);
    volume.reach[2 * i + 1] = round_up(0x1p-49 - lo);
  }
  return volume;
}

template <std::size_t Planes>
bool DopVolume<Planes>::contains(const Point& u) const {
  for (std::size_t i = 0; i < Planes / 2; ++i) {
    const double now = along(kDopDirections[i], u);
    if (!(now <= static_cast<double>(reach[2 * i]) && -now <= static_cast<double>(reach[2 * i + 1]))) return false;
  }
  return true;
}

template struct DopVolume<18>;
template struct DopVolume<26>;

}  // namespace graze::rigid
