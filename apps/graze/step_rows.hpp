// One step of a run: detecting it, and its row as table, JSON and CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/results.hpp>

#include "frames.hpp"
#include "output.hpp"
#include "terminal.hpp"

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
  Stats stats;

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

/// The whole document of a run.
Json run_json(const std::string& method, unsigned threads, const std::vector<StepRow>& rows);

inline constexpr const char* kContactsHeader = "step,kind,a0,a1,b0,b1,b2,toi_lo,toi_hi\n";
std::string contact_lines(std::size_t step, const std::vector<Impact>& impacts);

/// Detects step after step of a sequence; reads each frame once when steps are asked for in order.
class StepRunner {
 public:
  StepRunner(Frames& frames, DetectorOptions options, bool first_only, Progress& progress);
  StepRunner(const StepRunner&) = delete;  // the detector's progress callback points into it
  StepRunner& operator=(const StepRunner&) = delete;
  /// Throws InputError for a broken frame and Interrupted when the user asks to stop.
  StepResult run(std::size_t step);
  /// Positions at both ends of the step run last.
  [[nodiscard]] const std::vector<Vec3>& positions_t0() const { return x_t0_; }
  [[nodiscard]] const std::vector<Vec3>& positions_t1() const { return x_t1_; }

 private:
  Frames* frames_;
  bool first_only_;
  std::size_t current_step_ = 0;
  Detector detector_;
  std::optional<std::size_t> loaded_;  ///< the frame that x_t1_ holds
  std::vector<Vec3> x_t0_;
  std::vector<Vec3> x_t1_;
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

/// The table of --stats: counters and stage times, a row a step.
void print_stats(const std::vector<StepRow>& rows);

}  // namespace graze::app
