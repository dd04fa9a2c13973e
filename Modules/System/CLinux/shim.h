#pragma once
// Linux calls and macros that the Glibc module does not export, as static inline functions.
// Never define _GNU_SOURCE here: Swift's Glibc module is built without it, and types that change
// with it (fd_set, rusage) clash. A GNU function is declared inside the function that calls it.
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// MARK: - Macros that are expressions

static inline int imgdl_o_tmpfile(void) { return __O_TMPFILE; }

static inline unsigned int imgdl_mfd_cloexec(void) { return MFD_CLOEXEC; }

// MARK: - GNU functions

static inline int imgdl_pipe2(int descriptors[2], int flags) {
  extern int pipe2(int descriptors[2], int flags);
  return pipe2(descriptors, flags);
}

static inline int imgdl_memfd_create(const char *name, unsigned int flags) {
  extern int memfd_create(const char *name, unsigned int flags);
  return memfd_create(name, flags);
}

static inline int imgdl_syncfs(int descriptor) {
  extern int syncfs(int descriptor);
  return syncfs(descriptor);
}

/// Copies from one position to the other and moves both.
static inline ssize_t imgdl_copy_file_range(int from, int to, size_t count) {
  return syscall(SYS_copy_file_range, from, (void *)0, to, (void *)0, count, 0u);
}

// MARK: - The environment, which Swift 6 does not let us name

static inline char *const *imgdl_environ(void) {
  extern char **environ;
  return environ;
}

// MARK: - epoll, whose packed event Swift should not have to lay out

static inline int imgdl_epoll_ctl(int poller, int operation, int descriptor, uint32_t events,
                                  uint64_t token) {
  struct epoll_event event;
  event.events = events;
  event.data.u64 = token;
  return epoll_ctl(poller, operation, descriptor, &event);
}

static inline uint64_t imgdl_epoll_token(const struct epoll_event *events, int index) {
  return events[index].data.u64;
}

static inline uint32_t imgdl_epoll_events(const struct epoll_event *events, int index) {
  return events[index].events;
}

// MARK: - Threads

/// Names the calling thread, at most 15 characters, for top and perf.
static inline void imgdl_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
