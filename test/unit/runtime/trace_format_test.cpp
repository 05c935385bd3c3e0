// docs/trace-format.md and vprof/trace_format.h say the same.
#include "vprof/trace_format.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <utility>

namespace {

using Layout = std::map<std::string, std::pair<std::size_t, std::size_t>>; // field -> offset, size

/// The rows "| offset | `field` | size | .." under a heading; "`a`, `b`" and "4 + 4" are two fields.
Layout documented(const std::string &heading) {
  std::ifstream file(VPROF_TRACE_FORMAT_DOC);
  const std::regex row(
      R"(\|\s*(\d+)\s*\|\s*`(\w+)(?:\[\d+\])?`(?:,\s*`(\w+)`)?\s*\|\s*(\d+)(?:\s*\+\s*(\d+))?\s*\|.*)");
  Layout layout;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0)
      inside = line == "## " + heading;
    std::smatch match;
    if (!inside || !std::regex_match(line, match, row))
      continue;
    const std::size_t offset = std::stoul(match[1]);
    const std::size_t size = std::stoul(match[4]);
    layout[match[2]] = {offset, size};
    if (match[3].matched)
      layout[match[3]] = {offset + size, std::stoul(match[5])};
  }
  return layout;
}

#define FIELD(type, name)                                                                                    \
  {                                                                                                          \
    #name, {                                                                                                 \
      offsetof(type, name), sizeof(type::name)                                                               \
    }                                                                                                        \
  }

TEST(TraceFormat, HeaderIsAsDocumented) {
  const Layout declared = {FIELD(vprof_file_header, magic_low),
                           FIELD(vprof_file_header, magic_high),
                           FIELD(vprof_file_header, version),
                           FIELD(vprof_file_header, header_size),
                           FIELD(vprof_file_header, plan),
                           FIELD(vprof_file_header, pid),
                           FIELD(vprof_file_header, parent_pid),
                           FIELD(vprof_file_header, clock_source),
                           FIELD(vprof_file_header, root_id),
                           FIELD(vprof_file_header, first_ticks),
                           FIELD(vprof_file_header, first_monotonic_ns),
                           FIELD(vprof_file_header, first_realtime_ns),
                           FIELD(vprof_file_header, last_ticks),
                           FIELD(vprof_file_header, last_monotonic_ns),
                           FIELD(vprof_file_header, probe_cost_ticks_q8),
                           FIELD(vprof_file_header, probe_inside_ticks_q8),
                           FIELD(vprof_file_header, dropped),
                           FIELD(vprof_file_header, file_bytes),
                           FIELD(vprof_file_header, live_threads),
                           FIELD(vprof_file_header, reserved),
                           FIELD(vprof_file_header, executable)};
  EXPECT_EQ(documented("Header"), declared);
}

TEST(TraceFormat, ChunkIsAsDocumented) {
  const Layout declared = {FIELD(vprof_chunk_header, magic),      FIELD(vprof_chunk_header, kind),
                           FIELD(vprof_chunk_header, length),     FIELD(vprof_chunk_header, sequence),
                           FIELD(vprof_chunk_header, thread_id),  FIELD(vprof_chunk_header, thread_index),
                           FIELD(vprof_chunk_header, base_ticks), FIELD(vprof_chunk_header, committed),
                           FIELD(vprof_chunk_header, crc),        FIELD(vprof_chunk_header, open_ticks),
                           FIELD(vprof_chunk_header, reserved)};
  EXPECT_EQ(documented("Chunk"), declared);
}

TEST(TraceFormat, ReasonsAreAsDocumented) {
  std::ifstream file(VPROF_TRACE_FORMAT_DOC);
  const std::regex row(R"(\|\s*(\d+)\s*\|\s*`([A-Z_]+)`\s*\|.*)");
  std::multimap<std::string, unsigned long> documented;
  for (std::string line; std::getline(file, line);)
    if (std::smatch match; std::regex_match(line, match, row))
      documented.emplace(match[2], std::stoul(match[1]));
  const std::multimap<std::string, unsigned long> declared = {{"SPACE", VPROF_DROP_SPACE},
                                                              {"MEMORY", VPROF_DROP_MEMORY},
                                                              {"REENTRY", VPROF_DROP_REENTRY},
                                                              {"DEPTH", VPROF_DROP_DEPTH},
                                                              {"FORK", VPROF_DROP_FORK},
                                                              {"SIZE", VPROF_DROP_SIZE},
                                                              {"THREAD", VPROF_DROP_THREAD},
                                                              {"LONGJMP", VPROF_CUT_LONGJMP},
                                                              {"THREAD_EXIT", VPROF_CUT_THREAD_EXIT},
                                                              {"UNIT", VPROF_CUT_UNIT},
                                                              {"PROCESS_EXIT", VPROF_CUT_PROCESS_EXIT},
                                                              {"ROOT_EXIT", VPROF_CUT_ROOT_EXIT}};
  EXPECT_EQ(documented, declared);
}

} // namespace
