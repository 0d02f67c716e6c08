// graze capture: one step and its answer in one file, to be run again with graze detect.
#include <cmath>
#include <memory>
#include <string>

#include <graze/error.hpp>

#include "commands/command.hpp"
#include "commands/detector_options.hpp"
#include "frames/capture_files.hpp"
#include "frames/frames.hpp"
#include "frames/step_rows.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

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

void add_capture(CLI::App& program, Action& action) {
  const auto options = std::make_shared<CaptureOptions>();
  CLI::App* command = program.add_subcommand(
      "capture", "Keeps a step between two meshes with its answer, for 'graze detect FILE.graze'");
  command->add_option("START", options->start, "The mesh at the start of the step: .ply, .obj, .stl or .off")
      ->type_name("FILE")
      ->required();
  command->add_option("END", options->end, "The mesh at its end, with the same triangles")
      ->type_name("FILE")
      ->required();
  command->add_option("-o,--output", options->output, "The capture to write")->type_name("FILE.graze")->required();
  add_common_options(*command, options->common);
  command->add_option("--thickness", options->thickness,
                      "A pair counts as soon as its distance is this or less, in scene units (default 0)");
  command->add_option("--tolerance", options->tolerance,
                      "Widest time-of-impact interval, from 2^-40 to 1 (default 1e-6)");
  command
      ->add_option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      ->type_name("FILE|-");
  command->footer(
      "Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure or interrupted.");
  command->callback([options, &action] { action = [options] { return run_capture(*options); }; });
}

}  // namespace graze::app
