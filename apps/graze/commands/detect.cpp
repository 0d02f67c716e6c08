// graze detect: every contact of one step (two meshes) or of each step of a sequence.
//
// A sequence with an output file keeps a journal beside it, from which an interrupted run continues. Rows are
// printed as they come; files are written whole at the end.
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <graze/error.hpp>
#include <graze/version.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "frames/capture_files.hpp"
#include "frames/frames.hpp"
#include "frames/journal.hpp"
#include "frames/step_rows.hpp"
#include "frames/vtk_target.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "report/report.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct DetectOptions {
  CommonOptions common;
  std::string start;
  std::string end;
  std::string frames;
  std::string mesh;
  std::string edits;
  double thickness = 0.0;
  double tolerance = 1e-6;
  bool first = false;
  bool stats = false;
  std::string json;
  std::string contacts;
  std::string report;
  std::string capture;
  std::string vtk;
};

std::unique_ptr<Frames> open_frames(const DetectOptions& options) {
  if (!options.frames.empty()) {
    if (!options.start.empty()) throw InputError("detect takes START END or --frames, not both");
    return frames_of_argument(options.frames, options.mesh, options.edits);
  }
  if (!options.mesh.empty()) throw InputError("--mesh goes with --frames CACHE");
  if (!options.edits.empty()) throw InputError("--edits goes with --frames GLOB|DIR");
  if (options.start.empty() || options.end.empty()) {
    throw InputError("detect needs two meshes, START END, or --frames GLOB|DIR|CACHE");
  }
  return frames_of_step(options.start, options.end);
}

DetectorOptions checked_options(const DetectOptions& options) {
  DetectorOptions result = detector_options(options.common);
  if (!std::isfinite(options.thickness) || options.thickness < 0.0) {
    throw InputError(fmt::format("--thickness {}: must be a number >= 0", options.thickness));
  }
  if (!(options.tolerance >= 0x1p-40 && options.tolerance <= 1.0)) {
    throw InputError(fmt::format("--tolerance {}: must be from 2^-40 to 1", options.tolerance));
  }
  result.thickness = options.thickness;
  result.tolerance = options.tolerance;
  return result;
}

// The journal of a sequence with an output file; none otherwise.
std::optional<Journal> open_journal(const DetectOptions& options, const DetectorOptions& detector,
                                    const Frames& frames) {
  if (options.frames.empty()) return std::nullopt;
  const bool json_file = !options.json.empty() && !to_stdout(options.json);
  const std::string& text = json_file ? options.json : options.contacts;
  const std::string& output = text.empty() ? options.vtk : text;
  if (output.empty()) return std::nullopt;
  Json identity = {{"graze", version()},
                   {"method", options.common.method},
                   {"thickness", options.thickness},
                   {"tolerance", options.tolerance},
                   {"first", options.first},
                   {"contacts", !options.contacts.empty()},
                   {"capture", options.capture},
                   {"inputs", frames.identity()}};
  if (!options.vtk.empty()) identity["vtk"] = options.vtk;
  if (loses_contacts(detector)) identity["normal_threshold"] = detector.research->hash.normal_threshold;
  return std::optional<Journal>(std::in_place, output, identity);
}

std::string stop_message(const std::optional<Journal>& journal, std::size_t done, std::size_t steps) {
  if (!journal) return "interrupted";
  return fmt::format("interrupted after {} of {} steps; run the same command again to continue from {}", done,
                     steps, journal->file().string());
}

