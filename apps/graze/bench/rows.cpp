// Compares the rows of a scene. Cost: quadratic in the rows, which are few.
#include "bench/rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace graze::app {
namespace {

std::string found_text(const BenchRow& row, std::uint64_t hash) {
  if (!row.vf || !row.ee) return fmt::format("{:016x}", hash);
  return fmt::format("{} vf + {} ee, {:016x}", *row.vf, *row.ee, hash);
}

// "SCENE: WHAT differ: auto (1), r-tri (2): 3 vf + 4 ee, HASH; basic (1): ...", or none if all agree.
std::optional<std::string> compare(const std::vector<BenchRow>& rows, const char* what,
                                   std::optional<std::uint64_t> BenchRow::*member) {
  struct Group {
    std::uint64_t hash = 0;
    std::string who;
    std::string found;
  };
  std::vector<Group> groups;
  for (const BenchRow& row : rows) {
    if (!(row.*member)) continue;
    const std::uint64_t hash = *(row.*member);
    const std::string who = fmt::format("{} ({})", row.method, row.threads);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.hash == hash; });
    if (same == groups.end()) {
      groups.push_back({hash, who, found_text(row, hash)});
    } else {
      same->who += ", " + who;
    }
  }
  if (groups.size() < 2) return std::nullopt;
  std::string line = fmt::format("{}: {} differ: ", rows.front().scene, what);
  for (const Group& group : groups) {
    line += fmt::format("{}{}: {}", &group == &groups.front() ? "" : "; ", group.who, group.found);
  }
  return line;
}

}  // namespace

Stats BenchRow::step_times() const {
  Stats mean;
  for (double Stats::*time : {&Stats::update_ms, &Stats::traverse_ms, &Stats::narrow_ms, &Stats::total_ms}) {
    mean.*time = stats.*time / static_cast<double>(steps);
  }
  return mean;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

std::vector<std::string> disagreements(const std::vector<BenchRow>& rows) {
  std::vector<std::string> queries;
  for (const BenchRow& row : rows) {
    if (std::find(queries.begin(), queries.end(), row.query) == queries.end()) queries.push_back(row.query);
  }
  std::vector<std::string> lines;
  for (const std::string& query : queries) {
    std::vector<BenchRow> same;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(same),
                 [&](const BenchRow& row) { return row.query == query; });
    if (auto line = compare(same, "contacts", &BenchRow::hash)) {
      lines.push_back(std::move(*line));
    } else if (auto times = compare(same, "times of impact", &BenchRow::toi_hash)) {
      lines.push_back(std::move(*times));
    }
  }
  return lines;
}

}  // namespace graze::app
