#include "page_file.h"

#include <span>
#include <stdexcept>

namespace minidb {

PageFile::PageFile(const std::string &path, File::Caching caching) : file_(path, caching) {}

void PageFile::format(PageId page_count) {
  Page page;
  for (PageId id = 0; id < page_count; ++id) {
    page.id = id;
    write(id, page);
  }
}

void PageFile::read(PageId id, Page &page) const {
  file_.read_at(std::as_writable_bytes(std::span(&page, 1)), std::uint64_t{id} * page_size);
  if (page.id != id)
    throw std::runtime_error("page " + std::to_string(id) + " holds the number " + std::to_string(page.id));
}

void PageFile::write(PageId id, const Page &page) {
  file_.write_at(std::as_bytes(std::span(&page, 1)), std::uint64_t{id} * page_size);
}

} // namespace minidb
