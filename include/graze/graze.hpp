// Umbrella header: the whole library except file formats (graze/io.hpp, graze/vtk.hpp), the variants of methods for
// comparisons (graze/research.hpp) and the Eigen adapter (graze/eigen.hpp).

/// @namespace graze
/// Collision detection between moving triangle meshes: every contact, exactly. Start with Scene and Detector for
/// deforming meshes, RigidObject and Collider for two rigid objects, RigidWorld for many of them,
/// impact_vertex_face() and impact_edge_edge() for single feature pairs, read_mesh() for files.
#pragma once

#include <graze/batch.hpp>
#include <graze/boxes.hpp>
#include <graze/detector.hpp>
#include <graze/detector_batch.hpp>
#include <graze/device.hpp>
#include <graze/edit.hpp>
#include <graze/elementary.hpp>
#include <graze/error.hpp>
#include <graze/features.hpp>
#include <graze/methods.hpp>
#include <graze/results.hpp>
#include <graze/rigid.hpp>
#include <graze/rigid_distance.hpp>
#include <graze/rigid_motion.hpp>
#include <graze/rigid_shapes.hpp>
#include <graze/rigid_world.hpp>
#include <graze/scene.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>
#include <graze/version.hpp>
