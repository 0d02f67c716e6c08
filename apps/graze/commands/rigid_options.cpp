// Declares and checks the options of `graze rigid` (rigid_options.hpp).
#include "commands/rigid_options.hpp"

#include <cmath>

#include <graze/error.hpp>

#include "output/output.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

void add_pose_options(Command& command, RigidOptions& options) {
  command.option(
      "--pose-b,--pose", options.pose_b,
      "Pose of B: \"x y z\", with a rotation \"x y z qw qx qy qz\" or \"x y z axis ax ay az degrees\", or a "
      "matrix of 3 rows of 4; blanks or commas between the numbers (default: as in its file)");
  command.option("--pose-a", options.pose_a, "Pose of A, as --pose-b");
  command
      .option("--poses", options.poses,
              "Pairs of poses, one per row, written as --pose-b: the pose of B, or the poses of A and B")
      .type("FILE.csv");
  command
      .option("--tumble", options.tumble,
              "The paper's protocol: both scaled into a cube of size 2, B tumbles about z and x in N steps")
      .type("N")
      .range(1, 100'000'000);
  command.option("--distance", options.distances, "With --tumble: distances of the centres")
      .separated_by_commas()
      .type("D,...");
  command.option("--pose-b-end,--end", options.pose_b_end,
                 "B moves from --pose-b to this pose: find the first contact");
  command.option("--pose-a-end", options.pose_a_end, "A moves from --pose-a to this pose");
  command
      .option("--path", options.path,
              "Path of a motion: straight, the centre on a line with a rotation about it (default), or screw")
      .type("straight|screw");
  command.option("--centre-b,--centre", options.centre_b,
                 "Point of B that moves on a straight line, in B's own coordinates (default 0 0 0)");
  command.option("--centre-a", options.centre_a, "Point of A that moves on a straight line, as --centre-b");
  command.option("--tolerance", options.tolerance,
                 "Distance that counts as contact of a motion, relative to sizes and displacements; width of the "
                 "bounds of --query distance, relative to the distance (default 1e-6)");
}

}  // namespace

void add_rigid_options(Command& command, RigidOptions& options) {
  command
      .option("A", options.a,
              "A mesh (.ply, .obj, .stl, .off), a .boxtree of --save-tree, or a world of objects (.json)")
      .type("FILE")
      .required();
  command.option("B", options.b, "Another mesh, or the same; without it only the tree of A is built").type("FILE");
  add_pose_options(command, options);
  command
      .option(
          "--query", options.query,
          "first: whether they intersect (default); pairs: all intersecting triangle pairs; contacts: pairs with "
          "their intersections; distance: bounds of the distance and closest points; hits: the pairs of objects of "
          "a "
          "world (its default)")
      .type("first|hits|pairs|contacts|distance");
  command.option("--tree", options.tree, "boxtree (default), aabb, obb, kdop18, kdop26 or sphere").type("NAME");
  command
      .option("--split", options.split, "How a boxtree is built: free (default), volume, longest or volume-sampled")
      .type("NAME");
  command
      .option("--overlap", options.overlap, "Overlap test of boxtree nodes: sat (default), sat-lite, axis or lut")
      .type("NAME");
  command.flag("--no-lift", options.no_lift, "Compute per node pair what is otherwise computed once per parent");
  command.flag("--coherence", options.coherence, "Temporal coherence: begin each pose where the last one ended");
  command.option("--threads", options.threads,
                 "Threads, 0 for all cores (default 0; with --tumble 1, so that each pose is timed)");
  command.flag("--stats", options.stats, "Also print the memory and build time of the trees");
  command.option("--json", options.json, "Write the result as JSON; - is standard output, instead of the tables")
      .type("FILE|-");
  command
      .option("--contacts", options.contacts,
              "Write every intersecting triangle pair and its intersection (without it for --query pairs)")
      .type("FILE.csv");
  command.option("--save-tree", options.save_tree, "Write A with its boxtree, nine bytes a node")
      .type("FILE.boxtree");
}

RigidQueryKind query_kind(const RigidOptions& options) {
  if (options.query.empty()) return options.contacts.empty() ? RigidQueryKind::First : RigidQueryKind::Contacts;
  if (options.query == "first") return RigidQueryKind::First;
  if (options.query == "pairs") return RigidQueryKind::Pairs;
  if (options.query == "contacts") return RigidQueryKind::Contacts;
  if (options.query == "distance") return RigidQueryKind::Distance;
  throw InputError(
      fmt::format("--query '{}' is unknown; there are: first, pairs, contacts, distance", options.query));
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
  if (tumbles == options.distances.empty()) throw InputError("--tumble and --distance need each other");
  for (const double distance : options.distances) {
    if (!std::isfinite(distance)) throw InputError(fmt::format("--distance {}: must be a finite number", distance));
  }
  if ((tumbles ? 1 : 0) + (options.poses.empty() ? 0 : 1) + (options.posed() || options.moves() ? 1 : 0) > 1) {
    throw InputError("choose one source of poses: --pose-a and --pose-b, --poses, or --tumble");
  }
  if (!options.moves() && !(options.centre_a.empty() && options.centre_b.empty())) {
    throw InputError("--centre-a and --centre-b need a motion: give --pose-a-end or --pose-b-end");
  }
  if (!(options.tolerance >= 0x1p-40) || !std::isfinite(options.tolerance)) {
    throw InputError(fmt::format("--tolerance {}: must be a number of at least 2^-40", options.tolerance));
  }
  if (options.path != "straight" && options.path != "screw") {
    throw InputError(fmt::format("--path '{}' is unknown; there are: straight, screw", options.path));
  }
  const RigidQueryKind kind = query_kind(options);
  if (!options.contacts.empty() && kind != RigidQueryKind::Pairs && kind != RigidQueryKind::Contacts) {
    throw InputError(fmt::format("--contacts needs --query pairs or contacts, not {}", options.query));
  }
  if (kind == RigidQueryKind::Distance && tumbles) throw InputError("--query distance does not work with --tumble");
  if (!options.contacts.empty() && (tumbles || options.moves())) {
    throw InputError("--contacts needs fixed poses: not with --tumble, --pose-a-end or --pose-b-end");
  }
  if (options.moves() && !options.query.empty()) throw InputError("--query needs fixed poses, not a motion");
  if ((options.moves() || !options.save_tree.empty()) && options.tree != "boxtree") {
    throw InputError(
        fmt::format("{} needs --tree boxtree, not {}", options.moves() ? "a motion" : "--save-tree", options.tree));
  }
  if (!options.save_tree.empty() && lower_extension(options.save_tree) != ".boxtree") {
    throw InputError(options.save_tree + ": a saved tree is named FILE.boxtree");
  }
}

}  // namespace graze::app
