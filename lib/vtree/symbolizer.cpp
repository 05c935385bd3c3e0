// Call sites from DWARF. An address of a process becomes an offset into a file (mapping), that becomes an
// address as the linker gave it (program headers; equal for position independent and fixed executables), and
// that a list of frames: the innermost inlined function first, the function that has its own code last.
#include "vprof/vtree/symbolizer.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <optional>
#include <utility>

namespace vprof::vtree {
namespace {

struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t address = 0;
};

std::vector<Segment> load_segments(const std::string &path) {
  std::vector<Segment> segments;
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> binary =
      llvm::object::ObjectFile::createObjectFile(path);
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return segments;
  }
  const auto *elf = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  if (elf == nullptr)
    return segments;
  auto headers = elf->getELFFile().program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return segments;
  }
  for (const auto &header : *headers)
    if (header.p_type == llvm::ELF::PT_LOAD)
      segments.push_back({header.p_offset, header.p_filesz, header.p_vaddr});
  return segments;
}

bool is_probe_code(llvm::StringRef function) {
  return function.starts_with("vprof_i_");
}

llvm::symbolize::LLVMSymbolizer::Options symbolizer_options() {
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.Demangle = false; // names are only looked at to pass over probe code
  return options;
}

/// Seconds since 1970 at which the file was last written; none if there is no such file.
std::optional<std::int64_t> written_at_s(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return std::nullopt;
  return std::chrono::duration_cast<std::chrono::seconds>(status.getLastModificationTime().time_since_epoch())
      .count();
}

} // namespace

/// Lines of the frames at an address without those of probe code; empty if there is no line.
struct Symbolizer::Frames {
  std::vector<SourceLocation> lines;
};

struct Symbolizer::Module {
  std::string path;
  std::vector<Segment> segments;
  std::map<std::uint64_t, Frames> frames; // by virtual address
};

struct Symbolizer::State {
  llvm::symbolize::LLVMSymbolizer symbolizer{symbolizer_options()};
  std::map<std::string, Module> modules;
  std::map<std::pair<const ModuleMap *, std::pair<std::uint64_t, std::uint64_t>>, SourceLocation> sites;
};

Symbolizer::Symbolizer(std::string tree) : tree_(std::move(tree)), state_(std::make_unique<State>()) {
  llvm::SmallString<256> real;
  if (!tree_.empty() && !llvm::sys::fs::real_path(tree_, real))
    real_tree_ = std::string(real);
}

Symbolizer::~Symbolizer() = default;

Symbolizer::Module &Symbolizer::module(const ModuleMap &modules, const std::string &path) {
  const auto [entry, is_new] = state_->modules.try_emplace(path);
  Module &module = entry->second;
  if (!is_new)
    return module;
  module.path = path;
  module.segments = load_segments(path);
  const std::optional<std::int64_t> written_s = written_at_s(path);
  const std::uint64_t recorded_s = modules.recorded_realtime_ns() / 1'000'000'000;
  if (written_s && recorded_s != 0 && *written_s > static_cast<std::int64_t>(recorded_s))
    changed_.insert(path);
  return module;
}

const Symbolizer::Frames &Symbolizer::frames(Module &module, std::uint64_t virtual_address) {
  const auto [entry, is_new] = module.frames.try_emplace(virtual_address);
  Frames &frames = entry->second;
  if (!is_new)
    return frames;
  llvm::Expected<llvm::DIInliningInfo> found = state_->symbolizer.symbolizeInlinedCode(
      module.path, {virtual_address, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return frames;
  }
  for (std::uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &frame = found->getFrame(i);
    if (frame.Line == 0 || frame.FileName == llvm::DILineInfo::BadString)
      continue;
    if (!is_probe_code(frame.FunctionName))
      frames.lines.push_back(shown({frame.FileName, frame.Line}));
  }
  return frames;
}

SourceLocation Symbolizer::shown(const SourceLocation &location) const {
  llvm::SmallString<256> path(location.file);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  llvm::StringRef file = path;
  for (const llvm::StringRef tree : {llvm::StringRef(tree_), llvm::StringRef(real_tree_)}) {
    llvm::StringRef below = file;
    if (!tree.empty() && below.consume_front(tree.rtrim('/')) && below.consume_front("/")) {
      file = below;
      break;
    }
  }
  return {file.str(), location.line};
}

namespace {

/// The address that the linker gave to a place in the file; none outside all segments.
std::optional<std::uint64_t> virtual_address(llvm::ArrayRef<Segment> segments, std::uint64_t file_offset) {
  for (const Segment &segment : segments)
    if (segment.offset <= file_offset && file_offset - segment.offset < segment.size)
      return file_offset - segment.offset + segment.address;
  return std::nullopt;
}

} // namespace

SourceLocation Symbolizer::call_site(const ModuleMap &modules, std::uint64_t return_address,
                                     std::uint64_t probe_address) {
  const auto key = std::pair(&modules, std::pair(return_address, probe_address));
  const auto known = state_->sites.find(key);
  if (known != state_->sites.end())
    return known->second;

  // The byte before an address that a call returns to belongs to that call.
  const auto lookup = [&](std::uint64_t address) -> std::pair<const Frames *, SourceLocation> {
    const Mapping *mapping = modules.find(address);
    if (mapping == nullptr)
      return {nullptr, {fmt::format("{:#x}", address), 0}};
    Module &in = module(modules, mapping->path);
    const std::uint64_t file_offset = address - mapping->begin + mapping->file_offset;
    const std::uint64_t linked = virtual_address(in.segments, file_offset).value_or(file_offset);
    const std::string name = llvm::sys::path::filename(mapping->path).str();
    return {&frames(in, linked), {fmt::format("{}+{:#x}", name, linked), 0}};
  };

  SourceLocation site;
  const auto [inside, inside_raw] = lookup(probe_address - 1);
  if (inside != nullptr && inside->lines.size() > 1) {
    site = inside->lines[1];
  } else {
    const auto [caller, caller_raw] = lookup(return_address - 1);
    site = caller != nullptr && !caller->lines.empty() ? caller->lines.front() : caller_raw;
    if (site.line == 0) {
      const Mapping *mapping = modules.find(return_address - 1);
      without_lines_.insert(mapping == nullptr ? std::string("(unknown)") : mapping->path);
    }
  }
  state_->sites.emplace(key, site);
  return site;
}

} // namespace vprof::vtree
