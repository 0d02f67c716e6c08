// Chooses the steps that a report shows, and their contacts (report.hpp). Cost: linear in the kept impacts.
#include <algorithm>
#include <iterator>
#include <utility>

#include "report/report.hpp"

namespace graze::app {
namespace {

constexpr std::size_t kBytesAPosition = 6;  // three 16-bit numbers; see data.hpp

// Two frames per step in the worst case, that no two chosen steps follow each other; two more frames are for the
// step with most contacts.
std::vector<std::size_t> plan(std::size_t vertex_count, std::size_t step_count, std::size_t budget) {
  const std::size_t frames =
      std::max<std::size_t>(4, budget / std::max<std::size_t>(1, vertex_count * kBytesAPosition));
  std::vector<std::size_t> steps;
  if (step_count + 1 <= frames) {
    for (std::size_t step = 0; step < step_count; ++step) steps.push_back(step);
    return steps;
  }
  const std::size_t count = (frames - 2) / 2;
  for (std::size_t i = 0; i < count; ++i) {
    steps.push_back(count == 1 ? 0 : i * (step_count - 1) / (count - 1));
  }
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

// Keeps every second impact, and the earliest.
void halve(std::vector<Impact>& impacts) {
  const auto earliest = std::min_element(impacts.begin(), impacts.end(),
                                         [](const Impact& a, const Impact& b) { return a.toi() < b.toi(); });
  const std::size_t keep = static_cast<std::size_t>(earliest - impacts.begin());
  std::size_t out = 0;
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    if (i % 2 == 0 || i == keep) impacts[out++] = impacts[i];
  }
  impacts.resize(out);
  impacts.shrink_to_fit();
}

}  // namespace

ReportRecorder::ReportRecorder(std::size_t vertex_count, std::size_t step_count, const ReportBudget& budget)
    : budget_(budget), planned_(plan(vertex_count, step_count, budget.position_bytes)) {}

bool ReportRecorder::planned(std::size_t step) const {
  return std::binary_search(planned_.begin(), planned_.end(), step);
}

void ReportRecorder::add(StepResult result) {
  const std::size_t step = result.row.step;
  const bool busiest = shown_.empty() || result.impacts.size() > most_;
  if (!busiest && !planned(step)) return;
  if (busiest) {
    if (!planned(busiest_)) std::erase_if(shown_, [this](const ShownStep& s) { return s.step == busiest_; });
    busiest_ = step;
    most_ = result.impacts.size();
  }
  const auto place = std::lower_bound(shown_.begin(), shown_.end(), step,
                                      [](const ShownStep& s, std::size_t value) { return s.step < value; });
  if (place != shown_.end() && place->step == step) return;
  const std::size_t found = result.impacts.size();
  shown_.insert(place, {step, found, std::move(result.impacts)});
  thin();
}

// Halves the step with the most contacts first: steps with few contacts keep all.
void ReportRecorder::thin() {
  std::size_t total = 0;
  for (const ShownStep& s : shown_) total += s.impacts.size();
  while (total > budget_.contacts) {
    const auto largest = std::max_element(shown_.begin(), shown_.end(), [](const ShownStep& a, const ShownStep& b) {
      return a.impacts.size() < b.impacts.size();
    });
    const std::size_t before = largest->impacts.size();
    if (before < 3) return;
    halve(largest->impacts);
    total -= before - largest->impacts.size();
  }
}

std::vector<std::size_t> ReportRecorder::missing(const std::vector<StepRow>& rows) const {
  std::vector<std::size_t> needed = planned_;
  if (!rows.empty()) needed.push_back(busiest_step(rows));
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  std::erase_if(needed, [this](std::size_t step) {
    return std::any_of(shown_.begin(), shown_.end(), [step](const ShownStep& s) { return s.step == step; });
  });
  return needed;
}

std::size_t busiest_step(const std::vector<StepRow>& rows) {
  const auto most = std::max_element(rows.begin(), rows.end(), [](const StepRow& a, const StepRow& b) {
    return std::pair(a.contacts(), a.toi.has_value()) < std::pair(b.contacts(), b.toi.has_value());
  });
  return most == rows.end() ? 0 : most->step;
}

}  // namespace graze::app
