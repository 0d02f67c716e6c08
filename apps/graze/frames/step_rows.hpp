// Detects the steps of a run, one by one, and writes their rows as table, JSON and CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/results.hpp>

#include "frames/frames.hpp"
#include "frames/step_cursor.hpp"
#include "output/funnel.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

namespace graze::app {

/// The results of a step. With --first, only the earliest impact is known: no counts and no hashes.
struct StepRow {
  std::size_t step = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::optional<std::uint64_t> vf;
  std::optional<std::uint64_t> ee;
  std::optional<double> toi;  ///< time of the earliest impact; none if there is no impact
  std::string hash;
  std::string toi_hash;
  std::optional<double> edit_ms;  ///< time to edit the detector, if triangles changed
  Stats stats;                    ///< total_ms includes the edit
  bool coherent = false;          ///< method adaptive: show the counters of coherence
  bool hashed = false;            ///< method hash: show the counters of cells and voxels
  bool clustered = false;         ///< method auto: show the counters of clusters

  [[nodiscard]] std::uint64_t contacts() const { return vf.value_or(0) + ee.value_or(0); }
};

struct StepResult {
  StepRow row;
  std::vector<Impact> impacts;  ///< with --first only the earliest
};

/// A row as JSON, under the keys of docs/cli.md. row_from_journal reads what journal_line writes.
Json row_json(const StepRow& row);
Json journal_line(const StepRow& row);
StepRow row_from_journal(const Json& line);

/// JSON output of detect, demo and captures: the document of a run. `lossy` adds a field that says that contacts
/// may be missing.
Json run_json(const std::string& method, unsigned threads, const std::vector<StepRow>& rows, bool lossy = false);

inline constexpr const char* kContactsHeader = "step,kind,a0,a1,b0,b1,b2,toi_lo,toi_hi\n";
std::string contact_lines(std::size_t step, const std::vector<Impact>& impacts);

/// Detects the steps of a sequence; in order, each frame is read once. One detector serves all steps and is edited
/// where triangles change. Answers have the ids of the frame that the step ends with.
class StepRunner {
 public:
  StepRunner(Frames& frames, DetectorOptions options, bool first_only, Progress& progress);
  StepRunner(const StepRunner&) = delete;  // the progress callback of the detector points into this object
  StepRunner& operator=(const StepRunner&) = delete;
  /// Throws InputError for a broken frame and Interrupted when the user asks to stop.
  StepResult run(std::size_t step);
  /// The scene of the last run step, built from scratch, and the positions at both ends.
  [[nodiscard]] Scene scene() const { return cursor_.scene(); }
  [[nodiscard]] const std::vector<Vec3>& positions_t0() const { return cursor_.frame_t0(); }
  [[nodiscard]] const std::vector<Vec3>& positions_t1() const { return cursor_.frame_t1(); }

 private:
  /// Moves to a step and edits or rebuilds the detector; returns the time in ms, none if nothing changed.
  std::optional<double> go_to(std::size_t step);

  StepCursor cursor_;
  std::size_t current_step_ = 0;
  DetectorOptions options_;  ///< with a progress callback that shows the step
  bool first_only_;
  std::optional<Detector> detector_;  ///< none before the first step
};

/// The table that detect and demo print.
class StepTable {
 public:
  StepTable();
  void row(const StepRow& row);
  void total(const std::vector<StepRow>& rows);

 private:
  Table table_;
};

/// The funnel of a step. With --first it has one contact or none.
Funnel row_funnel(const StepRow& row);

/// Prints the tables of --stats: counters and stage times per step, and the funnel of all steps.
void print_stats(const std::vector<StepRow>& rows);

}  // namespace graze::app
