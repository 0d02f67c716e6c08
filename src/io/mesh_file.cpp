// read_mesh and write_mesh: select the format by the file extension; PLY writer and OBJ writer.
//
// PLY stores coordinates as doubles. OBJ and text PLY use the shortest decimal numbers that read back to the same
// bits. So a mesh survives a round trip bit for bit. Cost: O(n).
#include <graze/error.hpp>
#include <graze/io.hpp>

#include "io/bytes.hpp"
#include "io/extension.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "io/readers.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace graze {

using namespace io;
using namespace scene;
using namespace rigid;
using namespace core;

namespace {

using io::OutputFile;

void check_mesh(const Mesh& mesh, const std::string& name) {
  if (mesh.positions.size() > io::kMaxVertices) io::fail(name, "too many vertices to write");
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3& p = mesh.positions[i];
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
    io::fail(name, fmt::format("position {} to write is not finite: {}, {}, {}", i, p.x, p.y, p.z));
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const VertexId id : mesh.triangles[i]) {
      if (id < mesh.positions.size()) continue;
      io::fail(name,
               fmt::format("triangle {} to write has vertex {}, but there are {}", i, id, mesh.positions.size()));
    }
  }
}

void write_ply(OutputFile& out, const Mesh& mesh, bool is_binary) {
  // Other programs expect int; use uint only if int cannot hold the ids.
  const char* index_type = mesh.positions.size() <= 0x8000'0000U ? "int" : "uint";
  out.write(fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nelement face {}\nproperty list uchar {} vertex_indices\nend_header\n",
      is_binary ? "binary_little_endian" : "ascii", mesh.positions.size(), mesh.triangles.size(), index_type));
  for (const Vec3& p : mesh.positions) {
    if (is_binary) {
      for (const double value : {p.x, p.y, p.z}) io::append(out.buffer(), value, std::endian::little);
    } else {
      out.write(p.x);
      out.write(" ");
      out.write(p.y);
      out.write(" ");
      out.write(p.z);
      out.write("\n");
    }
    out.flush_if_large();
  }
  for (const Triangle& triangle : mesh.triangles) {
    if (is_binary) {
      io::append(out.buffer(), std::uint8_t{3}, std::endian::little);
      for (const VertexId id : triangle) io::append(out.buffer(), id, std::endian::little);
    } else {
      out.write("3");
      for (const VertexId id : triangle) {
        out.write(" ");
        out.write(std::uint64_t{id});
      }
      out.write("\n");
    }
    out.flush_if_large();
  }
}

void write_obj(OutputFile& out, const Mesh& mesh) {
  out.write(fmt::format("# {} vertices, {} triangles\n", mesh.positions.size(), mesh.triangles.size()));
  for (const Vec3& p : mesh.positions) {
    out.write("v ");
    out.write(p.x);
    out.write(" ");
    out.write(p.y);
    out.write(" ");
    out.write(p.z);
    out.write("\n");
  }
  for (const Triangle& triangle : mesh.triangles) {
    out.write("f");
    for (const VertexId id : triangle) {
      out.write(" ");
      out.write(std::uint64_t{id} + 1);
    }
    out.write("\n");
  }
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file) {
  using Reader = Mesh (*)(std::string_view, const std::string&);
  const std::string extension = io::lower_extension(file);
  Reader reader = nullptr;
  if (extension == ".ply") reader = io::read_ply;
  if (extension == ".obj") reader = io::read_obj;
  if (extension == ".stl") reader = io::read_stl;
  if (extension == ".off") reader = io::read_off;
  // Report problems of the file itself first: a folder has no meaningful extension.
  io::checked_file_size(file);
  if (reader == nullptr)
    io::fail(file.string(), "unknown kind of mesh: the extensions are .ply, .obj, .stl and .off");
  const io::FileBytes bytes(file);
  return reader(bytes.view(), file.string());
}

void write_mesh(const std::filesystem::path& file, const Mesh& mesh, MeshFormat format) {
  check_mesh(mesh, file.string());
  OutputFile out(file);
  switch (format) {
    case MeshFormat::PlyBinary:
      write_ply(out, mesh, true);
      break;
    case MeshFormat::PlyAscii:
      write_ply(out, mesh, false);
      break;
    case MeshFormat::Obj:
      write_obj(out, mesh);
      break;
  }
  out.finish();
}

MeshFormat mesh_format(const std::filesystem::path& file) {
  const std::string extension = io::lower_extension(file);
  if (extension == ".ply") return MeshFormat::PlyBinary;
  if (extension == ".obj") return MeshFormat::Obj;
  io::fail(file.string(), "meshes are written as .ply or .obj");
}

}  // namespace graze
