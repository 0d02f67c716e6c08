// The report of a run: one self-contained HTML file. The page is the viewer (apps/viewer), which is built into the
// program; the report adds the mesh, some steps to show, and their contacts.
//
// Every step has a row. Positions and contacts are kept within a budget: steps spread evenly over the run and the
// step with most contacts; of very many contacts every 2nd, 4th, ... The page says what is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>

#include "frames/frames.hpp"
#include "frames/step_rows.hpp"
#include "output/output.hpp"

namespace graze::app {

/// Limits of the data of a page. The file is larger by a third (base64).
struct ReportBudget {
  std::size_t position_bytes = std::size_t{48} << 20U;
  std::size_t contacts = 250'000;
};

/// The contacts of one shown step.
struct ShownStep {
  std::size_t step = 0;
  std::size_t found = 0;        ///< impacts of the step
  std::vector<Impact> impacts;  ///< all of them, or an even sample that has the earliest
};

/// Chooses the steps to show while a run goes on, and keeps their contacts. Positions are read again from the
/// frames when the page is written, so the memory is that of the contacts.
class ReportRecorder {
 public:
  ReportRecorder(std::size_t vertex_count, std::size_t step_count, const ReportBudget& budget = {});

  /// Takes the result of a step. Precondition: steps come in order, except those of missing().
  void add(StepResult result);
  /// Steps that the page shows but add() has not got: steps of an earlier, interrupted run.
  [[nodiscard]] std::vector<std::size_t> missing(const std::vector<StepRow>& rows) const;
  /// The shown steps, ascending.
  [[nodiscard]] const std::vector<ShownStep>& shown() const { return shown_; }

 private:
  [[nodiscard]] bool planned(std::size_t step) const;
  void thin();

  ReportBudget budget_;
  std::vector<std::size_t> planned_;  ///< ascending
  std::vector<ShownStep> shown_;
  std::size_t busiest_ = 0;
  std::uint64_t most_ = 0;
};

/// Texts of the page's head.
struct ReportHead {
  std::string title;
  std::string method;
  unsigned threads = 1;
  double thickness = 0.0;
  double tolerance = 1e-6;
};

/// The step with the most contacts; the first if there are several.
std::size_t busiest_step(const std::vector<StepRow>& rows);

/// Throws InputError if this program was built without the viewer (GRAZE_VIEWER=OFF).
void require_viewer(const std::string& option);
bool has_viewer();

/// Writes the page of a run. Reads `frames` again, one at a time.
void write_report(const std::filesystem::path& file, const ReportHead& head, const std::vector<StepRow>& rows,
                  Frames& frames, const ReportRecorder& recorder);

/// Writes the page of a benchmark: `bench` is the document of `graze bench --json`.
void write_bench_report(const std::filesystem::path& file, const std::string& title, const Json& bench);

}  // namespace graze::app
