// The table of methods: from options to the class behind the seam (query/contact_method.hpp). The only place that
// knows all of them.
#pragma once

#include <memory>

#include <graze/detector.hpp>

#include "query/contact_method.hpp"

namespace graze::methods {

/// A method for a scene, which is referred to. rebuild() is to be called before the first query. Precondition: the
/// options are checked (api/option_checks.hpp).
std::unique_ptr<ContactMethod> make_method(const Scene& scene, const DetectorOptions& options);

}  // namespace graze::methods
