// The sources of frames. Checking that a frame has the triangles of the first is linear in them.
#include "frames.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include <graze/error.hpp>
#include <graze/io.hpp>

#include "scenes/animation.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

Json file_identity(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const auto changed = std::filesystem::last_write_time(file, error);
  return Json::array({file.string(), size, static_cast<std::int64_t>(changed.time_since_epoch().count())});
}

Scene scene_of(const Mesh& mesh) {
  Scene scene;
  scene.add_body({.positions = mesh.positions, .triangles = mesh.triangles});
  return scene;
}

std::string describe(const Triangle& triangle) {
  return fmt::format("({}, {}, {})", triangle[0], triangle[1], triangle[2]);
}

void require_same_triangles(const Mesh& mesh, const std::filesystem::path& file, const Scene& scene,
                            const std::filesystem::path& first) {
  if (mesh.positions.size() != scene.vertex_count()) {
    throw InputError(fmt::format("{}: {} vertices, but {} has {}", file.string(), mesh.positions.size(),
                                 first.string(), scene.vertex_count()));
  }
  if (mesh.triangles.size() != scene.triangle_count()) {
    throw InputError(fmt::format("{}: {} triangles, but {} has {}", file.string(), mesh.triangles.size(),
                                 first.string(), scene.triangle_count()));
  }
  const auto expected = scene.triangles();
  const auto [own, other] = std::mismatch(mesh.triangles.begin(), mesh.triangles.end(), expected.begin());
  if (own != mesh.triangles.end()) {
    throw InputError(fmt::format("{}: triangle {} is {}, but in {} it is {}", file.string(),
                                 own - mesh.triangles.begin(), describe(*own), first.string(), describe(*other)));
  }
}

class MeshFrames final : public Frames {
 public:
  explicit MeshFrames(std::vector<std::filesystem::path> files) : files_(std::move(files)) {
    if (files_.size() < 2) {
      throw InputError(fmt::format("{}: a sequence needs two frames at least", files_.front().string()));
    }
    Mesh mesh = read_mesh(files_.front());
    scene_ = scene_of(mesh);
    first_ = std::move(mesh.positions);
  }

  [[nodiscard]] std::size_t count() const override { return files_.size(); }
  [[nodiscard]] const Scene& scene() const override { return scene_; }

  [[nodiscard]] std::vector<Vec3> read(std::size_t frame) override {
    if (frame == 0 && !first_.empty()) return std::move(first_);  // already read for the triangles
    Mesh mesh = read_mesh(files_[frame]);
    require_same_triangles(mesh, files_[frame], scene_, files_.front());
    return std::move(mesh.positions);
  }

  [[nodiscard]] Json identity() const override {
    Json result = Json::array();
    for (const auto& file : files_) result.push_back(file_identity(file));
    return result;
  }

 private:
  std::vector<std::filesystem::path> files_;
  Scene scene_;
  std::vector<Vec3> first_;
};

class CacheFrames final : public Frames {
 public:
  CacheFrames(const std::filesystem::path& cache, const std::filesystem::path& mesh)
      : cache_file_(cache), mesh_file_(mesh), cache_(cache), scene_(scene_of(read_mesh(mesh))) {
    if (cache_.vertex_count() != scene_.vertex_count()) {
      throw InputError(fmt::format("{}: {} vertices, but {} has {}", cache.string(), cache_.vertex_count(),
                                   mesh.string(), scene_.vertex_count()));
    }
    if (cache_.frame_count() < 2) {
      throw InputError(fmt::format("{}: a sequence needs two frames at least", cache.string()));
    }
  }

  [[nodiscard]] std::size_t count() const override { return cache_.frame_count(); }
  [[nodiscard]] const Scene& scene() const override { return scene_; }
  [[nodiscard]] std::vector<Vec3> read(std::size_t frame) override { return cache_.read_frame(frame); }
  [[nodiscard]] Json identity() const override {
    return Json::array({file_identity(cache_file_), file_identity(mesh_file_)});
  }

 private:
  std::filesystem::path cache_file_;
  std::filesystem::path mesh_file_;
  PointCache cache_;
  Scene scene_;
};

class CaptureFrames final : public Frames {
 public:
  CaptureFrames(const Capture& capture, std::filesystem::path file) : capture_(&capture), file_(std::move(file)) {}

  [[nodiscard]] std::size_t count() const override { return 2; }
  [[nodiscard]] const Scene& scene() const override { return capture_->scene; }
  [[nodiscard]] std::vector<Vec3> read(std::size_t frame) override {
    return frame == 0 ? capture_->x_t0 : capture_->x_t1;
  }
  [[nodiscard]] Json identity() const override { return file_identity(file_); }

 private:
  const Capture* capture_;
  std::filesystem::path file_;
};

class AnimationFrames final : public Frames {
 public:
  explicit AnimationFrames(const scenes::Animation& animation)
      : animation_(&animation), scene_(scenes::make_scene(animation)) {}

  [[nodiscard]] std::size_t count() const override { return animation_->frames.size(); }
  [[nodiscard]] const Scene& scene() const override { return scene_; }
  [[nodiscard]] std::vector<Vec3> read(std::size_t frame) override { return animation_->frames[frame]; }
  [[nodiscard]] Json identity() const override { return animation_->name; }

 private:
  const scenes::Animation* animation_;
  Scene scene_;
};

}  // namespace

std::unique_ptr<Frames> frames_of_meshes(std::vector<std::filesystem::path> files) {
  return std::make_unique<MeshFrames>(std::move(files));
}

std::unique_ptr<Frames> frames_of_cache(const std::filesystem::path& cache, const std::filesystem::path& mesh) {
  return std::make_unique<CacheFrames>(cache, mesh);
}

std::unique_ptr<Frames> frames_of_argument(const std::string& argument, const std::string& mesh) {
  std::string extension = std::filesystem::path(argument).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".pc2" || extension == ".mdd") {
    if (mesh.empty()) throw InputError(argument + ": a point cache has no triangles; name a mesh with --mesh FILE");
    return frames_of_cache(argument, mesh);
  }
  if (!mesh.empty())
    throw InputError("--mesh goes with a point cache (.pc2 or .mdd), which " + argument + " is not");
  return frames_of_meshes(list_frames(argument));
}

std::unique_ptr<Frames> frames_of_capture(const Capture& capture, const std::filesystem::path& file) {
  return std::make_unique<CaptureFrames>(capture, file);
}

std::unique_ptr<Frames> frames_of_animation(const scenes::Animation& animation) {
  return std::make_unique<AnimationFrames>(animation);
}

}  // namespace graze::app
