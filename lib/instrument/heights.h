// Heights of functions over the static call graph: the objects' graph, completed by the calls of the parsed
// units.
#pragma once

#include "unit_store.h"

#include <string>
#include <vector>

namespace vprof::instrument {

class Heights {
public:
  explicit Heights(const UnitStore &store);
  // Longest path below the function; 0 if it calls nothing that the tree defines.
  int of(const FunctionRef &ref) const;

private:
  std::string vertex_name(const FunctionRef &ref) const;
  void add_parsed_calls();

  const UnitStore &store_;
  CallGraph graph_;
  std::vector<int> heights_;
};

} // namespace vprof::instrument
