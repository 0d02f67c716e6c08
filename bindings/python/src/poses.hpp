// Arguments and results of rigid queries that several parts of the module share. A pose is a 4 x 4 matrix, poses
// are n x 4 x 4. All functions need the GIL.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <graze/rigid.hpp>

namespace graze::python {

namespace py = pybind11;

/// The pose of a matrix. Throws InputError, naming the argument, if the shape is another or the last row is not
/// 0 0 0 1.
Pose pose_of(py::handle given, const std::string& name);
/// The poses of n matrices; errors name the argument and the index.
std::vector<Pose> poses_of(py::handle given, const std::string& name);
/// The poses of both objects of a batch. Throws InputError unless there are as many of each.
std::vector<PosePair> pose_pairs_of(py::handle given_a, py::handle given_b);
/// Obstacles: pairs of an Object and its pose. `held` keeps the objects.
std::vector<PosedObject> obstacles_of(const py::sequence& given, std::vector<std::shared_ptr<RigidObject>>& held);
/// Two triangle ids, or None.
py::object pair_of(const std::optional<TrianglePair>& pair);
/// The matrix of a pose.
py::array matrix_of(const Pose& pose);

}  // namespace graze::python
