// From the names the user gave to a plan, in rounds: resolve the names, look at the calls of the functions to
// expand, parse the units that define their callees, decide for each callee between a body probe, a wrap of
// the call, and a reason why neither.
#include "plan.h"

#include "file_util.h"
#include "heights.h"
#include "name_resolver.h"
#include "probe_text.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace vprof::instrument {
namespace {

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(differ.first - a.begin());
}

// A function in a header that neither calls nor loops: a probe would cost more than it, and many units to
// rebuild.
bool is_trivial_inline(const FunctionRef &ref, const UnitStore &store) {
  const Function &function = *ref.function;
  if (function.start.file == store.commands()[ref.command].file || !function.loops.empty())
    return false;
  return std::all_of(function.calls.begin(), function.calls.end(),
                     [](const Call &call) { return call.callee_cheap; });
}

class Planner {
public:
  Planner(const Request &request, UnitStore &store, const Blocked &blocked)
      : request_(request), store_(store), blocked_(blocked) {}

  llvm::Expected<Plan> run() {
    llvm::Expected<FunctionRef> root = resolve(store_, request_.root, "root function");
    if (!root)
      return root.takeError();
    root_ = *root;
    if (llvm::Error error = add_root())
      return error;
    if (llvm::Error error = add_markers())
      return error;
    llvm::Expected<std::vector<FunctionRef>> expanded = request_.all ? all_functions() : named_functions();
    if (!expanded)
      return expanded.takeError();
    parse_callees(*expanded);
    for (const FunctionRef &function : *expanded)
      expand(function);
    finish();
    return std::move(plan_);
  }

private:
  // The root and the functions the user named.
  llvm::Expected<std::vector<FunctionRef>> named_functions() {
    std::vector<FunctionRef> expanded = {root_};
    for (const std::string &name : request_.functions) {
      llvm::Expected<FunctionRef> function = resolve(store_, name, "function");
      if (!function)
        return function.takeError();
      if (function->function->usr != root_.function->usr)
        expanded.push_back(*function);
    }
    return expanded;
  }

  // Every function with a body below the paths, once per place.
  llvm::Expected<std::vector<FunctionRef>> all_functions() {
    std::vector<std::string> paths;
    for (const std::string &path : request_.all_paths) {
      paths.push_back(real_path(path));
      if (paths.back().empty() || !is_below(paths.back(), request_.tree))
        return bad_input("{}: not in the tree {}", path, request_.tree);
    }
    if (paths.empty())
      paths.push_back(request_.tree);
    std::set<std::size_t> every;
    for (std::size_t i = 0; i < store_.commands().size(); ++i)
      every.insert(i);
    store_.parse(every);
    std::map<std::pair<std::string, unsigned>, FunctionRef> found;
    store_.for_each([&](const FunctionRef &ref) {
      for (const std::string &path : paths)
        if (is_below(ref.function->start.file, path))
          found.try_emplace({ref.function->start.file, ref.function->start.offset}, ref);
    });
    std::vector<FunctionRef> functions = {root_};
    for (const auto &[place, ref] : found)
      functions.push_back(ref);
    return functions;
  }

  std::string refusal_of(const FunctionRef &ref) const {
    if (!ref.function->refusal.empty())
      return ref.function->refusal;
    if (std::string reason = blocked_.reason(ref.function->body.file, ref.function->body.line);
        !reason.empty())
      return reason;
    if (const UnitFacts *facts = store_.facts(ref.command); facts && !facts->errors.empty())
      return "clang cannot parse its unit: " + facts->errors.front();
    return "";
  }

  Probe &add_probe(ProbeKind kind, const std::string &function, const Place &place, const Place &at) {
    const std::string role = kind == ProbeKind::root && request_.loop_line ? "loop" : "";
    Probe probe;
    probe.kind = kind;
    probe.function = function;
    probe.place = place;
    probe.place.file = at.file;
    probe.edit_line = at.line;
    probe.offset = at.offset;
    const auto [it, inserted] = probes_.try_emplace({at.file, at.offset, kind, role}, std::move(probe));
    return it->second;
  }

  llvm::Error refused(const char *what, const std::string &name, const std::string &reason) {
    return bad_input("{} {} cannot be probed: {}: choose its caller or a function that it calls", what, name,
                     reason);
  }

