// See contact_method.hpp.
#include "query/contact_method.hpp"

#include "mesh/representatives.hpp"

namespace graze::query {

void ContactMethod::check_triangle_count(std::size_t count) const {
  require_representable(count);
}

}  // namespace graze::query
