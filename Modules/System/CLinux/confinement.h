#pragma once
// Inline functions for the limits, the privileges and the Landlock rules of a process.
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: - Limits and privileges of a process

/// Permanently lowers a limit of this process (setrlimit(2)). Returns 0, or -1 with errno.
static inline int imgdl_limit(int resource, unsigned long long value) {
  struct rlimit limit = {(rlim_t)value, (rlim_t)value};
  return setrlimit(resource, &limit);
}

static inline int imgdl_limit_memory(unsigned long long bytes) {
  return imgdl_limit(RLIMIT_AS, bytes);
}

/// Limits the heap, anonymous memory and all other private writable memory in bytes (Linux 4.7).
static inline int imgdl_limit_data(unsigned long long bytes) {
  return imgdl_limit(RLIMIT_DATA, bytes);
}

static inline int imgdl_limit_descriptors(unsigned long long count) {
  return imgdl_limit(RLIMIT_NOFILE, count);
}

/// Makes malloc keep up to 32 MiB of freed memory for reuse, instead of returning it to the system and
/// allocating it anew page by page.
static inline void imgdl_keep_freed_memory(void) {
  extern int mallopt(int parameter, int value);
  mallopt(-3 /* M_MMAP_THRESHOLD */, 32 << 20);
  mallopt(-1 /* M_TRIM_THRESHOLD */, 32 << 20);
}

static inline int imgdl_no_core_files(void) { return imgdl_limit(RLIMIT_CORE, 0); }

/// Limits the size of files that this process writes; 0 forbids writing. Pipes, sockets and mapped memory are
/// not limited.
static inline int imgdl_limit_file_size(unsigned long long bytes) {
  return imgdl_limit(RLIMIT_FSIZE, bytes);
}

/// Returns the maximum size in bytes of files that this process writes (`ulimit -f`); the largest number
/// means no limit.
static inline unsigned long long imgdl_file_size_limit(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? ~0ULL : (unsigned long long)limit.rlim_cur;
}

/// Ends another process (SIGXCPU) after the given processor time in seconds, counted from its start. Sets
/// only the soft limit, because the hard limit could not be raised again for the next job of that process.
static inline int imgdl_limit_processor(int process, unsigned long long seconds) {
  struct rlimit limit = {(rlim_t)seconds, RLIM_INFINITY};
  return (int)syscall(SYS_prlimit64, process, RLIMIT_CPU, &limit, (void *)0);
}

/// Prevents programs that this process executes from gaining privileges (prctl(2)).
static inline int imgdl_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
static inline int imgdl_has_no_new_privileges(void) {
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

/// Lets the kernel kill this process when the thread that has started it ends, also after this process has become
/// another program (prctl(2)). Returns 0, or -1 with errno.
static inline int imgdl_end_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Prevents other processes of the same user from tracing this one or reading its memory (prctl(2)).
static inline int imgdl_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int imgdl_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// MARK: - Landlock (landlock(7)), whose calls have no functions in the C library

/// Returns the version of the interface, 1 or more, or -1 with errno if the kernel does not support it.
static inline int imgdl_landlock_version(void) {
  return (int)syscall(444 /* landlock_create_ruleset */, (void *)0, (size_t)0, 1u);
}

/// Creates a ruleset that handles these rights, which are denied unless a rule allows them. A kernel with a
/// shorter structure rejects the call unless the fields that it does not know are zero.
static inline int imgdl_landlock_create(uint64_t files, uint64_t network, uint64_t scoped) {
  uint64_t rights[3] = {files, network, scoped};
  return (int)syscall(444, rights, sizeof rights, 0u);
}

/// Adds a rule to a ruleset that allows the rights `files` below a folder.
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