  llvm::Error add_root() {
    const Function &root = *root_.function;
    plan_.root_command = root_.command;
    plan_.root_label = root.name;
    if (std::string reason = refusal_of(root_); !reason.empty())
      return refused("root function", request_.root, reason);
    if (request_.loop_line == 0) {
      add_probe(ProbeKind::root, root.name, root.start, root.body).landings = root.landings;
      return llvm::Error::success();
    }
    plan_.modes.push_back("loop");
    plan_.root_label = request_.loop_label.empty() ? fmt::format("{}:{}", root.name, request_.loop_line)
                                                   : request_.loop_label;
    return add_loop_root(root);
  }

  llvm::Error add_loop_root(const Function &root) {
    std::string lines;
    for (const Loop &loop : root.loops) {
      lines += fmt::format("{}{}", lines.empty() ? "" : ", ", loop.line);
      if (loop.line != request_.loop_line)
        continue;
      if (!loop.refusal.empty())
        return refused("loop in", request_.root, loop.refusal);
      Place place = loop.body;
      place.line = loop.line;
      Probe &probe = add_probe(ProbeKind::root, root.name, place, loop.body);
      probe.braces = !loop.compound;
      probe.end_offset = loop.body_end;
      return llvm::Error::success();
    }
    return bad_input("no loop begins on line {} of {}: its loops begin on {}", request_.loop_line,
                     request_.root, lines.empty() ? "no line: it has none" : "line " + lines);
  }

  // Idle, unit-begin and unit-end functions.
  llvm::Error add_markers() {
    if (!request_.idle.empty())
      plan_.modes.push_back("idle");
    if (!request_.unit_end.empty() || !request_.unit_begin.empty())
      plan_.modes.push_back("units");
    if (!request_.unit_begin.empty())
      plan_.modes.push_back("unit_begin");
    for (const std::string &name : request_.idle)
      if (llvm::Error error = add_marker(ProbeKind::idle, "idle function", name, ""))
        return error;
    for (const std::string &name : request_.unit_begin)
      if (llvm::Error error = add_marker(ProbeKind::unit_begin, "unit-begin function", name, ""))
        return error;
    for (const UnitEnd &end : request_.unit_end)
      if (llvm::Error error =
              add_marker(ProbeKind::unit_end, "unit-end function", end.function, end.condition))
        return error;
    return llvm::Error::success();
  }

  llvm::Error add_marker(ProbeKind kind, const char *what, const std::string &name,
                         const std::string &condition) {
    llvm::Expected<FunctionRef> ref = resolve(store_, name, what);
    if (!ref)
      return ref.takeError();
    if (std::string reason = refusal_of(*ref); !reason.empty())
      return refused(what, name, reason);
    add_probe(kind, ref->function->name, ref->function->start, ref->function->body).condition = condition;
    if (kind == ProbeKind::idle)
      idle_.insert(ref->function->usr);
    return llvm::Error::success();
  }

  // Units that may define the callees of `expanded` and were not parsed yet: the objects say which; where
  // they know nothing, those that mention the name.
  void parse_callees(const std::vector<FunctionRef> &expanded) {
    std::set<std::size_t> wanted;
    for (const FunctionRef &caller : expanded)
      for (const Call &call : caller.function->calls)
        if (needs_definition(call))
          add_definers(call, caller, wanted);
    store_.parse(wanted);
  }

  bool needs_definition(const Call &call) const {
    return call.kind != CallKind::indirect && !call.callee_cheap && !call.callee_inline_library &&
           store_.find(call.callee_usr).empty();
  }

  void add_definers(const Call &call, const FunctionRef &caller, std::set<std::size_t> &wanted) {
    std::optional<std::size_t> best;
    for (const std::string &symbol : call.callee_symbols)
      for (const std::size_t command : store_.definers(symbol))
        if (!best || closeness(command, caller) > closeness(*best, caller))
          best = command;
    if (best) {
      wanted.insert(*best);
    } else if (store_.objects().objects_read == 0) {
      const std::size_t colon = call.callee_name.rfind("::");
      for (const std::size_t command : store_.mentions(
               colon == std::string::npos ? call.callee_name : call.callee_name.substr(colon + 2)))
        wanted.insert(command);
    }
  }

  // One symbol may be defined in several programs of a tree: the nearest folder is taken to be the caller's
  // program.
  std::size_t closeness(std::size_t command, const FunctionRef &caller) const {
    return common_prefix(store_.commands()[command].file, store_.commands()[caller.command].file);
  }

