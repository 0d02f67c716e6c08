// Simulated piles: rigid balls in a box, soft tori, letters that fall, break, or pile up in their hundreds, and one
// body dropped on another that breaks. No frame has an intersection; where something breaks, the pieces necessarily
// touch at the moment of separation.
#pragma once

#include <memory>
#include <vector>

#include "scenes/catalogue.hpp"
#include "scenes/shapes.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

std::unique_ptr<SceneStream> open_n_body(const SceneRequest& request);
std::unique_ptr<SceneStream> open_tori(const SceneRequest& request);
/// The bodies are an open box, then the letters in the order of alphabet_letters, repeated.
std::unique_ptr<SceneStream> open_alphabet(const SceneRequest& request);
/// The letters of open_alphabet at rest, each once.
std::vector<Shape> alphabet_letters(const SceneRequest& request);
std::unique_ptr<SceneStream> open_letters(const SceneRequest& request);
std::unique_ptr<SceneStream> open_breaking(const SceneRequest& request);

}  // namespace graze::scenes
