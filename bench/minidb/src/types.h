#pragma once

#include <chrono>
#include <cstdint>

namespace minidb {

using TxnId = std::uint64_t;
using PageId = std::uint32_t;
using Lsn = std::uint64_t; // bytes appended to one log stream so far

inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace minidb
