// Shared by the sections of ICCD's chapter: the contestants, their rows on each scene, and the culling steps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rows.hpp"
#include "bench/scene.hpp"
#include "research/namespaces.hpp"
#include "research/papers/papers.hpp"

namespace graze::papers::iccd {

/// The contestants, by the names of their rows.
inline constexpr std::string_view kBase = "basic, 18-DOPs";                ///< the paper's base
inline constexpr std::string_view kBaseCones = "basic, 18-DOPs, cones";    ///< the base with high-level culling
inline constexpr std::string_view kPaper = "iccd, no bounds of features";  ///< the paper's method
inline constexpr std::string_view kPaperBoxes = "iccd, no bounds of features, boxes";
inline constexpr std::string_view kOurs = "iccd";
inline constexpr std::string_view kBoxes = "iccd, boxes";
inline constexpr std::string_view kCanonical = "iccd, canonical cones";
inline constexpr std::string_view kNoCones = "iccd, no cones";
inline constexpr std::string_view kRtri = "r-tri";

/// A scene with the rows of all contestants.
struct Measured {
  const BenchScene* scene = nullptr;
  std::vector<BenchRow> rows;   ///< all impacts
  std::vector<BenchRow> first;  ///< the first impact: kBase and kOurs
  std::uint64_t moving = 0;     ///< triangles of bodies that move

  [[nodiscard]] const BenchRow& row(std::string_view contestant) const;
  [[nodiscard]] double steps() const { return static_cast<double>(scene->step_count()); }
  /// The mean per step of a sum over the steps.
  [[nodiscard]] double a_step(double sum) const { return sum / steps(); }
  /// Elementary tests per step.
  [[nodiscard]] double tests_a_step(std::string_view contestant) const;
};

/// Elementary tests per step that remain after each culling step of Figure 15.
struct Stages {
  double base = 0.0;
  double cones = 0.0;       ///< high-level culling
  double procedural = 0.0;  ///< feature pairs of non-adjacent triangles once; 9 or 4 tests per adjacent pair
  double orphans = 0.0;     ///< orphans instead of adjacent triangles: the paper's method
  double bounds = 0.0;      ///< bounds of features before each test: ours
};
Stages stages(const Measured& measured);

/// Formats a mean count as a whole number with separators.
std::string count_text(double value);

/// Sections IV and VIII: counters of cones and contours, tight against canonical cones, 18-DOPs against boxes.
PaperSection culling_section(const std::vector<Measured>& all, Json& json);
PaperSection cones_section(const std::vector<Measured>& all, Json& json);
PaperSection volumes_section(const std::vector<Measured>& all, Json& json);

/// Sections V.E.1 and VI.B: cost of edits where bodies break, compared with new detectors. Appends a line to
/// `wrong` for each answer of an edited detector that differs from that of a new one.
PaperSection breaks_section(const PaperRequest& request, Progress& progress, std::vector<std::string>& wrong,
                            Json& json);

/// Drawings of a step of the first scene that is small enough and has proved patches: patches, contour and cone of
/// one patch, orphans. None if there is no such scene.
std::vector<PaperPicture> draw_patches(const PaperRequest& request);

}  // namespace graze::papers::iccd
