#pragma once
#include <seccomp.h>

// `SCMP_ACT_ERRNO` is a macro with an argument, which Swift does not import.
static inline uint32_t imgdl_refuse(uint16_t error) { return SCMP_ACT_ERRNO(error); }

// `SCMP_ACT_TRAP` as a function, for symmetry with `imgdl_refuse`.
static inline uint32_t imgdl_trap(void) { return SCMP_ACT_TRAP; }

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// The indices of registers in `gregs`. ucontext.h defines them only for `_GNU_SOURCE`, which Swift's importer
// does not set.
#if defined(__x86_64__)
enum { imgdl_rdi = 8, imgdl_rsi = 9, imgdl_rdx = 12, imgdl_rax = 13, imgdl_r10 = 2 };
#define IMGDL_TRAPS 1
#elif defined(__aarch64__)
#define IMGDL_TRAPS 1
#else
#define IMGDL_TRAPS 0
#endif

/// Whether `imgdl_answer_trapped_calls` supports this processor.
static inline int imgdl_supports_traps(void) { return IMGDL_TRAPS; }

#if IMGDL_TRAPS
/// Opens a path for reading. Returns the descriptor, or -errno. Landlock checks opens but not status calls,
/// so the handler opens each file whose status is requested.
static inline long imgdl_open_for_status(int folder, const char *path) {
  long file = syscall(SYS_openat, folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  return file < 0 ? -errno : file;
}

static inline long imgdl_status_of_path(int folder, const char *path, void *status) {
  long file = imgdl_open_for_status(folder, path);
  if (file < 0) return file;
  long result = syscall(SYS_fstat, (int)file, status) < 0 ? -errno : 0;
  syscall(SYS_close, (int)file);
  return result;
}

static inline long imgdl_access_of_path(int folder, const char *path, int mode) {
  if (mode & ~R_OK) return -EACCES;
  long file = imgdl_open_for_status(folder, path);
  if (file < 0) return file;
  syscall(SYS_close, (int)file);
  return 0;
}

/// Performs a trapped status or access call on behalf of the process, and returns its result or -errno. A
/// file can be examined only if the process may open it. The handler is necessary because the C library
/// requests the status of an open file by `newfstatat` with an empty path, and a filter cannot read paths. In
/// a worker that may open no files, the open is refused with EPERM; in one that may open fonts, Landlock
/// refuses other files with EACCES. Replacing the handler gains nothing, because the calls of any handler are
/// subject to the same filter.
static inline long imgdl_answer_call(int number, const long *arguments) {
  switch (number) {
  case SYS_newfstatat: {
    const char *path = (const char *)arguments[1];
    // 0x1000 is `AT_EMPTY_PATH`, which is defined for `_GNU_SOURCE` only.
    if (!(arguments[3] & 0x1000) || !path || *path)
      return imgdl_status_of_path((int)arguments[0], path, (void *)arguments[2]);
    return syscall(SYS_fstat, (int)arguments[0], (void *)arguments[2]) < 0 ? -errno : 0;
  }
#ifdef SYS_stat
  case SYS_stat:
  case SYS_lstat:
    return imgdl_status_of_path(AT_FDCWD, (const char *)arguments[0], (void *)arguments[1]);
#endif
#ifdef SYS_access
  case SYS_access:
    return imgdl_access_of_path(AT_FDCWD, (const char *)arguments[0], (int)arguments[1]);
#endif
  case SYS_faccessat:
#ifdef SYS_faccessat2
  case SYS_faccessat2:
#endif
    return imgdl_access_of_path(
        (int)arguments[0], (const char *)arguments[1], (int)arguments[2]);
  default: return -EPERM;
  }
}

static void imgdl_on_trapped_call(int number, siginfo_t *information, void *context) {
  (void)number;
  ucontext_t *state = (ucontext_t *)context;
  int error = errno;
#if defined(__x86_64__)
  long long *registers = (long long *)state->uc_mcontext.gregs;
  long arguments[4] = {registers[imgdl_rdi], registers[imgdl_rsi], registers[imgdl_rdx],
                       registers[imgdl_r10]};
#else
  unsigned long long *registers = state->uc_mcontext.regs;
  long arguments[4] = {registers[0], registers[1], registers[2], registers[3]};
#endif
  long result = imgdl_answer_call(information->si_syscall, arguments);
#if defined(__x86_64__)
  registers[imgdl_rax] = result;
#else
  registers[0] = (unsigned long long)result;
#endif
  errno = error;
}
#endif

/// Installs the handler of SIGSYS, which answers trapped calls. Returns 0, or -1 with errno.
static inline int imgdl_answer_trapped_calls(void) {
#if IMGDL_TRAPS
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = imgdl_on_trapped_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  return sigaction(SIGSYS, &action, (struct sigaction *)0);
#else
  return 0;
#endif
}
