#include "lru_list.h"

namespace minidb {

void LruList::insert(PageId id) {
  old_.push_front(id);
  places_.emplace(id, Place{old_.begin(), true});
  rebalance();
}

bool LruList::make_young(PageId id) {
  const auto found = places_.find(id);
  if (found == places_.end())
    return false;
  Place &place = found->second;
  young_.splice(young_.begin(), place.old ? old_ : young_, place.position);
  place.old = false;
  rebalance();
  return true;
}

void LruList::remove(PageId id) {
  const auto found = places_.find(id);
  if (found == places_.end())
    return;
  (found->second.old ? old_ : young_).erase(found->second.position);
  places_.erase(found);
  rebalance();
}

bool LruList::is_old(PageId id) const {
  const auto found = places_.find(id);
  return found != places_.end() && found->second.old;
}

/// Shifts the midpoint. Pages cross it in list order, so their order stays the same.
void LruList::rebalance() {
  const std::size_t old_target = size() * 3 / 8;
  while (old_.size() < old_target) {
    old_.splice(old_.begin(), young_, std::prev(young_.end()));
    places_.at(old_.front()).old = true;
  }
  while (old_.size() > old_target + 1) {
    young_.splice(young_.end(), old_, old_.begin());
    places_.at(young_.back()).old = false;
  }
}

} // namespace minidb
