#include "session.h"

#include <ctime>
#include <thread>

namespace minidb {
namespace {

std::chrono::nanoseconds thread_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

void await_statement(const Session &session) {
  if (session.round_trip.count() > 0)
    std::this_thread::sleep_for(session.round_trip);
}

void think_in_lock(const Session &session) {
  if (session.think.count() == 0)
    return;
  const std::chrono::nanoseconds end = thread_cpu_time() + session.think;
  while (thread_cpu_time() < end)
    ;
}

} // namespace minidb
