#include "name_resolver.h"
#include "wait_calls.h"

#include <gtest/gtest.h>

namespace vprof::instrument {
namespace {

Function function(const std::string &name, const std::string &file) {
  Function function;
  function.name = name;
  function.start.file = file;
  return function;
}

TEST(Matches, WholeComponentsOnly) {
  const Function handle = function("net::Server::handle", "/src/net/server.cc");
  EXPECT_TRUE(matches(handle, "handle"));
  EXPECT_TRUE(matches(handle, "Server::handle"));
  EXPECT_TRUE(matches(handle, "net::Server::handle"));
  EXPECT_TRUE(matches(handle, "server.cc:handle"));
  EXPECT_TRUE(matches(handle, "net/server.cc:Server::handle"));
  EXPECT_FALSE(matches(handle, "andle"));
  EXPECT_FALSE(matches(handle, "rver::handle"));
  EXPECT_FALSE(matches(handle, "erver.cc:handle"));
  EXPECT_FALSE(matches(handle, "client.cc:handle"));
}

TEST(WaitingCalls, ByPlainName) {
  EXPECT_TRUE(is_waiting_call("pthread_mutex_lock"));
  EXPECT_TRUE(is_waiting_call("std::mutex::lock"));
  EXPECT_TRUE(is_waiting_call("std::__1::condition_variable::wait"));
  EXPECT_TRUE(is_waiting_call("std::_V2::condition_variable_any::wait<std::unique_lock<std::mutex> >"));
  EXPECT_FALSE(is_waiting_call("strlen"));
  EXPECT_FALSE(is_waiting_call("mine::read_row"));
}

} // namespace
} // namespace vprof::instrument
