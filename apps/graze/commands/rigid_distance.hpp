// graze rigid A B --query distance: bounds of the distance of two objects in many poses, and their closest points.
#pragma once

#include <span>

#include <graze/rigid.hpp>

#include "commands/rigid_options.hpp"
#include "commands/rigid_queries.hpp"
#include "output/output.hpp"

namespace graze::app {

/// Finds the distances in all poses, prints a row for each unless the JSON goes to stdout, and adds them to the
/// document. Returns true if the objects intersect in any pose. Throws Interrupted after a signal.
bool run_rigid_distance(const RigidOptions& options, const RigidObject& a, const RigidObject& b,
                        std::span<const PosePair> poses, const RigidQuery& query, Json& document);

}  // namespace graze::app
