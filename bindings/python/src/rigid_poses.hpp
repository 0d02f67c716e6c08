// Arguments and results of rigid queries that several parts of the module share: poses, pairs, obstacles.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <graze/rigid.hpp>

namespace graze::python {

namespace py = pybind11;

/// A pose: 4 x 4 numbers with the last row 0 0 0 1. Throws InputError, naming the argument, for anything else.
Pose pose_of(py::handle given, const std::string& name);
/// Poses of a batch: n x 4 x 4 numbers.
std::vector<Pose> poses_of(py::handle given, const std::string& name);
/// The poses of both objects of a batch. Throws InputError unless there are as many of each.
std::vector<PosePair> pose_pairs_of(py::handle given_a, py::handle given_b);
/// Two triangle ids, or None.
py::object pair_of(const std::optional<TrianglePair>& pair);
/// Obstacles: pairs of an Object and its pose. `held` keeps the objects.
std::vector<PosedObject> obstacles_of(const py::sequence& given, std::vector<std::shared_ptr<RigidObject>>& held);

}  // namespace graze::python
