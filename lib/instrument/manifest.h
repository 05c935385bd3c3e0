// manifest.json: what was put where, under which id, and what is not measured and why. docs/manifest.md
// specifies it.
#pragma once

#include "plan.h"

#include <cstdint>
#include <string>

namespace vprof::instrument {

// "0x" and 16 hex digits, as in the manifest and in messages.
std::string plan_text(std::uint64_t fingerprint);

// The document as text; paths relative to `tree`. Schema "vprof.manifest/1".
std::string manifest_text(const Plan &plan, std::uint64_t fingerprint, const std::string &tree);

} // namespace vprof::instrument
