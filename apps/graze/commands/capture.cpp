// graze capture: writes one step and its answer to a file that graze detect runs again and checks.
#include <cmath>
#include <memory>
#include <string>

#include <graze/error.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "frames/capture_files.hpp"
#include "frames/frames.hpp"
#include "frames/step_rows.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct CaptureOptions {
  CommonOptions common;
  std::string start;
  std::string end;
  std::string output;
  std::string json;
  double thickness = 0.0;
  double tolerance = 1e-6;
};

int run_capture(const CaptureOptions& options) {
  const CaptureTarget target(options.output, false);
  require_writable(options.json);
  require_different({options.output, options.json}, {options.start, options.end});
  DetectorOptions detector = detector_options(options.common);
  if (!std::isfinite(options.thickness) || options.thickness < 0.0) {
    throw InputError(fmt::format("--thickness {}: must be a number >= 0", options.thickness));
  }
  if (!(options.tolerance >= 0x1p-40 && options.tolerance <= 1.0)) {
    throw InputError(fmt::format("--tolerance {}: must be from 2^-40 to 1", options.tolerance));
  }
  detector.thickness = options.thickness;
  detector.tolerance = options.tolerance;
  require_all_contacts(detector);
  const std::unique_ptr<Frames> frames = frames_of_step(options.start, options.end);

  Progress progress;
  StepRunner runner(*frames, detector, false, progress);
  const StepResult result = runner.run(0);
  progress.clear();
  target.write(0, runner, detector, result);
  if (!to_stdout(options.json)) {
    StepTable table;
    table.row(result.row);
  }
  write_json(options.json, run_json(options.common.method, thread_count(options.common.threads), {result.row}));
  note("capture", options.output);
  return result.row.toi ? kContact : kNoContact;
}

}  // namespace

void add_capture(CommandLine& program) {
  const auto options = std::make_shared<CaptureOptions>();
  Command command =
      program.add("capture", "Write a step between two meshes and its answer, for 'graze detect FILE.graze'");
  command.option("START", options->start, "Mesh at the start of the step: .ply, .obj, .stl or .off")
      .type("FILE")
      .required();
  command.option("END", options->end, "Mesh at the end of the step, with the same triangles")
      .type("FILE")
      .required();
  command.option("-o,--output", options->output, "The capture to write").type("FILE.graze").required();
  add_common_options(command, options->common);
  command.option("--thickness", options->thickness,
                 "A pair is in contact once its distance is this or less, in scene units (default 0)");
  command.option("--tolerance", options->tolerance,
                 "Widest time-of-impact interval, from 2^-40 to 1 (default 1e-6)");
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.footer(
      "Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure or interrupted.");
  command.run([options] { return run_capture(*options); });
}

}  // namespace graze::app
