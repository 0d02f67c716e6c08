// Mesh reader and writer (PLY, OBJ, STL, OFF), frame sequences, point caches (PC2, MDD), query files, captures and
// boxtree files. Written doubles read back bit for bit, except from point caches, which store floats.
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
  std::vector<Vec3> positions;      ///< vertex positions, in the units of the file
  std::vector<Triangle> triangles;  ///< triangles in 0-based vertex ids
};

/// Reads a .ply, .obj, .stl or .off file; the extension selects the format, in upper or lower case. Polygons are
/// triangulated as fans from their first corner.
[[nodiscard]] GRAZE_API Mesh read_mesh(const std::filesystem::path& file);

/// Formats that write_mesh writes.
enum class MeshFormat {
  PlyBinary,  ///< binary PLY
  PlyAscii,   ///< text PLY
  Obj         ///< Wavefront OBJ
};
/// Writes a mesh. Throws InputError for a position that is not finite or a vertex id out of range.
GRAZE_API void write_mesh(const std::filesystem::path& file, const Mesh& mesh, MeshFormat format);
/// Returns the format for the extension of a file: PlyBinary for .ply, Obj for .obj. Throws InputError for any
/// other extension.
[[nodiscard]] GRAZE_API MeshFormat mesh_format(const std::filesystem::path& file);

/// Lists the frames (mesh files) of an animation sequence in natural order of their names (2 before 10). Takes a
/// folder, or a pattern with * and ? in the last path component ("run/frame_*.ply"). Throws InputError if there is
/// no frame.
[[nodiscard]] GRAZE_API std::vector<std::filesystem::path> list_frames(const std::string& folder_or_glob);

/// Vertex positions of an animated mesh, read frame by frame from a PC2 or MDD point cache. Keeps the path and the
/// header, not the file open. Const member functions may be called from several threads at a time.
class GRAZE_API PointCache {
 public:
  /// Reads the header of a .pc2 or .mdd file and checks it against the file size. Throws InputError if invalid.
  explicit PointCache(const std::filesystem::path& file);
  /// Number of frames in the file.
  [[nodiscard]] std::size_t frame_count() const { return frame_count_; }
  /// Number of positions in each frame.
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  /// Reads one frame. Throws InputError if frame >= frame_count(), or if the frame cannot be read.
  [[nodiscard]] std::vector<Vec3> read_frame(std::size_t frame) const;

 private:
  std::filesystem::path file_;
  std::size_t frame_count_ = 0;
  std::size_t vertex_count_ = 0;
  std::size_t data_offset_ = 0;
  bool big_endian_ = false;
};

/// Writes a PC2 point cache, with positions rounded to the nearest float. Throws InputError unless there are at
/// least one frame and one position, and all frames have the same number of positions.
GRAZE_API void write_pc2(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames);
/// Writes an MDD point cache; rounding and errors as for write_pc2. `frames_per_second` sets the times in the file;
/// it must be finite and positive, InputError otherwise.
GRAZE_API void write_mdd(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames,
                         double frames_per_second = 24.0);

/// A continuous collision query on one vertex-face or edge-edge pair, with its exact answer (ground truth).
struct Query {
  PairStep step;       ///< the four points at both ends of the step
  bool truth = false;  ///< true if the two features touch during the step
};

/// Reads a query file (CSV): eight rows per query, four points at t0 and four at t1. A row has x, y, z, each as
/// numerator and denominator, then the truth (0 or 1). Throws InputError for a coordinate that does not equal a
/// double exactly.
[[nodiscard]] GRAZE_API std::vector<Query> read_queries(const std::filesystem::path& file);
/// Returns the kind of all queries in a file, from the name of its folder: edge-edge or vertex-face. Throws
/// InputError for any other name.
[[nodiscard]] GRAZE_API FeatureKind query_kind(const std::filesystem::path& file);

/// A recorded step with its answer (.graze file): usable as bug report, test, benchmark and viewer input.
struct Capture {
  Scene scene;                 ///< bodies with their motion; after reading, its positions are those at t0
  std::vector<Vec3> x_t0;      ///< positions of all scene vertices at the start of the step
  std::vector<Vec3> x_t1;      ///< positions of all scene vertices at the end of the step
  double thickness = 0.0;      ///< see DetectorOptions::thickness
  double tolerance = 1e-6;     ///< see DetectorOptions::tolerance
  std::uint64_t vf_count = 0;  ///< number of vertex-face impacts of the answer
  std::uint64_t ee_count = 0;  ///< number of edge-edge impacts of the answer
  std::uint64_t hash = 0;      ///< Impacts::hash of the answer
  std::uint64_t toi_hash = 0;  ///< Impacts::toi_hash of the answer
};

/// Makes the capture of a step from the scene, the positions, the options and the impacts of its query. Copies all
/// of them; does not check that the impacts are those of the step.
[[nodiscard]] GRAZE_API Capture make_capture(const Scene& scene, std::span<const Vec3> x_t0,
                                             std::span<const Vec3> x_t1, const DetectorOptions& options,
                                             const Impacts& impacts);
/// Reads and validates a capture. The result is valid input for a Detector: positions are finite, ids are in range,
/// static bodies do not move.
[[nodiscard]] GRAZE_API Capture read_capture(const std::filesystem::path& file);
/// Writes a capture. Throws InputError for a capture that a Detector would reject.
GRAZE_API void write_capture(const std::filesystem::path& file, const Capture& capture);

/// Writes an object with its boxtree (.boxtree file), nine bytes per node. Throws InputError if the object has
/// another kind of tree.
GRAZE_API void write_rigid(const std::filesystem::path& file, const RigidObject& object);
/// Reads a .boxtree file. Verifies the checksum and, in linear time, the whole tree, so that a damaged file cannot
/// cause a wrong answer. Throws InputError for an invalid file.
[[nodiscard]] GRAZE_API RigidObject read_rigid(const std::filesystem::path& file);

}  // namespace graze
