#include "wait_calls.h"

#include <llvm/ADT/StringSet.h>

#include <string>

namespace vprof::instrument {
namespace {

const llvm::StringSet<> &waiting_functions() {
  static const llvm::StringSet<> names = {
      // locks and conditions
      "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "pthread_rwlock_rdlock",
      "pthread_rwlock_wrlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock",
      "pthread_spin_lock", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
      "pthread_barrier_wait", "pthread_join", "pthread_timedjoin_np", "sem_wait", "sem_timedwait",
      "sem_clockwait", "semop", "semtimedop", "mtx_lock", "mtx_timedlock", "cnd_wait", "cnd_timedwait",
      "thrd_join", "thrd_sleep", "call_once", "pthread_once", "syscall",
      // sleeping and waiting for events or processes
      "sleep", "usleep", "nanosleep", "clock_nanosleep", "pause", "sigsuspend", "sigwait", "sigwaitinfo",
      "sigtimedwait", "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "epoll_pwait2",
      "wait", "waitpid", "waitid", "wait3", "wait4", "sched_yield",
      // files and sockets
      "open", "open64", "openat", "creat", "close", "read", "readv", "pread", "pread64", "preadv", "write",
      "writev", "pwrite", "pwrite64", "pwritev", "fsync", "fdatasync", "sync", "syncfs", "sync_file_range",
      "msync", "ftruncate", "ftruncate64", "fallocate", "posix_fallocate", "sendfile", "splice", "flock",
      "lockf", "fcntl", "ioctl", "rename", "unlink", "accept", "accept4", "connect", "recv", "recvfrom",
      "recvmsg", "recvmmsg", "send", "sendto", "sendmsg", "sendmmsg", "msgrcv", "msgsnd", "mq_receive",
      "mq_send", "mq_timedreceive", "mq_timedsend", "io_getevents", "aio_suspend", "getaddrinfo",
      "gethostbyname", "fread", "fwrite", "fflush", "fgets", "getc", "system", "popen", "pclose",
      // C++ library
      "std::mutex::lock", "std::recursive_mutex::lock", "std::timed_mutex::lock",
      "std::timed_mutex::try_lock_for", "std::shared_mutex::lock", "std::shared_mutex::lock_shared",
      "std::shared_timed_mutex::lock", "std::shared_timed_mutex::lock_shared", "std::unique_lock::lock",
      "std::shared_lock::lock", "std::condition_variable::wait", "std::condition_variable::wait_for",
      "std::condition_variable::wait_until", "std::condition_variable_any::wait",
      "std::condition_variable_any::wait_for", "std::condition_variable_any::wait_until", "std::thread::join",
      "std::jthread::join", "std::this_thread::sleep_for", "std::this_thread::sleep_until",
      "std::this_thread::yield", "std::future::get", "std::future::wait", "std::future::wait_for",
      "std::counting_semaphore::acquire", "std::latch::wait", "std::barrier::arrive_and_wait",
      "std::atomic::wait"};
  return names;
}

// std::__1::foo<int>::bar -> std::foo::bar
std::string plain_name(std::string_view qualified) {
  std::string plain;
  int depth = 0;
  for (const char c : qualified) {
    depth += c == '<';
    if (depth == 0)
      plain.push_back(c);
    depth -= c == '>';
  }
  for (const std::string_view inline_namespace : {"__1::", "__cxx11::", "_V2::"})
    if (const std::size_t at = plain.find(inline_namespace); at != std::string::npos)
      plain.erase(at, inline_namespace.size());
  return plain;
}

} // namespace

bool is_waiting_call(std::string_view qualified_name) {
  return waiting_functions().contains(plain_name(qualified_name));
}

bool returns_twice(std::string_view name) {
  static const llvm::StringSet<> names = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"};
  return names.contains(name);
}

bool is_frame_bound_call(std::string_view name) {
  static const llvm::StringSet<> names = {"longjmp",    "_longjmp",         "siglongjmp",
                                          "alloca",     "__builtin_alloca", "getcontext",
                                          "setcontext", "swapcontext",      "makecontext"};
  return returns_twice(name) || names.contains(name);
}

} // namespace vprof::instrument
