// The shared input code: correctly rounded numbers, lines, tokens and quoting.
#include "io/input.hpp"

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace graze::io {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

double real(std::string_view text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(parse_real(text, value), NumberStatus::Ok) << text;
  return value;
}

TEST(ParseReal, RoundsCorrectly) {
  EXPECT_EQ(real("0.1"), 0.1);
  EXPECT_EQ(real("+.5"), 0.5);
  EXPECT_EQ(real("-5."), -5.0);
  EXPECT_EQ(real("1.018757e+002"), 101.8757);
  EXPECT_EQ(real("9007199254740993"), 9007199254740992.0);              // a tie rounds to even
  EXPECT_EQ(real("9007199254740993.00000000001"), 9007199254740994.0);  // slightly above a tie
  EXPECT_EQ(real("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(real("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_EQ(real("0." + std::string(400, '0') + "1e401"), 1.0);
}

TEST(ParseReal, RoundsTinyNumbersToASignedZero) {
  for (const char* text : {"-1e-400", "-0.0e99999999999999999999", "-1e-99999999999999999999", "-0"}) {
    EXPECT_EQ(real(text), 0.0) << text;
    EXPECT_TRUE(std::signbit(real(text))) << text;
  }
  EXPECT_FALSE(std::signbit(real("0." + std::string(500, '0') + "1")));
}

TEST(ParseReal, RefusesWhatIsNotAFiniteNumber) {
  double value = 0.0;
  for (const char* text : {"", "+", "-", ".", "e5", "1e", "1x", "0x10", "--1", "+-1", "-+1", "1,5", "1 "}) {
    EXPECT_EQ(parse_real(text, value), NumberStatus::NotANumber) << text;
  }
  const std::string long_number(400, '9');
  for (const char* text :
       {"inf", "-inf", "nan", "NAN", "1e309", "-1e309", "1e99999999999999999999", long_number.c_str()}) {
    EXPECT_EQ(parse_real(text, value), NumberStatus::NotFinite) << text;
  }
  float narrow = 0.0F;
  EXPECT_EQ(parse_real("1e39", narrow), NumberStatus::NotFinite);
}

TEST(TextReader, CountsLinesOfEveryEnd) {
  const std::string name = "m";
  TextReader reader("a\nb\r\nc\rd\n\ne", name);
  for (const auto& [token, number] : {std::pair{"a", 1U}, {"b", 2U}, {"c", 3U}, {"d", 4U}, {"e", 6U}}) {
    ASSERT_TRUE(reader.next_filled_line());
    EXPECT_EQ(reader.token(), token);
    EXPECT_EQ(reader.line_number(), number);
  }
  EXPECT_FALSE(reader.next_line());
}

TEST(InQuotes, IsPrintableAndShort) {
  EXPECT_EQ(in_quotes("a\nb\x01"
                      "c\xFF"),
            "'a?b?c?'");
  EXPECT_EQ(in_quotes(std::string(1000, 'x')).size(), 45U);
}

}  // namespace
}  // namespace graze::io
