// Query files: exact rationals only, complete queries only, and the public files.
#include "io/query_csv.hpp"

#include <graze/io.hpp>

#include "io/io_test.hpp"
#include "public_data.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

using boost::multiprecision::cpp_int;
using io::RationalStatus;
using testing::contains;
using testing::error_of;

double rational(const std::string& numerator, const std::string& denominator) {
  double value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(io::parse_rational(numerator, denominator, value), RationalStatus::Ok)
      << numerator << "/" << denominator;
  return value;
}

RationalStatus status(const std::string& numerator, const std::string& denominator) {
  double value = 0.0;
  return io::parse_rational(numerator, denominator, value);
}

std::string power_of_two(unsigned exponent) {
  return (cpp_int(1) << exponent).str();
}

TEST(QueryRational, IsTheDoubleItEquals) {
  EXPECT_EQ(rational("0", "1"), 0.0);
  EXPECT_FALSE(std::signbit(rational("-0", "7")));
  EXPECT_EQ(rational("-8388609", "8388608"), -8388609.0 / 8388608.0);
  EXPECT_EQ(rational("6", "4"), 1.5);
  EXPECT_EQ(rational("-21", "7"), -3.0);
  EXPECT_EQ(rational("0010", "08"), 1.25);  // no octal
  EXPECT_EQ(rational("9007199254740991", "1"), 9007199254740991.0);
  EXPECT_EQ(rational("9007199254740994", "1"), 9007199254740994.0);
  EXPECT_EQ(rational("18446744073709549568", "1"), 18446744073709549568.0);
  EXPECT_EQ(rational(power_of_two(64), "1"), 0x1p64);
  EXPECT_EQ(rational(power_of_two(1023), "1"), 0x1p1023);
  EXPECT_EQ(rational("1", power_of_two(1074)), 0x1p-1074);
  EXPECT_EQ(rational("-3", power_of_two(1074)), -0x3p-1074);
  EXPECT_EQ(rational(power_of_two(2000), power_of_two(2001)), 0.5);
}

TEST(QueryRational, IsRefusedWhenNoDoubleEqualsIt) {
  EXPECT_EQ(status("1", "3"), RationalStatus::NotADouble);
  EXPECT_EQ(status("1", "10"), RationalStatus::NotADouble);
  EXPECT_EQ(status("9007199254740993", "1"), RationalStatus::NotADouble);
  EXPECT_EQ(status("18446744073709551615", "1"), RationalStatus::NotADouble);
  EXPECT_EQ(status("36893488147419103233", "1"), RationalStatus::NotADouble);
  EXPECT_EQ(status(power_of_two(1024), "1"), RationalStatus::NotADouble);
  EXPECT_EQ(status("1", power_of_two(1075)), RationalStatus::NotADouble);
  EXPECT_EQ(status("1", "0"), RationalStatus::BadDenominator);
  EXPECT_EQ(status(power_of_two(100), "00"), RationalStatus::BadDenominator);
  EXPECT_EQ(status("1", "-2"), RationalStatus::BadDenominator);
  EXPECT_EQ(status("", "1"), RationalStatus::NotAnInteger);
  EXPECT_EQ(status("1", ""), RationalStatus::NotAnInteger);
  EXPECT_EQ(status("-", "1"), RationalStatus::NotAnInteger);
  EXPECT_EQ(status("1.5", "1"), RationalStatus::NotAnInteger);
  EXPECT_EQ(status("+1", "1"), RationalStatus::NotAnInteger);
  EXPECT_EQ(status(std::string(4001, '1'), "1"), RationalStatus::TooLong);
}

TEST(QueryRational, RoundTripsRandomDoubles) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 3000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    int exponent = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    exponent -= 53;
    cpp_int numerator = mantissa;
    cpp_int denominator = 1;
    if (exponent >= 0) numerator <<= static_cast<unsigned>(exponent);
    if (exponent < 0) denominator <<= static_cast<unsigned>(-exponent);
    const int factor = static_cast<int>(random() % 5) * 7 + 1;  // often not in lowest terms
    numerator *= factor;
    denominator *= factor;
    EXPECT_EQ(rational(numerator.str(), denominator.str()), value);
  }
}

std::string rows(int count, const std::string& row = "1,2,-3,4,5,8,1\n") {
  std::string text;
  for (int i = 0; i < count; ++i) text += row;
  return text;
}

