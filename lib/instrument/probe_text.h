// The words that go into the user's source. Pure functions of ids and conditions; what the macros mean is in
// vprof/probe.h.
#pragma once

#include <cstdint>
#include <string>

namespace vprof::instrument {

std::string function_probe(std::uint32_t id);
std::string root_probe(std::uint32_t id);
std::string idle_probe(std::uint32_t id);
std::string unit_begin_marker(std::uint32_t id);
std::string unit_end_marker(std::uint32_t id, const std::string &condition); // condition empty: always
std::string wrap_begin(std::uint32_t id);
std::string wrap_end();
// Around a call of setjmp in the function that holds probe `id`.
std::string landing_begin(std::uint32_t id);
std::string landing_end(std::uint32_t id);
std::string include_line(const std::string &header);

// The generated header that names the plan and pulls the runtime into the root's unit. `mode`: bits by name,
// e.g. "VPROF_I_MODE_IDLE | VPROF_I_MODE_UNITS", or "0".
std::string plan_header(std::uint64_t plan, std::uint32_t root_id, const std::string &mode);

} // namespace vprof::instrument
