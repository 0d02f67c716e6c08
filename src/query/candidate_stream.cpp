// Flushes full batches (query/candidate_stream.hpp).
#include "query/candidate_stream.hpp"

namespace graze::query {

void CandidateStream::flush(ImpactBatch& batch) {
  const Stopwatch narrow;
  batch.flush(cost_.stats, sink_);
  cost_.narrow_ms += narrow.ms();
}

void CandidateStream::finish(ImpactBatch& batch) {
  if (batch.empty()) return;
  const Stopwatch narrow;
  batch.finish(cost_.stats, sink_);
  cost_.narrow_ms += narrow.ms();
}

void CandidateStream::finish() {
  finish(vertex_face_);
  finish(edge_edge_);
  cost_.all_ms += all_.ms();
}

}  // namespace graze::query
