// Benchmark of building a boxtree, per polygon: spheres, tori and a CAD-like soup of ten thousand to a million
// triangles, for each split rule. Time must be linear: the last column is ns/polygon relative to the smallest size.
//
// Processor time of one thread, the minimum of several builds, including frame and boxes. Each tree is validated;
// an invalid one fails.
//
//   graze_bench_boxtree_build [SIZE]...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "core/tasks.hpp"
#include "rigid/boxtree/build_boxtree.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shapes/soups.hpp"

namespace {

using graze::scenes::Shape;

Shape make_sphere_of(std::size_t triangles) {
  std::size_t levels = 1;
  while (8 * (levels + 1) * (levels + 1) <= triangles) ++levels;
  return graze::scenes::make_sphere(levels);
}

struct Family {
  const char* name;
  Shape (*make)(std::size_t);
};

double seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Returns false if a tree is invalid.
bool measure(const Family& family, const std::vector<std::size_t>& sizes, graze::BoxtreeSplit split) {
  double smallest = 0.0;
  for (const std::size_t size : sizes) {
    const Shape shape = family.make(size);
    const std::size_t count = shape.triangles.size();
    const std::size_t repeats = std::max<std::size_t>(3, 1'000'000 / count);
    double best = std::numeric_limits<double>::max();
    graze::rigid::Boxtree tree;
    graze::core::with_threads(1, [&] {
      for (std::size_t i = 0; i < repeats; ++i) {
        const double start = seconds();
        tree = graze::rigid::build_boxtree(shape.positions, shape.triangles, split);
        best = std::min(best, seconds() - start);
      }
    });
    const std::string wrong = graze::rigid::validate_boxtree(tree, shape.positions, shape.triangles);
    if (!wrong.empty()) {
      std::fprintf(stderr, "%s, %s: %s\n", family.name, std::string(name_of(split)).c_str(), wrong.c_str());
      return false;
    }
    const double ns = 1e9 * best / static_cast<double>(count);
    if (smallest == 0.0) smallest = ns;
    std::printf("%-8s %-8s %9zu %6u %11.1f %12.2f %9.2f\n", family.name, std::string(name_of(split)).c_str(), count,
                tree.depth, ns, 1e3 / ns, ns / smallest);
    std::fflush(stdout);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {10'000, 100'000, 1'000'000};
  const std::vector<Family> families{{"sphere", make_sphere_of},
                                     {"torus", [](std::size_t n) { return graze::scenes::make_torus_soup(n); }},
                                     {"car body", [](std::size_t n) { return graze::scenes::make_car_body(n); }}};
  std::printf("%-8s %-8s %9s %6s %11s %12s %9s\n", "shape", "split", "triangles", "depth", "ns/polygon",
              "million/s", "of least");
  bool right = true;
  for (const graze::BoxtreeSplit split : graze::all_values<graze::BoxtreeSplit>()) {
    for (const Family& family : families) right = measure(family, sizes, split) && right;
  }
  return right ? 0 : 1;
}
