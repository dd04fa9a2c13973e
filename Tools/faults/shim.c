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
 *   FAULTS_BOOT_ID  file that is read in place of the kernel's boot id: another boot of the machine
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Classes of calls. The first ones open or change something: these are what * means. */
#define CLASSES(X)                                                                              \
  X(open) X(write) X(rename) X(link) X(unlink) X(mkdir) X(rmdir) X(truncate) X(fsync)           \
  X(fdatasync) X(syncfs) X(allocate) X(copy) X(mode) X(read) X(mmap) X(stat) X(list) X(lock)
enum class {
#define X(name) class_##name,
  CLASSES(X)
#undef X
  class_count,
  changing_count = class_read
};
static const char *const class_names[] = {
#define X(name) #name,
  CLASSES(X)
#undef X
};

struct report {
  _Atomic uint64_t changing;           /* calls of the changing classes */
  _Atomic uint64_t fired;              /* how often the plan struck */
  _Atomic uint64_t counts[class_count];
  char call[32];                       /* what it struck first */
  char path[1024];
};

static struct report spare, *report = &spare;
static char root[PATH_MAX], boot_id[PATH_MAX];
static size_t root_length;
static bool is_active, is_sticky, strikes_all;
static int action, struck_class, trace = -1; /* action: an errno, -1 kill, -2 short */
static uint64_t nth;

#define real(name) ((__typeof__(&name))next_##name(#name))
static void *find(void **known, const char *name) {
  if (!*known) *known = dlsym(RTLD_NEXT, name);
  return *known;
}
#define NEXT(name)                                                                              \
  static void *next_##name(const char *text) {                                                  \
    static void *known;                                                                         \
    return find(&known, text);                                                                  \
  }
NEXT(syscall)
#define kernel(...) real(syscall)(__VA_ARGS__)

static void read_plan(const char *plan) {
  char what[16] = "", class[16] = "", number[24] = "";
  if (!plan || sscanf(plan, "%15s %15s %23s", what, class, number) != 3) return;
  action = !strcmp(what, "kill") ? -1 : !strcmp(what, "short") ? -2 : atoi(what);
  strikes_all = !strcmp(class, "*");
  struck_class = -1;
  for (int i = 0; i < class_count; i++)
    if (!strcmp(class, class_names[i])) struck_class = i;
  nth = strtoull(number, NULL, 10);
  is_sticky = strchr(number, '+') != NULL;
}

static void open_report(const char *path) {
  if (!path) return;
  int file = (int)kernel(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || kernel(SYS_ftruncate, file, sizeof *report) != 0) abort();
  /* The offset by its type: of a plain 0 only the lower half is sure to be there. */
  void *map = (void *)kernel(SYS_mmap, NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED,
                             file, (off_t)0);
  if (map == MAP_FAILED) abort();
  report = map;
  kernel(SYS_close, file);
}

__attribute__((constructor)) static void begin(void) {
  const char *program = getenv("FAULTS_PROGRAM"), *folder = getenv("FAULTS_ROOT");
  char self[PATH_MAX];
  ssize_t length = kernel(SYS_readlink, "/proc/self/exe", self, sizeof self - 1);
  if (!program || !folder || length < 0) return;
  self[length] = 0;
  const char *name = strrchr(self, '/');
  if (!name || strcmp(name + 1, program)) return;
  if (getenv("FAULTS_BOOT_ID"))
    snprintf(boot_id, sizeof boot_id, "%s", getenv("FAULTS_BOOT_ID"));
  root_length = (size_t)snprintf(root, sizeof root, "%s", folder);
  if (getenv("FAULTS_TRACE"))
    trace = (int)kernel(SYS_openat, AT_FDCWD, getenv("FAULTS_TRACE"),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  read_plan(getenv("FAULTS_PLAN"));
  open_report(getenv("FAULTS_REPORT"));
  is_active = true;
}

static bool is_below_root(const char *path) {
  return !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

/* What a descriptor is of; false if that is not below the root. */
static bool of_descriptor(int descriptor, char path[PATH_MAX]) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = kernel(SYS_readlink, link, path, (size_t)PATH_MAX - 1);
  if (length < 0) return false;
  path[length] = 0;
  return is_below_root(path);
}

static bool of_name(int folder, const char *name, char path[PATH_MAX]) {
  char base[PATH_MAX];
  if (!name) return false;
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
    return is_below_root(path);
  }
  if (folder != AT_FDCWD) of_descriptor(folder, base);
  else if (kernel(SYS_getcwd, base, sizeof base) < 0) return false;
  if (snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX) return false;
  return is_below_root(path);
}

