// The section of ADAPTIVE's chapter that needs no scene: the study of free movement.
#pragma once

#include <vector>

#include "output/output.hpp"
#include "research/namespaces.hpp"
#include "research/papers/papers.hpp"

namespace graze::papers {

/// Sections 8 and 9, Figure 5: how far a small cube moves freely in a large one.
std::vector<PaperSection> adaptive_movement(const PaperRequest& request, Json& json);

}  // namespace graze::papers
