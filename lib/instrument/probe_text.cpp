#include "probe_text.h"

#include <fmt/format.h>

namespace vprof::instrument {

// A space first, so that the brace it follows stays readable; a `;` last, so that formatters see a
// declaration.
std::string function_probe(std::uint32_t id) {
  return fmt::format(" VPROF_FN(0x{:08x}u);", id);
}
std::string root_probe(std::uint32_t id) {
  return fmt::format(" VPROF_ROOT(0x{:08x}u);", id);
}
std::string idle_probe(std::uint32_t id) {
  return fmt::format(" VPROF_IDLE(0x{:08x}u);", id);
}
std::string unit_begin_marker(std::uint32_t id) {
  return fmt::format(" VPROF_UNIT_BEGIN(0x{:08x}u);", id);
}
std::string unit_end_marker(std::uint32_t id, const std::string &condition) {
  return fmt::format(" VPROF_UNIT_END(0x{:08x}u, ({}));", id, condition.empty() ? "1" : condition);
}
std::string wrap_begin(std::uint32_t id) {
  return fmt::format("VPROF_CALL(0x{:08x}u) ", id);
}
std::string wrap_end() {
  return " VPROF_END";
}
std::string landing_begin(std::uint32_t id) {
  return fmt::format("VPROF_SETJMP(0x{:08x}u) ", id);
}
std::string landing_end(std::uint32_t id) {
  return fmt::format(" VPROF_LANDED(0x{:08x}u)", id);
}
std::string include_line(const std::string &header) {
  return fmt::format("#include \"{}\"", header);
}

std::string plan_header(std::uint64_t plan, std::uint32_t root_id, const std::string &mode) {
  return fmt::format(
      "/* Made by vprof instrument. It pulls the vprof runtime into the unit that holds the root. */\n"
      "#ifndef VPROF_I_PLAN\n"
      "#pragma GCC system_header\n"
      "#define VPROF_I_PLAN 0x{:016x}ull\n"
      "#define VPROF_I_ROOT_ID 0x{:08x}u\n"
      "#define VPROF_I_ROOT_MODE ({})\n"
      "#include \"runtime.h\"\n"
      "#endif\n",
      plan, root_id, mode);
}

} // namespace vprof::instrument
