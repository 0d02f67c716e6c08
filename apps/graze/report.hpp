// The report of a run: one HTML file that needs nothing else, light or dark as the reader's system is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/results.hpp>
#include <graze/types.hpp>

#include "step_rows.hpp"

namespace graze::app {

/// The scene at one step, and where its contacts are.
struct Picture {
  std::size_t step = 0;
  std::vector<Vec3> positions;  ///< at the end of the step
  std::vector<Vec3> contacts;   ///< the place of each impact, at its toi
};

struct Report {
  std::string title;
  std::string method;
  unsigned threads = 1;
  std::vector<StepRow> rows;
  std::span<const Triangle> triangles;
  std::optional<Picture> picture;
};

/// The places of impacts at their toi, from positions at both ends of the step.
Picture make_picture(std::size_t step, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                     const std::vector<Impact>& impacts);

/// The step to draw: the one with the most contacts, the first of equals.
std::size_t busiest_step(const std::vector<StepRow>& rows);

void write_report(const std::filesystem::path& file, const Report& report);

/// The picture as an SVG element: the mesh from one side, shaded, contacts marked. Most of what is hidden is left
/// out, and of very many contacts an even sample is drawn; `drawn_contacts` says how many.
std::string picture_svg(const Picture& picture, std::span<const Triangle> triangles, std::size_t& drawn_contacts);

}  // namespace graze::app
