// Where candidates come from: the broad phase of a method as the loops of query/ see it.
//
// A source cuts its work into blocks, which depend on the scene, its bounds and the method alone, and generates the
// candidates of one block at a time, on any thread. What it culls it has proved not to touch. A query may have
// several sources, one after the other: a SourceSequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "query/candidate_stream.hpp"
#include "query/instant_streams.hpp"
#include "query/waves.hpp"

namespace graze::query {

class CandidateSource {
 public:
  CandidateSource() = default;
  CandidateSource(const CandidateSource&) = delete;
  CandidateSource& operator=(const CandidateSource&) = delete;
  virtual ~CandidateSource() = default;

  /// The weight of each block, in pairs: for waves and progress.
  [[nodiscard]] virtual std::vector<std::uint64_t> block_weights() const = 0;
  [[nodiscard]] virtual WaveSizes wave_sizes() const { return {}; }

  /// Pushes the candidates of a block for continuous tests. Different blocks may run at the same time.
  virtual void generate(std::size_t block, CandidateStream& stream) const = 0;
  /// Pushes the candidates of a block within a distance at one instant. Precondition: a source of instants.
  virtual void generate_proximities(std::size_t block, ProximityStream& stream) const;
  /// Pushes the edge-face candidates of a block at one instant. Precondition: a source of instants.
  virtual void generate_edge_faces(std::size_t block, EdgeFaceStream& stream) const;
};

/// A source, and the share of the query's work that is done after it.
struct SourceStage {
  std::unique_ptr<const CandidateSource> source;
  double progress_end = 1.0;
};

/// Sources one after the other. A later one may depend on what the one before left; the one before lives until
/// next() is called.
class SourceSequence {
 public:
  SourceSequence() = default;
  SourceSequence(const SourceSequence&) = delete;
  SourceSequence& operator=(const SourceSequence&) = delete;
  virtual ~SourceSequence() = default;
  /// The next source; null if there is none.
  virtual SourceStage next() = 0;
};

/// A sequence of one source.
class SingleSource final : public SourceSequence {
 public:
  explicit SingleSource(std::unique_ptr<const CandidateSource> source) : source_(std::move(source)) {}
  SourceStage next() override { return {std::move(source_)}; }

 private:
  std::unique_ptr<const CandidateSource> source_;
};

/// Calls run(stage_query, source) for each source of a sequence, with progress shared out between them.
template <typename Run>
void for_each_source(const QueryContext& query, SourceSequence& sources, const Run& run) {
  double begin = 0.0;
  for (SourceStage stage = sources.next(); stage.source != nullptr; stage = sources.next()) {
    const DetectorOptions options = stage_options(query.options, begin, stage.progress_end);
    run(QueryContext{query.scene, query.filter, options}, *stage.source);
    begin = stage.progress_end;
  }
}

/// Tests all candidates of a source: sink(block_result, impacts) for what a block finds, on its thread; then
/// merge(block_result, share) in block order, and after_wave(), on the calling thread.
template <typename Found, typename Sink, typename Merge, typename AfterWave>
void test_source(const QueryContext& query, const CandidateSource& source, const ImpactBatch::Step& step,
                 DuplicateTestCheck& duplicate_check, const Sink& sink, const Merge& merge,
                 const AfterWave& after_wave) {
  const std::vector<std::uint64_t> weights = source.block_weights();
  run_in_waves<BlockResult<Found>>(
      query.options, weights,
      [&](std::size_t block, BlockResult<Found>& result) {
        const auto found = [&](std::span<const Impact> impacts) { sink(result, impacts); };
        CandidateStream stream(step, duplicate_check, result, found);
        source.generate(block, stream);
        stream.finish();
      },
      merge, after_wave, source.wave_sizes());
}

}  // namespace graze::query
