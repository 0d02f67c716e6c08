// Mesh reader and writer (PLY, OBJ, STL, OFF), frame sequences, point caches (PC2, MDD), query files, captures and
// boxtree files. Doubles survive a round trip bit for bit.
//
// Readers throw InputError with one line, "FILE: line L: ..." or "FILE: byte B: ...", for invalid input: truncated
// data, counts that do not match the file size, indices out of range, values that are not finite. They never
// allocate more than a small multiple of the file size.
//
// Writers write to a temporary file and rename it: an existing file is replaced only when the new one is complete.
// They throw InputError for invalid data or if the file cannot be written, and leave no partial file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/elementary.hpp>
#include <graze/export.hpp>
#include <graze/results.hpp>
#include <graze/rigid.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// A triangle mesh as read from a file. Vertex and triangle ids follow the order of the file. STL vertices that are
/// equal are welded.
struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

/// Reads a .ply, .obj, .stl or .off file; the extension selects the format, in upper or lower case. Polygons are
/// triangulated as fans from their first corner.
[[nodiscard]] GRAZE_API Mesh read_mesh(const std::filesystem::path& file);

enum class MeshFormat { PlyBinary, PlyAscii, Obj };
/// Writes a mesh. Throws InputError for a position that is not finite or a vertex id out of range.
GRAZE_API void write_mesh(const std::filesystem::path& file, const Mesh& mesh, MeshFormat format);
/// The format that write_mesh uses for an extension: .ply (binary) or .obj. Throws InputError for any other
/// extension.
[[nodiscard]] GRAZE_API MeshFormat mesh_format(const std::filesystem::path& file);

/// Lists the frames (mesh files) of an animation sequence in natural order of their names (2 before 10). Takes a
/// folder, or a pattern with * and ? in the last path component ("run/frame_*.ply"). Throws InputError if there is
/// no frame.
[[nodiscard]] GRAZE_API std::vector<std::filesystem::path> list_frames(const std::string& folder_or_glob);

/// Vertex positions of an animated mesh, read frame by frame from a PC2 or MDD point cache.
class GRAZE_API PointCache {
 public:
  /// Reads the header of a .pc2 or .mdd file and checks it against the file size.
  explicit PointCache(const std::filesystem::path& file);
  [[nodiscard]] std::size_t frame_count() const { return frame_count_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::vector<Vec3> read_frame(std::size_t frame) const;  ///< InputError if frame >= frame_count()

 private:
  std::filesystem::path file_;
  std::size_t frame_count_ = 0;
  std::size_t vertex_count_ = 0;
  std::size_t data_offset_ = 0;
  bool big_endian_ = false;
};

/// Write a point cache. All frames must have the same number of positions; at least one frame and one position.
/// Both formats store floats, so positions are rounded to the nearest float. `frames_per_second` sets the times in
/// an MDD file; it must be finite and positive.
GRAZE_API void write_pc2(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames);
GRAZE_API void write_mdd(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames,
                         double frames_per_second = 24.0);

/// A continuous collision query on one vertex-face or edge-edge pair, with its exact answer (ground truth).
struct Query {
  PairStep step;
  bool truth = false;  ///< true if the two features touch during the step
};

/// Reads a query file (CSV): eight rows a query, four points at t0 and four at t1. A row has x, y, z, each as
/// numerator and denominator, then the truth (0 or 1). Each coordinate must equal a double exactly.
[[nodiscard]] GRAZE_API std::vector<Query> read_queries(const std::filesystem::path& file);
/// The kind of all queries in a file, from the name of its folder: edge-edge or vertex-face. InputError otherwise.
[[nodiscard]] GRAZE_API FeatureKind query_kind(const std::filesystem::path& file);

/// A recorded step with its answer (.graze file): usable as bug report, test, benchmark and viewer input.
struct Capture {
  Scene scene;  ///< bodies with their motion; after reading, its positions are those at t0
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  double thickness = 0.0;   ///< see DetectorOptions::thickness
  double tolerance = 1e-6;  ///< see DetectorOptions::tolerance
  std::uint64_t vf_count = 0;
  std::uint64_t ee_count = 0;
  std::uint64_t hash = 0;      ///< Impacts::hash of the answer
  std::uint64_t toi_hash = 0;  ///< Impacts::toi_hash of the answer
};

/// Makes the capture of a step from the options and the impacts of its detection.
[[nodiscard]] GRAZE_API Capture make_capture(const Scene& scene, std::span<const Vec3> x_t0,
                                             std::span<const Vec3> x_t1, const DetectorOptions& options,
                                             const Impacts& impacts);
/// Reads and validates a capture. The result is valid input for a Detector: positions are finite, ids are in range,
/// static bodies do not move.
[[nodiscard]] GRAZE_API Capture read_capture(const std::filesystem::path& file);
/// Writes a capture. Throws InputError for a capture that a Detector would reject.
GRAZE_API void write_capture(const std::filesystem::path& file, const Capture& capture);

/// Writes an object with its boxtree (.boxtree file), nine bytes a node. Throws InputError if the object has
/// another kind of tree.
GRAZE_API void write_rigid(const std::filesystem::path& file, const RigidObject& object);
/// Reads a .boxtree file. Verifies the checksum and, in linear time, the whole tree, so that a damaged file cannot
/// cause a wrong answer.
[[nodiscard]] GRAZE_API RigidObject read_rigid(const std::filesystem::path& file);

}  // namespace graze
