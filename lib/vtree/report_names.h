// Words of report.json for enumerators, in one place for writer and reader.
#ifndef VPROF_VTREE_REPORT_NAMES_H
#define VPROF_VTREE_REPORT_NAMES_H

#include "vprof/vtree/report.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace vprof::vtree {

inline constexpr std::string_view report_schema = "vprof.report/1";

inline constexpr std::array<std::pair<NodeKind, std::string_view>, 5> node_kind_names{
    {{NodeKind::function, "function"},
     {NodeKind::body, "body"},
     {NodeKind::rest, "rest"},
     {NodeKind::wait, "wait"},
     {NodeKind::call, "call"}}};
inline constexpr std::array<std::pair<FactorKind, std::string_view>, 2> factor_kind_names{
    {{FactorKind::variance, "variance"}, {FactorKind::covariance, "covariance"}}};
inline constexpr std::array<std::pair<Verdict, std::string_view>, 2> verdict_names{
    {{Verdict::finding, "finding"}, {Verdict::undecided, "undecided"}}};

template <class Enum, std::size_t Size>
std::string_view name_of(const std::array<std::pair<Enum, std::string_view>, Size> &names, Enum value) {
  for (const auto &[known, name] : names)
    if (known == value)
      return name;
  return "";
}

template <class Enum, std::size_t Size>
std::optional<Enum> value_of(const std::array<std::pair<Enum, std::string_view>, Size> &names,
                             std::string_view name) {
  for (const auto &[known, known_name] : names)
    if (known_name == name)
      return known;
  return std::nullopt;
}

} // namespace vprof::vtree

#endif
