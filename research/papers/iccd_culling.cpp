// ICCD, sections IV and VIII: counters of cones and contours, tight cones against canonical ones (ADAPTIVE's),
// 18-DOPs against boxes, and memory. These figures are from the paper's text, not its tables; some are ranges.
#include <string>
#include <utility>
#include <vector>

#include "output/terminal.hpp"
#include "research/papers/figures.hpp"
#include "research/papers/iccd.hpp"

#include <fmt/format.h>

namespace graze::papers::iccd {
namespace {

/// Percentage of the moving triangles that lie in patches proved free of self-collision; mean over the steps.
double free_share(const Measured& measured, std::string_view contestant) {
  const CullCounts& culled = measured.row(contestant).stats.culled;
  return 100.0 * quotient(measured.a_step(static_cast<double>(culled.free_triangles)),
                          static_cast<double>(measured.moving));
}

}  // namespace

PaperSection culling_section(const std::vector<Measured>& all, Json& json) {
  PaperSection section{
      .title = "Section IV: what cones and contours did",
      .note =
          "Per step of iccd: patches whose cone was tested, contours that were tested, how many of them "
          "proved their patch free of self-collision, and the share of moving triangles in such patches. "
          "Planar tests are pairs of contour edges in projection.",
      .columns = {"scene", "cones", "contours", "proved", "triangles free", "a patch", "planar tests", "exact",
                  "orphans", "dropped"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const Measured& measured : all) {
    // The paper's contestant tests every orphan that lies in no proved patch.
    const CullCounts& culled = measured.row(kPaper).stats.culled;
    const auto mean = [&](std::uint64_t sum) { return measured.a_step(static_cast<double>(sum)); };
    const double proved =
        quotient(static_cast<double>(culled.free_patches), static_cast<double>(culled.contour_tests));
    const double patch =
        quotient(static_cast<double>(culled.free_triangles), static_cast<double>(culled.free_patches));
    section.rows.push_back({measured.scene->title, count_text(mean(culled.cone_tests)),
                            count_text(mean(culled.contour_tests)), percent(100.0 * proved),
                            percent(free_share(measured, kOurs)), fmt::format("{:.1f}", patch),
                            count_text(mean(culled.planar_tests)), count_text(mean(culled.exact_planar_tests)),
                            count_text(mean(culled.orphans)), count_text(mean(culled.orphans_free))});
    json.push_back({{"scene", measured.scene->name},
                    {"cone_tests", mean(culled.cone_tests)},
                    {"contour_tests", mean(culled.contour_tests)},
                    {"proved", proved},
                    {"free_share", free_share(measured, kOurs) / 100.0},
                    {"triangles_a_patch", patch},
                    {"planar_tests", mean(culled.planar_tests)},
                    {"exact_planar_tests", mean(culled.exact_planar_tests)},
                    {"orphans", mean(culled.orphans)},
                    {"orphans_free", mean(culled.orphans_free)}});
  }
  return section;
}

PaperSection cones_section(const std::vector<Measured>& all, Json& json) {
  PaperSection section{
      .title = "Section VIII-B: cones of control normals against canonical cones, and none",
      .note =
          "iccd with cones of the control normals, with canonical cones (a ball about the mean normal), "
          "and without cones: moving triangles in proved patches, elementary tests and milliseconds per "
          "step.",
      .columns = {"scene", "tight: free", "tests", "ms", "canonical: free", "tests", "ms", "none: tests", "ms"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const Measured& measured : all) {
    std::vector<std::string> cells = {measured.scene->title};
    Json line = {{"scene", measured.scene->name}};
    const std::vector<std::pair<const char*, std::string_view>> kinds = {
        {"tight", kOurs}, {"canonical", kCanonical}, {"none", kNoCones}};
    for (const auto& [key, contestant] : kinds) {
      const BenchRow& row = measured.row(contestant);
      if (contestant != kNoCones) cells.push_back(percent(free_share(measured, contestant)));
      cells.push_back(count_text(measured.tests_a_step(contestant)));
      cells.push_back(format_ms(row.median_ms));
      line[key] = {{"free_share", free_share(measured, contestant) / 100.0},
                   {"tests", measured.tests_a_step(contestant)},
                   {"triangle_pairs", measured.a_step(static_cast<double>(row.stats.triangle_pairs))},
                   {"median_ms", row.median_ms}};
    }
    section.rows.push_back(std::move(cells));
    json.push_back(std::move(line));
  }
  return section;
}

PaperSection volumes_section(const std::vector<Measured>& all, Json& json) {
  PaperSection section{
      .title = "Section VIII-A: 18-DOPs against boxes, and memory",
      .note =
          "Milliseconds per step with boxes divided by those with 18-DOPs: the paper finds 18-DOPs 5 to 18 "
          "% faster. Our method tests bounds of features before each elementary test; iccd as printed does "
          "not. Bytes per triangle are the whole memory of a detector; the paper has about 500.",
      .columns = {"scene", "ours: box tests", "18-DOP tests", "boxes ms", "18-DOPs ms", "boxes/18-DOPs",
                  "as printed: box tests", "18-DOP tests", "boxes/18-DOPs", "bytes: boxes", "18-DOPs / printed"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const Measured& measured : all) {
    const BenchRow& boxes = measured.row(kBoxes);
    const BenchRow& dops = measured.row(kOurs);
    const BenchRow& paper_boxes = measured.row(kPaperBoxes);
    const BenchRow& paper_dops = measured.row(kPaper);
    section.rows.push_back(
        {measured.scene->title, count_text(measured.tests_a_step(kBoxes)), count_text(measured.tests_a_step(kOurs)),
         format_ms(boxes.median_ms), format_ms(dops.median_ms), factor(quotient(boxes.median_ms, dops.median_ms)),
         count_text(measured.tests_a_step(kPaperBoxes)), count_text(measured.tests_a_step(kPaper)),
         factor(quotient(paper_boxes.median_ms, paper_dops.median_ms)),
         fmt::format("{:.0f}", boxes.bytes_per_triangle.value_or(0.0)),
         fmt::format("{:.0f} / 500", dops.bytes_per_triangle.value_or(0.0))});
    const auto figures = [&](const BenchRow& row) {
      return Json({{"tests", measured.a_step(tests(row))},
                   {"bv_tests", measured.a_step(static_cast<double>(row.stats.bv_tests))},
                   {"median_ms", row.median_ms},
                   {"bytes_per_triangle", row.bytes_per_triangle.value_or(0.0)}});
    };
    json.push_back({{"scene", measured.scene->name},
                    {"boxes", figures(boxes)},
                    {"kdop18", figures(dops)},
                    {"boxes_without_feature_bounds", figures(paper_boxes)},
                    {"kdop18_without_feature_bounds", figures(paper_dops)},
                    {"printed", {{"faster", {0.05, 0.18}}, {"bytes_per_triangle", 500}}}});
  }
  return section;
}

}  // namespace graze::papers::iccd
