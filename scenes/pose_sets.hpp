// Poses in which two copies of an object have corners, edges and planes in common: shifted along an axis, shifted
// by a third of the size, or in one pose. CAD parts that are placed beside or in each other are in such poses,
// where doubles alone decide little.
//
// A shift along an axis leaves the other two coordinates as they are, to the bit, so faces along it stay coplanar.
// Results are bit-identical on every platform: + - * / sqrt only. Cost: linear in vertices and poses.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes {

enum class PoseSet : std::uint8_t { Aligned, Shifted, Same };
inline constexpr PoseSet kPoseSets[] = {PoseSet::Aligned, PoseSet::Shifted, PoseSet::Same};

[[nodiscard]] std::string_view name_of(PoseSet set);

/// Returns the poses of two copies of the shape. The pose of a is the identity unless stated otherwise.
///   aligned: b is shifted along x, y or z by k/16 of the size along that axis, k = 1..16 (16: boxes touch)
///   shifted: b is shifted by a third of the size along one, two or three axes, in all 26 directions
///   same:    both in the same pose: the identity, a shift, turns by right angles, and turns by other angles
/// Precondition: finite positions, ids in range.
[[nodiscard]] std::vector<PosePair> pose_set(PoseSet set, const Shape& shape);

}  // namespace graze::scenes
