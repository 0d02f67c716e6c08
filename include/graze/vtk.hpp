// Results as VTK files (XML PolyData), for ParaView and every other program on VTK: a file of contacts, and the
// mesh beside it. Doubles are written bit for bit.
//
// FILE.vtp has the contacts, one point (or one line) a row in the order of the result, and FILE_mesh.vtp the
// triangles: docs/cli.md lists the arrays of both. They are two files, not one of two blocks, because they are
// drawn in two ways: contacts as points and glyphs, the mesh as a surface, warped or coloured. Filters of ParaView
// (Glyph, Warp By Vector, Threshold) then work on the one that was opened, without Extract Block.
//
// Writers write the mesh, then the contacts, each to a temporary file that is renamed when it is complete. They
// throw InputError, and leave no partial file, for a name without the extension, positions that do not fit the
// scene or are not finite, rows with other vertices than the scene's, and a file that cannot be written. Cost and
// memory: linear in the mesh and the rows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include <graze/export.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// Writes the impacts of a step to a .vtp file: points at contact_point(). The mesh is that at x_t0, with the
/// displacement x_t1 - x_t0 of each vertex.
GRAZE_API void write_vtk(const std::filesystem::path& file, const Scene& scene, std::span<const Vec3> x_t0,
                         std::span<const Vec3> x_t1, std::span<const Impact> impacts);

/// Writes the proximities at one instant to a .vtp file: points in the middle of the two closest points. `x`:
/// positions of all scene vertices.
GRAZE_API void write_vtk(const std::filesystem::path& file, const Scene& scene, std::span<const Vec3> x,
                         std::span<const Proximity> proximities);

/// Writes the pairs of triangles that intersect at one instant to a .vtp file: a line for each, from one end of
/// what they have in common to the other. Throws InputError for a result without overlaps
/// (IntersectionOptions::overlaps).
GRAZE_API void write_vtk(const std::filesystem::path& file, const Scene& scene, std::span<const Vec3> x,
                         const Intersections& intersections);

/// Returns the file of the mesh beside a file of contacts: FILE_mesh.vtp for FILE.vtp, FILE_mesh.pvd for FILE.pvd.
[[nodiscard]] GRAZE_API std::filesystem::path vtk_mesh_file(const std::filesystem::path& file);

/// A sequence of steps as two time series (ParaView collections), FILE.pvd of the contacts and FILE_mesh.pvd of the
/// meshes. The files of the steps go to the folder FILE_vtk beside them.
class GRAZE_API VtkSequence {
 public:
  /// Writes nothing. Throws InputError for a name without the extension .pvd.
  explicit VtkSequence(std::filesystem::path file);
  /// Writes a step: `result` are the parameters of write_vtk after the file. `time` is any number after that of the
  /// step before. Throws InputError as write_vtk does, for another time, and for a folder that cannot be created.
  template <class... Result>
  void add(double time, const Result&... result) {
    write_vtk(prepare(time), result...);
    times_.push_back(time);
  }
  /// Adds a step whose files an earlier run has written. Returns false, and adds nothing, if one is missing.
  bool keep(double time);
  /// Number of steps added.
  [[nodiscard]] std::size_t step_count() const { return times_.size(); }
  /// The folder of the steps.
  [[nodiscard]] std::filesystem::path folder() const;
  /// Writes both collections, with the steps added so far. Throws InputError if one cannot be written.
  void write() const;

 private:
  [[nodiscard]] std::filesystem::path prepare(double time) const;

  std::filesystem::path file_;
  std::vector<double> times_;
};

}  // namespace graze
