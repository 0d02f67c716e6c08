// The names of the methods: one table, in the order of the enumeration.
#include <array>

#include <fmt/format.h>

#include <graze/detector.hpp>
#include <graze/error.hpp>

namespace graze {

namespace {

struct Entry {
  Method method;
  std::string_view name;
  std::string_view summary;
};

constexpr std::array kMethods = {
    Entry{Method::Auto, "auto", "the fastest there is"},
    Entry{Method::Brute, "brute", "all pairs of features; quadratic, the reference for the others"},
    Entry{Method::Basic, "basic",
          "triangle hierarchy, all 15 feature pairs of each pair of triangles (R-TRI's BASIC)"},
    Entry{Method::NoDupl, "no-dupl", "triangle hierarchy, each feature pair once by representative triangles"},
    Entry{Method::RTri, "r-tri", "representative triangles, and bounds of features before each test (R-TRI)"},
};

const Entry& entry_of(Method method) {
  for (const Entry& entry : kMethods) {
    if (entry.method == method) return entry;
  }
  throw InputError(fmt::format("method {} is unknown", static_cast<unsigned>(method)));
}

}  // namespace

std::string_view method_name(Method method) {
  return entry_of(method).name;
}

std::string_view method_summary(Method method) {
  return entry_of(method).summary;
}

Method method_from_name(std::string_view name) {
  std::string known;
  for (const Entry& entry : kMethods) {
    if (entry.name == name) return entry.method;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  throw InputError(fmt::format("method '{}' is unknown; there are: {}", name, known));
}

std::span<const Method> all_methods() {
  static constexpr std::array kAll = [] {
    std::array<Method, kMethods.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kMethods[i].method;
    return all;
  }();
  return kAll;
}

}  // namespace graze
