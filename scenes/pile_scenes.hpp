// Simulated heaps: rigid balls in a box, soft tori, letters that fall, break, or pile up in their hundreds, and
// one body dropped on another that breaks. No frame has an intersection; where something breaks, pieces that
// come apart touch at that moment, by the nature of it.
#pragma once

#include <memory>
#include <vector>

#include "scenes/catalogue.hpp"
#include "scenes/shapes.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

std::unique_ptr<SceneStream> open_n_body(const SceneRequest& request);
std::unique_ptr<SceneStream> open_tori(const SceneRequest& request);
/// An open box, then the letters, one after the other as alphabet_letters has them, again and again.
std::unique_ptr<SceneStream> open_alphabet(const SceneRequest& request);
/// The letters of open_alphabet at rest, each once.
std::vector<Shape> alphabet_letters(const SceneRequest& request);
std::unique_ptr<SceneStream> open_letters(const SceneRequest& request);
std::unique_ptr<SceneStream> open_breaking(const SceneRequest& request);

}  // namespace graze::scenes
