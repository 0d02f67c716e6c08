// Poses as users write them: numbers on the command line, rows of a file.
//
// A pose is "x y z", "x y z qw qx qy qz" (a quaternion of any length but zero), "x y z axis ax ay az degrees", or
// the twelve numbers of a matrix, row by row, each row of the rotation followed by its translation. Numbers are
// parted by blanks or commas. Linear in the text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

namespace graze::app {

/// One pose. `where` begins the message of the InputError that anything else is.
Pose parse_pose(std::string_view text, const std::string& where);

/// Three finite numbers.
Vec3 parse_point(std::string_view text, const std::string& where);

/// A row a pair of poses: that of b, a being where its file has it, or those of a and b. Blank rows and rows that
/// begin with # are passed over, and a first row that begins with a letter is a header. InputError, "FILE: line L:
/// ...", for anything else, and for no poses.
std::vector<PosePair> read_poses(const std::filesystem::path& file);

}  // namespace graze::app
