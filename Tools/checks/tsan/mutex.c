// Informs ThreadSanitizer of the mutexes of Swift's Synchronization.
//
// The fast path of Mutex is inlined into the program, so the sanitizer sees its atomic operations. The
// slow path, taken when a thread waits, is in a library of the toolchain that is built without the
// sanitizer: the sanitizer does not see that the kernel hands the lock over, and reports every access in
// `withLock` as a race. These two functions replace the library's (by LD_PRELOAD), call them, and report
// the acquisition and the release. A real race, one without the mutex, is still reported; a list of
// suppressions would hide it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// _MutexHandle._lockSlow(UInt32) and _MutexHandle._unlockSlow(); self is the address of the handle.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void Lock(uint32_t thread, SELF void *handle);
typedef SWIFT void Unlock(SELF void *handle);
typedef void Tell(void *address);

static Lock *real_lock;
static Unlock *real_unlock;
static Tell *acquire, *release;

static void *find(void *where, const char *name, int is_needed) {
  void *found = dlsym(where, name);
  if (!found && is_needed) {
    fprintf(stderr, "mutex.c: no %s\n", name);
    abort();
  }
  return found;
}

__attribute__((constructor)) static void prepare(void) {
  // A program without the sanitizer does not have these functions.
  acquire = (Tell *)find(RTLD_DEFAULT, "__tsan_acquire", 0);
  release = (Tell *)find(RTLD_DEFAULT, "__tsan_release", 0);
}

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  if (!real_lock) real_lock = (Lock *)find(RTLD_NEXT, LOCK, 1);
  real_lock(thread, handle);
  if (acquire) acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *handle) {
  if (!real_unlock) real_unlock = (Unlock *)find(RTLD_NEXT, UNLOCK, 1);
  if (release) release(handle);
  real_unlock(handle);
}
