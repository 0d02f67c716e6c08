// ResearchOptions: a value type that hides the options of graze/research.hpp from code that does not include it.
#include <utility>

#include <graze/methods.hpp>
#include <graze/research.hpp>

namespace graze {

ResearchOptions::ResearchOptions() noexcept = default;
ResearchOptions::ResearchOptions(const research::Options& options) : options_(new research::Options(options)) {}
ResearchOptions::ResearchOptions(const ResearchOptions& other)
    : options_(other.options_ != nullptr ? new research::Options(*other.options_) : nullptr) {}
ResearchOptions::ResearchOptions(ResearchOptions&& other) noexcept
    : options_(std::exchange(other.options_, nullptr)) {}
ResearchOptions& ResearchOptions::operator=(const ResearchOptions& other) {
  if (this != &other) *this = ResearchOptions(other);
  return *this;
}
ResearchOptions& ResearchOptions::operator=(ResearchOptions&& other) noexcept {
  std::swap(options_, other.options_);
  return *this;
}
ResearchOptions::~ResearchOptions() {
  delete options_;
}

const research::Options& ResearchOptions::operator*() const {
  static const research::Options kDefaults;
  return options_ != nullptr ? *options_ : kDefaults;
}

research::Options* ResearchOptions::operator->() {
  if (options_ == nullptr) options_ = new research::Options();
  return options_;
}

}  // namespace graze
