// Steps as rows (step_rows.hpp). Cost besides the detection: linear in the impacts.
#include "frames/step_rows.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include <graze/version.hpp>

#include "frames/step_counters.hpp"
#include "output/interrupt.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string count_cell(const std::optional<std::uint64_t>& count) {
  return count ? with_separators(*count) : "-";
}
std::string toi_cell(const std::optional<double>& toi) {
  return toi ? format_toi(*toi) : "-";
}

// Adds a progress callback that draws and stops on a signal.
DetectorOptions with_progress(DetectorOptions options, const std::size_t& step, std::size_t step_count,
                              Progress& progress) {
  options.progress = [&step, step_count, &progress](double share) {
    const double overall = (static_cast<double>(step) + share) / static_cast<double>(step_count);
    progress.show(fmt::format("step {}/{}", step + 1, step_count), overall);
    return !interrupted();
  };
  return options;
}

}  // namespace

Json row_json(const StepRow& row) {
  Json json;
  json["step"] = row.step;
  json["vertices"] = row.vertices;
  json["triangles"] = row.triangles;
  json["vf"] = or_null(row.vf);
  json["ee"] = or_null(row.ee);
  json["toi"] = or_null(row.toi);
  json["hash"] = or_null(row.hash);
  json["toi_hash"] = or_null(row.toi_hash);
  json["ms"] = times_json(row.stats);
  if (row.edit_ms) json["ms"]["edit"] = to_microsecond(*row.edit_ms);
  json["counters"] = counters_json(row.stats);
  if (row.coherent) {
    for (const auto& [name, counter] : kCoherenceCounters) json["coherence"][name] = row.stats.coherence.*counter;
  }
  if (row.hashed) {
    for (const auto& [name, title, counter] : kHashCounters) json["hashing"][name] = row.stats.hash.*counter;
  }
  if (row.clustered) {
    for (const auto& [name, title, counter] : kClusterCounters) {
      json["clustering"][name] = row.stats.cluster.*counter;
    }
  }
  json["memory_bytes"] = row.stats.memory_bytes;
  if (row.stats.device_bytes > 0) json["device_bytes"] = row.stats.device_bytes;
  return json;
}

Json journal_line(const StepRow& row) {
  // The journal also keeps counters that only --stats prints.
  Json line = {{"row", row_json(row)}, {"filter", row.stats.tiers.filter}, {"interval", row.stats.tiers.interval}};
  for (const auto& [name, counter] : kProofCounters) line["proofs"][name] = row.stats.culled.*counter;
  return line;
}

StepRow row_from_journal(const Json& line) {
  const Json& json = line.at("row");
  StepRow row;
  json.at("step").get_to(row.step);
  json.at("vertices").get_to(row.vertices);
  json.at("triangles").get_to(row.triangles);
  if (!json.at("vf").is_null()) row.vf = json.at("vf").get<std::uint64_t>();
  if (!json.at("ee").is_null()) row.ee = json.at("ee").get<std::uint64_t>();
  if (!json.at("toi").is_null()) row.toi = json.at("toi").get<double>();
  if (!json.at("hash").is_null()) row.hash = json.at("hash").get<std::string>();
  if (!json.at("toi_hash").is_null()) row.toi_hash = json.at("toi_hash").get<std::string>();
  const Json& ms = json.at("ms");
  ms.at("update").get_to(row.stats.update_ms);
  ms.at("traverse").get_to(row.stats.traverse_ms);
  ms.at("narrow").get_to(row.stats.narrow_ms);
  ms.at("total").get_to(row.stats.total_ms);
  if (ms.contains("edit")) row.edit_ms = ms.at("edit").get<double>();
  const Json& counters = json.at("counters");
  counters.at("bv_tests").get_to(row.stats.bv_tests);
  counters.at("triangle_pairs").get_to(row.stats.triangle_pairs);
  counters.at("vf_tests").get_to(row.stats.vf_tests);
  counters.at("ee_tests").get_to(row.stats.ee_tests);
  counters.at("exact").get_to(row.stats.tiers.exact);
  line.at("filter").get_to(row.stats.tiers.filter);
  line.at("interval").get_to(row.stats.tiers.interval);
  for (const auto& [name, counter] : kProofCounters) line.at("proofs").at(name).get_to(row.stats.culled.*counter);
  row.coherent = json.contains("coherence");
  if (row.coherent) {
    for (const auto& [name, counter] : kCoherenceCounters) {
      json.at("coherence").at(name).get_to(row.stats.coherence.*counter);
    }
  }
  row.hashed = json.contains("hashing");
  if (row.hashed) {
    for (const auto& [name, title, counter] : kHashCounters) {
      json.at("hashing").at(name).get_to(row.stats.hash.*counter);
    }
  }
  row.clustered = json.contains("clustering");
  if (row.clustered) {
    for (const auto& [name, title, counter] : kClusterCounters) {
      json.at("clustering").at(name).get_to(row.stats.cluster.*counter);
    }
  }
  json.at("memory_bytes").get_to(row.stats.memory_bytes);
  row.stats.device_bytes = json.value("device_bytes", std::uint64_t{0});
  return row;
}

