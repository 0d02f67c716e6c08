// Figure 5 of ADAPTIVE and the closed forms of its section 8. The figure has no numbers: our Monte Carlo results
// stand beside the integrals that they converge to. Cost: linear in the tests.
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/tasks.hpp"
#include "research/papers/adaptive.hpp"
#include "research/papers/free_movement.hpp"
#include "research/papers/plots.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr std::array kRatios = {1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
constexpr std::array kShownRatios = {1.5, 2.0, 3.0, 5.0, 10.0};  // of the second table
constexpr std::array kDistances = {0.0015, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0};

PaperSection expected_ways(Json& json) {
  PaperSection section{.title = "Figure 5 (a): expected free movement of a small cube in a large one",
                       .note = fmt::format("Mean over {} places and directions; lengths in sides of the small "
                                           "cube, k the side of the large one. The "
                                           "paper finds it almost linear in the ratio of sides; it is linear: the "
                                           "corner of the small cube is a point "
                                           "in a cube of side k - 1. In one dimension it is (k - 1) / 2.",
                                           with_separators(FreeMovementOptions{}.tests)),
                       .columns = {"k", "3D, drawn", "3D, integral", "1D, drawn", "1D, (k - 1) / 2"},
                       .rows = {},
                       .chart = {}};
  json = Json::array();
  CurveChart chart{.title = "Expected free movement", .across = "k", .curves = {}};
  CurveChart::Curve drawn{.name = "3D", .x = {}, .y = {}};
  CurveChart::Curve line{.name = "1D", .x = {}, .y = {}};
  std::uint64_t seed = 0;  // a different seed for every figure
  for (const double k : kRatios) {
    const double mean = simulate_free_movement(k, {}, {.seed = ++seed}).mean;
    const double mean_1d = simulate_free_movement(k, {}, {.seed = ++seed, .dimensions = 1}).mean;
    const double limit = expected_free_movement(k, 3);
    const double limit_1d = expected_free_movement(k, 1);
    section.rows.push_back({fmt::format("{}", k), fmt::format("{:.4f}", mean), fmt::format("{:.4f}", limit),
                            fmt::format("{:.4f}", mean_1d), fmt::format("{:.4f}", limit_1d)});
    json.push_back(
        {{"k", k}, {"drawn", mean}, {"integral", limit}, {"drawn_1d", mean_1d}, {"closed_1d", limit_1d}});
    drawn.x.push_back(k);
    drawn.y.push_back(mean);
    line.x.push_back(k);
    line.y.push_back(mean_1d);
  }
  chart.curves = {std::move(drawn), std::move(line)};
  section.chart = curves_svg(chart);
  return section;
}

PaperSection free_shares(Json& json) {
  PaperSection section{
      .title = "Figure 5 (b): probability of penetration-free movement",
      .note =
          "Drawn / integral / the weak bound of section 8.2, for any direction, by the distance moved, in sides of "
          "the "
          "small cube. The paper's example, 0.0015 a step, is the first row: almost one, as it says.",
      .columns = {"distance"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  CurveChart chart{.title = "Probability of penetration-free movement", .across = "distance", .curves = {}};
  std::vector<FreeMovement> drawn;
  for (const double k : kShownRatios) {
    section.columns.push_back(fmt::format("k = {}", k));
    drawn.push_back(simulate_free_movement(k, kDistances, {.seed = 100 + drawn.size()}));
    chart.curves.push_back({.name = fmt::format("k = {}", k), .x = {0.0}, .y = {1.0}});
  }
  for (std::size_t d = 0; d < kDistances.size(); ++d) {
    std::vector<std::string> cells{fmt::format("{}", kDistances[d])};
    for (std::size_t i = 0; i < kShownRatios.size(); ++i) {
      const double share = drawn[i].free_share[d];
      const double limit = expected_free_share(kShownRatios[i], kDistances[d]);
      const double weak = weak_free_share(kShownRatios[i], kDistances[d]);
      cells.push_back(fmt::format("{:.3f} / {:.3f} / {:.3f}", share, limit, weak));
      json.push_back({{"k", kShownRatios[i]},
                      {"distance", kDistances[d]},
                      {"drawn", share},
                      {"integral", limit},
                      {"weak", weak}});
      chart.curves[i].x.push_back(kDistances[d]);
      chart.curves[i].y.push_back(share);
    }
    section.rows.push_back(std::move(cells));
  }
  section.chart = curves_svg(chart);
  return section;
}

}  // namespace

std::vector<PaperSection> adaptive_movement(const PaperRequest& request, Json& json) {
  std::vector<PaperSection> sections;
  with_threads(request.threads, [&] {
    sections.push_back(expected_ways(json["expected"]));
    sections.push_back(free_shares(json["free"]));
  });
  return sections;
}

}  // namespace graze::papers
