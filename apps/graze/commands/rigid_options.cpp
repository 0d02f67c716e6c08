// See the header.
#include "commands/rigid_options.hpp"

#include <cmath>

#include <graze/error.hpp>

#include "io/extension.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graze::app {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

void add_pose_options(CLI::App& command, RigidOptions& options) {
  command.add_option(
      "--pose-b,--pose", options.pose_b,
      "Where B is: \"x y z\", with a rotation \"x y z qw qx qy qz\" or \"x y z axis ax ay az degrees\", "
      "or a matrix of 3 rows of 4; commas do as well (default: as in its file)");
  command.add_option("--pose-a", options.pose_a, "Where A is");
  command
      .add_option("--poses", options.poses,
                  "A row a pair of poses, in the forms of --pose-b: of B, or of A and then of B")
      ->type_name("FILE.csv");
  command
      .add_option("--tumble", options.tumble,
                  "The paper's protocol: both scaled into a cube of size 2, B tumbles about z and x in N steps")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  command.add_option("--distance", options.distances, "With --tumble: distances of the centres")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("D,...");
  command.add_option("--pose-b-end,--end", options.pose_b_end,
                     "B moves, from --pose-b to this pose: when do they first touch?");
  command.add_option("--pose-a-end", options.pose_a_end, "A moves, from --pose-a to this pose");
  command
      .add_option("--path", options.path,
                  "Of a motion: straight, the centre on a line and a turn about it (default), or screw")
      ->type_name("straight|screw");
  command.add_option("--centre-b,--centre", options.centre_b,
                     "What moves on a straight line, in B's own coordinates (default 0 0 0)");
  command.add_option("--centre-a", options.centre_a, "The same of A");
  command.add_option("--tolerance", options.tolerance,
                     "Of a motion: how close counts as contact, as a share of sizes and ways (default 1e-6)");
}

}  // namespace

void add_rigid_options(CLI::App& command, RigidOptions& options) {
  command.add_option("A", options.a, "A mesh (.ply, .obj, .stl, .off), or a .boxtree of --save-tree")
      ->type_name("FILE")
      ->required();
  command.add_option("B", options.b, "Another, or the same; without it A's tree is built and nothing asked")
      ->type_name("FILE");
  add_pose_options(command, options);
  command
      .add_option(
          "--query", options.query,
          "first: do they meet (default); pairs: all triangles that do; contacts: these with what they share")
      ->type_name("first|pairs|contacts");
  command.add_option("--tree", options.tree, "boxtree (default), aabb, obb, kdop18, kdop26 or sphere")
      ->type_name("NAME");
  command.add_option("--split", options.split, "How a boxtree is built: free (default), volume or longest")
      ->type_name("NAME");
  command
      .add_option("--overlap", options.overlap,
                  "How nodes of boxtrees are told apart: sat (default), sat-lite, axis or lut")
      ->type_name("NAME");
  command.add_flag("--no-lift", options.no_lift, "Work on single nodes for every pair, not once a level up");
  command.add_flag("--coherence", options.coherence, "Begin each pose where the one before ended");
  command.add_option("--threads", options.threads,
                     "Threads, 0 for all cores (default; with --tumble 1, and each pose is timed)");
  command.add_flag("--stats", options.stats, "Also what the trees take and how long they took to build");
  command
      .add_option("--json", options.json, "Write the result as JSON; - is standard output, instead of the tables")
      ->type_name("FILE|-");
  command
      .add_option("--contacts", options.contacts,
                  "Write every pair of triangles that meet, and what they share (but for --query pairs)")
      ->type_name("FILE.csv");
  command.add_option("--save-tree", options.save_tree, "Write A with its boxtree, nine bytes a node")
      ->type_name("FILE.boxtree");
}

RigidQueryKind query_kind(const RigidOptions& options) {
  if (options.query.empty()) return options.contacts.empty() ? RigidQueryKind::First : RigidQueryKind::Contacts;
  if (options.query == "first") return RigidQueryKind::First;
  if (options.query == "pairs") return RigidQueryKind::Pairs;
  if (options.query == "contacts") return RigidQueryKind::Contacts;
  throw InputError(fmt::format("--query '{}': there are first, pairs, contacts", options.query));
}

void check_rigid_options(const RigidOptions& options) {
  const bool tumbles = options.tumble > 0;
  if (options.b.empty()) {
    if (!options.stats && options.save_tree.empty() && options.json.empty()) {
      throw InputError("rigid takes A and B; A alone with --stats, --json or --save-tree");
    }
    if (options.posed() || options.moves() || tumbles || !options.poses.empty() || !options.contacts.empty()) {
      throw InputError("poses and contacts need A and B");
    }
  }
  if (tumbles == options.distances.empty()) throw InputError("--tumble and --distance go together");
  for (const double distance : options.distances) {
    if (!std::isfinite(distance)) throw InputError(fmt::format("--distance {}: must be a finite number", distance));
  }
  if ((tumbles ? 1 : 0) + (options.poses.empty() ? 0 : 1) + (options.posed() || options.moves() ? 1 : 0) > 1) {
    throw InputError("poses come from one place: --pose-a and --pose-b, --poses, or --tumble");
  }
  if (!options.moves() && !(options.centre_a.empty() && options.centre_b.empty())) {
    throw InputError("--centre-a and --centre-b are of motions: give --pose-a-end or --pose-b-end");
  }
  if (!(options.tolerance >= 0x1p-40) || !std::isfinite(options.tolerance)) {
    throw InputError(fmt::format("--tolerance {}: must be a number of at least 2^-40", options.tolerance));
  }
  if (options.path != "straight" && options.path != "screw") {
    throw InputError(fmt::format("--path '{}': there are straight, screw", options.path));
  }
  if (!options.contacts.empty() && query_kind(options) == RigidQueryKind::First) {
    throw InputError("--contacts writes what --query pairs or contacts finds, not first");
  }
  if (!options.contacts.empty() && (tumbles || options.moves())) {
    throw InputError("--contacts is of poses that stand: not with --tumble, --pose-a-end or --pose-b-end");
  }
  if (options.moves() && !options.query.empty()) throw InputError("--query is of poses that stand, not of motions");
  if ((options.moves() || !options.save_tree.empty()) && options.tree != "boxtree") {
    throw InputError(
        fmt::format("{} needs --tree boxtree, not {}", options.moves() ? "a motion" : "--save-tree", options.tree));
  }
  if (!options.save_tree.empty() && io::lower_extension(options.save_tree) != ".boxtree") {
    throw InputError(options.save_tree + ": a saved tree is named FILE.boxtree");
  }
}

}  // namespace graze::app
