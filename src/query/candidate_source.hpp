// Source of candidates: the broad phase of a method as the loops of query/ see it.
//
// A source cuts its work into blocks, which depend on the scene, its bounds and the method alone, and generates the
// candidates of one block at a time, on any thread. A source culls only pairs that are proved not to touch. A query
// may have several sources, one after the other: a SourceSequence.
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

  /// The weight of each block, in pairs: it decides the lengths of waves and the progress.
  [[nodiscard]] virtual std::vector<std::uint64_t> block_weights() const = 0;
  [[nodiscard]] virtual WaveSizes wave_sizes() const { return {}; }

  /// Pushes the candidates of a block for continuous tests. Several blocks may run at the same time.
  virtual void generate(std::size_t block, CandidateStream& stream) const = 0;
  /// Pushes the proximity candidates of a block at one instant. Precondition: the source was made for an instant.
  virtual void generate_proximities(std::size_t block, ProximityStream& stream) const;
  /// Pushes the edge-face candidates of a block at one instant. Precondition: the source was made for an instant.
  virtual void generate_edge_faces(std::size_t block, EdgeFaceStream& stream) const;
};

/// A source, and the share of the query's work that is done when it ends.
struct SourceStage {
  std::unique_ptr<const CandidateSource> source;
  double progress_end = 1.0;
};

/// Sources that run one after the other. A source may depend on results of its predecessor, which lives until
/// next() is called.
class SourceSequence {
 public:
  SourceSequence() = default;
  SourceSequence(const SourceSequence&) = delete;
  SourceSequence& operator=(const SourceSequence&) = delete;
  virtual ~SourceSequence() = default;
  /// The next source; null at the end.
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

/// Calls run(stage_query, source) for each source of a sequence; each source reports its own range of the progress.
template <typename Run>
void for_each_source(const QueryContext& query, SourceSequence& sources, const Run& run) {
  double begin = 0.0;
  for (SourceStage stage = sources.next(); stage.source != nullptr; stage = sources.next()) {
    const DetectorOptions options = stage_options(query.options, begin, stage.progress_end);
    run(QueryContext{query.scene, query.filter, options}, *stage.source);
    begin = stage.progress_end;
  }
}

/// Tests all candidates of a source. Calls sink(block_result, impacts) on the thread of the block; then, on the
/// calling thread, merge(block_result, share) in block order and after_wave().
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
