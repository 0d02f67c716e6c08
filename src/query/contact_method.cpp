// See contact_method.hpp.
#include "query/contact_method.hpp"

#include "core/assert.hpp"
#include "mesh/representatives.hpp"

namespace graze::query {

void ContactMethod::check_triangle_count(std::size_t count) const {
  require_representable(count);
}

Stats ContactMethod::ordered_impacts(const QueryContext&, const StepPositions&, MemoryBudget&, ViewedImpacts) {
  GRAZE_ASSERT(reports_in_order());
  return {};
}

}  // namespace graze::query
