/*
 * vprof trace format, version 1: the records that lib/runtime writes and lib/vtree reads.
 * The prose specification is docs/trace-format.md; test/unit/runtime/trace_format_test.cpp holds the two
 * together.
 *
 * One file per process, named vprof.<pid>.<start ticks in hex>.vpt:
 *
 *     file header (one page) | chunk | chunk | chunk ...
 *
 * A chunk belongs to one thread (or holds the process's module list), begins at a multiple of
 * VPROF_TRACE_UNIT and is `length` bytes long. Its payload is a sequence of records; only the first
 * `committed` bytes of the payload count. The writer stores a record first and then `committed` with release
 * order, so what a reader (or a kill -9) finds below `committed` is always whole records.
 *
 * This header includes nothing and is valid in C89..C23 and C++11..C++26, because it lands in the profiled
 * program too. Little endian only: the supported targets are x86-64 and aarch64 Linux.
 */
#ifndef VPROF_TRACE_FORMAT_H
#define VPROF_TRACE_FORMAT_H
#pragma GCC system_header

typedef __UINT8_TYPE__ vprof_u8;
typedef __UINT32_TYPE__ vprof_u32;
typedef __UINT64_TYPE__ vprof_u64;

#define VPROF_TRACE_VERSION 1u
/* "VPROFTRC" and "VPCK" read as little-endian integers. */
#define VPROF_TRACE_MAGIC_LOW 0x4f525056u  /* "VPRO" */
#define VPROF_TRACE_MAGIC_HIGH 0x43525446u /* "FTRC" */
#define VPROF_CHUNK_MAGIC 0x4b435056u      /* "VPCK" */

#define VPROF_TRACE_UNIT 4096u        /* chunks begin at multiples of this and are multiples of it long */
#define VPROF_TRACE_HEADER_SIZE 4096u /* the file header fills one unit */

/* Why something was not recorded; indices into vprof_file_header.dropped. */
enum vprof_drop_reason {
  VPROF_DROP_SPACE = 0,   /* no chunk: disk full, file-size limit, recording limit, no permission */
  VPROF_DROP_MEMORY = 1,  /* no memory for a thread's state, its nodes or its shadow stack */
  VPROF_DROP_REENTRY = 2, /* a probe interrupted a probe (signal handler): the inner one was skipped */
  VPROF_DROP_DEPTH = 3,   /* the shadow stack was full: a probe deeper than it was skipped */
  VPROF_DROP_FORK = 4,    /* an interval was open when the process forked: the child's copy is dropped */
  VPROF_DROP_SIZE = 5,    /* an interval's record was larger than the largest chunk */
  VPROF_DROP_THREAD = 6,  /* a thread could not be given a recorder at all */
  VPROF_DROP_REASONS = 8  /* size of the array; the rest is reserved and 0 */
};

/* Why an interval ended without being complete (cut record). */
enum vprof_cut_reason {
  VPROF_CUT_LONGJMP =
      1, /* the root was left by longjmp, or stacks were switched in it; found at a later probe */
  VPROF_CUT_THREAD_EXIT = 2,  /* the thread ended inside the interval */
  VPROF_CUT_UNIT = 3,         /* a unit of work was still open when the thread ended */
  VPROF_CUT_PROCESS_EXIT = 4, /* exit() inside the interval */
  VPROF_CUT_ROOT_EXIT = 5     /* a root with an idle function returned: the time since the last idle call */
};

enum vprof_clock_source {
  VPROF_CLOCK_TSC = 1,      /* x86-64 time stamp counter, invariant */
  VPROF_CLOCK_CNTVCT = 2,   /* aarch64 virtual counter */
  VPROF_CLOCK_MONOTONIC = 3 /* clock_gettime(CLOCK_MONOTONIC): ticks are nanoseconds */
};

/* Inside the profiled program a host macro may have the name of a field (length, line, version ..), so there,
 * and only there, fields carry a prefix. */
#ifdef VPROF_I_GUEST
#define VPROF_FIELD(field) vp_##field
#else
#define VPROF_FIELD(field) field
#endif

/* The first page of a file. Fields are written once before the file gets its name's first chunk, except those
 * marked "live", which any thread of the process may update with relaxed atomic operations, rarely. */
