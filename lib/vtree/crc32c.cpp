#include "trace_reader_internal.h"

#include <array>

namespace vprof::vtree {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  constexpr std::uint32_t polynomial = 0x82f63b78u; // 0x1edc6f41 with its bits reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ ((value & 1u) != 0 ? polynomial : 0u);
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> table = make_table();

} // namespace

std::uint32_t crc32c(llvm::StringRef bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes)
    crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xffu];
  return ~crc;
}

} // namespace vprof::vtree
