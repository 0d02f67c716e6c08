// Splits text into tokens and recognizes the form of a pose by their number (rigid_poses.hpp).
#include "commands/rigid_poses.hpp"

#include <cctype>
#include <cstddef>
#include <numbers>
#include <span>

#include <graze/error.hpp>

#include "io/input.hpp"
#include "rigid/object.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

using Tokens = std::span<const std::string_view>;

constexpr std::string_view kForms =
    "a pose is x y z, x y z qw qx qy qz, x y z axis ax ay az degrees, or a matrix of 3 rows of 4";

bool parts(char c) {
  return c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (parts(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !parts(text[end])) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

double number(std::string_view token, const std::string& where) {
  double value = 0.0;
  switch (io::parse_real(token, value)) {
    case io::NumberStatus::Ok:
      return value;
    case io::NumberStatus::NotFinite:
      throw InputError(fmt::format("{}: {} is not finite", where, io::in_quotes(token)));
    case io::NumberStatus::NotANumber:
      break;
  }
  throw InputError(fmt::format("{}: {} is not a number", where, io::in_quotes(token)));
}

std::vector<double> numbers(Tokens tokens, const std::string& where) {
  std::vector<double> values;
  values.reserve(tokens.size());
  for (const std::string_view token : tokens) values.push_back(number(token, where));
  return values;
}

bool with_axis(Tokens tokens) {
  return tokens.size() > 3 && tokens[3] == "axis";
}

bool is_form(Tokens tokens) {
  return with_axis(tokens) ? tokens.size() == 8 : tokens.size() == 3 || tokens.size() == 7 || tokens.size() == 12;
}

/// Precondition: is_form.
Pose pose_of(Tokens tokens, const std::string& where) {
  Pose pose;
  try {
    if (with_axis(tokens)) {
      const std::vector<double> t = numbers(tokens.first(3), where);
      const std::vector<double> r = numbers(tokens.subspan(4), where);
      pose = pose_from_axis_angle({r[0], r[1], r[2]}, r[3] * (std::numbers::pi / 180.0), {t[0], t[1], t[2]});
    } else {
      const std::vector<double> n = numbers(tokens, where);
      if (n.size() == 12) {
        pose.rotation = {Vec3{n[0], n[1], n[2]}, Vec3{n[4], n[5], n[6]}, Vec3{n[8], n[9], n[10]}};
        pose.translation = {n[3], n[7], n[11]};
      } else {
        pose.translation = {n[0], n[1], n[2]};
        if (n.size() == 7) pose = pose_from_quaternion({n[3], n[4], n[5], n[6]}, pose.translation);
      }
    }
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    if (what.starts_with(where)) throw;
    throw InputError(fmt::format("{}: {}", where, what));
  }
  rigid::check_pose(pose, where.c_str());
  return pose;
}

}  // namespace

Pose parse_pose(std::string_view text, const std::string& where) {
  const std::vector<std::string_view> tokens = tokens_of(text);
  if (!is_form(tokens)) throw InputError(fmt::format("{} {}: {}", where, io::in_quotes(text), kForms));
  return pose_of(tokens, where);
}

Vec3 parse_point(std::string_view text, const std::string& where) {
  const std::vector<double> n = numbers(tokens_of(text), where);
  if (n.size() != 3) throw InputError(fmt::format("{} {}: a point is x y z", where, io::in_quotes(text)));
  return {n[0], n[1], n[2]};
}

std::vector<PosePair> read_poses(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  const std::string name = file.string();
  std::vector<PosePair> poses;
  std::string_view rest = bytes.view();
  bool header = true;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    const std::string_view row = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::vector<std::string_view> tokens = tokens_of(row);
    if (tokens.empty() || tokens.front().starts_with('#')) continue;
    const std::string where = fmt::format("{}: line {}", name, line);
    const bool words = header && std::isalpha(static_cast<unsigned char>(tokens.front().front())) != 0;
    header = false;
    if (words) continue;
    const Tokens all = tokens;
    const Tokens first = all.first(all.size() / 2);
    const Tokens second = all.subspan(all.size() / 2);
    PosePair pair;
    if (is_form(all)) {
      pair.b = pose_of(all, where);
    } else if (all.size() % 2 == 0 && is_form(first) && is_form(second)) {
      pair = {pose_of(first, where + ", a"), pose_of(second, where + ", b")};
    } else {
      throw InputError(
          fmt::format("{}: {} entries are neither one pose nor two poses; {}", where, all.size(), kForms));
    }
    poses.push_back(pair);
  }
  if (poses.empty()) throw InputError(name + ": has no poses");
  return poses;
}

}  // namespace graze::app