  void expand(const FunctionRef &caller) {
    bool complete = true;
    for (const Call &call : caller.function->calls)
      complete &= measure(call, caller);
    if (caller.function->usr == root_.function->usr) {
      root_complete_ = complete;
      return;
    }
    if (idle_.contains(caller.function->usr))
      return;
    if (std::string reason = refusal_of(caller); !reason.empty()) {
      plan_.unmeasured.push_back({"", caller.function->name, caller.function->start, reason});
      return;
    }
    Probe &probe =
        add_probe(ProbeKind::function, caller.function->name, caller.function->start, caller.function->body);
    probe.expanded = true;
    probe.complete = complete;
    probe.landings = caller.function->landings;
    refs_[&probe] = caller;
  }

  // True if nothing of the call is left in the caller's rest.
  bool measure(const Call &call, const FunctionRef &caller) {
    if (call.callee_cheap || idle_.contains(call.callee_usr))
      return true;
    std::vector<std::string> usrs = call.overriders;
    if (!call.callee_usr.empty())
      usrs.insert(usrs.begin(), call.callee_usr);
    std::vector<FunctionRef> definitions;
    for (const std::string &usr : usrs)
      if (std::optional<FunctionRef> ref = nearest(usr, caller))
        definitions.push_back(*ref);
    if (definitions.empty())
      return wrap(call, caller);
    bool all = true;
    for (const FunctionRef &definition : definitions)
      all &= probe_body(definition, call, caller);
    return all;
  }

  std::optional<FunctionRef> nearest(const std::string &usr, const FunctionRef &caller) const {
    std::optional<FunctionRef> best;
    for (const FunctionRef &ref : store_.find(usr))
      if (!best || closeness(ref.command, caller) > closeness(best->command, caller))
        best = ref;
    return best;
  }

  bool probe_body(const FunctionRef &callee, const Call &call, const FunctionRef &caller) {
    if (callee.function->usr == root_.function->usr)
      return true;
    if (!request_.all && is_trivial_inline(callee, store_))
      return true;
    if (std::string reason = refusal_of(callee); !reason.empty())
      return wrap_or(call, caller, reason);
    Probe &probe =
        add_probe(ProbeKind::function, callee.function->name, callee.function->start, callee.function->body);
    probe.landings = callee.function->landings;
    refs_[&probe] = callee;
    return true;
  }

  bool wrap(const Call &call, const FunctionRef &caller) {
    if (!call.callee_returns)
      return note(call, caller, "does not return");
    if (call.callee_inline_library && !call.callee_waits)
      return note(call, caller, "inline library code");
    return wrap_or(call, caller, "");
  }

  bool wrap_or(const Call &call, const FunctionRef &caller, const std::string &body_reason) {
    std::string reason = call.no_wrap;
    if (reason.empty())
      reason = blocked_.reason(call.begin.file, call.begin.line);
    if (!reason.empty())
      return note(call, caller,
                  body_reason.empty() ? "no body in the tree, call not wrapped: " + reason
                                      : body_reason + "; call not wrapped: " + reason);
    const ProbeKind kind = call.callee_waits ? ProbeKind::wait : ProbeKind::call;
    Probe &probe = add_probe(kind, call.callee_name, call.begin, call.begin);
    probe.caller = caller.function->name;
    probe.end_offset = call.end_offset;
    return true;
  }

  bool note(const Call &call, const FunctionRef &caller, const std::string &reason) {
    plan_.unmeasured.push_back({caller.function->name, call.callee_name, call.begin, reason});
    return false;
  }

  void finish() {
    const Heights heights(store_);
    plan_.graph_height = std::max(heights.of(root_), 0);
    std::set<std::uint32_t> used;
    for (auto &[key, probe] : probes_) {
      if (const auto ref = refs_.find(&probe); ref != refs_.end())
        probe.height = heights.of(ref->second);
      if (probe.kind == ProbeKind::call || probe.kind == ProbeKind::wait)
        probe.height = 0;
      if (probe.kind == ProbeKind::root) {
        probe.height = plan_.graph_height;
        probe.expanded = true;
        probe.complete = root_complete_;
      }
      probe.id = new_id(probe, used);
      plan_.probes.push_back(probe);
    }
  }

