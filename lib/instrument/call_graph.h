// A static call graph and the height of its functions. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vprof::instrument {

class CallGraph {
public:
  // The vertex of `name`, made if it is new.
  std::size_t vertex(const std::string &name);
  // The vertex of `name`, or npos.
  std::size_t find(const std::string &name) const;
  void add_edge(std::size_t caller, std::size_t callee);
  std::size_t size() const { return callees_.size(); }

  // Height of every vertex: the longest path below it, strongly connected components (recursion) condensed to
  // one vertex first; a function without callees has 0 (METHOD: factor selection). O(vertices + edges), no
  // recursion.
  std::vector<int> heights() const;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::vector<std::size_t>> callees_;
};

} // namespace vprof::instrument
