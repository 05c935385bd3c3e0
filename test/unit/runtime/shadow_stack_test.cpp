// The shadow stack on frames made up in an array that stands for a program's stack: which entries a probe
// takes for stale.
#include "guest.h"

#include <gtest/gtest.h>

namespace {

class ShadowStack : public testing::Test {
protected:
  void SetUp() override {
    recorder_.reset(vprof_i_create_recorder());
    ASSERT_NE(recorder_, nullptr);
    recorder_->vp_open = 1;
    enter(1, root_frame_, 10);
  }

  /// A call whose frame lies `frame` words up the array; its return address is `ret`.
  unsigned long enter(unsigned long probe, unsigned long frame, unsigned long ret) {
    write_frame(frame, ret);
    vprof_i_recorder *r = recorder_.get();
    char *const at = frame_address(frame);
    if (r->vp_depth != 0 && !vprof_i_undisturbed(r, at, address(probe)))
      root_stale_ = vprof_i_settle(r, at, address(probe), ++clock_) != 0;
    const unsigned node = vprof_i_child(r, r->vp_stack[r->vp_depth].vp_node, static_cast<unsigned>(probe),
                                        address(ret), address(probe));
    const unsigned long token = vprof_i_push(r, node, address(ret), at, address(probe));
    r->vp_stack[r->vp_depth].vp_start = ++clock_;
    return token;
  }
  void leave(unsigned long token) { vprof_i_leave_scope(recorder_.get(), token, ++clock_); }
  /// What a call does to memory.
  void write_frame(unsigned long frame, unsigned long ret) {
    memory_[frame] = address(0x1000 + frame);
    memory_[frame + 1] = address(ret);
  }
  char *frame_address(unsigned long frame) { return reinterpret_cast<char *>(&memory_[frame]); }
  [[nodiscard]] unsigned depth() const { return recorder_->vp_depth; }
  [[nodiscard]] unsigned long top_probe() const {
    return reinterpret_cast<unsigned long>(recorder_->vp_stack[depth()].vp_probe);
  }
  [[nodiscard]] unsigned long calls_of(unsigned long probe) const {
    unsigned long calls = 0;
    for (unsigned i = 0; i < recorder_->vp_touches; ++i)
      if (const vprof_i_node &node = recorder_->vp_nodes[recorder_->vp_touched[i]]; node.vp_id == probe)
        calls += node.vp_calls;
    return calls;
  }

