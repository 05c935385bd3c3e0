#include "vprof/vtree/exact_sum.h"

#include <gtest/gtest.h>

namespace vprof::vtree {
namespace {

TEST(WideSum, AddsAndSubtractsAcrossWords) {
  WideSum sum;
  for (int i = 0; i < 4; ++i) // 4 * 2^124 = 2^126, twice: beyond 127 bits
    sum.add_product(max_fixed_ns, max_fixed_ns);
  WideSum more = sum;
  for (int i = 0; i < 6; ++i)
    more += more;
  EXPECT_EQ(more.decimal(), "5444517870735015415413993718908291383296"); // 2^132
  for (int i = 0; i < 64; ++i)
    more -= sum;
  EXPECT_TRUE(more.is_zero());
}

TEST(WideSum, NegativeProducts) {
  WideSum sum;
  sum.add_product(-3, 7);
  EXPECT_EQ(sum.decimal(), "-21");
  sum.add_product(5, 5);
  EXPECT_EQ(sum.decimal(), "4");
  WideSum larger;
  larger.add(5);
  sum -= larger;
  EXPECT_EQ(sum.decimal(), "-1");
}

TEST(WideSum, DecimalRoundTrip) {
  for (const char *text : {"0", "-1", "1", "3138550867693340381917894711603833208051177722232017256447",
                           "-3138550867693340381917894711603833208051177722232017256447", // 2^191 - 1
                           "-340282366920938463463374607431768211456"}) {
    const std::optional<WideSum> sum = WideSum::from_decimal(text);
    ASSERT_TRUE(sum.has_value()) << text;
    EXPECT_EQ(sum->decimal(), text);
  }
}

TEST(WideSum, RefusesWhatIsNoNumber) {
  for (const char *text :
       {"", "-", "1x", "0x10", " 1", "6277101735386680763835789423207666416102355444464034512896"})
    EXPECT_FALSE(WideSum::from_decimal(text).has_value()) << text;
  EXPECT_FALSE(int128_from_decimal("340282366920938463463374607431768211456").has_value());
  EXPECT_EQ(decimal(*int128_from_decimal("-170141183460469231731687303715884105727")),
            "-170141183460469231731687303715884105727");
}

} // namespace
} // namespace vprof::vtree
