// Loads scenes to measure on (scene.hpp). Cost: linear in what is loaded.
#include "bench/scene.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <graze/error.hpp>

#include "frames/frames.hpp"
#include "output/output.hpp"
#include "scenes/catalogue.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

bool may_be_files(const std::string& argument) {
  std::error_code error;
  return argument.find_first_of("*?[/\\") != std::string::npos || std::filesystem::exists(argument, error);
}

// "run/cloth/" and "run/cloth" are both "cloth"; a glob is its folder.
std::string last_part(const std::string& argument) {
  std::filesystem::path path(argument);
  if (path.filename().empty() || argument.find_first_of("*?[") != std::string::npos) path = path.parent_path();
  const std::string part = path.filename().string();
  return part.empty() || part == "." || part == ".." ? argument : part;
}

std::string cache_mesh(const std::string& argument, const std::string& mesh) {
  const std::string extension = lower_extension(argument);
  const bool is_cache = extension == ".pc2" || extension == ".mdd";
  return is_cache ? mesh : std::string();  // --mesh is of caches; other scenes may be named beside them
}

/// Loads the first `count` frames and the changes of triangles between them.
void load_frames(Frames& frames, std::size_t count, BenchScene& result) {
  StepCursor cursor(frames, true);
  for (std::size_t step = 0; step + 1 < count; ++step) {
    const StepCursor::Change change = cursor.go_to(step);
    if (step == 0) {
      result.scene = cursor.scene();
      result.frames.push_back(cursor.x_t0());
    } else if (change == StepCursor::Change::Edited) {
      result.changes.push_back({step, cursor.edit(), cursor.x_t0(),
                                cursor.same_ids() ? std::vector<VertexId>() : cursor.frame_ids(), cursor.scene()});
    }
    result.frames.push_back(cursor.x_t1());
  }
  result.last_scene = result.changes.empty() ? result.scene : cursor.scene();
}

}  // namespace

bool is_catalogue_scene(const std::string& name) {
  const auto entries = scenes::catalogue();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
}

std::vector<Vec3> BenchChange::in_frame_ids(std::span<const Vec3> x) const {
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < x.size(); ++i) {  // scene ids and frame ids have the same order
    if (frame_ids.empty() || frame_ids[i] != kNoVertex) result.push_back(x[i]);
  }
  return result;
}

const BenchChange* BenchScene::change_at(std::size_t step) const {
  const auto at =
      std::lower_bound(changes.begin(), changes.end(), step,
                       [](const BenchChange& change, std::size_t value) { return change.step < value; });
  return at == changes.end() || at->step != step ? nullptr : &*at;
}

std::span<const Vec3> BenchScene::x_t0(std::size_t step) const {
  const BenchChange* const change = change_at(step);
  return change != nullptr ? change->x_t0 : frames[step];
}

BenchScene load_bench_scene(const std::string& argument, const BenchSceneOptions& options) {
  if (options.frames == 1) throw InputError("--frames 1: a scene has at least 2 frames");
  BenchScene result;
  result.name = argument;
  result.options = options;
  if (is_catalogue_scene(argument)) {
    const scenes::Animation animation =
        scenes::make_animation(argument, {.size = options.size, .frames = options.frames, .seed = options.seed});
    result.title = argument;
    load_frames(*frames_of_animation(animation), animation.frames.size(), result);
    return result;
  }
  if (!may_be_files(argument)) {
    std::string known;
    for (const scenes::SceneEntry& entry : scenes::catalogue()) {
      known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    throw InputError(fmt::format("scene '{}' is unknown: it is no folder, glob or point cache, and none of {}",
                                 argument, known));
  }
  const std::unique_ptr<Frames> frames = frames_of_argument(argument, cache_mesh(argument, options.mesh));
  result.title = last_part(argument);
  load_frames(*frames, options.frames == 0 ? frames->count() : std::min(options.frames, frames->count()), result);
  return result;
}

}  // namespace graze::app
