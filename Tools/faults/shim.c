/* Stands between a program and the C library (LD_PRELOAD): counts the calls that touch files below
 * one folder, over all threads, and lets one of them fail or kills the program before it.
 *
 * The rig says what to do through the environment; other programs, helpers too, are left alone:
 *   FAULTS_PROGRAM  name of the program's file
 *   FAULTS_ROOT     folder below which calls count (absolute, without links)
 *   FAULTS_PLAN     "ACTION CALL NTH": ACTION is kill, short or an errno by its number, CALL is the
 *                   name of a class below or * for all that open or change; NTH is from 1, and "3+"
 *                   means the third and all later ones
 *   FAULTS_REPORT   file that gets the counts (struct report), also when the program is killed
 *   FAULTS_TRACE    file that gets a line a counted call: call, inode (0 for calls on a name), path
 *   FAULTS_CHANGES  file that gets what is written to databases, and the syncs (struct change)
 *   FAULTS_BOOT_ID  file that is read in place of the kernel's boot id: another boot of the machine
 */
#define _GNU_SOURCE
#include "judgement.h"

/* How a wrapper is made: its arguments, what it is judged by, its result when it fails. */
#define CALL(result, name, parameters, arguments, verdict, failure)                             \
  NEXT(name) result name parameters {                                                           \
    int decided = verdict;                                                                      \
    if (decided > 0) {                                                                          \
      errno = decided;                                                                          \
      return failure;                                                                           \
    }                                                                                           \
    return real(name) arguments;                                                                \
  }
#define BY_NAME(class, folder, name) judge_name(class_##class, __func__, folder, name)
#define BY_DESCRIPTOR(class, descriptor) judge_descriptor(class_##class, __func__, descriptor)

/* Calls on one name. */
#define NAME_CALL(class, call, parameters, arguments)                                           \
  CALL(int, call, parameters, arguments, BY_NAME(class, AT_FDCWD, path), -1)
#define PLACE_CALL(class, call, parameters, arguments)                                          \
  CALL(int, call, parameters, arguments, BY_NAME(class, folder, path), -1)
#define FILE_CALL(class, call, parameters, arguments)                                           \
  CALL(int, call, parameters, arguments, BY_DESCRIPTOR(class, file), -1)

static const char *redirected(const char *path) {
  bool is_boot_id = path && boot_id[0] && !strcmp(path, "/proc/sys/kernel/random/boot_id");
  return is_boot_id ? boot_id : path;
}

#define OPEN(call, parameters, folder, ...)                                                     \
  NEXT(call) int call parameters {                                                              \
    va_list rest;                                                                               \
    va_start(rest, flags);                                                                      \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;                   \
    va_end(rest);                                                                               \
    int decided = BY_NAME(open, folder, path);                                                  \
    if (decided > 0) {                                                                          \
      errno = decided;                                                                          \
      return -1;                                                                                \
    }                                                                                           \
    path = redirected(path);                                                                    \
    return real(call)(__VA_ARGS__, mode);                                                       \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path, flags)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path, flags)
OPEN(openat, (int folder, const char *path, int flags, ...), folder, folder, path, flags)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder, folder, path, flags)

/* What the headers call in place of open when they check the arguments. */
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char *path, int flags) { return openat64(folder, path, flags); }

NAME_CALL(open, creat, (const char *path, mode_t mode), (path, mode))
NAME_CALL(open, creat64, (const char *path, mode_t mode), (path, mode))
CALL(FILE *, fopen, (const char *path, const char *mode), (redirected(path), mode),
     BY_NAME(open, AT_FDCWD, path), NULL)
CALL(FILE *, fopen64, (const char *path, const char *mode), (redirected(path), mode),
     BY_NAME(open, AT_FDCWD, path), NULL)
CALL(DIR *, opendir, (const char *path), (path), BY_NAME(open, AT_FDCWD, path), NULL)
CALL(int, mkstemp, (char *path), (path), BY_NAME(open, AT_FDCWD, path), -1)
CALL(int, mkstemp64, (char *path), (path), BY_NAME(open, AT_FDCWD, path), -1)
CALL(char *, mkdtemp, (char *path), (path), BY_NAME(mkdir, AT_FDCWD, path), NULL)

/* Reads and writes: the bytes that go through may be halved. */
#define TRANSFER_AFTER(before, class, call, parameters, arguments)                              \
  NEXT(call) ssize_t call parameters {                                                          \
    int decided = BY_DESCRIPTOR(class, file);                                                   \
    if (decided > 0) {                                                                          \
      errno = decided;                                                                          \
      return -1;                                                                                \
    }                                                                                           \
    if (decided == -2 && size > 1) size /= 2;                                                   \
    before;                                                                                     \
    return real(call) arguments;                                                                \
  }
#define TRANSFER(...) TRANSFER_AFTER((void)0, __VA_ARGS__)
/* These two are how SQLite writes. */
#define PLACED_WRITE(call, offset)                                                              \
  TRANSFER_AFTER(keep('w', file, (uint64_t)at, bytes, size), write, call,                       \
                 (int file, const void *bytes, size_t size, offset at), (file, bytes, size, at))
PLACED_WRITE(pwrite, off_t)
PLACED_WRITE(pwrite64, off64_t)
TRANSFER(write, write, (int file, const void *bytes, size_t size), (file, bytes, size))
TRANSFER(write, writev, (int file, const struct iovec *parts, int size), (file, parts, size))
TRANSFER(write, pwritev, (int file, const struct iovec *parts, int size, off_t at),
         (file, parts, size, at))
