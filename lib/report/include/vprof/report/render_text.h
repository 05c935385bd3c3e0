// A report as text for people.
#ifndef VPROF_REPORT_RENDER_TEXT_H
#define VPROF_REPORT_RENDER_TEXT_H

#include "vprof/vtree/report.h"

#include <string>

namespace vprof::report {

struct TextOptions {
  unsigned width = 100;     // columns; at least 80 is used
  bool colour = false;      // ANSI escapes; the caller decides from terminal and NO_COLOR
  unsigned max_depth = 0;   // of the tree; 0: all
  double min_share = 0.005; // nodes and pairs below this part of the root's variance are folded into one line
};

/// Intervals, latency, ranked factors with their call sites, tree, quality and warnings. Ends in a newline.
std::string render_text(const vtree::Report &report, const TextOptions &options = {});

} // namespace vprof::report

#endif
