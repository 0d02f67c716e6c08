// Families of boxes for the tests of voxels (hash/box_families.hpp).
#include "hash/box_families.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "oracle/random.hpp"

namespace graze::testing {

namespace {

using oracle::Random;
using Point = std::array<float, 3>;
using Boxes = std::vector<PackedBox>;

constexpr float kMaxFloat = std::numeric_limits<float>::max();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float in(Random& random, double lo, double hi) {
  return static_cast<float>(lo + (hi - lo) * random.unit());
}

float power(int exponent) {
  return std::ldexp(1.0F, exponent);
}

Point point(Random& random, double reach) {
  const float x = in(random, -reach, reach);
  const float y = in(random, -reach, reach);
  return {x, y, in(random, -reach, reach)};
}

PackedBox around(const Point& lo, const Point& size) {
  return packed(lo, {lo[0] + size[0], lo[1] + size[1], lo[2] + size[2]});
}

template <typename Make>
Boxes many(std::size_t count, const Make& make) {
  Boxes all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(make(i));
  return all;
}

Boxes uniform(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  const double size = 2.0 / std::cbrt(static_cast<double>(count));
  return many(count, [&](std::size_t) {
    const Point at = point(random, 1.0);
    return around(at, {in(random, 0, size), in(random, 0, size), in(random, 0, size)});
  });
}

Boxes equal(std::uint64_t /*seed*/, std::size_t count) {
  return many(std::min<std::size_t>(count, 150), [](std::size_t) {
    return packed({-0.3F, 0.2F, 0.7F}, {0.4F, 0.9F, 1.1F});
  });
}

Boxes points(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {  // on a small lattice, so that many coincide
    const auto at = [&] { return static_cast<float>(random.between(-3, 3)); };
    const Point p = {at(), at(), at()};
    return packed(p, p);
  });
}

Boxes one_point(std::uint64_t /*seed*/, std::size_t count) {
  return many(std::min<std::size_t>(count, 150), [](std::size_t) { return packed({}, {-0.0F, 0.0F, -0.0F}); });
}

Boxes flat(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    Point size = {in(random, 0, 0.4), in(random, 0, 0.4), in(random, 0, 0.4)};
    Point at = point(random, 1.0);
    const std::size_t axis = random.below(3);
    size[axis] = 0.0F;
    if (random.coin()) at[axis] = 0.25F * static_cast<float>(random.between(-4, 4));
    return around(at, size);
  });
}

Boxes needles(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    Point size = {0.03F, 0.03F, 0.03F};
    size[random.below(3)] = in(random, 0, 2.0);
    return around(point(random, 1.0), size);
  });
}

/// Sizes from 1 to 2^40, equally frequent, overlapping each other.
Boxes mixed_sizes(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t i) {
    const int exponent = static_cast<int>(i % 41);
    const double size = std::ldexp(1.0, exponent);
    const double reach = random.below(3) == 0 ? 4.0 : 2.0 * size;
    return around(point(random, reach), {in(random, 0, size), in(random, 0.5 * size, size), in(random, 0, size)});
  });
}

/// Corners at multiples of a power of two, with touching faces.
Boxes on_corners(std::uint64_t seed, std::size_t count, float cell) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = random.between(-4, 4);
      lo[k] = cell * static_cast<float>(from);
      hi[k] = cell * static_cast<float>(from + random.between(0, 2));
      if (lo[k] == 0.0F && random.coin()) lo[k] = -0.0F;
      if (hi[k] == 0.0F && random.coin()) hi[k] = -0.0F;
    }
    return packed(lo, hi);
  });
}

Boxes touching_at_corners(std::uint64_t seed, std::size_t count) {
  return on_corners(seed, count, 1.0F);
}
Boxes touching_at_small_corners(std::uint64_t seed, std::size_t count) {
  return on_corners(seed, count, 0x1p-70F);
}
Boxes touching_at_large_corners(std::uint64_t seed, std::size_t count) {
  return on_corners(seed, count, 0x1p110F);
}

