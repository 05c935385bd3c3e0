// Numbers, text and checksums as they go into the file.
#include "guest.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

std::vector<unsigned char> put(unsigned long value) {
  unsigned char bytes[16];
  return {bytes, vprof_i_put(bytes, value)};
}

TEST(Varint, KnownBytes) {
  EXPECT_EQ(put(0), (std::vector<unsigned char>{0}));
  EXPECT_EQ(put(127), (std::vector<unsigned char>{127}));
  EXPECT_EQ(put(128), (std::vector<unsigned char>{0x80, 1}));
  EXPECT_EQ(put(300), (std::vector<unsigned char>{0xac, 2}));
  EXPECT_EQ(put(~0ul), (std::vector<unsigned char>{255, 255, 255, 255, 255, 255, 255, 255, 255, 1}));
}

TEST(Varint, SizeIsWhatIsWritten) {
  for (unsigned bit = 0; bit < 64; ++bit)
    for (const long nearby : {-1l, 0l, 1l}) {
      const unsigned long value = (1ul << bit) + static_cast<unsigned long>(nearby);
      EXPECT_EQ(vprof_i_put_size(value), put(value).size()) << value;
    }
}

TEST(Zigzag, SmallMagnitudesAreSmallNumbers) {
  EXPECT_EQ(vprof_i_zigzag(0), 0ul);
  EXPECT_EQ(vprof_i_zigzag(-1), 1ul);
  EXPECT_EQ(vprof_i_zigzag(1), 2ul);
  EXPECT_EQ(vprof_i_zigzag(INT64_MAX), ~0ul - 1);
  EXPECT_EQ(vprof_i_zigzag(INT64_MIN), ~0ul);
}

// RFC 3720, B.4.
TEST(Crc32c, ReferenceValues) {
  const auto crc = [](const std::vector<unsigned char> &data) {
    return vprof_i_crc32c(data.data(), data.size());
  };
  EXPECT_EQ(crc({}), 0u);
  EXPECT_EQ(crc({'1', '2', '3', '4', '5', '6', '7', '8', '9'}), 0xe3069283u);
  EXPECT_EQ(crc(std::vector<unsigned char>(32, 0)), 0x8a9136aau);
  EXPECT_EQ(crc(std::vector<unsigned char>(32, 0xff)), 0x62a8ab43u);
}

TEST(Crc32c, InstructionAndTableAgreeAtEveryLength) {
  unsigned int eax = 0, ecx = 0, edx = 0;
  vprof_i_cpuid(1, &eax, &ecx, &edx);
  if (!(ecx >> 20 & 1u))
    GTEST_SKIP() << "no crc32 instruction";
  std::vector<unsigned char> data;
  for (unsigned i = 0; i < 100; ++i) {
    EXPECT_EQ(vprof_i_crc_by_instruction(~0u, data.data(), data.size()),
              vprof_i_crc_by_nibble(~0u, data.data(), data.size()));
    data.push_back(static_cast<unsigned char>(i * 37 + 11));
  }
}

TEST(Text, NumbersInBothBases) {
  char text[32];
  EXPECT_STREQ((vprof_i_append_number(text, 0, 10), text), "0");
  EXPECT_STREQ((vprof_i_append_number(text, ~0ul, 10), text), "18446744073709551615");
  EXPECT_STREQ((vprof_i_append_number(text, 0xdeadbeef01ul, 16), text), "deadbeef01");
}

TEST(Text, ParseStopsAtTheFirstOtherCharacterAndSaturates) {
  const auto parse = [](const char *text, unsigned long base, std::string *rest = nullptr) {
    const unsigned long value = vprof_i_parse_number(&text, base);
    if (rest != nullptr)
      *rest = text;
    return value;
  };
  std::string rest;
  EXPECT_EQ(parse("7f12-rest", 16, &rest), 0x7f12ul);
  EXPECT_EQ(rest, "-rest");
  EXPECT_EQ(parse("12a", 10, &rest), 12ul);
  EXPECT_EQ(rest, "a");
  EXPECT_EQ(parse("", 10), 0ul);
  EXPECT_EQ(parse("18446744073709551615", 10), ~0ul);
  EXPECT_EQ(parse("18446744073709551616", 10), ~0ul);
  EXPECT_EQ(parse("99999999999999999999999", 10), ~0ul);
}

TEST(Environment, InitialEnvironmentIsReadInBlocks) {
  char block[VPROF_I_PAGE];
  char value[VPROF_I_PATH_MAX];
  EXPECT_EQ(vprof_i_initial_environment("VPROF_NO_SUCH_NAME=", value, sizeof value, block), 0);
  const char *path = getenv("PATH");
  ASSERT_NE(path, nullptr);
  ASSERT_EQ(vprof_i_initial_environment("PATH=", value, sizeof value, block), 1);
  EXPECT_STREQ(value, path);
  EXPECT_EQ(vprof_i_initial_environment("PATH=", value, 3, block), 0) << "does not fit";
}

} // namespace
