// Picks the class of a method (query/contact_method.hpp) and the processor that it runs on.
#pragma once

#include <memory>
#include <span>

#include <graze/detector.hpp>

#include "query/batch_method.hpp"
#include "query/contact_method.hpp"

namespace graze::api {

/// Makes a method that refers to the scene: methods/make_method.hpp, or the one for the GPU. Throws InputError if
/// the options ask for a GPU that the method does not use, ResourceError if there is none. Precondition: the
/// options are checked.
std::unique_ptr<query::ContactMethod> pick_method(const Scene& scene, const DetectorOptions& options);

/// Makes what treats all scenes in one query; null if that runs on the host, scene by scene. Refers to the scenes.
/// Throws and expects what pick_method does.
std::unique_ptr<query::BatchMethod> pick_batch_method(std::span<const Scene> scenes,
                                                      const DetectorOptions& options);

}  // namespace graze::api
