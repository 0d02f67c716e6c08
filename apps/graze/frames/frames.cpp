// The sources of frames (frames.hpp). Comparing the triangles of a frame with the frame before is linear in them.
#include "frames/frames.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <graze/error.hpp>
#include <graze/io.hpp>

#include "frames/edits.hpp"
#include "output/terminal.hpp"
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

Scene scene_of_mesh(const Mesh& mesh) {
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

std::shared_ptr<const FrameTopology> topology_of(const Scene& scene) {
  return std::make_shared<const FrameTopology>(
      FrameTopology{scene.vertex_count(), {scene.triangles().begin(), scene.triangles().end()}});
}

/// The changes of topology.json beside the frames, if the frames are consecutive files of their folder.
FrameEdits edits_beside(const std::vector<std::filesystem::path>& files) {
  const std::filesystem::path folder = files.front().parent_path();
  const std::filesystem::path edits = folder / "topology.json";
  std::error_code error;
  if (!std::filesystem::is_regular_file(edits, error)) return {};
  const std::vector<std::filesystem::path> all = list_frames(folder.empty() ? "." : folder.string());
  const auto same = [](const std::filesystem::path& a, const std::filesystem::path& b) {
    return a.lexically_normal() == b.lexically_normal();
  };
  const auto first = std::find_if(all.begin(), all.end(),
                                  [&](const std::filesystem::path& file) { return same(file, files.front()); });
  const auto count = static_cast<std::ptrdiff_t>(files.size());
  if (all.end() - first < count || !std::equal(files.begin(), files.end(), first, first + count, same)) {
    note("edits", edits.string() + " is not used: the frames are not consecutive files of this folder");
    return {};
  }
  FrameEdits result(edits);
  result.shift(static_cast<std::size_t>(first - all.begin()), files.size());
  return result;
}

class MeshFrames final : public Frames {
 public:
  enum class Triangles { Stay, MayChange };

  MeshFrames(std::vector<std::filesystem::path> files, Triangles triangles, FrameEdits edits)
      : files_(std::move(files)), triangles_(triangles), edits_(std::move(edits)) {
    Mesh mesh = read_mesh(files_.front());
    scene_ = scene_of_mesh(mesh);
    topology_ = topology_of(scene_);
    first_ = {std::move(mesh.positions), topology_};
  }

  [[nodiscard]] std::size_t count() const override { return files_.size(); }
  [[nodiscard]] const Scene& scene() const override { return scene_; }

  [[nodiscard]] Frame read(std::size_t frame) override {
    if (frame == 0 && first_.topology != nullptr) return std::exchange(first_, {});  // already read
    Mesh mesh = read_mesh(files_[frame]);
    if (triangles_ == Triangles::Stay) require_same_triangles(mesh, files_[frame], scene_, files_.front());
    if (mesh.positions.size() != topology_->vertex_count || mesh.triangles != topology_->triangles) {
      topology_ =
          std::make_shared<const FrameTopology>(FrameTopology{mesh.positions.size(), std::move(mesh.triangles)});
    }
    return {std::move(mesh.positions), topology_};
  }

  [[nodiscard]] std::span<const VertexId> parents(std::size_t frame) const override {
    return edits_.parents(frame);
  }
  void require_fits(std::size_t frame, std::size_t vertices, std::size_t next) const override {
    edits_.require_fits(frame, vertices, next);
  }

  [[nodiscard]] Json identity() const override {
    Json result = Json::array();
    for (const auto& file : files_) result.push_back(file_identity(file));
    if (!edits_.file().empty()) result.push_back(file_identity(edits_.file()));
    return result;
  }

 private:
  std::vector<std::filesystem::path> files_;
  Triangles triangles_;
  FrameEdits edits_;
  Scene scene_;
  std::shared_ptr<const FrameTopology> topology_;  ///< topology of the frame read last
  Frame first_;
};

class CacheFrames final : public Frames {
 public:
  CacheFrames(const std::filesystem::path& cache, const std::filesystem::path& mesh)
      : cache_file_(cache),
        mesh_file_(mesh),
        cache_(cache),
        scene_(scene_of_mesh(read_mesh(mesh))),
        topology_(topology_of(scene_)) {
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
  [[nodiscard]] Frame read(std::size_t frame) override { return {cache_.read_frame(frame), topology_}; }
  [[nodiscard]] Json identity() const override {
    return Json::array({file_identity(cache_file_), file_identity(mesh_file_)});
  }

 private:
  std::filesystem::path cache_file_;
  std::filesystem::path mesh_file_;
  PointCache cache_;
  Scene scene_;
  std::shared_ptr<const FrameTopology> topology_;
};

class CaptureFrames final : public Frames {
 public:
  CaptureFrames(const Capture& capture, std::filesystem::path file)
      : capture_(&capture), file_(std::move(file)), topology_(topology_of(capture.scene)) {}

  [[nodiscard]] std::size_t count() const override { return 2; }
  [[nodiscard]] const Scene& scene() const override { return capture_->scene; }
  [[nodiscard]] Frame read(std::size_t frame) override {
    return {frame == 0 ? capture_->x_t0 : capture_->x_t1, topology_};
  }
  // The scene has the groups and ignored pairs of the capture.
  [[nodiscard]] Scene scene_of(std::span<const Vec3> /*positions*/,
                               const FrameTopology& /*topology*/) const override {
    return capture_->scene;
  }
  [[nodiscard]] Json identity() const override { return file_identity(file_); }

 private:
  const Capture* capture_;
  std::filesystem::path file_;
  std::shared_ptr<const FrameTopology> topology_;
};

class AnimationFrames final : public Frames {
 public:
  explicit AnimationFrames(const scenes::Animation& animation)
      : animation_(&animation), scene_(scenes::make_scene(animation)), topologies_{topology_of(scene_)} {
    for (const scenes::TopologyChange& change : animation.changes) {
      topologies_.push_back(std::make_shared<const FrameTopology>(
          FrameTopology{animation.frames[change.frame + 1].size(), change.triangles}));
    }
  }

  [[nodiscard]] std::size_t count() const override { return animation_->frames.size(); }
  [[nodiscard]] const Scene& scene() const override { return scene_; }
  [[nodiscard]] Frame read(std::size_t frame) override {
    const auto& changes = animation_->changes;
    const auto after =
        std::lower_bound(changes.begin(), changes.end(), frame,
                         [](const scenes::TopologyChange& change, std::size_t at) { return change.frame < at; });
    return {animation_->frames[frame], topologies_[static_cast<std::size_t>(after - changes.begin())]};
  }
  [[nodiscard]] std::span<const VertexId> parents(std::size_t frame) const override {
    for (const scenes::TopologyChange& change : animation_->changes) {
      if (change.frame == frame) return change.parents;
    }
    return {};
  }
  [[nodiscard]] Json identity() const override { return animation_->name; }

 private:
  const scenes::Animation* animation_;
  Scene scene_;
  std::vector<std::shared_ptr<const FrameTopology>> topologies_;  ///< the first, then one per change
};

}  // namespace

Scene Frames::scene_of(std::span<const Vec3> positions, const FrameTopology& topology) const {
  const Scene& first = scene();
  Scene result;
  std::vector<Triangle> own;
  auto next = topology.triangles.begin();  // triangles are in the order of the bodies
  for (BodyId body = 0; body < first.body_count(); ++body) {
    const bool is_last = body + 1 == first.body_count();
    const VertexId begin = first.vertices(body).first;
    const auto end = is_last ? static_cast<VertexId>(topology.vertex_count) : first.vertices(body).last;
    own.clear();
    for (; next != topology.triangles.end() && (is_last || (*next)[0] < end); ++next) {
      own.push_back({(*next)[0] - begin, (*next)[1] - begin, (*next)[2] - begin});
    }
    result.add_body({.positions = positions.subspan(begin, end - begin),
                     .triangles = own,
                     .motion = first.motion(body),
                     .groups = first.groups(body),
                     .meets = first.meets(body)});
  }
  return result;
}

std::unique_ptr<Frames> frames_of_step(const std::filesystem::path& start, const std::filesystem::path& end) {
  return std::make_unique<MeshFrames>(std::vector{start, end}, MeshFrames::Triangles::Stay, FrameEdits());
}

std::unique_ptr<Frames> frames_of_meshes(std::vector<std::filesystem::path> files,
                                         const std::filesystem::path& edits) {
  if (files.size() < 2) {
    throw InputError(fmt::format("{}: a sequence needs two frames at least", files.front().string()));
  }
  FrameEdits said = edits.empty() ? edits_beside(files) : FrameEdits(edits);
  if (!edits.empty()) said.require_within(files.size());
  return std::make_unique<MeshFrames>(std::move(files), MeshFrames::Triangles::MayChange, std::move(said));
}

std::unique_ptr<Frames> frames_of_cache(const std::filesystem::path& cache, const std::filesystem::path& mesh) {
  return std::make_unique<CacheFrames>(cache, mesh);
}

std::unique_ptr<Frames> frames_of_argument(const std::string& argument, const std::string& mesh,
                                           const std::string& edits) {
  const std::string extension = lower_extension(argument);
  if (extension == ".pc2" || extension == ".mdd") {
    if (mesh.empty()) throw InputError(argument + ": a point cache has no triangles; name a mesh with --mesh FILE");
    if (!edits.empty()) throw InputError("--edits goes with meshes: a point cache gains no vertices");
    return frames_of_cache(argument, mesh);
  }
  if (!mesh.empty())
    throw InputError("--mesh goes with a point cache (.pc2 or .mdd), which " + argument + " is not");
  return frames_of_meshes(list_frames(argument), edits);
}

std::unique_ptr<Frames> frames_of_capture(const Capture& capture, const std::filesystem::path& file) {
  return std::make_unique<CaptureFrames>(capture, file);
}

std::unique_ptr<Frames> frames_of_animation(const scenes::Animation& animation) {
  return std::make_unique<AnimationFrames>(animation);
}

}  // namespace graze::app