struct vprof_file_header {
  vprof_u32 VPROF_FIELD(magic_low);
  vprof_u32 VPROF_FIELD(magic_high);
  vprof_u32 VPROF_FIELD(version);
  vprof_u32 VPROF_FIELD(header_size); /* VPROF_TRACE_HEADER_SIZE */
  vprof_u64
      VPROF_FIELD(plan); /* fingerprint of the plan the program was instrumented with (manifest "plan") */
  vprof_u32 VPROF_FIELD(pid);
  vprof_u32 VPROF_FIELD(parent_pid);
  vprof_u32 VPROF_FIELD(clock_source);
  vprof_u32 VPROF_FIELD(root_id); /* probe id of the root */
  /* Two readings of (ticks, CLOCK_MONOTONIC ns): rate = (last_ns - first_ns) / (last_ticks - first_ticks). */
  vprof_u64 VPROF_FIELD(first_ticks);
  vprof_u64 VPROF_FIELD(first_monotonic_ns);
  vprof_u64 VPROF_FIELD(first_realtime_ns);   /* CLOCK_REALTIME at first_ticks: when, for people */
  vprof_u64 VPROF_FIELD(last_ticks);          /* live; at least 1 ms after first_ticks */
  vprof_u64 VPROF_FIELD(last_monotonic_ns);   /* live */
  vprof_u64 VPROF_FIELD(probe_cost_ticks_q8); /* calibrated cost of one enter/exit pair, in 1/256 ticks */
  vprof_u64 VPROF_FIELD(
      probe_inside_ticks_q8); /* the part of it that falls inside the measured node itself, 1/256 ticks */
  vprof_u64 VPROF_FIELD(dropped)[VPROF_DROP_REASONS]; /* live */
  vprof_u64 VPROF_FIELD(file_bytes);   /* live: bytes handed out to chunks, this header included */
  vprof_u32 VPROF_FIELD(live_threads); /* live: threads that have a recorder */
  vprof_u32 VPROF_FIELD(reserved);
  char VPROF_FIELD(executable)[256]; /* /proc/self/exe, NUL-terminated, cut if longer */
};

enum vprof_chunk_kind {
  VPROF_CHUNK_THREAD = 1, /* records of one thread */
  VPROF_CHUNK_MODULES = 2 /* payload: executable lines of /proc/self/maps as text, one per line */
};

/* Start of every chunk. `committed`, `crc` and `open_ticks` are live and written by the owning thread alone.
 * Of a thread's chunks only the last one's open_ticks counts, and only if it is greater than the start of the
 * last record there: else the process ended after that record was committed and before open_ticks was
 * cleared. */
struct vprof_chunk_header {
  vprof_u32 VPROF_FIELD(magic);
  vprof_u32 VPROF_FIELD(kind);
  vprof_u32 VPROF_FIELD(length);       /* of the whole chunk in bytes, this header included */
  vprof_u32 VPROF_FIELD(sequence);     /* 0, 1, 2 .. within (file, thread_index) */
  vprof_u32 VPROF_FIELD(thread_id);    /* Linux tid, may be reused */
  vprof_u32 VPROF_FIELD(thread_index); /* unique within the file */
  vprof_u64 VPROF_FIELD(base_ticks);   /* the first interval's start is a difference to this */
  vprof_u32 VPROF_FIELD(committed);    /* payload bytes that are whole records (release store) */
  vprof_u32 VPROF_FIELD(crc);          /* CRC-32C of the committed payload once the chunk is sealed, else 0 */
  vprof_u64 VPROF_FIELD(open_ticks);   /* start of the interval that is open in this thread now, 0 if none */
  vprof_u64 VPROF_FIELD(reserved)[2];
};

/*
 * Records. Numbers are unsigned LEB128 varints; "signed" ones are zigzag-coded first. Every record starts
 * with one byte, its type.
 *
 * VPROF_RECORD_NODE      parent_node, probe_id, return_address, probe_address
 *     defines the next node of this thread (1, 2, 3 ..; numbering starts anew with the thread, not with the
 *     chunk). parent_node 0: the node is a root. A node is defined before the interval that first uses it.
 *
 * VPROF_RECORD_INTERVAL  flags, signed start_delta, duration_ticks, invocations, entries,
 *                        entries x { signed node_delta, count, total_ticks }
 *     start_delta: to the start of the interval or cut before in this chunk, the first one to base_ticks.
 *     duration_ticks: sum over the root's invocations (equals the root nodes' total_ticks).
 *     node_delta: to the entry before, the first one to 0.
 *     count: calls that ended, or were cut short by the interval's end, in it; total_ticks: inclusive time.
 *
 * VPROF_RECORD_CUT       reason, signed start_delta, elapsed_ticks
 *     an interval that did not complete; its node values are not kept.
 */
enum vprof_record_type { VPROF_RECORD_NODE = 1, VPROF_RECORD_INTERVAL = 2, VPROF_RECORD_CUT = 3 };

#define VPROF_TRACE_ASSERT(name, condition) typedef char vprof_assert_##name[(condition) ? 1 : -1]
VPROF_TRACE_ASSERT(chunk_header_size, sizeof(struct vprof_chunk_header) == 64);
VPROF_TRACE_ASSERT(file_header_size, sizeof(struct vprof_file_header) == 432);
VPROF_TRACE_ASSERT(file_header_fits, sizeof(struct vprof_file_header) <= VPROF_TRACE_HEADER_SIZE);

#endif
