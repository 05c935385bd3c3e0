#include "heights.h"

namespace vprof::instrument {

Heights::Heights(const UnitStore &store) : store_(store), graph_(store.objects().graph) {
  add_parsed_calls();
  heights_ = graph_.heights();
}

// The objects' name where they know the function, so that both graphs meet in one vertex; else its USR.
std::string Heights::vertex_name(const FunctionRef &ref) const {
  for (const std::string &symbol : ref.function->symbols) {
    const std::string vertex = ref.function->internal ? internal_vertex(symbol, ref.command) : symbol;
    if (store_.objects().graph.find(vertex) != CallGraph::npos)
      return vertex;
  }
  return ref.function->usr;
}

void Heights::add_parsed_calls() {
  store_.for_each([&](const FunctionRef &ref) {
    const std::size_t caller = graph_.vertex(vertex_name(ref));
    for (const Call &call : ref.function->calls) {
      std::vector<std::string> usrs = call.overriders;
      usrs.push_back(call.callee_usr);
      for (const std::string &usr : usrs) {
        const std::vector<FunctionRef> known = usr.empty() ? std::vector<FunctionRef>() : store_.find(usr);
        if (!known.empty()) {
          graph_.add_edge(caller, graph_.vertex(vertex_name(known.front())));
          continue;
        }
        for (const std::string &symbol : call.callee_symbols)
          if (const std::size_t callee = graph_.find(symbol); callee != CallGraph::npos)
            graph_.add_edge(caller, callee);
      }
    }
  });
}

int Heights::of(const FunctionRef &ref) const {
  const std::size_t vertex = graph_.find(vertex_name(ref));
  return vertex == CallGraph::npos ? -1 : heights_[vertex];
}

} // namespace vprof::instrument
