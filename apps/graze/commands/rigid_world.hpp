// graze rigid WORLD.json: contacts of all objects of a world file (rigid_scene.hpp).
#pragma once

#include <graze/rigid.hpp>

#include "commands/rigid_options.hpp"

namespace graze::app {

/// True if A names a world file.
bool names_world(const RigidOptions& options);

/// Throws InputError for options that a world does not have, before any file is read.
void check_world_options(const RigidOptions& options);

/// Reads the world, finds its contacts, prints and writes them; returns the exit status. Precondition: the options
/// passed check_world_options.
int run_rigid_world(const RigidOptions& options, const RigidObjectOptions& object, const ColliderOptions& collider,
                    unsigned threads);

}  // namespace graze::app
