// Reads the world file of `graze rigid` (rigid_scene.hpp).
#include "commands/rigid_scene.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <map>
#include <string_view>

#include <graze/error.hpp>

#include "commands/rigid_poses.hpp"
#include "output/output.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

void require_keys(const Json& value, const std::string& where, std::initializer_list<std::string_view> known) {
  if (!value.is_object()) throw InputError(where + ": is not a JSON object");
  for (const auto& [key, ignored] : value.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw InputError(fmt::format("{}: the key {} is unknown; there are: {}", where, json_text(Json(key)),
                                   fmt::join(known, ", ")));
    }
  }
}

std::string text_of(const Json& value, const std::string& what) {
  if (!value.is_string()) throw InputError(fmt::format("{} is {}, not a text", what, json_text(value)));
  return value.get<std::string>();
}

bool flag_of(const Json& value, const std::string& what) {
  if (!value.is_boolean()) throw InputError(fmt::format("{} is {}, not true or false", what, json_text(value)));
  return value.get<bool>();
}

std::uint32_t mask_of(const Json& value, const std::string& what) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("{} is {}, not a mask of 32 bits", what, json_text(value)));
  }
  return value.get<std::uint32_t>();
}

RigidSceneObject object_of(const Json& entry, const std::string& where, const std::filesystem::path& folder,
                           std::size_t index) {
  require_keys(entry, where, {"name", "mesh", "pose", "static", "groups", "meets"});
  if (!entry.contains("mesh")) throw InputError(where + ": has no \"mesh\"");
  RigidSceneObject object;
  object.name = entry.contains("name") ? text_of(entry["name"], where + ": name") : fmt::format("object {}", index);
  object.file = (folder / text_of(entry["mesh"], where + ": mesh")).string();
  if (entry.contains("pose")) object.pose = parse_pose(text_of(entry["pose"], where + ": pose"), where + ": pose");
  if (entry.contains("static")) object.is_static = flag_of(entry["static"], where + ": static");
  if (entry.contains("groups")) object.groups = mask_of(entry["groups"], where + ": groups");
  if (entry.contains("meets")) object.meets = mask_of(entry["meets"], where + ": meets");
  return object;
}

}  // namespace

RigidScene read_rigid_scene(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string() + ": cannot be read");
  const Json document = Json::parse(in, nullptr, false);
  if (document.is_discarded()) throw InputError(file.string() + ": is not JSON");
  require_keys(document, file.string(), {"objects", "ignore"});
  if (!document.contains("objects") || !document["objects"].is_array()) {
    throw InputError(file.string() + ": has no list of \"objects\"");
  }
  RigidScene scene;
  std::map<std::string, std::size_t> index_of;
  for (const Json& entry : document["objects"]) {
    const std::size_t index = scene.objects.size();
    const std::string where = fmt::format("{}: objects[{}]", file.string(), index);
    scene.objects.push_back(object_of(entry, where, file.parent_path(), index));
    if (!index_of.emplace(scene.objects.back().name, index).second) {
      throw InputError(fmt::format("{}: the name {} is taken", where, json_text(Json(scene.objects.back().name))));
    }
  }
  if (!document.contains("ignore")) return scene;
  if (!document["ignore"].is_array()) throw InputError(file.string() + ": \"ignore\" is not a list");
  std::size_t index = 0;
  for (const Json& entry : document["ignore"]) {
    const std::string where = fmt::format("{}: ignore[{}]", file.string(), index++);
    if (!entry.is_array() || entry.size() != 2) throw InputError(where + ": is not a pair of names");
    std::size_t ends[2];
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string name = text_of(entry[i], where);
      const auto found = index_of.find(name);
      if (found == index_of.end()) {
        throw InputError(fmt::format("{}: there is no object {}", where, json_text(Json(name))));
      }
      ends[i] = found->second;
    }
    if (ends[0] == ends[1]) throw InputError(where + ": names one object twice");
    scene.ignored.emplace_back(ends[0], ends[1]);
  }
  return scene;
}

}  // namespace graze::app
