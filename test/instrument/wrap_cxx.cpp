// vprof: --root work
// CHECK: VPROF_CALL(ID) ready.wait(lock, [&] { return n > 0; }) VPROF_END;
// CHECK: VPROF_CALL(ID) mutex.lock() VPROF_END;
// CHECK: VPROF_CALL(ID) std::this_thread::sleep_for(std::chrono::microseconds(n)) VPROF_END;
// CHECK: const std::string &name = library_name(n);
// CHECK: return library_size(std::string("x")) + static_cast<int>(name.size());
// REFUSED: library_size: no body in the tree, call not wrapped: makes a temporary with a destructor

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

const std::string &library_name(int n);
int library_size(const std::string &text);
int work(int n);
static std::mutex mutex;
static std::condition_variable ready;
int work(int n) {
  mutex.lock();
  mutex.unlock();
  std::unique_lock<std::mutex> lock(mutex);
  ready.wait(lock, [&] { return n > 0; });
  std::this_thread::sleep_for(std::chrono::microseconds(n));
  const std::string &name = library_name(n);
  return library_size(std::string("x")) + static_cast<int>(name.size());
}
