// Checks JSON against a JSON Schema: the part of draft 2020-12 that docs/report-schema.json uses. A keyword
// it does not know is an error, so that nothing in the schema goes unchecked.
#ifndef VPROF_TEST_SCHEMA_CHECK_H
#define VPROF_TEST_SCHEMA_CHECK_H

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace vprof::test {

/// Every violation as "POINTER: what"; empty if `value` obeys `schema`.
std::vector<std::string> schema_errors(const nlohmann::json &schema, const nlohmann::json &value);

} // namespace vprof::test

#endif
