#include "options.h"

#include "tpcc.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <span>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace minidb {
namespace {

struct OptionSpec {
  std::string name;
  std::string value; // how --help names the value; empty for a switch
  std::string help;
  std::function<void(Options &, std::string_view)> set; // throws UsageError without the option's name
};

template <typename Number>
Number parse_number(std::string_view text, Number low, Number high) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !(number >= low && number <= high)) {
    std::ostringstream message;
    message << "expects a number from " << low << " to " << high << ", not '" << text << "'";
    throw UsageError(message.str());
  }
  return number;
}

template <typename Enum>
struct Choice {
  std::string_view name;
  Enum value;
};

template <typename Enum>
OptionSpec choice(std::string name, std::string help, std::function<Enum &(Options &)> field,
                  std::vector<Choice<Enum>> choices) {
  std::string names;
  for (const Choice<Enum> &one : choices)
    names.append(names.empty() ? "" : "|").append(one.name);
  const auto set = [=](Options &options, std::string_view text) {
    const auto found = std::ranges::find(choices, text, &Choice<Enum>::name);
    if (found == choices.end())
      throw UsageError("expects " + names + ", not '" + std::string(text) + "'");
    field(options) = found->value;
  };
  return {std::move(name), names, std::move(help), set};
}

template <typename Number>
OptionSpec number(std::string name, std::string value, std::string help, Number low, Number high,
                  std::function<void(Options &, Number)> assign) {
  return {std::move(name), std::move(value), std::move(help),
          [=](Options &options, std::string_view text) { assign(options, parse_number(text, low, high)); }};
}

using std::chrono::microseconds;
using std::chrono::milliseconds;
constexpr std::uint32_t max_pages = 1U << 22; // keeps row numbers within 32 bits

std::vector<OptionSpec> load_options() {
  return {
      choice<WorkloadKind>("workload", "what transactions do",
                           [](Options &o) -> auto & { return o.workload; },
                           {{"tpcc", WorkloadKind::tpcc}, {"ycsb", WorkloadKind::ycsb}}),
      number<double>("rate", "N", "transactions that arrive per second", 1, 1e6,
                     [](Options &o, double n) { o.rate_per_s = n; }),
      choice<Arrivals>("arrivals", "time between arrivals: all the same, or exponential",
                       [](Options &o) -> auto & { return o.arrivals; },
                       {{"fixed", Arrivals::fixed}, {"poisson", Arrivals::poisson}}),
      number<double>("seconds", "N", "how long they arrive", 0.1, 86400,
                     [](Options &o, double n) { o.seconds = n; }),
      number<std::uint32_t>("workers", "N", "threads that serve them", 1, 4096,
                            [](Options &o, std::uint32_t n) { o.workers = n; }),
      number<std::uint32_t>("round-trip", "US", "client's time between two statements, in microseconds", 0,
                            1000000, [](Options &o, std::uint32_t n) { o.round_trip = microseconds(n); }),
      number<std::uint32_t>("think-in-lock", "US", "CPU time burnt before commit, in microseconds", 0,
                            1000000, [](Options &o, std::uint32_t n) { o.think_in_lock = microseconds(n); }),
      number<double>("theta", "X", "Zipf exponent of keys and items, 0 is uniform", 0, 0.999,
                     [](Options &o, double n) { o.theta = n; }),
      number<std::uint32_t>("warehouses", "N", "tpcc: hot rows to spread the load over", 1, 1000,
                            [](Options &o, std::uint32_t n) { o.warehouses = n; }),
      number<double>("read-ratio", "X", "ycsb: share of accesses that only read", 0, 1,
                     [](Options &o, double n) { o.read_ratio = n; }),
      number<std::uint32_t>("ops", "N", "ycsb: accesses per transaction", 1, 1000,
                            [](Options &o, std::uint32_t n) { o.accesses_per_txn = n; }),
      number<std::uint64_t>("seed", "N", "of requests, arrivals and random grants", 0, UINT64_MAX,
                            [](Options &o, std::uint64_t n) { o.engine.seed = n; }),
  };
}

