// How calls are found without disassembling: a call or tail call across sections or to an external symbol
// carries a relocation at its 32-bit operand. One to a function of the same section may have been resolved by
// the assembler: then the opcode byte is followed by a displacement that leads exactly to a function's first
// byte. A data byte that looks like a call would have to hit a function start to count, which one in many
// millions does.
#include "object_index.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/ThreadPool.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace vprof::instrument {
namespace {

using llvm::object::ELF64LEObjectFile;
using llvm::object::SectionRef;

struct FunctionRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string symbol;
  bool internal = false;
};

struct ObjectFacts {
  bool read = false;
  std::vector<FunctionRange> functions; // all sections
  struct Edge {
    std::string caller;
    bool caller_internal;
    std::string callee;
    bool callee_internal;
  };
  std::vector<Edge> edges;
};

// Section index -> offsets that carry a relocation: what stands there is not yet an operand.
using RelocatedOffsets = std::map<std::uint64_t, std::set<std::uint64_t>>;
using Ranges = std::map<std::uint64_t, std::vector<FunctionRange>>; // section index -> by address

const FunctionRange *covering(const std::vector<FunctionRange> &ranges, std::uint64_t address) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](std::uint64_t at, const FunctionRange &range) { return at < range.begin; });
  if (after == ranges.begin())
    return nullptr;
  const FunctionRange &range = *(after - 1);
  return address < range.end ? &range : nullptr;
}

template <typename T>
T value_or_default(llvm::Expected<T> expected) {
  if (expected)
    return *expected;
  llvm::consumeError(expected.takeError());
  return T();
}

// section_end() stands for "none", as in the library itself.
llvm::object::section_iterator section_or_end(llvm::Expected<llvm::object::section_iterator> section,
                                              const ELF64LEObjectFile &object) {
  if (section)
    return *section;
  llvm::consumeError(section.takeError());
  return object.section_end();
}

unsigned machine_of(const ELF64LEObjectFile &object) {
  return object.getELFFile().getHeader().e_machine;
}

// An instrumented build holds our runtime; heights are those of the program.
bool is_ours(llvm::StringRef symbol) {
  return symbol.starts_with("vprof_i_");
}

Ranges function_ranges(const ELF64LEObjectFile &object) {
  Ranges ranges;
  for (const llvm::object::ELFSymbolRef symbol : object.symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC && symbol.getELFType() != llvm::ELF::STT_GNU_IFUNC)
      continue;
    const llvm::object::section_iterator section = section_or_end(symbol.getSection(), object);
    if (section == object.section_end())
      continue;
    if (is_ours(value_or_default(symbol.getName())))
      continue;
    const std::uint64_t begin = value_or_default(symbol.getAddress());
    ranges[section->getIndex()].push_back({begin, begin + std::max<std::uint64_t>(symbol.getSize(), 1),
                                           value_or_default(symbol.getName()).str(),
                                           symbol.getBinding() == llvm::ELF::STB_LOCAL});
  }
  for (auto &[section, list] : ranges)
    std::sort(list.begin(), list.end(),
              [](const FunctionRange &a, const FunctionRange &b) { return a.begin < b.begin; });
  return ranges;
}

bool is_x86_call(std::uint8_t opcode) {
  return opcode == 0xe8 || opcode == 0xe9;
}

// Where a displacement that the assembler has resolved leads, from the instruction at `offset`.
std::optional<std::uint64_t> resolved_target(llvm::StringRef code, std::uint64_t offset, unsigned machine) {
  if (machine == llvm::ELF::EM_X86_64) {
    if (offset + 5 > code.size() || !is_x86_call(static_cast<std::uint8_t>(code[offset])))
      return std::nullopt;
    return offset + 5 +
           static_cast<std::uint64_t>(static_cast<std::int64_t>(
               static_cast<std::int32_t>(llvm::support::endian::read32le(code.data() + offset + 1))));
  }
  if (offset % 4 != 0 || offset + 4 > code.size())
    return std::nullopt;
  const std::uint32_t word = llvm::support::endian::read32le(code.data() + offset);
  if ((word & 0x7c000000u) != 0x14000000u) // b, bl
    return std::nullopt;
  const std::int32_t displacement = static_cast<std::int32_t>(word << 6) >> 4;
  return offset + static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement));
}

bool is_call_relocation(std::uint64_t type, unsigned machine) {
  if (machine == llvm::ELF::EM_X86_64)
    return type == llvm::ELF::R_X86_64_PLT32 || type == llvm::ELF::R_X86_64_PC32 ||
           type == llvm::ELF::R_X86_64_GOTPCRELX || type == llvm::ELF::R_X86_64_REX_GOTPCRELX;
  return type == llvm::ELF::R_AARCH64_CALL26 || type == llvm::ELF::R_AARCH64_JUMP26;
}

void add_edge(ObjectFacts &facts, const FunctionRange &caller, const std::string &callee,
              bool callee_internal) {
  if (caller.symbol != callee)
    facts.edges.push_back({caller.symbol, caller.internal, callee, callee_internal});
}

