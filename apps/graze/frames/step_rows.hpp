// One step of a run: detecting it, and its row as table, JSON and CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/results.hpp>

#include "frames/frame_walk.hpp"
#include "frames/frames.hpp"
#include "output/funnel.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

namespace graze::app {

/// What is known of a step. With --first only the earliest impact was looked for: no counts and no hashes.
struct StepRow {
  std::size_t step = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::optional<std::uint64_t> vf;
  std::optional<std::uint64_t> ee;
  std::optional<double> toi;  ///< of the earliest impact, if there is any
  std::string hash;
  std::string toi_hash;
  std::optional<double> edit_ms;  ///< where triangles changed: what it took to bring the detector up to date
  Stats stats;                    ///< its total time has the edit in it
  bool coherent = false;          ///< of adaptive: the counters of sessions and kept pairs are to be shown
  bool hashed = false;            ///< of hash: those of cells and voxels are
  bool clustered = false;         ///< of auto: those of clusters are

  [[nodiscard]] std::uint64_t contacts() const { return vf.value_or(0) + ee.value_or(0); }
};

struct StepResult {
  StepRow row;
  std::vector<Impact> impacts;  ///< with --first: the earliest one
};

/// A row under the keys of the contract. row_from_journal reads back what journal_line wrote.
Json row_json(const StepRow& row);
Json journal_line(const StepRow& row);
StepRow row_from_journal(const Json& line);

/// The whole document of a run; `lossy`: with a field that says that contacts may be missing.
Json run_json(const std::string& method, unsigned threads, const std::vector<StepRow>& rows, bool lossy = false);

inline constexpr const char* kContactsHeader = "step,kind,a0,a1,b0,b1,b2,toi_lo,toi_hi\n";
std::string contact_lines(std::size_t step, const std::vector<Impact>& impacts);

/// Detects step after step of a sequence; reads each frame once when steps are asked for in order. One detector
/// serves all steps: where triangles change, it is edited. Answers have the ids of the frame that the step ends
/// with.
class StepRunner {
 public:
  StepRunner(Frames& frames, DetectorOptions options, bool first_only, Progress& progress);
  StepRunner(const StepRunner&) = delete;  // the detector's progress callback points into it
  StepRunner& operator=(const StepRunner&) = delete;
  /// Throws InputError for a broken frame and Interrupted when the user asks to stop.
  StepResult run(std::size_t step);
  /// The scene of the step run last, on its own, and the positions at both ends.
  [[nodiscard]] Scene scene() const { return walk_.scene(); }
  [[nodiscard]] const std::vector<Vec3>& positions_t0() const { return walk_.frame_t0(); }
  [[nodiscard]] const std::vector<Vec3>& positions_t1() const { return walk_.frame_t1(); }

 private:
  /// Goes to a step and brings the detector there; how long that took, if there was something to do.
  std::optional<double> go_to(std::size_t step);

  FrameWalk walk_;
  std::size_t current_step_ = 0;
  DetectorOptions options_;  ///< the progress callback looks at the step
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

/// How pairs became fewer in the step. With --first what it found is one contact, or none.
Funnel row_funnel(const StepRow& row);

/// The tables of --stats: counters and stage times, a row a step, and the funnel of all steps.
void print_stats(const std::vector<StepRow>& rows);

}  // namespace graze::app
