// The options of `graze rigid`: declared, and checked for what goes together before anything is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "commands/rigid_queries.hpp"

namespace CLI {
class App;
}

namespace graze::app {

struct RigidOptions {
  std::string a;
  std::string b;
  std::string pose_a;
  std::string pose_b;
  std::string pose_a_end;
  std::string pose_b_end;
  std::string path = "straight";
  std::string centre_a;
  std::string centre_b;
  double tolerance = AdvanceOptions{}.tolerance;
  std::string poses;
  std::size_t tumble = 0;
  std::vector<double> distances;
  std::string tree = "boxtree";
  std::string split = "free";
  std::string overlap = "sat";
  bool no_lift = false;
  bool coherence = false;
  std::string query;
  std::optional<unsigned> threads;
  bool stats = false;
  std::string json;
  std::string contacts;
  std::string save_tree;

  [[nodiscard]] bool moves() const { return !pose_a_end.empty() || !pose_b_end.empty(); }
  [[nodiscard]] bool posed() const { return !pose_a.empty() || !pose_b.empty(); }
};

void add_rigid_options(CLI::App& command, RigidOptions& options);

/// Throws InputError for what does not go together, and for numbers out of range.
void check_rigid_options(const RigidOptions& options);

/// What --query says; without it first, or what --contacts needs. Throws InputError.
RigidQueryKind query_kind(const RigidOptions& options);

}  // namespace graze::app
