// ICCD across breaks (sections V.E.1 and VI.B): the cost of editing the detector where bodies break, compared with
// a new detector for the same step. The paper updates orphans and BVH near the break and prints no time for it.
//
// Cost: that of detecting each scene once, and of a new detector for each change.
#include "research/papers/iccd.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <graze/detector.hpp>

#include "output/interrupt.hpp"
#include "research/papers/figures.hpp"

#include <fmt/format.h>

namespace graze::papers::iccd {
namespace {

/// Sums over the changes of a scene, in milliseconds.
struct BreakCost {
  std::size_t changes = 0;
  std::size_t triangles = 0;   ///< changed triangles
  double first_edit_ms = 0.0;  ///< the first edit also builds the tables for edits
  double edit_ms = 0.0;        ///< all other edits
  double update_ms = 0.0;      ///< updates of the queries after edits, which refit the trees
  double new_ms = 0.0;         ///< building new detectors instead
  double new_update_ms = 0.0;  ///< first updates of the new detectors

  [[nodiscard]] double edited() const { return first_edit_ms + edit_ms + update_ms; }
  [[nodiscard]] double rebuilt() const { return new_ms + new_update_ms; }
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

BreakCost measure_breaks(const BenchScene& scene, const DetectorOptions& options, Progress& progress,
                         std::vector<std::string>& wrong) {
  BreakCost cost;
  Detector detector(scene.scene, options);
  for (std::size_t step = 0; step < scene.step_count(); ++step) {
    progress.show(scene.title + " breaks", static_cast<double>(step) / static_cast<double>(scene.step_count()));
    if (interrupted()) throw Interrupted();
    const BenchChange* const change = scene.change_at(step);
    if (change == nullptr) {
      (void)detector.impacts(scene.x_t0(step), scene.x_t1(step));
      continue;
    }
    auto start = std::chrono::steady_clock::now();
    SceneEdit edit = detector.begin_edit();
    change->edit.fill(edit);
    detector.apply(edit);
    (cost.changes == 0 ? cost.first_edit_ms : cost.edit_ms) += milliseconds_since(start);
    const Impacts edited = detector.impacts(scene.x_t0(step), scene.x_t1(step));
    cost.update_ms += edited.stats.update_ms;

    const std::vector<Vec3> x_t0 = change->in_frame_ids(scene.x_t0(step));
    const std::vector<Vec3> x_t1 = change->in_frame_ids(scene.x_t1(step));
    start = std::chrono::steady_clock::now();
    Detector anew(change->alone, options);
    cost.new_ms += milliseconds_since(start);
    const Impacts expected = anew.impacts(x_t0, x_t1);
    cost.new_update_ms += expected.stats.update_ms;
    ++cost.changes;
    cost.triangles += change->edit.triangle_count();
    if (edited.vf_count() != expected.vf_count() || edited.ee_count() != expected.ee_count()) {
      wrong.push_back(fmt::format("{}: step {} has {} vf + {} ee after an edit, {} vf + {} ee in a new detector",
                                  scene.title, step, edited.vf_count(), edited.ee_count(), expected.vf_count(),
                                  expected.ee_count()));
    }
  }
  return cost;
}

}  // namespace

PaperSection breaks_section(const PaperRequest& request, Progress& progress, std::vector<std::string>& wrong,
                            Json& json) {
  PaperSection section{
      .title = "Sections V.E.1 and VI.B: bodies that break",
      .note =
          "Means over the changes of a scene, in milliseconds: the edit of a detector in use (separately "
          "the first, which builds the tables for edits), and the update of its next query, which includes "
          "the trees; then a new detector and its first update instead. The last column is the total of "
          "edits divided by the total of new detectors. Tables II and III include edits in their times. "
          "The paper prints no time for breaks alone.",
      .columns = {"scene", "method", "breaks", "triangles", "of all", "first edit", "edit", "update",
                  "new detector", "update", "edited/new"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const BenchScene* scene : request.scenes) {
    if (scene->changes.empty()) continue;
    for (const Method method : {Method::Iccd, Method::RTri}) {
      DetectorOptions options;
      options.method = method;
      options.threads = request.threads;
      const BreakCost cost = measure_breaks(*scene, options, progress, wrong);
      const auto count = static_cast<double>(cost.changes);
      const auto triangles = static_cast<double>(cost.triangles) / count;
      const double share = quotient(triangles, static_cast<double>(scene->last_scene.triangle_count()));
      const double edit = quotient(cost.edit_ms, count - 1.0);
      section.rows.push_back({scene->title, std::string(name_of(method)), with_separators(cost.changes),
                              count_text(triangles), percent(100.0 * share), format_ms(cost.first_edit_ms),
                              cost.changes > 1 ? format_ms(edit) : "–", format_ms(cost.update_ms / count),
                              format_ms(cost.new_ms / count), format_ms(cost.new_update_ms / count),
                              percent(100.0 * quotient(cost.edited(), cost.rebuilt()))});
      json.push_back({{"scene", scene->name},
                      {"method", name_of(method)},
                      {"changes", cost.changes},
                      {"triangles_changed", triangles},
                      {"share", share},
                      {"first_edit_ms", cost.first_edit_ms},
                      {"edit_ms", edit},
                      {"update_ms", cost.update_ms / count},
                      {"new_ms", cost.new_ms / count},
                      {"new_update_ms", cost.new_update_ms / count},
                      {"edited_over_new", quotient(cost.edited(), cost.rebuilt())}});
    }
  }
  return section;
}

}  // namespace graze::papers::iccd
