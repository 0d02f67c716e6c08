// Reading and writing meshes, frame sequences, point caches, query files and captures. Doubles survive a round trip
// bit for bit.
//
// Readers throw InputError with one line, "FILE: line L: ..." or "FILE: byte B: ...", for anything broken:
// truncated data, counts that do not fit the file's size, indices out of range, values that are not finite. They
// never allocate more than a small multiple of the file's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/rigid.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// A triangle mesh as read from a file; ids are the file's own order (STL: exact duplicates welded).
struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

/// Reads .ply, .obj, .stl or .off (by extension, any case); polygons are cut into fans.
Mesh read_mesh(const std::filesystem::path& file);

enum class MeshFormat { PlyBinary, PlyAscii, Obj };
/// Writes a mesh; an existing file is replaced only once the new one is whole. InputError, and no file, for a
/// position that is not finite, an id out of range, or a place that can't be written.
void write_mesh(const std::filesystem::path& file, const Mesh& mesh, MeshFormat format);
/// The format that an extension stands for (.ply: binary, .obj); InputError for others.
MeshFormat mesh_format(const std::filesystem::path& file);

/// The frames of a sequence, in natural order of their names (2 before 10): a folder of meshes, or a glob in the
/// last component ("run/frame_*.ply"). InputError if there are none.
std::vector<std::filesystem::path> list_frames(const std::string& folder_or_glob);

/// Positions of a mesh's vertices over time, read frame by frame from a PC2 or MDD file.
class PointCache {
 public:
  explicit PointCache(const std::filesystem::path& file);  ///< .pc2 or .mdd; checks header against file size
  [[nodiscard]] std::size_t frame_count() const { return frame_count_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::vector<Vec3> read_frame(std::size_t frame) const;  ///< InputError from frame_count() on

 private:
  std::filesystem::path file_;
  std::size_t frame_count_ = 0;
  std::size_t vertex_count_ = 0;
  std::size_t data_offset_ = 0;
  bool big_endian_ = false;
};

/// Write a point cache: all frames have as many positions, at least one of each. Both formats hold floats, so
/// positions are rounded to the nearest. Replaces an existing file once the new one is whole; InputError as
/// write_mesh.
void write_pc2(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames);
void write_mdd(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames,
               double frames_per_second = 24.0);

/// A continuous query with its true answer.
struct Query {
  PairStep step;
  bool truth = false;  ///< do the two features touch in the step?
};

/// Reads a query file: eight rows a query, of x, y, z as numerator and denominator, then the truth (0 or 1).
/// Coordinates must be doubles exactly.
std::vector<Query> read_queries(const std::filesystem::path& file);
/// The kind of a file's queries, from its folder: edge-edge or vertex-face; InputError otherwise.
FeatureKind query_kind(const std::filesystem::path& file);

/// One step with its answer (.graze): bug report, test and benchmark in one file.
struct Capture {
  Scene scene;  ///< bodies with their motion; as read, its positions are those at t0
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  double thickness = 0.0;   ///< as in DetectorOptions
  double tolerance = 1e-6;  ///< as in DetectorOptions
  std::uint64_t vf_count = 0;
  std::uint64_t ee_count = 0;
  std::uint64_t hash = 0;      ///< of the impacts: Impacts::hash
  std::uint64_t toi_hash = 0;  ///< of the impacts: Impacts::toi_hash
};

/// The capture of a step that was detected with these options.
Capture make_capture(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                     const DetectorOptions& options, const Impacts& impacts);
/// Reads a capture. What it holds is fit for a Detector: finite, ids in range, static bodies at rest.
Capture read_capture(const std::filesystem::path& file);
/// Writes a capture; an existing file is replaced only once the new one is whole. InputError, and no file, for what
/// a Detector would refuse, or a place that can't be written.
void write_capture(const std::filesystem::path& file, const Capture& capture);

/// Writes an object with its boxtree (.boxtree), nine bytes a node; an existing file is replaced only once the new
/// one is whole. InputError for an object with another kind of tree, or a place that can't be written.
void write_rigid(const std::filesystem::path& file, const RigidObject& object);
/// Reads it back. Checks, in linear time, all that answers depend on: a file that was damaged is refused.
RigidObject read_rigid(const std::filesystem::path& file);

}  // namespace graze
