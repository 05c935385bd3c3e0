// Where a file can take an #include without any line changing its number. Pure, works on bytes.
#pragma once

#include "edit_set.h"

#include <string>
#include <string_view>

namespace vprof::instrument {

// The insertion of `directive` ("#include ..."): into the last blank line among the comments and directives
// that open the file (outside #if, but inside an include guard), so that no line moves. A file without such a
// line gets the directive on a line of its own, followed by a #line that keeps the numbers.
Insertion include_insertion(std::string_view content, const std::string &directive);

// The insertion of `directive` as the last line of the file.
Insertion last_line_insertion(std::string_view content, const std::string &directive);

} // namespace vprof::instrument
