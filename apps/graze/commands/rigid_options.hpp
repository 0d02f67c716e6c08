// The options of `graze rigid`, and the checks of their combinations, which come before any file is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "commands/cli.hpp"
#include "commands/rigid_queries.hpp"

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

void add_rigid_options(Command& command, RigidOptions& options);

/// Throws InputError for options that exclude each other and for numbers out of range.
void check_rigid_options(const RigidOptions& options);

/// The kind that --query names; without it First, or Contacts if --contacts is given. Throws InputError.
RigidQueryKind query_kind(const RigidOptions& options);

}  // namespace graze::app