TEST(QueryFile, HoldsEightRowsAQuery) {
  std::string text;
  for (int i = 0; i < 16; ++i) text += std::to_string(i) + ",2,-1,1,0,1," + (i < 8 ? "1" : "0") + "\r\n";
  const std::vector<Query> queries = io::parse_queries(text, "m");
  ASSERT_EQ(queries.size(), 2U);
  EXPECT_TRUE(queries[0].truth);
  EXPECT_FALSE(queries[1].truth);
  EXPECT_EQ(queries[0].step.t0[1], (Vec3{0.5, -1, 0}));
  EXPECT_EQ(queries[0].step.t1[0], (Vec3{2.0, -1, 0}));
  EXPECT_EQ(queries[1].step.t1[3], (Vec3{7.5, -1, 0}));
}

TEST(QueryFile, IsRefusedWhereItIsBroken) {
  const auto message = [](const std::string& text) { return error_of([&] { io::parse_queries(text, "m"); }); };
  EXPECT_EQ(message(rows(7)), "m: line 7: the file ends after 7 of a query's 8 rows");
  EXPECT_EQ(message(rows(3) + "1,3,0,1,0,1,1\n"), "m: line 4: x is not exactly a double: '1' over '3'");
  EXPECT_EQ(message("0,1,0,0,0,1,1\n"), "m: line 1: y has a denominator that is not positive: '0' over '0'");
  EXPECT_EQ(message("0,1,0,1,nan,1,1\n"), "m: line 1: z is not a fraction of integers: 'nan' over '1'");
  EXPECT_EQ(message("0,1,0,1,0,1,2\n"), "m: line 1: the truth is not 0 or 1: '2'");
  EXPECT_EQ(message(rows(5) + "1,2,-3,4,5,8,0\n"), "m: line 6: the truth differs between the rows of a query");
  for (const char* row : {"0,1,0,1,0,1\n", "0,1,0,1,0,1,1,1\n", "0,1 ,0,1,0,1,1\n", "0;1;0;1;0;1;1\n", ",\n"}) {
    EXPECT_TRUE(contains(message(row), "m: line 1: a row has seven integers")) << row;
  }
  EXPECT_TRUE(
      contains(message(std::string(9000, '7') + ",1,0,1,0,1,1\n"), "m: line 1: x has too many digits: '777"));
}

TEST(QueryFile, SurvivesDamageAnywhere) {
  // Reads the queries as a mesh of their points, which must be finite.
  const auto read = [](std::string_view bytes, const std::string& name) {
    Mesh mesh;
    for (const Query& query : io::parse_queries(bytes, name)) {
      mesh.positions.insert(mesh.positions.end(), query.step.t0.begin(), query.step.t0.end());
      mesh.positions.insert(mesh.positions.end(), query.step.t1.begin(), query.step.t1.end());
    }
    return mesh;
  };
  testing::damage_everywhere(read, rows(7) + "6,4,-0,10," + power_of_two(70) + "," + power_of_two(75) + ",1\n");
}

TEST(QueryFile, HasTheKindOfItsFolder) {
  EXPECT_EQ(query_kind("a/edge-edge/b.csv"), FeatureKind::EdgeEdge);
  EXPECT_EQ(query_kind("a/vertex-face/b.csv"), FeatureKind::VertexFace);
  EXPECT_EQ(query_kind("a/vertex-face/../edge-edge/b.csv"), FeatureKind::EdgeEdge);
  EXPECT_TRUE(contains(error_of([] { query_kind("edge-edge/a/b.csv"); }), "edge-edge/a/b.csv: is in neither"));
}

TEST(QueryFile, ReadsThePublicFiles) {
  GRAZE_SKIP_WITHOUT_DATA();
  std::size_t files = 0;
  std::size_t queries = 0;
  std::size_t kinds = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::public_data() / "queries")) {
    if (entry.path().extension() != ".csv") continue;
    const std::vector<Query> read = read_queries(entry.path());
    const std::string text = testing::get_file(entry.path());
    EXPECT_EQ(read.size() * 8, static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')))
        << entry.path();
    ++files;
    queries += read.size();
    kinds += query_kind(entry.path()) == FeatureKind::EdgeEdge ? 1U : 0U;
  }
  EXPECT_EQ(files, 20U);
  EXPECT_EQ(kinds, 10U);
  EXPECT_EQ(queries, 2429U);
}

}  // namespace
}  // namespace graze
