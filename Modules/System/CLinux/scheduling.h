#pragma once
// How threads and processes are scheduled, as functions; see shim.h.
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// sched_setattr(2), which the C library does not have; the fields of its first version.
struct imgdl_scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

/// How the calling thread is scheduled; -1 on failure.
static inline int imgdl_scheduling_policy(void) {
  struct imgdl_scheduling now = {.size = sizeof now};
  if (syscall(SYS_sched_getattr, 0, &now, (unsigned)sizeof now, 0u) != 0) return -1;
  return (int)now.policy;
}

/// Makes the calling thread, if it is an ordinary one, SCHED_BATCH with turns of that length (which
/// kernels before 6.12 do not look at). Threads that it begins inherit it. Whether it did.
static inline int imgdl_schedule_as_batch(unsigned long long nanoseconds) {
  struct imgdl_scheduling wanted = {.size = sizeof wanted};
  if (syscall(SYS_sched_getattr, 0, &wanted, (unsigned)sizeof wanted, 0u) != 0) return 0;
  if (wanted.policy != 0 /* SCHED_OTHER */) return 0;
  wanted.size = sizeof wanted;
  wanted.policy = 3 /* SCHED_BATCH */;
  wanted.runtime = nanoseconds;
  return syscall(SYS_sched_setattr, 0, &wanted, 0u) == 0;
}

/// A process that is spawned with these attributes is an ordinary one.
static inline void imgdl_spawn_as_ordinary(posix_spawnattr_t *attributes, short *flags) {
  struct sched_param none = {0};
  posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER);
  posix_spawnattr_setschedparam(attributes, &none);
  *flags |= POSIX_SPAWN_SETSCHEDULER;
}