Json run_json(const std::string& method, unsigned threads, const std::vector<StepRow>& rows, bool lossy) {
  Json json;
  json["graze"] = version();
  json["method"] = method;
  json["threads"] = threads;
  if (lossy) json["contacts_may_be_missing"] = true;
  json["steps"] = Json::array();
  for (const StepRow& row : rows) json["steps"].push_back(row_json(row));
  return json;
}

Funnel row_funnel(const StepRow& row) {
  const std::uint64_t first = row.toi ? 1 : 0;
  return make_funnel(row.stats, row.vf ? row.contacts() : first);
}

std::string contact_lines(std::size_t step, const std::vector<Impact>& impacts) {
  std::string lines;
  for (const Impact& impact : impacts) {
    fmt::format_to(std::back_inserter(lines), "{},{},{},{},{}\n", step, kind_name(impact.pair.kind),
                   pair_columns(impact.pair), impact.toi_lo, impact.toi_hi);
  }
  return lines;
}

StepRunner::StepRunner(Frames& frames, DetectorOptions options, bool first_only, Progress& progress)
    : cursor_(frames),
      options_(with_progress(std::move(options), current_step_, frames.step_count(), progress)),
      first_only_(first_only) {}

std::optional<double> StepRunner::go_to(std::size_t step) {
  const StepCursor::Change change = cursor_.go_to(step);
  if (change == StepCursor::Change::Same) return std::nullopt;
  const bool is_first = !detector_;
  const auto start = std::chrono::steady_clock::now();
  if (change == StepCursor::Change::New) {
    detector_.emplace(cursor_.scene(), options_);
  } else {
    SceneEdit edit = detector_->begin_edit();
    cursor_.edit().fill(edit);
    detector_->apply(edit);
  }
  if (is_first) return std::nullopt;  // building the first detector is not an edit
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

StepResult StepRunner::run(std::size_t step) {
  if (interrupted()) throw Interrupted();
  current_step_ = step;
  StepResult result;
  StepRow& row = result.row;
  row.edit_ms = go_to(step);
  row.step = step;
  row.vertices = cursor_.topology().vertex_count;
  row.triangles = cursor_.topology().triangles.size();
  if (first_only_) {
    const FirstImpact first = detector_->first_impact(cursor_.x_t0(), cursor_.x_t1());
    if (first.impact) {
      row.toi = first.toi;
      result.impacts.push_back(*first.impact);
      cursor_.to_frame_ids(result.impacts);
    }
    row.stats = first.stats;
  } else {
    Impacts all = detector_->impacts(cursor_.x_t0(), cursor_.x_t1());
    cursor_.to_frame_ids(all.impacts);
    row.vf = all.vf_count();
    row.ee = all.ee_count();
    for (const Impact& impact : all.impacts) row.toi = std::min(row.toi.value_or(1.0), impact.toi());
    row.hash = hex16(all.hash());
    row.toi_hash = hex16(all.toi_hash());
    row.stats = all.stats;
    result.impacts = std::move(all.impacts);
  }
  row.stats.total_ms += row.edit_ms.value_or(0.0);
  row.coherent = options_.method == Method::Adaptive;
  row.hashed = options_.method == Method::Hash;
  row.clustered = options_.method == Method::Auto;
  return result;
}

StepTable::StepTable()
    : table_({{"step", 6}, {"vertices", 10}, {"triangles", 10}, {"vf", 10}, {"ee", 10}, {"toi", 11}, {"ms", 9}}) {}

void StepTable::row(const StepRow& row) {
  table_.row({with_separators(row.step), with_separators(row.vertices), with_separators(row.triangles),
              count_cell(row.vf), count_cell(row.ee), toi_cell(row.toi), format_ms(row.stats.total_ms)});
}

void StepTable::total(const std::vector<StepRow>& rows) {
  if (rows.size() < 2) return;
  StepRow sum;
  for (const StepRow& row : rows) {
    if (row.vf) sum.vf = sum.vf.value_or(0) + *row.vf;
    if (row.ee) sum.ee = sum.ee.value_or(0) + *row.ee;
    sum.stats.total_ms += row.stats.total_ms;
  }
  table_.rule();
  table_.row({"total", "", "", count_cell(sum.vf), count_cell(sum.ee), "", format_ms(sum.stats.total_ms)});
}

}  // namespace graze::app
