// Times of the stages of a query on the GPU, for benchmarks and profiles. No type of CUDA, so that the rest of the
// library needs no CUDA compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace graze::cuda {

/// The stages of a query, in the order in which the GPU runs them. A stage that a query does without takes no time.
enum class Stage : std::uint8_t {
  Positions,    ///< copies positions from the host; those in GPU memory are copied by the next stage
  Summary,      ///< extent and gap of the step, and the check of the positions
  Tables,       ///< tables of all clusters, and the nodes of the tree
  BroadPhase,   ///< pairs of clusters
  Bounds,       ///< pairs of features whose bounds overlap
  Proofs,       ///< those of them that no proof in floats rules out
  NarrowPhase,  ///< times of impact; with Want::First also the earliest of them
  Order,        ///< impacts in order, written to where the query wants them
  Report,       ///< counters for the host
};

/// Names of the stages, in the order of Stage.
inline constexpr std::array<std::string_view, 9> kStageNames = {
    "positions", "summary", "tables", "broad phase", "bounds", "proofs", "narrow phase", "order", "report"};
inline constexpr std::size_t kStageCount = kStageNames.size();
static_assert(kStageCount == static_cast<std::size_t>(Stage::Report) + 1);

/// Milliseconds of one query. If it ran again with longer lists, the stages after Positions are those of the last
/// run; candidates that the host decided are not included.
struct StageTimes {
  std::array<double, kStageCount> ms{};  ///< by stage
  double total_ms = 0.0;  ///< from the start of the first stage to the end of the last, gaps included

  [[nodiscard]] double of(Stage stage) const { return ms[static_cast<std::size_t>(stage)]; }
};

}  // namespace graze::cuda
