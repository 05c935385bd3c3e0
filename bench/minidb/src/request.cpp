#include "request.h"

namespace minidb {

void Totals::add(const Request &committed) {
  if (committed.kind == RequestKind::new_order) {
    ++new_orders;
    for (const OrderLine &line : committed.lines) {
      ++order_lines;
      quantity += line.quantity;
    }
  }
  if (committed.kind == RequestKind::payment) {
    ++payments;
    paid_amount += committed.amount;
  }
  for (const KeyAccess &access : committed.accesses)
    key_writes += access.write ? 1 : 0;
}

void Totals::add(const Totals &other) {
  new_orders += other.new_orders;
  order_lines += other.order_lines;
  quantity += other.quantity;
  payments += other.payments;
  paid_amount += other.paid_amount;
  key_writes += other.key_writes;
}

} // namespace minidb