/* Before the call is made: when a process is killed, its last line may be of a call that was not. */
static void note(const char *call, int descriptor, const char *path, bool strikes) {
  char line[PATH_MAX + 96];
  struct stat status = {0};
  if (trace < 0) return;
  if (descriptor >= 0 && kernel(SYS_fstat, descriptor, &status) != 0) status.st_ino = 0;
  const char *rest = path[root_length] ? path + root_length + 1 : ".";
  int length = snprintf(line, sizeof line, "%s%s %llu %s\n", strikes ? "!" : "", call,
                        (unsigned long long)status.st_ino, rest);
  if (length > 0) kernel(SYS_write, trace, line, (size_t)length);
}

/* Counts a call. 0: do it; else what to do instead: fail with this errno, or -2: do half of it. */
static int judge(enum class class, const char *call, int descriptor, const char *path) {
  bool is_changing = class < changing_count;
  uint64_t number = atomic_fetch_add(&report->counts[class], 1) + 1;
  uint64_t changing = is_changing ? atomic_fetch_add(&report->changing, 1) + 1 : 0;
  bool is_meant = strikes_all ? is_changing : (int)class == struck_class;
  if (strikes_all) number = changing;
  bool strikes = action && is_meant && (number == nth || (is_sticky && number > nth));
  note(call, descriptor, path, strikes);
  if (!strikes) return 0;
  if (atomic_fetch_add(&report->fired, 1) == 0) {
    snprintf(report->call, sizeof report->call, "%s", call);
    snprintf(report->path, sizeof report->path, "%s", path + root_length);
  }
  if (action == -1) {
    kernel(SYS_kill, 0, SIGKILL);
    for (;;) pause();
  }
  return action;
}

static int judge_name(enum class class, const char *call, int folder, const char *name) {
  char path[PATH_MAX];
  int saved = errno, verdict = 0;
  if (is_active && of_name(folder, name, path)) verdict = judge(class, call, -1, path);
  errno = saved;
  return verdict;
}

static int judge_descriptor(enum class class, const char *call, int descriptor) {
  char path[PATH_MAX];
  int saved = errno, verdict = 0;
  if (is_active && descriptor >= 0 && of_descriptor(descriptor, path))
    verdict = judge(class, call, descriptor, path);
  errno = saved;
  return verdict;
}

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
#define TRANSFER(class, call, parameters, arguments)                                            \
  NEXT(call) ssize_t call parameters {                                                          \
    int decided = BY_DESCRIPTOR(class, file);                                                   \
    if (decided > 0) {                                                                          \
      errno = decided;                                                                          \
      return -1;                                                                                \
    }                                                                                           \
    if (decided == -2 && size > 1) size /= 2;                                                   \
    return real(call) arguments;                                                                \
  }
TRANSFER(write, write, (int file, const void *bytes, size_t size), (file, bytes, size))
TRANSFER(write, pwrite, (int file, const void *bytes, size_t size, off_t at),
         (file, bytes, size, at))
TRANSFER(write, pwrite64, (int file, const void *bytes, size_t size, off64_t at),
         (file, bytes, size, at))
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
FILE_CALL(truncate, ftruncate, (int file, off_t length), (file, length))
FILE_CALL(truncate, ftruncate64, (int file, off64_t length), (file, length))
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
