// Poses between numpy and graze (poses.hpp).
#include "poses.hpp"

#include <array>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "arrays.hpp"

namespace graze::python {

namespace {

/// The pose of 16 numbers, row by row. Throws InputError, naming the argument, if the last row is not 0 0 0 1.
Pose pose_of_numbers(const double* m, const std::string& name) {
  for (int column = 0; column < 4; ++column) {
    const double last = column == 3 ? 1.0 : 0.0;
    if (m[12 + column] != last) {
      throw InputError(fmt::format("{}: row 3: {} in column {}, the last row of a pose is 0 0 0 1", name,
                                   m[12 + column], column));
    }
  }
  Pose pose;
  for (std::size_t row = 0; row < 3; ++row) pose.rotation[row] = {m[4 * row], m[4 * row + 1], m[4 * row + 2]};
  pose.translation = {m[3], m[7], m[11]};
  return pose;
}

}  // namespace

Pose pose_of(py::handle given, const std::string& name) {
  const py::array_t<double> numbers = numbers_of(given, name);
  if (numbers.ndim() != 2 || numbers.shape(0) != 4 || numbers.shape(1) != 4) {
    throw InputError(fmt::format("{} has the shape {}, must be 4 x 4", name, text_of(numbers.attr("shape"))));
  }
  return pose_of_numbers(numbers.data(), name);
}

std::vector<Pose> poses_of(py::handle given, const std::string& name) {
  const py::array_t<double> numbers = numbers_of(given, name);
  if (numbers.ndim() == 1 && numbers.shape(0) == 0) return {};
  if (numbers.ndim() != 3 || numbers.shape(1) != 4 || numbers.shape(2) != 4) {
    throw InputError(fmt::format("{} has the shape {}, must be n x 4 x 4", name, text_of(numbers.attr("shape"))));
  }
  std::vector<Pose> poses;
  for (py::ssize_t i = 0; i < numbers.shape(0); ++i) {
    poses.push_back(pose_of_numbers(numbers.data() + 16 * i, fmt::format("{}[{}]", name, i)));
  }
  return poses;
}

std::vector<PosePair> pose_pairs_of(py::handle given_a, py::handle given_b) {
  const std::vector<Pose> poses_a = poses_of(given_a, "poses_a");
  const std::vector<Pose> poses_b = poses_of(given_b, "poses_b");
  if (poses_a.size() != poses_b.size()) {
    throw InputError(fmt::format("poses_b has {} poses, poses_a has {}", poses_b.size(), poses_a.size()));
  }
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < poses_a.size(); ++i) poses.push_back({poses_a[i], poses_b[i]});
  return poses;
}

std::vector<PosedObject> obstacles_of(const py::sequence& given, std::vector<std::shared_ptr<RigidObject>>& held) {
  std::vector<PosedObject> obstacles;
  for (const py::handle one : given) {
    const std::string name = fmt::format("obstacles[{}]", obstacles.size());
    if (!py::isinstance<py::sequence>(one) || py::len(one) != 2) {
      throw InputError(name + " is no pair of an Object and a pose");
    }
    const py::tuple pair(py::reinterpret_borrow<py::object>(one));
    if (!py::isinstance<RigidObject>(pair[0])) throw InputError(name + " has no Object");
    held.push_back(pair[0].cast<std::shared_ptr<RigidObject>>());
    obstacles.push_back({held.back().get(), pose_of(pair[1], name)});
  }
  return obstacles;
}

py::object pair_of(const std::optional<TrianglePair>& pair) {
  if (!pair) return py::none();
  return py::make_tuple(pair->a, pair->b);
}

py::array matrix_of(const Pose& pose) {
  py::array_t<double> matrix({4, 4});
  double* m = matrix.mutable_data();
  const std::array<double, 3> translation{pose.translation.x, pose.translation.y, pose.translation.z};
  for (std::size_t row = 0; row < 3; ++row) {
    m[4 * row] = pose.rotation[row].x;
    m[4 * row + 1] = pose.rotation[row].y;
    m[4 * row + 2] = pose.rotation[row].z;
    m[4 * row + 3] = translation[row];
  }
  m[12] = m[13] = m[14] = 0.0;
  m[15] = 1.0;
  return matrix;
}

}  // namespace graze::python
