// Poses between numpy and graze: a pose is a 4 x 4 matrix, poses are n x 4 x 4. All functions need the GIL.
#pragma once

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
/// The matrix of a pose.
py::array matrix_of(const Pose& pose);

}  // namespace graze::python