TRANSFER(read, read, (int file, void *bytes, size_t size), (file, bytes, size))
TRANSFER(read, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
TRANSFER(read, pread64, (int file, void *bytes, size_t size, off64_t at), (file, bytes, size, at))
TRANSFER(copy, sendfile, (int file, int from, off_t *at, size_t size), (file, from, at, size))
TRANSFER(copy, copy_file_range,
         (int from, off64_t *from_at, int file, off64_t *at, size_t size, unsigned flags),
         (from, from_at, file, at, size, flags))

NAME_CALL(rename, rename, (const char *old, const char *path), (old, path))
PLACE_CALL(rename, renameat, (int from, const char *old, int folder, const char *path),
           (from, old, folder, path))
PLACE_CALL(rename, renameat2,
           (int from, const char *old, int folder, const char *path, unsigned flags),
           (from, old, folder, path, flags))
NAME_CALL(link, link, (const char *old, const char *path), (old, path))
PLACE_CALL(link, linkat, (int from, const char *old, int folder, const char *path, int flags),
           (from, old, folder, path, flags))
NAME_CALL(link, symlink, (const char *target, const char *path), (target, path))
PLACE_CALL(link, symlinkat, (const char *target, int folder, const char *path),
           (target, folder, path))
NAME_CALL(unlink, unlink, (const char *path), (path))
PLACE_CALL(unlink, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
NAME_CALL(unlink, remove, (const char *path), (path))
NAME_CALL(rmdir, rmdir, (const char *path), (path))
NAME_CALL(mkdir, mkdir, (const char *path, mode_t mode), (path, mode))
PLACE_CALL(mkdir, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))

NAME_CALL(truncate, truncate, (const char *path, off_t length), (path, length))
#define TRUNCATION(call, offset)                                                                \
  NEXT(call) int call(int file, offset length) {                                                \
    int decided = BY_DESCRIPTOR(truncate, file);                                                \
    if (decided > 0) {                                                                          \
      errno = decided;                                                                          \
      return -1;                                                                                \
    }                                                                                           \
    keep('t', file, (uint64_t)length, NULL, 0);                                                 \
    return real(call)(file, length);                                                            \
  }
TRUNCATION(ftruncate, off_t)
TRUNCATION(ftruncate64, off64_t)
FILE_CALL(fsync, fsync, (int file), (file))
FILE_CALL(fdatasync, fdatasync, (int file), (file))
FILE_CALL(syncfs, syncfs, (int file), (file))
FILE_CALL(allocate, fallocate, (int file, int mode, off_t at, off_t length),
          (file, mode, at, length))
FILE_CALL(allocate, fallocate64, (int file, int mode, off64_t at, off64_t length),
          (file, mode, at, length))
CALL(int, posix_fallocate, (int file, off_t at, off_t length), (file, at, length),
     BY_DESCRIPTOR(allocate, file), decided)

NAME_CALL(mode, chmod, (const char *path, mode_t mode), (path, mode))
FILE_CALL(mode, fchmod, (int file, mode_t mode), (file, mode))
FILE_CALL(mode, fchown, (int file, uid_t user, gid_t group), (file, user, group))
FILE_CALL(mode, futimens, (int file, const struct timespec times[2]), (file, times))
PLACE_CALL(mode, utimensat,
           (int folder, const char *path, const struct timespec times[2], int flags),
           (folder, path, times, flags))

CALL(void *, mmap, (void *at, size_t size, int access, int flags, int file, off_t from),
     (at, size, access, flags, file, from), BY_DESCRIPTOR(mmap, file), MAP_FAILED)
CALL(void *, mmap64, (void *at, size_t size, int access, int flags, int file, off64_t from),
     (at, size, access, flags, file, from), BY_DESCRIPTOR(mmap, file), MAP_FAILED)

NAME_CALL(stat, stat, (const char *path, struct stat *status), (path, status))
NAME_CALL(stat, stat64, (const char *path, struct stat64 *status), (path, status))
NAME_CALL(stat, lstat, (const char *path, struct stat *status), (path, status))
NAME_CALL(stat, lstat64, (const char *path, struct stat64 *status), (path, status))
FILE_CALL(stat, fstat, (int file, struct stat *status), (file, status))
FILE_CALL(stat, fstat64, (int file, struct stat64 *status), (file, status))
PLACE_CALL(stat, fstatat, (int folder, const char *path, struct stat *status, int flags),
           (folder, path, status, flags))
NAME_CALL(stat, access, (const char *path, int mode), (path, mode))
CALL(DIR *, fdopendir, (int file), (file), BY_DESCRIPTOR(list, file), NULL)
FILE_CALL(lock, flock, (int file, int operation), (file, operation))

#define CONTROL(call)                                                                           \
  NEXT(call) int call(int file, int command, ...) {                                             \
    va_list rest;                                                                               \
    va_start(rest, command);                                                                    \
    void *argument = va_arg(rest, void *);                                                      \
    va_end(rest);                                                                               \
    bool is_lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK;         \
    int decided = is_lock ? BY_DESCRIPTOR(lock, file) : 0;                                      \
    if (decided > 0) {                                                                          \
      errno = decided;                                                                          \
      return -1;                                                                                \
    }                                                                                           \
    return real(call)(file, command, argument);                                                 \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

/* Calls without a function of their own in the program's C library. */
long syscall(long number, ...) {
  va_list rest;
  long value[6];
  va_start(rest, number);
  for (int i = 0; i < 6; i++) value[i] = va_arg(rest, long);
  va_end(rest);
  int decided = 0;
  if (number == SYS_copy_file_range)
    decided = judge_descriptor(class_copy, "copy_file_range", (int)value[2]);
  else if (number == SYS_renameat2)
    decided = judge_name(class_rename, "renameat2", (int)value[2], (const char *)value[3]);
  if (decided > 0) {
    errno = decided;
    return -1;
  }
  return kernel(number, value[0], value[1], value[2], value[3], value[4], value[5]);
}
