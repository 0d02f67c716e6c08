// Reads the parents of new vertices (edits.hpp). Every error message names its change.
#include "frames/edits.hpp"

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include <graze/error.hpp>

#include "output/output.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

constexpr const char* kForm = R"({"changes": [{"frame": k, "first_new_vertex": n, "parents": [...]}]})";

/// A count or an id: a whole number in the range of vertex ids.
std::uint32_t whole_number(const Json& value, const std::string& what) {
  if (!value.is_number_integer() || (!value.is_number_unsigned() && value.get<std::int64_t>() < 0) ||
      value.get<std::uint64_t>() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("{} is {}, not a whole number >= 0", what, json_text(value)));
  }
  return value.get<std::uint32_t>();
}

}  // namespace

FrameEdits::FrameEdits(const std::filesystem::path& file) : file_(file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string() + ": cannot be read");
  const Json document = Json::parse(in, nullptr, false);
  if (document.is_discarded()) throw InputError(file.string() + ": is not JSON");
  if (!document.is_object() || !document.contains("changes") || !document["changes"].is_array()) {
    throw InputError(fmt::format("{}: has no list of changes; the form is {}", file.string(), kForm));
  }
  std::size_t index = 0;
  for (const Json& entry : document["changes"]) {
    const std::string where = fmt::format("{}: change {}", file.string(), index++);
    for (const char* key : {"frame", "first_new_vertex", "parents"}) {
      if (!entry.is_object() || !entry.contains(key)) throw InputError(fmt::format("{} has no \"{}\"", where, key));
    }
    const std::size_t frame = whole_number(entry["frame"], where + ": frame");
    Change change;
    change.first_new_vertex = whole_number(entry["first_new_vertex"], where + ": first_new_vertex");
    if (!entry["parents"].is_array()) throw InputError(where + ": parents is not a list");
    for (const Json& parent : entry["parents"]) {
      const std::size_t own = change.first_new_vertex + change.parents.size();
      const std::uint32_t id = whole_number(parent, fmt::format("{}: the parent of vertex {}", where, own));
      if (id >= own) {
        throw InputError(
            fmt::format("{}: the parent of vertex {} is {}, which does not exist before it", where, own, id));
      }
      change.parents.push_back(id);
    }
    if (!changes_.emplace(frame, std::move(change)).second) {
      throw InputError(fmt::format("{}: frame {} has a change already", where, frame));
    }
  }
}

void FrameEdits::require_within(std::size_t frame_count) const {
  if (!changes_.empty() && changes_.rbegin()->first + 1 >= frame_count) {
    throw InputError(fmt::format("{}: has a change of frame {}, but the last step is from frame {}", file_.string(),
                                 changes_.rbegin()->first, frame_count - 2));
  }
}

void FrameEdits::shift(std::size_t first, std::size_t count) {
  std::map<std::size_t, Change> kept;
  for (auto& [frame, change] : changes_) {
    if (frame >= first && frame + 1 < first + count) kept.emplace(frame - first, std::move(change));
  }
  changes_ = std::move(kept);
  offset_ = first;
}

std::span<const VertexId> FrameEdits::parents(std::size_t frame) const {
  const auto at = changes_.find(frame);
  return at == changes_.end() ? std::span<const VertexId>() : std::span<const VertexId>(at->second.parents);
}

void FrameEdits::require_fits(std::size_t frame, std::size_t vertices, std::size_t next_vertices) const {
  const auto at = changes_.find(frame);
  if (at == changes_.end()) return;
  const Change& change = at->second;
  const std::string where = fmt::format("{}: the change of frame {}", file_.string(), frame + offset_);
  if (change.first_new_vertex != vertices) {
    throw InputError(fmt::format("{} says that new vertices begin with {}, but the frame has {} vertices", where,
                                 change.first_new_vertex, vertices));
  }
  if (vertices + change.parents.size() != next_vertices) {
    throw InputError(fmt::format("{} has {} parents for the {} new vertices of the next frame", where,
                                 change.parents.size(), next_vertices > vertices ? next_vertices - vertices : 0));
  }
}

}  // namespace graze::app
