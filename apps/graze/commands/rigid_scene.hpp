// The world file of `graze rigid`: JSON that names meshes and places them.
//
//   {"objects": [{"name": "floor", "mesh": "floor.stl", "pose": "0 0 -1", "static": true,
//                 "groups": 1, "meets": 3}, ...],
//    "ignore": [["floor", "lamp"], ...]}
//
// Only "mesh" is required. Paths are relative to the file. A pose is a text as on the command line
// (rigid_poses.hpp). An object without a name is called "object N", counted from 0. Cost: linear in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <graze/rigid.hpp>

namespace graze::app {

struct RigidSceneObject {
  std::string name;
  std::string file;  ///< of the mesh, relative to the working directory
  Pose pose;
  bool is_static = false;
  std::uint32_t groups = 1;
  std::uint32_t meets = 0xffffffffU;
};

struct RigidScene {
  std::vector<RigidSceneObject> objects;
  std::vector<std::pair<std::size_t, std::size_t>> ignored;  ///< pairs of positions in objects
};

/// Reads a world file. Throws InputError, "FILE: objects[3]: ...", for anything that is not of its form, unknown
/// keys and repeated names included.
RigidScene read_rigid_scene(const std::filesystem::path& file);

}  // namespace graze::app
