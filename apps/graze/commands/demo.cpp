// graze demo: simulates a small scene, detects every contact, prints the table and writes a report.
//
// It needs no input and takes seconds: the first thing a new user runs. The simulator avoids contacts, so straight
// paths between frames have hardly any; the demonstration detects pairs that come within the thickness of the
// cloth.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <graze/error.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "frames/frames.hpp"
#include "frames/step_rows.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "report/report.hpp"
#include "scenes/catalogue.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

// The scene, from the catalogue, at a size that shows something.
constexpr const char* kScene = "cloth-ball";
constexpr const char* kTitle = "A cloth falls on a turning ball";
constexpr std::size_t kSize = 10'000;
constexpr std::size_t kFrames = 60;
constexpr double kThickness = 0.002;  // the cloth is about 2 wide

struct DemoOptions {
  CommonOptions common;
  scenes::SceneRequest scene = {.size = kSize, .frames = kFrames};
  std::string report = "report.html";
  std::string json;
};

scenes::Animation simulate(const DemoOptions& options, Progress& progress) {
  scenes::SceneRequest request = options.scene;
  request.threads = options.common.threads;
  const std::unique_ptr<scenes::SceneStream> stream = scenes::open_scene(kScene, request);
  stream->set_keep_going([&] {
    progress.show("simulating", static_cast<double>(stream->frame()) / static_cast<double>(request.frames));
    return !interrupted();
  });
  scenes::Animation animation = scenes::collect(*stream, request.frames);
  progress.clear();
  return animation;
}

int run_demo(const DemoOptions& options) {
  if (options.scene.size < 16 || options.scene.size > 8'000'000) {
    throw InputError("--size must be from 16 to 8000000 triangles");
  }
  if (options.scene.frames < 2 || options.scene.frames > 10000)
    throw InputError("--frames must be from 2 to 10000");
  require_writable(options.report);
  require_writable(options.json);
  require_different({options.json, options.report});
  if (to_stdout(options.report)) throw InputError("only --json can go to standard output");

  DetectorOptions detector = detector_options(options.common);
  detector.thickness = kThickness;
  Progress progress;
  const scenes::Animation animation = simulate(options, progress);
  const std::unique_ptr<Frames> frames = frames_of_animation(animation);
  const bool quiet = to_stdout(options.json);
  note("scene", fmt::format("{}: {} vertices, {} triangles, {} steps; contacts within {}", kTitle,
                            with_separators(animation.vertex_count()), with_separators(animation.triangles.size()),
                            frames->step_count(), kThickness));

  StepRunner runner(*frames, detector, false, progress);
  StepTable table;
  std::vector<StepRow> rows;
  ReportRecorder recorder(animation.vertex_count(), frames->step_count());
  for (std::size_t step = 0; step < frames->step_count(); ++step) {
    StepResult result = runner.run(step);
    progress.clear();
    rows.push_back(result.row);
    if (!quiet) table.row(result.row);
    recorder.add(std::move(result));
  }
  if (!quiet) table.total(rows);

  const unsigned threads = thread_count(options.common.threads);
  write_json(options.json, run_json(options.common.method, threads, rows));
  if (!has_viewer()) {
    note("report", "none: this program was built without the viewer (GRAZE_VIEWER=OFF)");
    return kNoContact;
  }
  write_report(options.report,
               {.title = kTitle, .method = options.common.method, .threads = threads, .thickness = kThickness},
               rows, *frames, recorder);
  note("report", fmt::format("{}  (open it in a browser)", std::filesystem::absolute(options.report).string()));
  return kNoContact;  // the demonstration worked
}

}  // namespace

void add_demo(CommandLine& program) {
  const auto options = std::make_shared<DemoOptions>();
  Command command = program.add("demo", "Simulate a scene, find its contacts, write report.html: try this first");
  command.option("-o,--output", options->report, "The report (default report.html)").type("FILE.html");
  command.option("--size", options->scene.size, "Approximate number of triangles (default 10000)");
  command.option("--frames", options->scene.frames, "Frames of the animation (default 60)");
  command.option("--seed", options->scene.seed, "Seed of the scene (default 1)");
  add_common_options(command, options->common);
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.footer(
      "Contacts are all feature pairs that come within 0.002, the thickness of the cloth.\n"
      "Exit status: 0 when all went well, although there are contacts; 2 bad usage or input, 3 internal failure.");
  command.run([options] { return run_demo(*options); });
}

}  // namespace graze::app
