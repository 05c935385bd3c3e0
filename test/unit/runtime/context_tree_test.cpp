// Nodes are found again, whatever the pattern of calls; arrays grow; refusals are counted and harmless.
#include "guest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace {

TEST(ContextTree, SameContextSameNode) {
  const Recorder recorder(vprof_i_create_recorder());
  ASSERT_NE(recorder, nullptr);
  const unsigned a = vprof_i_child(recorder.get(), 0, 7, address(100), address(200));
  const unsigned b = vprof_i_child(recorder.get(), a, 8, address(100), address(200));
  EXPECT_NE(a, 0u);
  EXPECT_NE(a, b);
  EXPECT_EQ(vprof_i_child(recorder.get(), 0, 7, address(100), address(200)), a);
  EXPECT_EQ(vprof_i_child(recorder.get(), a, 8, address(100), address(200)), b);
  EXPECT_NE(vprof_i_child(recorder.get(), a, 8, address(101), address(200)), b) << "another call site";
  EXPECT_NE(vprof_i_child(recorder.get(), a, 8, address(100), address(201)), b) << "another inlined copy";
  EXPECT_EQ(recorder->vp_nodes[b].vp_parent, a);
  EXPECT_EQ(recorder->vp_nodes[b].vp_id, 8u);
}

// 10,000 children of one parent, entered in order, in reverse, and at random.
TEST(ContextTree, TenThousandChildren) {
  const Recorder recorder(vprof_i_create_recorder());
  const unsigned parent = vprof_i_child(recorder.get(), 0, 1, address(1), address(1));
  std::vector<unsigned> nodes;
  const auto child = [&](unsigned long i) {
    return vprof_i_child(recorder.get(), parent, 2, address(0x400000 + 16 * i), address(0x500000));
  };
  for (unsigned long i = 0; i < 10000; ++i)
    nodes.push_back(child(i));
  EXPECT_EQ(std::set<unsigned>(nodes.begin(), nodes.end()).size(), 10000u);
  EXPECT_EQ(recorder->vp_node_count, 10001u);
  for (unsigned long i = 10000; i-- > 0;)
    ASSERT_EQ(child(i), nodes[i]);
  unsigned long random = 12345;
  for (int i = 0; i < 100000; ++i) {
    random = random * 6364136223846793005ul + 1442695040888963407ul;
    const unsigned long which = (random >> 33) % 10000;
    ASSERT_EQ(child(which), nodes[which]);
  }
  EXPECT_EQ(recorder->vp_node_count, 10001u);
}

TEST(ContextTree, BucketsStayShort) {
  const Recorder recorder(vprof_i_create_recorder());
  unsigned parent = 0;
  for (unsigned long i = 0; i < 100000; ++i) // a recursion
    parent = vprof_i_child(recorder.get(), parent, 2, address(0x400100), address(0x500000));
  std::vector<unsigned> length(recorder->vp_bucket_mask + 1);
  for (unsigned bucket = 0; bucket <= recorder->vp_bucket_mask; ++bucket)
    for (unsigned node = recorder->vp_buckets[bucket]; node != 0; node = recorder->vp_nodes[node].vp_next)
      ++length[bucket];
  EXPECT_GE(recorder->vp_bucket_mask + 1, 65536u);
  EXPECT_LT(*std::max_element(length.begin(), length.end()), 16u);
}

TEST(ContextTree, FullTreeRefusesAndKeepsWhatItHas) {
  const Recorder recorder(vprof_i_create_recorder());
  recorder->vp_node_array.vp_most = recorder->vp_node_array.vp_ready;
  unsigned last = 0;
  unsigned long i = 0;
  while (const unsigned node = vprof_i_child(recorder.get(), 0, 1, address(++i), address(1)))
    last = node;
  EXPECT_EQ(last, recorder->vp_node_array.vp_most - 1);
  EXPECT_EQ(vprof_i_child(recorder.get(), 0, 1, address(last), address(1)), last);
}

TEST(ContextTree, ValuesBelongToTheirInterval) {
  const Recorder recorder(vprof_i_create_recorder());
  const unsigned node = vprof_i_child(recorder.get(), 0, 1, address(1), address(1));
  vprof_i_add_call(recorder.get(), node, 10);
  vprof_i_add_call(recorder.get(), node, 5);
  EXPECT_EQ(recorder->vp_touches, 1u);
  EXPECT_EQ(recorder->vp_nodes[node].vp_total, 15u);
  EXPECT_EQ(recorder->vp_nodes[node].vp_calls, 2u);
  vprof_i_clear_interval(recorder.get());
  EXPECT_EQ(recorder->vp_touches, 0u);
  vprof_i_add_call(recorder.get(), node, 7);
  EXPECT_EQ(recorder->vp_nodes[node].vp_total, 7u);
  EXPECT_EQ(recorder->vp_nodes[node].vp_calls, 1u);
}

TEST(ContextTree, ClearedTreeStartsAnew) {
  const Recorder recorder(vprof_i_create_recorder());
  const unsigned first = vprof_i_child(recorder.get(), 0, 1, address(1), address(1));
  vprof_i_child(recorder.get(), first, 2, address(2), address(2));
  vprof_i_clear_tree(recorder.get());
  EXPECT_EQ(recorder->vp_node_count, 0u);
  EXPECT_EQ(vprof_i_child(recorder.get(), 0, 9, address(9), address(9)), 1u);
  EXPECT_EQ(recorder->vp_nodes[1].vp_id, 9u);
}

} // namespace
