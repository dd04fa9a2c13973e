/* Which calls count, which of them the plan strikes, and what is noted of them. Part of shim.c. */
#pragma once
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
static int action, struck_class; /* action: an errno, -1 kill, -2 short */
static int trace = -1, changes = -1;
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

static int open_log(const char *variable) {
  const char *path = getenv(variable);
  return path ? (int)kernel(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                            0644)
              : -1;
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
  trace = open_log("FAULTS_TRACE");
  changes = open_log("FAULTS_CHANGES");
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

/* What a power cut may undo: a line of FAULTS_CHANGES, with the bytes of a write behind it. The kind is
 * w(rite), t(runcate, to `at`), s(ync) or S(ync of all), and f and F where these two fail. */
struct change {
  uint64_t kind, inode, at, size;
};

/* Databases and their logs alone; not the index of a log, which is rebuilt after a power cut. */
static void keep(char kind, int descriptor, uint64_t at, const void *bytes, size_t size) {
  char path[PATH_MAX];
  struct stat status;
  if (changes < 0 || !of_descriptor(descriptor, path)) return;
  const char *name = strstr(path, ".sqlite");
  if (kind != 'S' && kind != 'F' && (!name || strstr(name, "-shm"))) return;
  if (kernel(SYS_fstat, descriptor, &status) != 0) return;
  struct change change = {(uint64_t)kind, status.st_ino, at, size};
  struct iovec parts[] = {{&change, sizeof change}, {(void *)bytes, size}};
  kernel(SYS_writev, changes, parts, 2);
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
  bool fails = strikes && action > 0;
  if (fails || !strikes) {
    if (class == class_fsync || class == class_fdatasync)
      keep(fails ? 'f' : 's', descriptor, 0, NULL, 0);
    if (class == class_syncfs) keep(fails ? 'F' : 'S', descriptor, 0, NULL, 0);
  }
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
