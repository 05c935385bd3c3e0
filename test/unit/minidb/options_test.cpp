#include "options.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace minidb {
namespace {

Options parse(std::vector<const char *> arguments) {
  arguments.insert(arguments.begin(), "minidb");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

std::string mistake(const std::vector<const char *> &arguments) {
  try {
    parse(arguments);
    return "";
  } catch (const UsageError &error) {
    return error.what();
  }
}

TEST(Options, ReadsEveryKindOfValue) {
  const Options options =
      parse({"--workload", "ycsb", "--rate", "12.5", "--workers", "3", "--verify", "--lock-schedule", "bldsf",
             "--lru", "lazy", "--log", "parallel", "--flush", "lazy-write", "--think-in-lock", "7"});
  EXPECT_EQ(options.workload, WorkloadKind::ycsb);
  EXPECT_DOUBLE_EQ(options.rate_per_s, 12.5);
  EXPECT_EQ(options.workers, 3U);
  EXPECT_TRUE(options.verify);
  EXPECT_EQ(options.engine.lock_schedule, LockSchedule::bldsf);
  EXPECT_EQ(options.engine.lru_update, LruUpdate::lazy);
  EXPECT_EQ(options.engine.log_streams, LogStreams::parallel);
  EXPECT_EQ(options.engine.flush_policy, FlushPolicy::lazy_write);
  EXPECT_EQ(options.think_in_lock, std::chrono::microseconds(7));
}

TEST(Options, NamesTheMistake) {
  EXPECT_EQ(mistake({"--bogus"}), "unknown option '--bogus', see --help");
  EXPECT_EQ(mistake({"--rate"}), "--rate needs a value: N");
  EXPECT_EQ(mistake({"--workers", "0"}), "--workers expects a number from 1 to 4096, not '0'");
  EXPECT_EQ(mistake({"--workers", "4x"}), "--workers expects a number from 1 to 4096, not '4x'");
  EXPECT_EQ(mistake({"--rate", "nan"}), "--rate expects a number from 1 to 1e+06, not 'nan'");
  EXPECT_EQ(mistake({"--lru", "none"}), "--lru expects mutex|lazy, not 'none'");
}

TEST(Options, RefusesSizesThatCannotWork) {
  EXPECT_NE(mistake({"--pool-pages", "10"}).find("--pool-pages must be at least"), std::string::npos);
  EXPECT_NE(mistake({"--data-pages", "10"}).find("--data-pages must be at least"), std::string::npos);
  EXPECT_NE(mistake({"--dir", "/nonexistent"}).find("--dir"), std::string::npos);
}

TEST(Options, HelpNamesEveryOption) {
  const std::string help = help_text();
  for (const char *name :
       {"--lock-schedule fcfs|random|vats|ldsf|bldsf", "--lru mutex|lazy", "--log", "--dir"})
    EXPECT_NE(help.find(name), std::string::npos) << name;
}

} // namespace
} // namespace minidb
