// Query file reader (CSV with rational coordinates). See the header.
#include "io/query_csv.hpp"

#include "io/input.hpp"

#include <fmt/format.h>
#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace graze {

using namespace io;
using namespace scene;
using namespace rigid;
using namespace core;

namespace io {

namespace {

using BigInt =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

constexpr std::size_t kMaxDigits = 4000;
constexpr unsigned kMantissaBits = 53;

bool is_integer(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Parses checked digits. cpp_int's own text parser would take a leading zero for octal.
BigInt parse_big(std::string_view digits) {
  static constexpr std::size_t kChunk = 18;  // digits that fit 64 bits
  BigInt value = 0;
  while (!digits.empty()) {
    const std::size_t length = std::min(digits.size(), kChunk);
    std::uint64_t chunk = 0;
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < length; ++i, power *= 10)
      chunk = chunk * 10 + static_cast<std::uint64_t>(digits[i] - '0');
    value = value * power + chunk;
    digits.remove_prefix(length);
  }
  return value;
}

/// mantissa * 2^exponent for an odd mantissa, if that is a double.
RationalStatus assemble(std::uint64_t mantissa, std::int64_t exponent, double& value) {
  const auto bits = static_cast<std::int64_t>(std::bit_width(mantissa));
  if (bits > kMantissaBits || exponent < -1074 || exponent + bits > 1024) return RationalStatus::NotADouble;
  value = std::ldexp(static_cast<double>(mantissa), static_cast<int>(exponent));
  return RationalStatus::Ok;
}

RationalStatus divide_big(std::string_view numerator_digits, std::string_view denominator_digits, double& value) {
  BigInt numerator = parse_big(numerator_digits);
  BigInt denominator = parse_big(denominator_digits);
  if (denominator == 0) return RationalStatus::BadDenominator;
  if (numerator == 0) {
    value = 0.0;
    return RationalStatus::Ok;
  }
  const BigInt divisor = gcd(numerator, denominator);
  numerator /= divisor;
  denominator /= divisor;
  const auto shift = static_cast<std::int64_t>(lsb(denominator));
  if (shift != static_cast<std::int64_t>(msb(denominator))) return RationalStatus::NotADouble;
  const std::size_t zeros = lsb(numerator);
  numerator >>= zeros;
  if (msb(numerator) >= kMantissaBits) return RationalStatus::NotADouble;
  return assemble(static_cast<std::uint64_t>(numerator), static_cast<std::int64_t>(zeros) - shift, value);
}

RationalStatus divide(std::string_view numerator_digits, std::string_view denominator_digits, double& value) {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 0;
  if (!parse_unsigned(numerator_digits, numerator) || !parse_unsigned(denominator_digits, denominator) ||
      !std::has_single_bit(denominator)) {
    return divide_big(numerator_digits, denominator_digits, value);
  }
  if (numerator == 0) {
    value = 0.0;
    return RationalStatus::Ok;
  }
  const int zeros = std::countr_zero(numerator);
  return assemble(numerator >> static_cast<unsigned>(zeros), zeros - std::countr_zero(denominator), value);
}

/// Splits a row into fields; false unless there are exactly seven.
bool split_row(std::string_view row, std::array<std::string_view, 7>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t comma = row.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == fields.size())) return false;
    fields[i] = row.substr(0, comma);
    if (comma != std::string_view::npos) row.remove_prefix(comma + 1);
  }
  return true;
}

double read_coordinate(const TextReader& reader, std::string_view numerator, std::string_view denominator,
                       const char* what) {
  double value = 0.0;
  const char* problem = "";
  switch (parse_rational(numerator, denominator, value)) {
    case RationalStatus::Ok:
      return value;
    case RationalStatus::NotAnInteger:
      problem = "is not a fraction of integers";
      break;
    case RationalStatus::TooLong:
      problem = "has too many digits";
      break;
    case RationalStatus::BadDenominator:
      problem = "has a denominator that is not positive";
      break;
    case RationalStatus::NotADouble:
      problem = "is not exactly a double";
      break;
  }
  reader.fail(fmt::format("{} {}: {} over {}", what, problem, in_quotes(numerator), in_quotes(denominator)));
}

}  // namespace

RationalStatus parse_rational(std::string_view numerator, std::string_view denominator, double& value) {
  if (!is_integer(numerator) || !is_integer(denominator)) return RationalStatus::NotAnInteger;
  if (std::max(numerator.size(), denominator.size()) > kMaxDigits) return RationalStatus::TooLong;
  if (denominator.front() == '-') return RationalStatus::BadDenominator;
  const bool is_negative = numerator.front() == '-';
  if (is_negative) numerator.remove_prefix(1);
  const RationalStatus status = divide(numerator, denominator, value);
  if (status == RationalStatus::Ok && is_negative && value != 0.0) value = -value;  // a rational has only one zero
  return status;
}

std::vector<Query> parse_queries(std::string_view data, const std::string& name) {
  static constexpr std::size_t kRows = 8;
  std::vector<Query> queries;
  Query query;
  std::size_t row = 0;
  TextReader reader(data, name);
  while (reader.next_filled_line()) {
    std::array<std::string_view, 7> fields;
    if (!split_row(reader.token(), fields) || !reader.at_line_end()) {
      reader.fail("a row has seven integers with commas between them and no blanks");
    }
    Vec3& point = row < 4 ? query.step.t0[row] : query.step.t1[row - 4];
    point.x = read_coordinate(reader, fields[0], fields[1], "x");
    point.y = read_coordinate(reader, fields[2], fields[3], "y");
    point.z = read_coordinate(reader, fields[4], fields[5], "z");
    if (fields[6] != "0" && fields[6] != "1")
      reader.fail(fmt::format("the truth is not 0 or 1: {}", in_quotes(fields[6])));
    const bool truth = fields[6] == "1";
    if (row == 0) query.truth = truth;
    if (truth != query.truth) reader.fail("the truth differs between the rows of a query");
    if (++row == kRows) {
      queries.push_back(query);
      row = 0;
    }
  }
  if (row != 0) reader.fail(fmt::format("the file ends after {} of a query's {} rows", row, kRows));
  return queries;
}

}  // namespace io

std::vector<Query> read_queries(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  return io::parse_queries(bytes.view(), file.string());
}

FeatureKind query_kind(const std::filesystem::path& file) {
  // Absolute, so that a file given without its folder still has one.
  const std::string folder = std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
  if (folder == "edge-edge") return FeatureKind::EdgeEdge;
  if (folder == "vertex-face") return FeatureKind::VertexFace;
  io::fail(file.string(),
           "is in neither an edge-edge nor a vertex-face folder, so the kind of its queries is unknown");
}

}  // namespace graze