  static constexpr unsigned long root_frame_ = 900;
  Recorder recorder_;
  void *memory_[1000] = {};
  unsigned long clock_ = 0;
  bool root_stale_ = false;
};

TEST_F(ShadowStack, NestedCallsStay) {
  const unsigned long a = enter(2, 800, 20);
  const unsigned long b = enter(3, 700, 30);
  EXPECT_EQ(depth(), 3u);
  leave(b);
  leave(a);
  EXPECT_EQ(depth(), 1u);
  EXPECT_EQ(calls_of(2), 1u);
  EXPECT_EQ(calls_of(3), 1u);
  EXPECT_EQ(recorder_->vp_torn, 0u);
}

TEST_F(ShadowStack, FrameBelowTheNewOneIsStale) {
  enter(2, 800, 20);
  enter(3, 700, 30);
  enter(4, 750, 40);
  EXPECT_EQ(depth(), 3u); // root, 2, 4
  EXPECT_EQ(calls_of(3), 1u);
  EXPECT_EQ(calls_of(2), 0u);
}

TEST_F(ShadowStack, SameScopeAgainIsStale) {
  enter(2, 800, 20);
  enter(2, 800, 20);
  EXPECT_EQ(depth(), 2u);
  EXPECT_EQ(calls_of(2), 1u);
}

TEST_F(ShadowStack, InlinedScopesShareAFrame) {
  const unsigned long a = enter(2, 800, 20);
  const unsigned long b = enter(3, 800, 20);
  EXPECT_EQ(depth(), 3u);
  enter(2, 800, 20); // the outer scope again, so both were jumped over
  EXPECT_EQ(depth(), 2u);
  leave(b);
  leave(a);
  EXPECT_EQ(depth(), 2u) << "old tokens mean nothing";
}

TEST_F(ShadowStack, OverwrittenFrameIsStale) {
  enter(2, 800, 20);
  write_frame(800, 25); // the frame of another call, itself without a probe
  enter(3, 700, 30);
  EXPECT_EQ(depth(), 2u);
  EXPECT_EQ(top_probe(), 3u);
  EXPECT_EQ(calls_of(2), 1u);
}

TEST_F(ShadowStack, JumpTakesInlinedScopesWithIt) {
  enter(2, 800, 20);
  const unsigned long inlined = enter(3, 800, 20);
  enter(4, 700, 40);
  enter(5, 720, 50); // 4 is gone, so is 3: no function that calls setjmp is inlined
  EXPECT_EQ(depth(), 3u);
  EXPECT_EQ(calls_of(3), 1u);
  leave(inlined);
  EXPECT_EQ(recorder_->vp_torn, 0u) << "a guess that proves wrong is no tear";
}

TEST_F(ShadowStack, StaleRootIsReported) {
  enter(2, 800, 20);
  enter(3, 950, 30);
  EXPECT_TRUE(root_stale_);
  EXPECT_EQ(calls_of(2), 1u);
}

TEST_F(ShadowStack, RootWithOverwrittenFrameIsReported) {
  enter(2, 800, 20);
  write_frame(root_frame_, 99);
  enter(3, 700, 30);
  EXPECT_TRUE(root_stale_);
}

TEST_F(ShadowStack, LeaveEndsWhatLiesAbove) {
  const unsigned long a = enter(2, 800, 20);
  enter(3, 700, 30);
  enter(4, 600, 40);
  leave(a);
  EXPECT_EQ(depth(), 1u);
  EXPECT_EQ(calls_of(3) + calls_of(4), 2u);
}

TEST_F(ShadowStack, EndOfATakenAwayScopeTearsTheInterval) {
  const unsigned long a = enter(2, 800, 20);
  const unsigned long b = enter(3, 700, 30);
  leave(a);
  EXPECT_EQ(recorder_->vp_torn, 0u);
  leave(b);
  EXPECT_EQ(recorder_->vp_torn, 1u);
}

TEST_F(ShadowStack, OldTokenNeverEndsAnotherScope) {
  const unsigned long a = enter(2, 800, 20);
  leave(a);
  enter(3, 800, 30);
  leave(a);
  EXPECT_EQ(depth(), 2u);
}

TEST_F(ShadowStack, OtherStacksAreLeftAlone) {
  // A frame 16 MiB below and one 16 MiB above, as of a fiber; only made up, never read.
  vprof_i_recorder *r = recorder_.get();
  char *const here = frame_address(800);
  EXPECT_FALSE(vprof_i_settle(r, here - (16 << 20), address(5), 1));
  EXPECT_FALSE(vprof_i_settle(r, here + (16 << 20), address(5), 1));
  EXPECT_EQ(depth(), 1u);
}

TEST_F(ShadowStack, LargeLocalsAreNoOtherStack) {
  vprof_i_recorder *r = recorder_.get();
  EXPECT_TRUE(vprof_i_undisturbed(r, frame_address(root_frame_) - (1 << 20), address(5)));
}

TEST_F(ShadowStack, LandingEndsEverythingAbove) {
  const unsigned long a = enter(2, 800, 20);
  enter(3, 800, 20);
  enter(4, 800, 20);
  vprof_i_leave_above(recorder_.get(), a, ++clock_);
  EXPECT_EQ(depth(), 2u);
  vprof_i_leave_above(recorder_.get(), 0, ++clock_);
  EXPECT_EQ(depth(), 2u);
}

TEST_F(ShadowStack, FullStackRefuses) {
  recorder_->vp_stack_array.vp_most = recorder_->vp_stack_array.vp_ready;
  unsigned long frame = 890;
  while (enter(2, frame, 20) != 0)
    frame -= 8;
  EXPECT_EQ(depth(), recorder_->vp_stack_array.vp_most - 1);
  EXPECT_EQ(enter(2, frame - 8, 20), 0u);
}

// A probe in a handler is skipped; a probe abandoned by siglongjmp is not waited for.
TEST_F(ShadowStack, BusyRecorder) {
  volatile unsigned long claims[2] = {0, 0}; // [1] is higher: the interrupted one
  ASSERT_TRUE(vprof_i_begin_probe(recorder_.get(), &claims[1]));
  EXPECT_FALSE(vprof_i_begin_probe(recorder_.get(), &claims[0]));
  claims[1] = 0; // its stack was used by others
  EXPECT_TRUE(vprof_i_begin_probe(recorder_.get(), &claims[0]));
  EXPECT_EQ(recorder_->vp_torn, 1u);
  EXPECT_TRUE(vprof_i_begin_probe(recorder_.get(), &claims[1])) << "a handler never lies higher";
  vprof_i_end_probe(recorder_.get());
  EXPECT_TRUE(vprof_i_begin_probe(recorder_.get(), &claims[0]));
}

TEST_F(ShadowStack, UnmappedClaimIsNotAlive) {
  volatile unsigned long mine = 0;
  recorder_->vp_busy = reinterpret_cast<volatile unsigned long *>(0x7ffffffff000ul);
  EXPECT_TRUE(vprof_i_begin_probe(recorder_.get(), &mine));
}

} // namespace
