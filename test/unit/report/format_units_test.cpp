#include "report_internal.h"

#include <gtest/gtest.h>

namespace vprof::report {
namespace {

TEST(TimeText, PicksTheUnit) {
  const std::vector<std::pair<double, std::string>> cases{
      {0, "0.00 ns"},     {-0.0, "0.00 ns"},   {0.25, "0.25 ns"},   {999.4, "999 ns"},   {999.6, "1.00 us"},
      {1530, "1.53 us"},  {15300, "15.3 us"},  {999999, "1.00 ms"}, {12.4e6, "12.4 ms"}, {3.2e9, "3.20 s"},
      {7200e9, "7200 s"}, {-1500, "-1.50 us"}, {9.996, "10.0 ns"}};
  for (const auto &[ns, want] : cases)
    EXPECT_EQ(time_text(ns), want) << ns;
}

TEST(PercentText, WithAndWithoutInterval) {
  EXPECT_EQ(percent_text(std::nullopt), "-");
  EXPECT_EQ(percent_text(0.1234), "12.3 %");
  EXPECT_EQ(percent_text(-0.0001), "0.0 %");
  EXPECT_EQ(percent_text(0.5, vtree::ConfidenceInterval{0.4, 0.6}), "50.0 % +- 10.0");
  EXPECT_EQ(percent_text(0.5, std::nullopt), "50.0 % +- ?");
}

TEST(CountText, Thousands) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(1234567890), "1,234,567,890");
  EXPECT_EQ(count_text(1, "process", "processes"), "1 process");
  EXPECT_EQ(count_text(0, "process", "processes"), "0 processes");
}

TEST(Fit, CutsInTheMiddle) {
  EXPECT_EQ(fit("short", 10), "short");
  EXPECT_EQ(fit("namespace::very_long_name", 14), "name..ong_name");
  EXPECT_EQ(pad_left("caf\xc3\xa9", 6), "  caf\xc3\xa9");
  EXPECT_EQ(pad_right("abc", 5), "abc  ");
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7, 2), "one two\n  three\n");
  EXPECT_EQ(wrap("  indented first", 100, 4), "  indented first\n");
  EXPECT_EQ(wrap("averyveryverylongword x", 5, 1), "averyveryverylongword\n x\n");
  EXPECT_EQ(wrap("", 5, 1), "\n");
}

TEST(Style, PlainUnlessAsked) {
  EXPECT_EQ(Style(false).strong("x"), "x");
  EXPECT_EQ(Style(true).heading("x"), "\033[1mx\033[0m");
}

} // namespace
} // namespace vprof::report