void relocated_calls(const ELF64LEObjectFile &object, const SectionRef &relocations, const Ranges &ranges,
                     RelocatedOffsets &relocated, ObjectFacts &facts) {
  const llvm::object::section_iterator target = section_or_end(relocations.getRelocatedSection(), object);
  const auto code = target == object.section_end() ? ranges.end() : ranges.find(target->getIndex());
  if (code == ranges.end())
    return;
  for (const llvm::object::ELFRelocationRef relocation : relocations.relocations()) {
    relocated[target->getIndex()].insert(relocation.getOffset());
    const llvm::object::elf_symbol_iterator symbol = relocation.getSymbol();
    if (!is_call_relocation(relocation.getType(), machine_of(object)) || symbol == object.symbol_end())
      continue;
    const FunctionRange *caller = covering(code->second, relocation.getOffset());
    if (!caller)
      continue;
    if (symbol->getELFType() == llvm::ELF::STT_SECTION) { // the callee is `addend` into a section
      const llvm::object::section_iterator section = section_or_end(symbol->getSection(), object);
      const auto callees = section == object.section_end() ? ranges.end() : ranges.find(section->getIndex());
      const std::int64_t addend = value_or_default(relocation.getAddend()) + 4;
      if (callees != ranges.end())
        if (const FunctionRange *callee = covering(callees->second, static_cast<std::uint64_t>(addend)))
          add_edge(facts, *caller, callee->symbol, callee->internal);
    } else if (symbol->getELFType() == llvm::ELF::STT_FUNC || symbol->getELFType() == llvm::ELF::STT_NOTYPE) {
      add_edge(facts, *caller, value_or_default(symbol->getName()).str(),
               symbol->getBinding() == llvm::ELF::STB_LOCAL);
    }
  }
}

// A call that ends its function and still waits for its relocation has displacement 0: it seems to call what
// follows.
void resolved_calls(const SectionRef &section, const std::vector<FunctionRange> &ranges, unsigned machine,
                    const std::set<std::uint64_t> &relocated, ObjectFacts &facts) {
  const llvm::StringRef code = value_or_default(section.getContents());
  const std::uint64_t operand = machine == llvm::ELF::EM_X86_64 ? 1 : 0;
  for (const FunctionRange &caller : ranges)
    for (std::uint64_t offset = caller.begin; offset < caller.end; ++offset)
      if (const std::optional<std::uint64_t> target = resolved_target(code, offset, machine);
          target && !relocated.contains(offset + operand))
        if (const FunctionRange *callee = covering(ranges, *target); callee && callee->begin == *target)
          add_edge(facts, caller, callee->symbol, callee->internal);
}

ObjectFacts read_object(const std::string &path) {
  ObjectFacts facts;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer)
    return facts;
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    return facts;
  }
  const ELF64LEObjectFile *elf = llvm::dyn_cast<ELF64LEObjectFile>(object->get());
  if (!elf || (machine_of(*elf) != llvm::ELF::EM_X86_64 && machine_of(*elf) != llvm::ELF::EM_AARCH64))
    return facts;
  facts.read = true;
  const Ranges ranges = function_ranges(*elf);
  RelocatedOffsets relocated;
  for (const SectionRef &section : elf->sections())
    relocated_calls(*elf, section, ranges, relocated, facts);
  for (const SectionRef &section : elf->sections())
    if (const auto own = ranges.find(section.getIndex()); own != ranges.end())
      resolved_calls(section, own->second, machine_of(*elf), relocated[section.getIndex()], facts);
  for (const auto &[section, list] : ranges)
    facts.functions.insert(facts.functions.end(), list.begin(), list.end());
  return facts;
}

} // namespace

std::string internal_vertex(const std::string &symbol, std::size_t command) {
  return symbol + "@" + std::to_string(command);
}

std::string without_clone_suffix(const std::string &symbol) {
  const std::size_t dot = symbol.find('.', 1);
  return dot == std::string::npos ? symbol : symbol.substr(0, dot);
}

ObjectIndex index_objects(const std::vector<CompileCommand> &commands, unsigned jobs) {
  std::vector<ObjectFacts> objects(commands.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (!commands[i].output.empty())
      pool.async([&, i] { objects[i] = read_object(commands[i].output); });
  pool.wait();

  ObjectIndex index;
  std::vector<llvm::StringSet<>> external(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    index.objects_read += objects[i].read;
    for (const FunctionRange &function : objects[i].functions) {
      if (!function.internal)
        external[i].insert(function.symbol);
      std::vector<std::size_t> &definers = index.definers[without_clone_suffix(function.symbol)];
      if (definers.empty() || definers.back() != i)
        definers.push_back(i);
    }
  }
  // A clone of an external function is a local symbol; it counts as the function itself. Functions that no
  // object defines (libraries) are no vertices: what calls only them has height 0.
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto vertex = [&](const std::string &symbol, bool internal) {
      const std::string plain = without_clone_suffix(symbol);
      const bool own = internal && !external[i].contains(plain);
      return index.graph.vertex(own ? internal_vertex(plain, i) : plain);
    };
    for (const FunctionRange &function : objects[i].functions)
      vertex(function.symbol, function.internal);
    for (const ObjectFacts::Edge &edge : objects[i].edges)
      if (index.definers.contains(without_clone_suffix(edge.callee)))
        index.graph.add_edge(vertex(edge.caller, edge.caller_internal),
                             vertex(edge.callee, edge.callee_internal));
  }
  return index;
}

} // namespace vprof::instrument