/// Coordinates on cell corners or one float beside them.
Boxes beside_corners(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  const auto near = [&](int cell) {
    const auto at = static_cast<float>(cell);
    const std::uint32_t which = random.below(3);
    return which == 0 ? at : std::nextafter(at, which == 1 ? -kInfinity : kInfinity);
  };
  return many(count, [&](std::size_t) {
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = random.between(-3, 3);
      lo[k] = near(from);
      hi[k] = std::max(lo[k], near(from + random.between(0, 1)));
    }
    return packed(lo, hi);
  });
}

Boxes far_away(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Boxes all = uniform(seed, count);
  const Point centre = {0x1p22F, -0x1p23F, 0x1p24F};  // adjacent floats differ by 0.5, 1 and 2 there
  for (PackedBox& box : all) {
    const Aabb small = box.box();
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = centre[k] + std::floor(8.0F * small.lo[k]);
      hi[k] = centre[k] + std::ceil(8.0F * small.hi[k]);
    }
    box = packed(lo, hi);
  }
  return all;
}

Boxes denormals(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = random.between(-20, 20);
      lo[k] = kLeast * static_cast<float>(from);
      hi[k] = kLeast * static_cast<float>(from + random.between(0, 8));
    }
    return packed(lo, hi);
  });
}

/// Denormal boxes, boxes of size 1, and boxes as large as floats allow.
Boxes all_of_floats(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    const int exponent = random.between(-149, 127);
    const float size = power(exponent);
    const float at = random.coin() ? 0.0F : power(random.between(-149, 126));
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = random.coin() ? at : -at;
      hi[k] = std::min(kMaxFloat, lo[k] + (random.below(4) == 0 ? 0.0F : size));
    }
    return packed(lo, hi);
  });
}

Boxes at_the_end(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  const std::array<float, 6> ends = {kMaxFloat, std::nextafter(kMaxFloat, 0.0F), 0x1p127F, -kMaxFloat, -0x1p127F,
                                     0.0F};
  return many(count, [&](std::size_t) {
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = ends[random.below(6)];
      hi[k] = ends[random.below(6)];
      if (lo[k] > hi[k]) std::swap(lo[k], hi[k]);
    }
    return packed(lo, hi);
  });
}

/// Infinite coordinates, as positions beyond the range of floats round to.
Boxes infinite_ends(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    Point lo{};
    Point hi{};
    for (std::size_t k = 0; k < 3; ++k) {
      switch (random.below(6)) {
        case 0:
          lo[k] = kMaxFloat;
          hi[k] = kInfinity;
          break;
        case 1:
          lo[k] = -kInfinity;
          hi[k] = -kMaxFloat;
          break;
        case 2:
          lo[k] = -kInfinity;
          hi[k] = kInfinity;
          break;
        case 3:
          lo[k] = in(random, -2, 2);
          hi[k] = kInfinity;
          break;
        default:
          lo[k] = in(random, -2, 2);
          hi[k] = lo[k] + in(random, 0, 1);
      }
    }
    return packed(lo, hi);
  });
}

Boxes a_giant_among_tiny_ones(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Boxes all = many(count, [&](std::size_t) {
    return around(point(random, 1.0), {in(random, 0, 0.1), in(random, 0, 0.1), in(random, 0, 0.1)});
  });
  all[all.size() / 2] = packed({-1000.0F, -3000.0F, -700.0F}, {5000.0F, 1000.0F, 900.0F});
  return all;
}

/// Each box is twice as large as the previous one.
Boxes ladder(std::uint64_t seed, std::size_t /*count*/) {
  Random random(seed);
  const bool around_zero = random.coin();
  return many(200, [&](std::size_t i) {
    const float size = power(static_cast<int>(i) - 100);
    const float from = around_zero ? -0.5F * size : size;
    return packed({from, from, -size}, {from + size, from + size, size});
  });
}

/// Boxes of size 2^-30 to 2^30 that touch others at corners only.
Boxes ladders(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    const float size = power(random.between(-30, 30));
    Point lo{};
    for (float& x : lo) x = std::array{0.0F, -size, size, -2.0F * size, -0.0F}[random.below(5)];
    return around(lo, {size, size, size});
  });
}

/// Small groups of boxes of very different sizes, far apart.
Boxes clusters(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t i) {
    const double size = std::ldexp(1.0, static_cast<int>(i % 7) * 5 - 20);
    const Point at = point(random, 3.0 * size);
    const float aside = i % 7 == 3 ? 0.0F : static_cast<float>(i % 7) * 100.0F;
    const Point lo = {at[0] + aside, at[1], at[2]};
    return packed(lo, {std::max(lo[0], lo[0] + in(random, 0, size)), at[1] + in(random, 0, size),
                       at[2] + in(random, 0, size)});
  });
}

