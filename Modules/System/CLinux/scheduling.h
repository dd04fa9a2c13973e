#pragma once
// Inline functions for the scheduling policy of threads and processes.
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The argument of sched_setattr(2), which the C library does not declare: the fields of its first version.
struct imgdl_scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

/// Returns the scheduling policy of the calling thread, or -1 on failure.
static inline int imgdl_scheduling_policy(void) {
  struct imgdl_scheduling now = {.size = sizeof now};
  if (syscall(SYS_sched_getattr, 0, &now, (unsigned)sizeof now, 0u) != 0) return -1;
  return (int)now.policy;
}

/// Changes the calling thread, if its policy is SCHED_OTHER, to SCHED_BATCH with the given time slice, which
/// kernels before 6.12 ignore. Threads that it starts inherit the policy. Returns whether the policy was
/// changed.
static inline int imgdl_schedule_as_batch(unsigned long long nanoseconds) {
  struct imgdl_scheduling wanted = {.size = sizeof wanted};
  if (syscall(SYS_sched_getattr, 0, &wanted, (unsigned)sizeof wanted, 0u) != 0) return 0;
  if (wanted.policy != 0 /* SCHED_OTHER */) return 0;
  wanted.size = sizeof wanted;
  wanted.policy = 3 /* SCHED_BATCH */;
  wanted.runtime = nanoseconds;
  return syscall(SYS_sched_setattr, 0, &wanted, 0u) == 0;
}

/// Makes a spawned process use SCHED_OTHER.
static inline void imgdl_spawn_as_ordinary(posix_spawnattr_t *attributes, short *flags) {
  struct sched_param none = {0};
  posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER);
  posix_spawnattr_setschedparam(attributes, &none);
  *flags |= POSIX_SPAWN_SETSCHEDULER;
}
