// Writes frames to files (scene_writer.hpp). Cost: linear in the vertices and triangles of a frame.
#include "frames/scene_writer.hpp"

#include <bit>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

#include <graze/error.hpp>
#include <graze/io.hpp>

#include <fmt/format.h>

namespace graze::app {
namespace {

constexpr std::size_t kPc2Head = 32;

void put_word(std::string& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>((word >> shift) & 0xFFU));
}

/// The header that write_pc2 writes; here frames come one by one, so that they are never all in memory.
std::string pc2_head(std::size_t vertices, std::size_t frames) {
  std::string head("POINTCACHE2\0", 12);
  put_word(head, 1);  // version
  put_word(head, static_cast<std::uint32_t>(vertices));
  put_word(head, std::bit_cast<std::uint32_t>(0.0F));  // first frame
  put_word(head, std::bit_cast<std::uint32_t>(1.0F));  // sampling rate
  put_word(head, static_cast<std::uint32_t>(frames));
  return head;
}

Mesh mesh_of(const scenes::SceneStream& stream) {
  Mesh mesh;
  mesh.positions.assign(stream.positions().begin(), stream.positions().end());
  mesh.triangles.assign(stream.triangles().begin(), stream.triangles().end());
  return mesh;
}

Json read_json_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return in ? Json::parse(in, nullptr, false) : Json();
}

}  // namespace

SceneWriter::SceneWriter(std::filesystem::path folder, SceneFormat format, const Json& identity)
    : folder_(std::move(folder)), format_(format) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || !std::filesystem::is_directory(folder_, error)) {
    throw InputError(folder_.string() + ": cannot be made a folder");
  }
  const std::filesystem::path manifest = folder_ / "scene.json";
  if (std::filesystem::exists(manifest, error)) {
    if (!(read_json_file(manifest) == identity)) {  // a document that does not parse is neither == nor !=
      throw InputError(folder_.string() +
                       ": holds a scene made with other options or by another version; choose another folder, or "
                       "remove it to start again");
    }
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("frame_")) {
      throw InputError(folder_.string() +
                       ": has frames already, but no scene.json that says of what; choose another "
                       "folder");
    }
  }
  write_json(manifest.string(), identity);
}

std::filesystem::path SceneWriter::frame_file(std::size_t frame) const {
  return folder_ / fmt::format("frame_{:04}.ply", frame);
}

bool SceneWriter::resume(scenes::SceneStream& stream, std::size_t frames) {
  std::ifstream state(state_file(), std::ios::binary);
  if (!state) return false;
  std::uint64_t frame = 0;
  state.read(reinterpret_cast<char*>(&frame), sizeof frame);
  if (!state) return false;
  state.seekg(0);
  std::error_code error;
  if (format_ == SceneFormat::Ply) {
    for (std::size_t k = 0; k <= frame; ++k) {
      if (!std::filesystem::exists(frame_file(k), error)) return false;
    }
  } else {
    const std::uintmax_t whole = kPc2Head + (frame + 1) * stream.positions().size() * 12;
    const bool done = std::filesystem::exists(cache_file(), error) && frame + 1 >= frames;
    if (!done) {
      const std::uintmax_t there = std::filesystem::file_size(partial_cache_file(), error);
      if (error || there < whole) return false;
      std::filesystem::resize_file(partial_cache_file(), whole, error);
      if (error) return false;
    }
  }
  // All wanted frames exist, or the rest can be made from the state.
  try {
    stream.load(state);
  } catch (const InputError& refused) {
    throw InputError(fmt::format("{}: {}; remove it to start again", state_file().string(), refused.what()));
  }
  const Json topology = read_json_file(folder_ / "topology.json");
  if (topology.is_object() && topology.contains("changes")) {
    for (const Json& change : topology["changes"]) {
      if (change.value("frame", std::uint64_t{0}) < frame) changes_.push_back(change);
    }
  }
  return true;
}

void SceneWriter::write(const scenes::SceneStream& stream, std::size_t frames) {
  if (format_ == SceneFormat::Ply) {
    write_mesh(frame_file(stream.frame()), mesh_of(stream), MeshFormat::PlyBinary);
  } else {
    if (stream.frame() == 0) write_mesh(folder_ / "mesh.ply", mesh_of(stream), MeshFormat::PlyBinary);
    append_to_cache(stream, frames);
  }
  write_whole_file(state_file(), [&](std::ostream& out) { stream.save(out); });
}

void SceneWriter::append_to_cache(const scenes::SceneStream& stream, std::size_t frames) const {
  const bool first = stream.frame() == 0;
  std::ofstream out(partial_cache_file(), std::ios::binary | (first ? std::ios::trunc : std::ios::app));
  std::string bytes = first ? pc2_head(stream.positions().size(), frames) : std::string();
  for (const Vec3& p : stream.positions()) {
    for (const double value : {p.x, p.y, p.z}) {
      put_word(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    }
  }
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw InputError(partial_cache_file().string() + ": cannot be written; is the disk full?");
}

void SceneWriter::add_change(const scenes::TopologyChange& change, std::size_t vertex_count_before) {
  Json entry;
  entry["frame"] = change.frame;
  entry["first_new_vertex"] = vertex_count_before;
  entry["parents"] = change.parents;
  changes_.push_back(std::move(entry));
  write_changes();
}

void SceneWriter::write_changes() const {
  Json document;
  document["about"] =
      "the step from 'frame' to the next has the triangles of the next; its new vertices start where their parents "
      "are";
  document["changes"] = changes_;
  write_json((folder_ / "topology.json").string(), document);
}

void SceneWriter::finish() {
  std::error_code error;
  if (format_ == SceneFormat::Pc2 && std::filesystem::exists(partial_cache_file(), error)) {
    std::filesystem::rename(partial_cache_file(), cache_file(), error);
    if (error) throw InputError(cache_file().string() + ": cannot be written");
  }
}

}  // namespace graze::app
