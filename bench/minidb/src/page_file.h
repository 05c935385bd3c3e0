#pragma once

#include "file.h"
#include "types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace minidb {

inline constexpr std::size_t page_size = 4096;

/// A page as it lies in memory and in the file. Aligned as direct I/O needs it.
struct alignas(page_size) Page {
  std::uint64_t id = 0; // tells a page that was read from or written to the wrong place
  std::array<std::byte, page_size - sizeof(std::uint64_t)> bytes{};
};
static_assert(sizeof(Page) == page_size);

/// The data file: page `n` lies at byte n * page_size.
class PageFile {
public:
  PageFile(const std::string &path, File::Caching caching);

  void format(PageId page_count); // writes empty pages
  void read(PageId id, Page &page) const;
  void write(PageId id, const Page &page);

private:
  File file_;
};

} // namespace minidb
