// The factory of methods that run on the host: makes the class of a method (query/contact_method.hpp) from options.
// Only this file knows all of them.
#pragma once

#include <memory>

#include <graze/detector.hpp>

#include "query/contact_method.hpp"

namespace graze::methods {

/// Makes a method that refers to the scene. Call rebuild() before the first query. Precondition: the options are
/// checked (api/option_checks.hpp).
std::unique_ptr<ContactMethod> make_method(const Scene& scene, const DetectorOptions& options);

}  // namespace graze::methods