/// Cells that differ only in high bits of their coordinates.
Boxes far_rows(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  return many(count, [&](std::size_t) {
    Point lo{};
    for (float& x : lo) x = 64.0F * static_cast<float>(random.between(-2, 2)) + in(random, 0, 1.5);
    return around(lo, {in(random, 0, 1), in(random, 0.5, 1), in(random, 0, 1)});
  });
}

/// Plates, some of them thick, in a few cells: large cell batches that are swept along an axis.
Boxes stack(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  const std::size_t axis = seed % 3;
  return many(count, [&](std::size_t i) {
    Point lo = {in(random, -0.01, 0.01), in(random, -0.01, 0.01), in(random, -0.01, 0.01)};
    Point size = {0.9F, 0.9F, 0.9F};
    lo[axis] = 1.0F - in(random, 0.0, 1.0);
    size[axis] = i % 10 == 0 ? in(random, 0.05, 0.15) : in(random, 0.0, 0.004);
    return around(lo, size);
  });
}

/// Unit boxes in pairs; the pairs are so far apart that the low bits of their cells are equal.
Boxes far_lattice(std::uint64_t seed, std::size_t count) {
  const float pitch = seed % 2 == 0 ? 64.0F : 1024.0F;
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count) / 2.0)));
  return many(count, [&](std::size_t i) {
    const std::size_t place = i / 2;
    const auto at = [&](std::size_t step) { return pitch * (static_cast<float>(step % side) - 2.0F); };
    const float aside = i % 2 == 0 ? 0.0F : 0.5F;
    return around({at(place) + aside, at(place / side) + aside, at(place / side / side)}, {1.0F, 1.0F, 1.0F});
  });
}

/// Small boxes in a layer, one in five stretched along an axis, across many of the others.
Boxes long_among_short(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  const double side = std::sqrt(static_cast<double>(count));
  return many(count, [&](std::size_t i) {
    const Point lo = {in(random, 0, side), in(random, 0, side), in(random, 0, 2)};
    Point size = {in(random, 0.5, 1), in(random, 0.5, 1), in(random, 0.1, 0.3)};
    if (i % 5 == 0) size[random.below(3)] = power(random.between(3, 6));
    return around(lo, size);
  });
}

constexpr std::array kFamilies = {
    BoxFamily{"uniform", uniform},
    BoxFamily{"equal", equal},
    BoxFamily{"points", points},
    BoxFamily{"one_point", one_point},
    BoxFamily{"flat", flat},
    BoxFamily{"needles", needles},
    BoxFamily{"mixed_sizes", mixed_sizes},
    BoxFamily{"touching_at_corners", touching_at_corners},
    BoxFamily{"touching_at_small_corners", touching_at_small_corners},
    BoxFamily{"touching_at_large_corners", touching_at_large_corners},
    BoxFamily{"beside_corners", beside_corners},
    BoxFamily{"far_away", far_away},
    BoxFamily{"denormals", denormals},
    BoxFamily{"all_of_floats", all_of_floats},
    BoxFamily{"at_the_end", at_the_end},
    BoxFamily{"infinite_ends", infinite_ends},
    BoxFamily{"a_giant_among_tiny_ones", a_giant_among_tiny_ones},
    BoxFamily{"ladder", ladder},
    BoxFamily{"ladders", ladders},
    BoxFamily{"clusters", clusters},
    BoxFamily{"far_rows", far_rows},
    BoxFamily{"far_lattice", far_lattice},
    BoxFamily{"stack", stack},
    BoxFamily{"long_among_short", long_among_short},
};

}  // namespace

PackedBox packed(const std::array<float, 3>& lo, const std::array<float, 3>& hi) {
  PackedBox box;
  box.set(Aabb{lo, hi});
  box.first = 0xdeadbeefU;  // belongs to the caller: must not change
  box.second = 0x7fc00000U;
  return box;
}

std::span<const BoxFamily> box_families() {
  return kFamilies;
}

}  // namespace graze::testing
