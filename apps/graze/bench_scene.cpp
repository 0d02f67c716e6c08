// Loading scenes to measure on. Linear in what is loaded.
#include "bench_scene.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <graze/error.hpp>

#include "frames.hpp"
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
  std::string extension = std::filesystem::path(argument).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".pc2" || extension == ".mdd" ? mesh
                                                    : std::string();  // other scenes may stand beside a cache
}

}  // namespace

bool is_catalogue_scene(const std::string& name) {
  const auto entries = scenes::catalogue();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
}

BenchScene load_bench_scene(const std::string& argument, const BenchSceneOptions& options) {
  if (options.frames == 1) throw InputError("--frames 1: a scene has at least 2 frames");
  BenchScene result;
  result.name = argument;
  if (is_catalogue_scene(argument)) {
    scenes::Animation animation =
        scenes::make_animation(argument, {.size = options.size, .frames = options.frames, .seed = options.seed});
    result.title = argument;
    result.scene = scenes::make_scene(animation);
    result.frames = std::move(animation.frames);
    for (const std::vector<Vec3>& frame : result.frames) {
      if (frame.size() != result.scene.vertex_count()) {
        throw InputError(fmt::format(
            "scene '{}' changes its triangles on the way; only scenes that keep them can be measured", argument));
      }
    }
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
  result.scene = frames->scene();
  const std::size_t count = options.frames == 0 ? frames->count() : std::min(options.frames, frames->count());
  for (std::size_t frame = 0; frame < count; ++frame) result.frames.push_back(frames->read(frame));
  return result;
}

}  // namespace graze::app
