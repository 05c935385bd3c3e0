#pragma once

#include "types.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <unordered_map>

namespace minidb {

/// The order in which pages are evicted: a young list and, behind the midpoint, an old list that holds
/// 3/8 of all pages. New pages enter at the head of the old list, so that pages read once do not push
/// out pages in use; a further access makes a page young. Not thread-safe. Pages go by their identity
/// only: a page that was evicted is simply not found.
class LruList {
public:
  /// Adds a page that is not in the list at the midpoint.
  void insert(PageId id);

  /// Moves a page to the head of the young list; false if it is not in the list.
  bool make_young(PageId id);

  void remove(PageId id);

  /// Is the page in the old list?
  bool is_old(PageId id) const;

  std::size_t size() const { return places_.size(); }
  std::size_t old_size() const { return old_.size(); }

  /// Visits pages from the next to be evicted to the most recently used, until `stop(id)` is true.
  template <typename Predicate>
  bool find_from_tail(Predicate stop) const {
    for (const std::list<PageId> *part : {&old_, &young_})
      for (auto id = part->rbegin(); id != part->rend(); ++id)
        if (stop(*id))
          return true;
    return false;
  }

private:
  struct Place {
    std::list<PageId>::iterator position;
    bool old = true;
  };

  void rebalance();

  std::list<PageId> young_;
  std::list<PageId> old_;
  std::unordered_map<PageId, Place> places_;
};

} // namespace minidb
