#include "call_graph.h"

#include <algorithm>

namespace vprof::instrument {
namespace {

constexpr std::size_t unvisited = static_cast<std::size_t>(-1);

// Tarjan's algorithm with an explicit stack: call graphs are deep. A component is finished after all
// components it can reach, so its height is known at once from theirs.
class Condenser {
public:
  explicit Condenser(const std::vector<std::vector<std::size_t>> &callees)
      : callees_(callees), order_(callees.size(), unvisited), low_(callees.size()),
        height_(callees.size(), -1) {}

  std::vector<int> run() {
    for (std::size_t vertex = 0; vertex < callees_.size(); ++vertex)
      if (order_[vertex] == unvisited)
        visit(vertex);
    return height_;
  }

private:
  struct Frame {
    std::size_t vertex;
    std::size_t next_callee;
  };

  void enter(std::size_t vertex) {
    order_[vertex] = low_[vertex] = counter_++;
    open_.push_back(vertex);
    frames_.push_back({vertex, 0});
  }

  void visit(std::size_t start) {
    enter(start);
    while (!frames_.empty()) {
      Frame &frame = frames_.back();
      const std::size_t vertex = frame.vertex;
      if (frame.next_callee < callees_[vertex].size()) {
        const std::size_t callee = callees_[vertex][frame.next_callee++];
        if (order_[callee] == unvisited)
          enter(callee);
        else if (height_[callee] < 0) // still open: same component or an ancestor's
          low_[vertex] = std::min(low_[vertex], order_[callee]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty())
        low_[frames_.back().vertex] = std::min(low_[frames_.back().vertex], low_[vertex]);
      if (low_[vertex] == order_[vertex])
        close_component(vertex);
    }
  }

  void close_component(std::size_t root) {
    const auto first = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    int height = 0;
    for (auto it = first; it != open_.end(); ++it)
      for (const std::size_t callee : callees_[*it])
        height = std::max(height, height_[callee] + 1); // members of this component still have -1
    for (auto it = first; it != open_.end(); ++it)
      height_[*it] = height;
    open_.erase(first, open_.end());
  }

  const std::vector<std::vector<std::size_t>> &callees_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> low_;
  std::vector<int> height_;
  std::vector<std::size_t> open_;
  std::vector<Frame> frames_;
  std::size_t counter_ = 0;
};

} // namespace

std::size_t CallGraph::vertex(const std::string &name) {
  const auto [it, inserted] = index_.try_emplace(name, callees_.size());
  if (inserted)
    callees_.emplace_back();
  return it->second;
}

std::size_t CallGraph::find(const std::string &name) const {
  const auto it = index_.find(name);
  return it == index_.end() ? npos : it->second;
}

void CallGraph::add_edge(std::size_t caller, std::size_t callee) {
  std::vector<std::size_t> &callees = callees_[caller];
  if (std::find(callees.begin(), callees.end(), callee) == callees.end())
    callees.push_back(callee);
}

std::vector<int> CallGraph::heights() const {
  return Condenser(callees_).run();
}

} // namespace vprof::instrument
