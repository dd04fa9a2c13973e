#pragma once
// Limits, privileges and Landlock rules of a process, as functions; see shim.h.
#include <errno.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: - What a process may do

/// Lowers a limit of this process (setrlimit(2)) for good. 0, or -1 with errno.
static inline int imgdl_limit(int resource, unsigned long long value) {
  struct rlimit limit = {(rlim_t)value, (rlim_t)value};
  return setrlimit(resource, &limit);
}

static inline int imgdl_limit_memory(unsigned long long bytes) {
  return imgdl_limit(RLIMIT_AS, bytes);
}

/// Heap, anonymous memory and whatever else only this process can write to (Linux 4.7).
static inline int imgdl_limit_data(unsigned long long bytes) {
  return imgdl_limit(RLIMIT_DATA, bytes);
}

static inline int imgdl_limit_descriptors(unsigned long long count) {
  return imgdl_limit(RLIMIT_NOFILE, count);
}

/// Memory that was freed is kept for what comes next, up to 32 MiB of it, instead of being given back
/// and taken anew page by page.
static inline void imgdl_keep_freed_memory(void) {
  extern int mallopt(int parameter, int value);
  mallopt(-3 /* M_MMAP_THRESHOLD */, 32 << 20);
  mallopt(-1 /* M_TRIM_THRESHOLD */, 32 << 20);
}

static inline int imgdl_no_core_files(void) { return imgdl_limit(RLIMIT_CORE, 0); }

/// 0: nothing can be written to a file; pipes, sockets and mapped memory are none.
static inline int imgdl_limit_file_size(unsigned long long bytes) {
  return imgdl_limit(RLIMIT_FSIZE, bytes);
}

/// Bytes that a file may grow to by this process's doing (`ulimit -f`); the largest number if any.
static inline unsigned long long imgdl_file_size_limit(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? ~0ULL : (unsigned long long)limit.rlim_cur;
}

/// Seconds of processor time after which another process is ended (SIGXCPU), counted from its start.
/// Only the soft limit: the hard one could not be raised again for its next job.
static inline int imgdl_limit_processor(int process, unsigned long long seconds) {
  struct rlimit limit = {(rlim_t)seconds, RLIM_INFINITY};
  return (int)syscall(SYS_prlimit64, process, RLIMIT_CPU, &limit, (void *)0);
}

/// No program that this process starts gets more rights than it has (prctl(2)).
static inline int imgdl_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
static inline int imgdl_has_no_new_privileges(void) {
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

/// Nobody of the same user may trace this process or read its memory (prctl(2)).
static inline int imgdl_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int imgdl_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// MARK: - Landlock (landlock(7)), whose calls have no functions in the C library

/// The version of the interface, 1 or more; -1 with errno where the kernel has none.
static inline int imgdl_landlock_version(void) {
  return (int)syscall(444 /* landlock_create_ruleset */, (void *)0, (size_t)0, 1u);
}

/// Rights that only rules give back. The kernel refuses a structure that is longer than it knows,
/// unless the rest is zero.
static inline int imgdl_landlock_create(uint64_t files, uint64_t network, uint64_t scoped) {
  uint64_t rights[3] = {files, network, scoped};
  return (int)syscall(444, rights, sizeof rights, 0u);
}

/// Gives rights back below a folder.
static inline int imgdl_landlock_allow(int rules, int folder, uint64_t files) {
  struct __attribute__((packed)) {
    uint64_t rights;
    int32_t folder;
  } rule = {files, folder};
  return (int)syscall(445 /* landlock_add_rule */, rules, 1 /* below a path */, &rule, 0u);
}

static inline int imgdl_landlock_restrict(int rules) {
  return (int)syscall(446 /* landlock_restrict_self */, rules, 0u);
}