  // From the place alone, so that a place keeps its id whatever else is in the plan and untouched files stay
  // as they are.
  std::uint32_t new_id(const Probe &probe, std::set<std::uint32_t> &used) const {
    const std::string key = fmt::format(
        "{}:{}:{}", relative_to(probe.place.file, request_.tree), probe.offset,
        probe.kind == ProbeKind::root || probe.kind == ProbeKind::function ? "body" : name_of(probe.kind));
    std::uint64_t hash = fnv1a64(key);
    std::uint32_t id = static_cast<std::uint32_t>(hash ^ (hash >> 32));
    while (id == 0 || !used.insert(id).second)
      ++id;
    return id;
  }

  const Request &request_;
  UnitStore &store_;
  const Blocked &blocked_;
  Plan plan_;
  FunctionRef root_;
  bool root_complete_ = false;
  std::set<std::string> idle_; // USRs
  std::map<std::tuple<std::string, unsigned, ProbeKind, std::string>, Probe> probes_;
  std::map<const Probe *, FunctionRef> refs_;
};

} // namespace

const char *name_of(ProbeKind kind) {
  switch (kind) {
  case ProbeKind::root:
    return "root";
  case ProbeKind::function:
    return "function";
  case ProbeKind::call:
    return "call";
  case ProbeKind::wait:
    return "wait";
  case ProbeKind::idle:
    return "idle";
  case ProbeKind::unit_begin:
    return "unit_begin";
  case ProbeKind::unit_end:
    return "unit_end";
  }
  return "";
}

const Probe &Plan::root() const {
  return *std::find_if(probes.begin(), probes.end(),
                       [](const Probe &probe) { return probe.kind == ProbeKind::root; });
}

std::string Blocked::reason(const std::string &file, unsigned line) const {
  if (const auto it = files.find(file); it != files.end())
    return it->second;
  const auto it = lines.find({file, line});
  return it == lines.end() ? "" : it->second;
}

void Blocked::merge(const Blocked &other) {
  lines.insert(other.lines.begin(), other.lines.end());
  files.insert(other.files.begin(), other.files.end());
}

llvm::Expected<Plan> make_plan(const Request &request, UnitStore &store, const Blocked &blocked) {
  return Planner(request, store, blocked).run();
}

namespace {

// Of texts around calls that begin at one place the longer is outside; of those that end at one place the
// later.
void surround(EditSet &edits, const std::string &file, unsigned begin, unsigned end,
              const std::string &before, const std::string &after) {
  const int length = static_cast<int>(end - begin);
  edits.add(file, {begin, 1000000000 - length, before});
  edits.add(file, {end, length, after});
}

void add_root_edits(EditSet &edits, const Probe &probe) {
  const std::string text = root_probe(probe.id);
  edits.add(probe.place.file, {probe.offset, -1, probe.braces ? fmt::format("{{{} ", text) : text});
  if (probe.braces)
    edits.add(probe.place.file, {probe.end_offset, 2, " }"});
}

void add_probe_edits(EditSet &edits, const Probe &probe) {
  const std::string &file = probe.place.file;
  switch (probe.kind) {
  case ProbeKind::root:
    return add_root_edits(edits, probe);
  case ProbeKind::function:
    return edits.add(file, {probe.offset, -1, function_probe(probe.id)});
  case ProbeKind::idle:
    return edits.add(file, {probe.offset, -1, idle_probe(probe.id)});
  case ProbeKind::unit_begin:
    return edits.add(file, {probe.offset, 0, unit_begin_marker(probe.id)});
  case ProbeKind::unit_end:
    return edits.add(file, {probe.offset, 0, unit_end_marker(probe.id, probe.condition)});
  case ProbeKind::call:
  case ProbeKind::wait:
    return surround(edits, file, probe.offset, probe.end_offset, wrap_begin(probe.id), wrap_end());
  }
}

} // namespace

EditSet edits_of(const Plan &plan) {
  EditSet edits;
  for (const Probe &probe : plan.probes) {
    add_probe_edits(edits, probe);
    for (const Landing &landing : probe.landings)
      surround(edits, landing.begin.file, landing.begin.offset, landing.end_offset, landing_begin(probe.id),
               landing_end(probe.id));
  }
  return edits;
}

std::uint64_t fingerprint(const Plan &plan, const EditSet &edits, const std::string &tree) {
  std::string text = fmt::format("{} {}\n", plan.root_label, fmt::join(plan.modes, ","));
  for (const auto &[file, insertions] : edits.files()) {
    text += relative_to(file, tree) + "\n";
    for (const Insertion &insertion : insertions)
      text += fmt::format("{} {}\n", insertion.offset, insertion.text);
  }
  return fnv1a64(text);
}

} // namespace vprof::instrument
