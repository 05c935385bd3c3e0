#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace minidb {

enum class RequestKind : std::uint8_t { new_order, payment, order_status, key_access };
inline constexpr std::array request_kind_names{"new-order", "payment", "order-status", "key-access"};

struct OrderLine {
  std::uint32_t stock_key = 0;
  std::int64_t quantity = 0;
};

struct KeyAccess {
  std::uint32_t key = 0;
  bool write = false;
};

/// The parameters of one transaction, drawn before it starts. Each kind uses its own part.
struct Request {
  RequestKind kind = RequestKind::key_access;
  std::uint32_t warehouse = 0;
  std::uint32_t district = 0; // keys are table-wide: district / 10 is its warehouse
  std::uint32_t customer = 0;
  std::int64_t amount = 0;
  bool rollback = false;
  std::vector<OrderLine> lines;
  std::vector<KeyAccess> accesses;
};

/// A seeded source of requests.
class RequestSource {
public:
  virtual ~RequestSource() = default;
  virtual Request next(std::mt19937_64 &rng) = 0;
};

/// What the committed transactions have added up to. The tables must agree with it.
struct Totals {
  std::int64_t new_orders = 0;
  std::int64_t order_lines = 0;
  std::int64_t quantity = 0;
  std::int64_t payments = 0;
  std::int64_t paid_amount = 0;
  std::int64_t key_writes = 0;

  void add(const Request &committed);
  void add(const Totals &other);
  bool operator==(const Totals &) const = default;
};

} // namespace minidb
