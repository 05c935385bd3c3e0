#include "wait_graph.h"

#include <gtest/gtest.h>
#include <vector>

namespace minidb {
namespace {

/// A lock table filled by hand: who holds what, who waits for what.
class WaitGraphTest : public ::testing::Test {
protected:
  void hold(LockOwner &owner, ObjectId object) {
    table_.shard(object).queues[object].holders.push_back({&owner, LockMode::exclusive, false});
    owner.held.push_back({object, LockMode::exclusive});
  }
  void wait(LockOwner &owner, ObjectId object) {
    table_.shard(object).queues[object].waiters.push_back({&owner, LockMode::exclusive, false});
    owner.waits_for = object;
  }

  LockTable table_{1};
  LockOwner a_, b_, c_, d_;
};

TEST_F(WaitGraphTest, FindsNoCycleInAChain) {
  hold(a_, 1);
  hold(b_, 2);
  wait(b_, 1);
  wait(c_, 2);
  EXPECT_TRUE(find_cycle(table_, c_).empty());
}

TEST_F(WaitGraphTest, FindsTheCycleThroughTheStart) {
  hold(a_, 1);
  hold(b_, 2);
  hold(c_, 3);
  wait(a_, 2);
  wait(b_, 3);
  wait(c_, 1);
  EXPECT_EQ(find_cycle(table_, c_), (std::vector{&c_, &a_, &b_}));
}

TEST_F(WaitGraphTest, IgnoresACycleThatTheStartOnlyWaitsFor) {
  hold(a_, 1);
  hold(b_, 2);
  wait(a_, 2);
  wait(b_, 1);
  wait(c_, 1);
  EXPECT_TRUE(find_cycle(table_, c_).empty());
}

TEST_F(WaitGraphTest, FindsACycleThroughOneOfSeveralHolders) {
  hold(a_, 1);
  hold(b_, 1);
  hold(c_, 2);
  wait(c_, 1);
  wait(b_, 2);
  EXPECT_EQ(find_cycle(table_, b_), (std::vector{&b_, &c_}));
}

TEST_F(WaitGraphTest, DependencySizeCountsItselfAndAllWhoWaitDirectlyOrNot) {
  hold(a_, 1);
  hold(b_, 2);
  wait(b_, 1);
  wait(c_, 2);
  wait(d_, 1);
  EXPECT_EQ(dependency_size(table_, a_), 4U);
  EXPECT_EQ(dependency_size(table_, b_), 2U);
  EXPECT_EQ(dependency_size(table_, c_), 1U);
}

TEST_F(WaitGraphTest, DependencySizeCountsATransactionOnce) {
  hold(a_, 1);
  hold(a_, 2);
  hold(b_, 3);
  hold(c_, 3);
  wait(b_, 1);
  wait(c_, 2);
  wait(d_, 3); // depends on b and on c
  EXPECT_EQ(dependency_size(table_, a_), 4U);
}

} // namespace
} // namespace minidb