// The last component, also of "folder/".
std::string file_name(const std::filesystem::path& path) {
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

int run_detect(DetectOptions options) {
  const CaptureTarget captures(options.capture, !options.frames.empty());
  VtkTarget vtk(options.vtk, !options.frames.empty());
  for (const std::string& target : {options.json, options.contacts, options.report}) require_writable(target);
  require_different({options.json, options.contacts, options.report, captures.file(), vtk.file(), vtk.mesh_file()},
                    {options.start, options.end, options.frames, options.mesh, options.edits});
  if (!options.capture.empty() && options.first) throw InputError("--capture cannot be combined with --first");
  if (to_stdout(options.contacts) || to_stdout(options.report)) {
    throw InputError("only --json can go to standard output");
  }
  if (!options.report.empty()) require_viewer("--report");
  std::optional<Capture> given;
  if (is_capture(options.start) && options.end.empty() && options.frames.empty() && options.mesh.empty() &&
      options.edits.empty()) {
    given = read_capture(options.start);
    options.thickness = given->thickness;
    options.tolerance = given->tolerance;
  }
  const DetectorOptions detector = checked_options(options);
  if (!options.capture.empty()) require_all_contacts(detector);
  const std::unique_ptr<Frames> frames = given ? frames_of_capture(*given, options.start) : open_frames(options);
  std::optional<Journal> journal = open_journal(options, detector, *frames);
  const bool lossy = loses_contacts(detector);
  warn_of_loss(detector);

  Progress progress;
  StepRunner runner(*frames, detector, options.first, progress);
  const bool quiet = to_stdout(options.json);
  StepTable table;
  std::vector<StepRow> rows;
  const auto show = [&](StepRow row) {
    if (!quiet) table.row(row);
    rows.push_back(std::move(row));
  };
  if (journal) {
    for (const Json& line : journal->committed()) show(row_from_journal(line));
    if (!rows.empty()) note("resumed", fmt::format("after {} of {} steps", rows.size(), frames->step_count()));
  }

  std::string contacts;  // of a run without a journal; otherwise the journal keeps them
  std::optional<ReportRecorder> recorder;
  if (!options.report.empty()) recorder.emplace(frames->scene().vertex_count(), frames->step_count());
  try {
    vtk.resume(rows.size(), runner);
    for (std::size_t step = rows.size(); step < frames->step_count(); ++step) {
      StepResult result = runner.run(step);
      progress.clear();
      captures.write(step, runner, detector, result);
      vtk.write(step, runner, result);
      std::string lines = options.contacts.empty() ? std::string() : contact_lines(step, result.impacts);
      if (journal) {
        journal->commit(lines, journal_line(result.row));
      } else {
        contacts += lines;
      }
      show(result.row);
      if (recorder) recorder->add(std::move(result));
    }
    if (recorder) {  // contacts of steps that an interrupted run did, which the journal does not keep
      for (const std::size_t step : recorder->missing(rows)) recorder->add(runner.run(step));
    }
  } catch (const Interrupted&) {
    progress.clear();
    throw Stopped(stop_message(journal, rows.size(), frames->step_count()));
  }
  progress.clear();

  if (!quiet) {
    table.total(rows);
    if (options.stats) print_stats(rows);
  }
  const unsigned threads = thread_count(options.common.threads);
  // JSON output of detect.
  write_json(options.json, run_json(options.common.method, threads, rows, lossy));
  if (!options.contacts.empty()) {
    write_whole_file(options.contacts, [&](std::ostream& stream) {
      stream << kContactsHeader << contacts;
      if (journal) journal->copy_contacts(stream);
    });
  }
  vtk.finish();
  if (recorder) {
    const std::string ends =
        given ? file_name(options.start) : file_name(options.start) + " → " + file_name(options.end);
    const std::string title = options.frames.empty() ? ends : file_name(options.frames);
    write_report(options.report,
                 {.title = title,
                  .method = options.common.method + (lossy ? " (lossy-normals: contacts may be missing)" : ""),
                  .threads = threads,
                  .thickness = options.thickness,
                  .tolerance = options.tolerance},
                 rows, *frames, *recorder);
    note("report", options.report);
  }
  if (journal) journal->remove();
  if (given && options.first) note("capture", "its answer is not checked: --first finds one contact of it");
  if (given && !options.first) require_same_answer(*given, options.start, rows.front());
  for (const StepRow& row : rows) {
    if (row.toi) return kContact;
  }
  return kNoContact;
}

}  // namespace

void add_detect(CommandLine& program) {
  const auto options = std::make_shared<DetectOptions>();
  Command command = program.add("detect", "Every contact of a step between two meshes, or of a sequence");
  command
      .option("START", options->start,
              "Mesh at the start of the step: .ply, .obj, .stl or .off; or a capture (.graze), alone: its "
              "answer is checked")
      .type("FILE");
  command.option("END", options->end, "Mesh at the end of the step, with the same triangles").type("FILE");
  command
      .option("--frames", options->frames,
              "A sequence instead: a folder or quoted glob of meshes in natural order, whose triangles may "
              "change, or a point cache (.pc2, .mdd); a row for each step, frame k to k+1")
      .type("GLOB|DIR|CACHE");
  command.option("--mesh", options->mesh, "Mesh file with the triangles of a point cache").type("FILE");
  command
      .option(
          "--edits", options->edits,
          "Start positions of vertices that a sequence of meshes gains (JSON; default: topology.json beside the "
          "frames, if there is one)")
      .type("FILE");
  add_common_options(command, options->common);
  const Option thickness =
      command.option("--thickness", options->thickness,
                     "A pair is in contact once its distance is this or less, in scene units (default 0)");
  const Option tolerance = command.option("--tolerance", options->tolerance,
                                          "Widest time-of-impact interval, from 2^-40 to 1 (default 1e-6)");
  command.flag("--first", options->first, "Find only the earliest contact of each step; nothing touches before it");
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.option("--contacts", options->contacts, "Write every contact: step, kind, vertex ids, toi interval")
      .type("FILE.csv");
  command.option("--report", options->report, "Write a page: the mesh in motion with its contacts, charts, figures")
      .type("FILE.html");
  command
      .option("--capture", options->capture,
              "Write the step with its answer as a capture; of a sequence, each step to a folder")
      .type("FILE.graze|DIR");
  command
      .option("--vtk", options->vtk,
              "Write the contacts for ParaView, and the mesh beside them; of a sequence, a time series")
      .type("FILE.vtp|FILE.pvd");
  command.flag("--stats", options->stats, "Also print counters and times of the stages");
  command.footer(
      "Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure or interrupted.\n"
      "A sequence with --json FILE, --contacts FILE or --vtk FILE keeps FILE.partial until it is done: if it is\n"
      "interrupted, the same command continues where it stopped.");
  command.run([options, thickness, tolerance] {
    if (is_capture(options->start) && (thickness.given() || tolerance.given())) {
      throw InputError(options->start + ": --thickness and --tolerance do not apply to a capture");
    }
    return run_detect(*options);
  });
}

}  // namespace graze::app
