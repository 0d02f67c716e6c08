// graze/boxes.hpp in Python: boxes are two arrays of corners.
#include <graze/boxes.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "calls.hpp"
#include "objects.hpp"

namespace graze::python {

namespace {

std::vector<Box> boxes_of(py::handle given_lo, py::handle given_hi) {
  const Positions lo(given_lo, "lo");
  const Positions hi(given_hi, "hi", lo.span().size());
  std::vector<Box> boxes(lo.span().size());
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = {lo.span()[i], hi.span()[i]};
  return boxes;
}

py::tuple corners_of(const std::vector<Box>& boxes) {
  std::vector<Vec3> lo;
  std::vector<Vec3> hi;
  for (const Box& box : boxes) {
    lo.push_back(box.lo);
    hi.push_back(box.hi);
  }
  return py::make_tuple(positions_array(std::move(lo)), positions_array(std::move(hi)));
}

std::vector<LatticeCell> cells_of(py::handle given) {
  const auto ids = id_table(given, "cells", 8);
  std::vector<LatticeCell> cells(ids.size() / 8);
  for (std::size_t i = 0; i < ids.size(); ++i) cells[i / 8][i % 8] = ids[i];
  return cells;
}

std::shared_ptr<BoxPairs> find_pairs(py::handle lo, py::handle hi, py::handle d, py::handle groups,
                                     py::handle threads, py::handle memory_cap, const ResearchOptions* research,
                                     const py::object& progress) {
  require_callable(progress, "progress");
  const std::vector<Box> boxes = boxes_of(lo, hi);
  const std::vector<std::uint32_t> numbers =
      groups.is_none() ? std::vector<std::uint32_t>() : ids_of(groups, "groups");
  CallWatch watch(progress);
  BoxOptions options{.research = research != nullptr ? *research : ResearchOptions(),
                     .threads = threads_of(threads),
                     .memory_cap = count_of(memory_cap, "memory_cap", std::numeric_limits<std::uint64_t>::max()),
                     .progress = CallWatch::callback(watch)};
  const double distance = number_of(d, "d");
  return std::make_shared<BoxPairs>(
      run_query(watch, [&] { return graze::close_boxes(boxes, numbers, distance, options); }));
}

}  // namespace

void bind_boxes(py::module_& module) {
  py::class_<BoxPairs, std::shared_ptr<BoxPairs>>(module, "BoxPairs", "Pairs of boxes within a distance, sorted.")
      .def("__len__", [](const BoxPairs& self) { return self.pairs.size(); })
      .def_property_readonly(
          "pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const BoxPairs&>().pairs;
            return column_of<std::uint32_t>(rows, rows.empty() ? nullptr : &rows.front().a, 2, self);
          },
          "Numbers of both boxes, n x 2, the smaller one first.")
      .def_property_readonly(
          "distance",
          [](const py::object& self) {
            const auto& rows = self.cast<const BoxPairs&>().pairs;
            return column_of<double>(rows, rows.empty() ? nullptr : &rows.front().distance, 0, self);
          },
          "Distances, n; 0 for boxes that touch or overlap.")
      .def_readonly("stats", &BoxPairs::stats, "Counters and times of the query.")
      .def("__repr__", [](const BoxPairs& self) { return fmt::format("BoxPairs({})", self.pairs.size()); });
  module.def(
      "lattice_boxes",
      [](py::handle cells, py::handle given_t0, py::handle given_t1) {
        const Positions x_t0(given_t0, "x_t0");
        const Positions x_t1(given_t1, "x_t1", x_t0.span().size());
        return corners_of(graze::lattice_boxes(cells_of(cells), x_t0.span(), x_t1.span()));
      },
      py::arg("cells"), py::arg("x_t0"), py::arg("x_t1"),
      "Bounding boxes of lattice cells (k x 8 vertex ids) over a step: their lower and upper corners.");
  module.def("close_boxes", &find_pairs, py::arg("lo"), py::arg("hi"), py::arg("d"), py::kw_only(),
             py::arg("groups") = py::none(), py::arg("threads") = 0, py::arg("memory_cap") = 0,
             py::arg("research") = py::none(), py::arg("progress") = py::none(),
             "Finds every pair of boxes within a distance; boxes of one group are not tested against each other.");
}

}  // namespace graze::python
