// Which lines of /proc/self/maps are kept.
#include "guest.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

std::string take(vprof_i_process &process, const std::string &line, std::size_t room = 4096) {
  std::memcpy(process.vp_line, line.data(), line.size());
  std::vector<char> out(room + 1);
  return {out.data(), vprof_i_take_line(&process, line.size(), out.data(), room)};
}

TEST(Modules, ExecutableLinesAreKept) {
  const auto process = std::make_unique<vprof_i_process>();
  const std::string code = "55d0c0400000-55d0c0401000 r-xp 00001000 08:01 123   /usr/sbin/my server\n";
  EXPECT_EQ(take(*process, code), code);
  EXPECT_EQ(take(*process, "55d0c0600000-55d0c0601000 rw-p 00003000 08:01 123   /usr/sbin/x\n"), "");
  EXPECT_EQ(take(*process, "garbage\n"), "");
  EXPECT_EQ(take(*process, code, 10), "") << "no half lines";
  ASSERT_EQ(process->vp_ranges, 1u);
  EXPECT_TRUE(vprof_i_known_address(process.get(), 0x55d0c0400000));
  EXPECT_TRUE(vprof_i_known_address(process.get(), 0x55d0c0400fff));
  EXPECT_FALSE(vprof_i_known_address(process.get(), 0x55d0c0401000));
  EXPECT_FALSE(vprof_i_known_address(process.get(), 0x55d0c03fffff));
}

TEST(Modules, FullTableCountsEverythingAsKnown) {
  const auto process = std::make_unique<vprof_i_process>();
  for (unsigned long i = 0; i < VPROF_I_RANGES_MAX + 10ul; ++i)
    vprof_i_remember_range(process.get(), i, i + 1);
  EXPECT_EQ(process->vp_ranges, static_cast<unsigned>(VPROF_I_RANGES_MAX));
  EXPECT_TRUE(vprof_i_known_address(process.get(), ~0ul));
}

TEST(Modules, ScanOfThisProcess) {
  const auto process = std::make_unique<vprof_i_process>();
  const unsigned long size = vprof_i_scan_maps(process.get(), nullptr, 0);
  std::vector<char> text(size + VPROF_I_PAGE);
  const unsigned long written = vprof_i_scan_maps(process.get(), text.data(), text.size());
  const std::string lines(text.data(), written);
  EXPECT_GT(written, 0u);
  EXPECT_EQ(lines.back(), '\n');
  EXPECT_NE(lines.find("r-xp"), std::string::npos);
  EXPECT_TRUE(vprof_i_known_address(process.get(), reinterpret_cast<unsigned long>(&vprof_i_root_enter)));
}

} // namespace
