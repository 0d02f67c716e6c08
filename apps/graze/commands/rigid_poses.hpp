// Reads poses as users write them: numbers on the command line, rows of a file.
//
// A pose is "x y z", "x y z qw qx qy qz" (a quaternion of any length but zero), "x y z axis ax ay az degrees", or
// the twelve numbers of a matrix, row by row, each row of the rotation followed by its translation. Blanks or
// commas separate numbers. Cost: linear in the text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

namespace graze::app {

/// Parses one pose. Throws InputError, whose message begins with `where`, for any other text.
Pose parse_pose(std::string_view text, const std::string& where);

/// Parses three finite numbers. Throws InputError as parse_pose.
Vec3 parse_point(std::string_view text, const std::string& where);

/// Reads pairs of poses, one per row: the pose of b (a stays where its file has it), or the poses of a and b. Skips
/// blank rows, rows that begin with #, and a first row that begins with a letter (a header). Throws InputError,
/// "FILE: line L: ...", for any other row, and if there are no poses.
std::vector<PosePair> read_poses(const std::filesystem::path& file);

}  // namespace graze::app