std::vector<OptionSpec> engine_options() {
  return {
      choice<LockSchedule>("lock-schedule", "who gets a released lock",
                           [](Options &o) -> auto & { return o.engine.lock_schedule; },
                           {{"fcfs", LockSchedule::fcfs},
                            {"random", LockSchedule::random},
                            {"vats", LockSchedule::vats},
                            {"ldsf", LockSchedule::ldsf},
                            {"bldsf", LockSchedule::bldsf}}),
      number<std::uint32_t>("lock-timeout", "MS", "longest lock wait, in milliseconds", 1, 3600000,
                            [](Options &o, std::uint32_t n) { o.engine.lock_timeout = milliseconds(n); }),
      choice<LruUpdate>("lru", "how a page is made young: wait for the list, or put it off",
                        [](Options &o) -> auto & { return o.engine.lru_update; },
                        {{"mutex", LruUpdate::mutex}, {"lazy", LruUpdate::lazy}}),
      number<std::uint32_t>("data-pages", "N", "size of the data, in pages of 4 KiB", 1, max_pages,
                            [](Options &o, std::uint32_t n) { o.data_pages = n; }),
      number<std::uint32_t>("pool-pages", "N", "frames of the buffer pool", 1, max_pages,
                            [](Options &o, std::uint32_t n) { o.engine.pool_pages = n; }),
      choice<File::Caching>("page-io", "through the page cache, or past it",
                            [](Options &o) -> auto & { return o.engine.page_caching; },
                            {{"buffered", File::Caching::buffered}, {"direct", File::Caching::direct}}),
      choice<LogStreams>("log", "one log file, or two side by side",
                         [](Options &o) -> auto & { return o.engine.log_streams; },
                         {{"single", LogStreams::single}, {"parallel", LogStreams::parallel}}),
      choice<FlushPolicy>("flush", "commit waits for: write and sync, write, nothing",
                          [](Options &o) -> auto & { return o.engine.flush_policy; },
                          {{"eager", FlushPolicy::eager},
                           {"lazy-flush", FlushPolicy::lazy_flush},
                           {"lazy-write", FlushPolicy::lazy_write}}),
      number<std::uint32_t>("flush-interval", "MS", "between background flushes, in milliseconds", 1, 3600000,
                            [](Options &o, std::uint32_t n) { o.engine.flush_interval = milliseconds(n); }),
      {"dir", "DIR", "where the scratch folder is made (default: TMPDIR)",
       [](Options &o, std::string_view text) { o.parent_folder = text; }},
      {"verify", "", "check the data against the committed transactions",
       [](Options &o, std::string_view) { o.verify = true; }},
      {"help", "", "print this text", [](Options &o, std::string_view) { o.help = true; }},
  };
}

std::vector<OptionSpec> all_options() {
  std::vector<OptionSpec> all = load_options();
  std::ranges::move(engine_options(), std::back_inserter(all));
  return all;
}

const OptionSpec &find_option(std::span<const OptionSpec> specs, std::string_view argument) {
  const auto matches = [&](const OptionSpec &spec) { return "--" + spec.name == argument; };
  const auto found = std::ranges::find_if(specs, matches);
  if (found == specs.end())
    throw UsageError("unknown option '" + std::string(argument) + "', see --help");
  return *found;
}

void check_sizes(const Options &options) {
  const bool tpcc = options.workload == WorkloadKind::tpcc;
  const std::uint32_t pages_per_txn = tpcc ? TpccScale::max_order_lines + 5 : options.accesses_per_txn + 1;
  const std::uint64_t pool_minimum = std::uint64_t{options.workers} * pages_per_txn;
  if (options.engine.pool_pages < pool_minimum)
    throw UsageError("--pool-pages must be at least " + std::to_string(pool_minimum) +
                     " so that every worker can pin its pages; raise it or lower --workers");
  const std::uint32_t data_minimum = tpcc ? 40 * options.warehouses : 1;
  if (options.data_pages < data_minimum)
    throw UsageError("--data-pages must be at least " + std::to_string(data_minimum) +
                     ", 40 for each warehouse");
}

void check_folder(const std::string &path) {
  if (!std::filesystem::is_directory(path) || ::access(path.c_str(), W_OK) != 0)
    throw UsageError("--dir: '" + path + "' is not a folder that can be written to");
}

} // namespace

Options parse_options(int argc, const char *const *argv) {
  Options options;
  const char *const tmpdir = std::getenv("TMPDIR");
  options.parent_folder = tmpdir && *tmpdir ? tmpdir : "/tmp";
  const std::vector<OptionSpec> specs = all_options();
  for (int i = 1; i < argc; ++i) {
    const OptionSpec &spec = find_option(specs, argv[i]);
    if (!spec.value.empty() && ++i == argc)
      throw UsageError("--" + spec.name + " needs a value: " + spec.value);
    try {
      spec.set(options, spec.value.empty() ? "" : argv[i]);
    } catch (const UsageError &error) {
      throw UsageError("--" + spec.name + " " + error.what());
    }
  }
  check_sizes(options);
  check_folder(options.parent_folder);
  return options;
}

std::string help_text() {
  std::string text = "usage: minidb [options]\n"
                     "Runs transactions at a constant rate of arrival and prints their latency.\n\n";
  for (const OptionSpec &spec : all_options()) {
    std::string left = "  --" + spec.name + (spec.value.empty() ? "" : " " + spec.value);
    left.resize(std::max<std::size_t>(left.size() + 2, 46), ' ');
    text += left + spec.help + "\n";
  }
  return text;
}

} // namespace minidb
